// Ways of writing a reference down. `kind` says what the text gives besides the place: nothing, a symbol, a line of code, a block.
// `defines`: the words say that the symbol is defined there.
const bar = (text) => text.replace(/\|/g, "\\|");
const range = (f, dash = "-") => `${f.line}${dash}${f.end}`;

export const developmentShapes = [
  { name: "code span", kind: "bare", write: (f) => `See \`${f.path}:${f.line}\` for details.` },
  {
    name: "plain with column",
    kind: "bare",
    write: (f) => `Reported at ${f.path}:${f.line}:3, which is odd.`,
  },
  { name: "path alone", kind: "path", write: (f) => `Read \`${f.path}\` for the implementation.` },
  {
    name: "range",
    kind: "bare",
    ranged: true,
    write: (f) => `The block at \`${f.path}:${range(f)}\` is dense.`,
  },

  {
    name: "flow step",
    kind: "symbol",
    write: (f) => `1. Request → \`${f.path}:${f.line}\` (${f.symbol})`,
    plain: true,
  },
  {
    name: "defined at",
    kind: "symbol",
    defines: true,
    write: (f) => `\`${f.symbol}\` is defined at \`${f.path}:${f.line}\`.`,
  },
  {
    name: "key reference row",
    kind: "symbol",
    write: (f) =>
      `| Item | Location | Relevance |\n|------|----------|-----------|\n| \`${f.symbol}\` | \`${f.path}:${f.line}\` | Core logic |`,
  },
  {
    name: "plain item row",
    kind: "symbol",
    plain: true,
    write: (f) =>
      `| Item | Location | Relevance |\n|------|----------|-----------|\n| ${f.symbol} | \`${f.path}:${f.line}\` | Core logic |`,
  },
  {
    name: "file and line columns",
    kind: "symbol",
    write: (f) =>
      `| File | Line | Symbol |\n|---|---|---|\n| ${f.path} | ${f.line} | \`${f.symbol}\` |`,
  },
  {
    name: "line words",
    kind: "symbol",
    defines: true,
    write: (f) => `\`${f.path}\` (line ${f.line}) declares \`${f.symbol}\`.`,
  },
  {
    name: "lines of",
    kind: "symbol",
    ranged: true,
    write: (f) => `Lines ${range(f, "–")} of \`${f.path}\` hold \`${f.symbol}\`.`,
  },
  { name: "hash", kind: "symbol", write: (f) => `- \`${f.symbol}\`: \`${f.path}#L${f.line}\`` },
  {
    name: "hash range",
    kind: "symbol",
    ranged: true,
    write: (f) => `- \`${f.symbol}\`: \`${f.path}#L${f.line}-L${f.end}\``,
  },
  {
    name: "link",
    kind: "symbol",
    write: (f) => `Handled by [\`${f.symbol}\`](${f.path}#L${f.line}).`,
  },
  {
    name: "blob address",
    kind: "symbol",
    write: (f) =>
      `\`${f.symbol}\`: https://github.com/acme/${f.pack}/blob/main/${f.path}#L${f.line}`,
  },
  {
    name: "at sign",
    kind: "symbol",
    write: (f) => `**\`${f.symbol}\`** \`${f.path}\` @ L${f.line}`,
  },
  {
    name: "parenthesised",
    kind: "symbol",
    write: (f) => `The work is done by \`${f.symbol}\` (${f.path}:${f.line}).`,
  },
  {
    name: "pytest id",
    kind: "symbol",
    lineless: true,
    write: (f) => `Run \`${f.path}::${f.symbol}\`.`,
  },
  {
    name: "call form",
    kind: "symbol",
    write: (f) => `\`${f.symbol}()\` in ${f.path}:${f.line} does it.`,
  },
  { name: "dot slash", kind: "symbol", write: (f) => `- ./${f.path}:${f.line} — \`${f.symbol}\`` },
  {
    name: "wrapped line",
    kind: "symbol",
    write: (f) =>
      `The routine \`${f.symbol}\` is implemented\nin \`${f.path}:${f.line}\` and nowhere else.`,
  },
  {
    name: "backslashes",
    kind: "symbol",
    write: (f) => `\`${f.symbol}\` at \`${f.path.replaceAll("/", "\\")}:${f.line}\``,
  },
  { name: "msvc", kind: "symbol", write: (f) => `${f.path}(${f.line}): \`${f.symbol}\`` },
  {
    name: "bold",
    kind: "symbol",
    defines: true,
    write: (f) => `**${f.path}:${f.line}** defines \`${f.symbol}\`.`,
  },

  {
    name: "code match",
    kind: "code",
    write: (f) =>
      `Found it in ${f.path}:${f.line}\n- Verified: Read tool confirmed file exists\n- Code match: \`${f.code}\``,
  },
  {
    name: "dash and code",
    kind: "code",
    write: (f) => `- \`${f.path}:${f.line}\` — \`${f.code}\``,
  },
  { name: "colon and code", kind: "code", write: (f) => `\`${f.path}:${f.line}\`: \`${f.code}\`` },
  {
    name: "code column",
    kind: "code",
    write: (f) =>
      `| File:Line | Code | Note |\n|---|---|---|\n| \`${f.path}:${f.line}\` | \`${bar(f.code)}\` | odd |`,
  },
  { name: "grep line", kind: "code", write: (f) => `${f.path}:${f.line}:${f.raw}` },
  {
    name: "grep fence",
    kind: "code",
    write: (f) => `\`\`\`\n${f.path}:${f.line}:${f.raw}\n\`\`\``,
  },
  {
    name: "code in path",
    kind: "code",
    lineless: true,
    write: (f) => `\`${f.path}\` contains \`${f.code}\`.`,
  },
  {
    name: "added comment",
    kind: "code",
    write: (f) => `\`\`\`${f.lang}\n// ${f.path}:${f.line}\n${f.raw} // CRITICAL\n\`\`\``,
  },

  {
    name: "fence with comment",
    kind: "block",
    write: (f) => `\`\`\`${f.lang}\n// ${f.path}:${f.line}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "fence with info",
    kind: "block",
    write: (f) => `\`\`\`${f.lang} ${f.path}:${f.line}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "fence with title",
    kind: "block",
    lineless: true,
    write: (f) => `\`\`\`${f.lang} title="${f.path}"\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "fence after line",
    kind: "block",
    write: (f) =>
      `The code at \`${f.path}:${f.line}\`:\n\n\`\`\`${f.lang}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "fence after range",
    kind: "block",
    ranged: true,
    write: (f) => `\`${f.path}:${range(f)}\`\n\`\`\`${f.lang}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "dedented fence",
    kind: "block",
    write: (f) =>
      `From \`${f.path}:${f.line}\`:\n\`\`\`${f.lang}\n${dedent(f.block).join("\n")}\n\`\`\``,
  },

  {
    name: "name above its place",
    kind: "symbol",
    write: (f) => `- \`${f.symbol}\`\n  - Location: \`${f.path}:${f.line}\``,
  },
  { name: "hash apart", kind: "symbol", write: (f) => `\`${f.symbol}\` — ${f.path} #${f.line}` },
  {
    name: "start and end columns",
    kind: "symbol",
    ranged: true,
    write: (f) =>
      `| File | Start | End | Name |\n|---|---|---|---|\n| ${f.path} | ${f.line} | ${f.end} | \`${f.symbol}\` |`,
  },
  {
    name: "german",
    kind: "symbol",
    write: (f) => `Die Funktion \`${f.symbol}\` steht in \`${f.path}\`, Zeile ${f.line}.`,
  },
  {
    name: "chinese",
    kind: "symbol",
    defines: true,
    write: (f) => `函数 \`${f.symbol}\` 定义在 \`${f.path}\` 的第 ${f.line} 行。`,
  },
  {
    name: "same file",
    kind: "symbol",
    write: (f) => `I read \`${f.path}\` whole.\n\n- \`${f.symbol}\`: same file, line ${f.line}`,
  },
  {
    name: "name with line",
    kind: "symbol",
    write: (f) => `\`${f.path}\` has \`${f.symbol}:${f.line}\``,
  },
  {
    name: "sed output",
    kind: "block",
    ranged: true,
    write: (f) =>
      `\`\`\`console\n$ sed -n '${f.line},${f.end}p' ${f.path}\n${f.block.join("\n")}\n\`\`\``,
  },

  {
    name: "create row",
    kind: "create",
    write: (f) =>
      `| Component | File | Action |\n|---|---|---|\n| Store | \`${f.path}\` | Create |`,
  },
];

/** Written apart from the code and from the list above, to see whether anything was fitted to it. */
export const heldOutShapes = [
  {
    name: "prose plain",
    kind: "bare",
    write: (f) => `There is a race condition in ${f.path}:${f.line}, I believe.`,
  },
  { name: "path in list", kind: "path", write: (f) => `Files of interest:\n- ${f.path}` },
  { name: "heading path", kind: "path", write: (f) => `### ${f.path}\n\nNothing special here.` },

  {
    name: "at line of",
    kind: "symbol",
    write: (f) => `At line ${f.line} of \`${f.path}\` you will find \`${f.symbol}\`.`,
  },
  {
    name: "line in plain",
    kind: "symbol",
    write: (f) => `\`${f.symbol}\` — line ${f.line} in ${f.path}`,
  },
  {
    name: "L-range",
    kind: "symbol",
    ranged: true,
    write: (f) => `${f.path} L${f.line}–L${f.end}: \`${f.symbol}\``,
  },
  {
    name: "to range",
    kind: "symbol",
    ranged: true,
    write: (f) => `\`${f.symbol}\` spans lines ${f.line} to ${f.end} in \`${f.path}\`.`,
  },
  {
    name: "comma line",
    kind: "symbol",
    write: (f) => `${f.path}, line ${f.line}: \`${f.symbol}\``,
  },
  {
    name: "python frame",
    kind: "bare",
    write: (f) => `  File "${f.path}", line ${f.line}, in <module>`,
  },
  {
    name: "node frame",
    kind: "symbol",
    write: (f) => `    at ${f.symbol} (${f.path}:${f.line}:5)`,
    plain: true,
    loose: true,
  },
  {
    name: "json",
    kind: "symbol",
    write: (f) => `{"file": "${f.path}", "line": ${f.line}, "symbol": "${f.symbol}"}`,
    loose: true,
  },
  {
    name: "heading with line",
    kind: "symbol",
    write: (f) => `#### \`${f.symbol}\` (\`${f.path}:${f.line}\`)\n\nIt is long.`,
  },
  {
    name: "bullet pair",
    kind: "symbol",
    write: (f) => `- **Location**: \`${f.path}:${f.line}\`\n- **Function**: \`${f.symbol}\``,
  },
  {
    name: "we can see",
    kind: "symbol",
    write: (f) =>
      `As we can see in \`${f.path}:${f.line}\`, the function \`${f.symbol}\` takes over.`,
  },
  {
    name: "detached number",
    kind: "symbol",
    write: (f) => `\`${f.symbol}\` → \`${f.path}\`:${f.line}`,
  },
  {
    name: "reversed columns",
    kind: "symbol",
    write: (f) =>
      `| Line | Where | What |\n|:-:|:--|:--|\n| L${f.line} | \`${f.path}\` | \`${f.symbol}\` |`,
  },
  {
    name: "tilde fence reference",
    kind: "symbol",
    write: (f) => `* \`${f.symbol}\` @ \`${f.path}:${f.line}:1\``,
  },
  {
    name: "vscode link",
    kind: "symbol",
    write: (f) => `[${f.symbol}](${f.path}:${f.line})`,
    plain: true,
  },
  {
    name: "responsible",
    kind: "symbol",
    write: (f) => `\`${f.symbol}\` is responsible for this (\`${f.path}:${f.line}\`).`,
  },
  {
    name: "permalink",
    kind: "symbol",
    write: (f) =>
      `https://github.com/acme/${f.pack}/blob/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567/${f.path}#L${f.line} (\`${f.symbol}\`)`,
  },

  { name: "reads", kind: "code", write: (f) => `Line ${f.line} of ${f.path} reads \`${f.code}\`.` },
  {
    name: "in parentheses",
    kind: "code",
    write: (f) => `The statement \`${f.code}\` (\`${f.path}:${f.line}\`) is at fault.`,
  },
  {
    name: "heading and bullets",
    kind: "code",
    write: (f) => `### \`${f.path}\`\n\n- Line ${f.line}: \`${f.code}\``,
  },
  {
    name: "evidence column",
    kind: "code",
    write: (f) =>
      `| # | Path | Line | Evidence |\n|---|---|---|---|\n| 1 | ${f.path} | ${f.line} | \`${bar(f.code)}\` |`,
  },
  {
    name: "ripgrep block",
    kind: "code",
    write: (f) => `\`\`\`\n${f.path}\n${f.line}:${f.raw}\n\`\`\``,
  },
  {
    name: "double backticks",
    kind: "code",
    write: (f) => `\`${f.path}:${f.line}\`: \`\` ${f.code} \`\``,
  },
  {
    name: "hash comment fence",
    kind: "code",
    write: (f) => `\`\`\`\n# ${f.path}:${f.line}\n${f.raw}\n\`\`\``,
  },
  { name: "quoted after arrow", kind: "code", write: (f) => `${f.path}:${f.line} → \`${f.code}\`` },

  {
    name: "cursor fence",
    kind: "block",
    ranged: true,
    write: (f) => `\`\`\`${f.line}:${f.end}:${f.path}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "gutter fence",
    kind: "block",
    gutter: true,
    write: (f) =>
      `\`${f.path}:${f.line}\`\n\n\`\`\`\n${f.block.map((line, index) => `${String(f.line + index).padStart(4)} | ${line}`).join("\n")}\n\`\`\``,
  },
  {
    name: "indented list fence",
    kind: "block",
    write: (f) =>
      `1. **Problem** in \`${f.path}:${f.line}\`:\n\n   \`\`\`${f.lang}\n${f.block.map((line) => `   ${line}`).join("\n")}\n   \`\`\``,
  },
  {
    name: "elided fence",
    kind: "block",
    long: true,
    write: (f) =>
      `\`\`\`${f.lang}\n// ${f.path}:${f.line}\n${f.block[0]}\n// ...\n${f.block.at(-1)}\n\`\`\``,
  },
  {
    name: "crlf fence",
    kind: "block",
    write: (f) =>
      `From ${f.path}:${f.line}:\r\n\r\n\`\`\`${f.lang}\r\n${f.block.join("\r\n")}\r\n\`\`\``,
  },

  {
    name: "bare sentence",
    kind: "bare",
    write: (f) => `I looked into ${f.path} line ${f.line} and it seems fine.`,
  },
  { name: "tree", kind: "path", write: (f) => `Key files:\n\n* \`${f.path}\` - main entry` },
  {
    name: "import row",
    kind: "path",
    write: (f) => `| File | Purpose |\n|---|---|\n| \`${f.path}\` | entry |`,
  },
  {
    name: "located",
    kind: "symbol",
    write: (f) => `The \`${f.symbol}\` function is located in \`${f.path}\` at line ${f.line}.`,
  },
  {
    name: "numbered",
    kind: "symbol",
    write: (f) => `1. **\`${f.symbol}\`** - \`${f.path}:${f.line}\` - entry point`,
  },
  {
    name: "defined on",
    kind: "symbol",
    defines: true,
    write: (f) => `\`${f.symbol}\` (defined on line ${f.line} of ${f.path}) is central.`,
  },
  { name: "see colon", kind: "symbol", write: (f) => `See: ${f.path}:${f.line} (\`${f.symbol}\`)` },
  {
    name: "yaml",
    kind: "symbol",
    write: (f) => `- file: ${f.path}\n  line: ${f.line}\n  symbol: \`${f.symbol}\``,
  },
  {
    name: "ranged through",
    kind: "symbol",
    ranged: true,
    write: (f) => `Check lines ${f.line} through ${f.end} of ${f.path} for \`${f.symbol}\`.`,
  },
  {
    name: "gitlab",
    kind: "symbol",
    write: (f) =>
      `[\`${f.symbol}\`](https://gitlab.com/acme/${f.pack}/-/blob/v1.2.3/${f.path}#L${f.line})`,
  },
  {
    name: "table loc/desc",
    kind: "symbol",
    write: (f) =>
      `| Function | Location | Description |\n| --- | --- | --- |\n| \`${f.symbol}()\` | ${f.path}:${f.line} | Does the thing |`,
  },
  {
    name: "entry table",
    kind: "symbol",
    write: (f) =>
      `| Entry | File:Line | Type |\n|-------|-----------|------|\n| \`${f.symbol}\` | \`${f.path}:${f.line}\` | helper |`,
  },
  {
    name: "arrow chain",
    kind: "symbol",
    write: (f) => `main → \`${f.symbol}\` (\`${f.path}:${f.line}\`) → exit`,
  },
  {
    name: "method of",
    kind: "symbol",
    defines: true,
    write: (f) =>
      `In \`${f.path}:${f.line}\` we find the definition of \`${f.symbol}\`, which matters.`,
  },
  {
    name: "evidence bullets",
    kind: "symbol",
    write: (f) => `- Pattern: helper\n- Evidence: \`${f.path}:${f.line}\` (\`${f.symbol}\`)`,
  },
  { name: "L col", kind: "symbol", write: (f) => `\`${f.path}:L${f.line}\` → \`${f.symbol}\`` },
  {
    name: "quoted path",
    kind: "symbol",
    write: (f) => `"${f.path}", line ${f.line}: \`${f.symbol}\``,
  },
  {
    name: "footnote",
    kind: "symbol",
    write: (f) => `The helper \`${f.symbol}\`[^1] is used.\n\n[^1]: ${f.path}:${f.line}`,
  },
  {
    name: "bullets file line",
    kind: "symbol",
    write: (f) => `- File: \`${f.path}\`\n- Line: ${f.line}\n- Symbol: \`${f.symbol}\``,
  },
  {
    name: "emphasised",
    kind: "symbol",
    write: (f) => `_${f.symbol}_ — see **${f.path}**, line **${f.line}**`,
    plain: true,
  },
  {
    name: "handles",
    kind: "symbol",
    write: (f) => `Routing is handled by \`${f.symbol}\` at ${f.path}#L${f.line}, then dispatched.`,
  },
  {
    name: "class in",
    kind: "symbol",
    write: (f) => `${f.path}:${f.line} — function \`${f.symbol}\` begins here.`,
  },
  {
    name: "contains",
    kind: "code",
    write: (f) => `\`${f.path}:${f.line}\` contains \`${f.code}\``,
  },
  {
    name: "says",
    kind: "code",
    write: (f) => `On line ${f.line}, ${f.path} has \`${f.code}\`, which is wrong.`,
  },
  {
    name: "issue row",
    kind: "code",
    write: (f) =>
      `| ID | Issue | File:Line | Code |\n|---|---|---|---|\n| BUG-1 | Off by one | \`${f.path}:${f.line}\` | \`${bar(f.code)}\` |`,
  },
  { name: "blockquote", kind: "code", write: (f) => `${f.path}:${f.line}:\n\n> ${f.code}` },
  { name: "code first", kind: "code", write: (f) => `\`${f.code}\` — ${f.path}:${f.line}` },
  {
    name: "current",
    kind: "code",
    write: (f) => `**${f.path}:${f.line}**\n\nCurrent code:\n\`\`\`${f.lang}\n${f.raw}\n\`\`\``,
  },
  {
    name: "evidence fence",
    kind: "code",
    write: (f) => `Evidence (\`${f.path}\`, line ${f.line}):\n\n~~~\n${f.raw}\n~~~`,
  },
  {
    name: "heading fence",
    kind: "block",
    write: (f) => `#### \`${f.path}:${f.line}\`\n\n\`\`\`${f.lang}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "lang colon path",
    kind: "block",
    write: (f) => `\`\`\`${f.lang}:${f.path}:${f.line}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "lines paren",
    kind: "block",
    ranged: true,
    write: (f) =>
      `**${f.path}** (lines ${f.line}-${f.end}):\n\n\`\`\`${f.lang}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "python comment",
    kind: "block",
    write: (f) => `\`\`\`\n# File: ${f.path}, line ${f.line}\n${f.block.join("\n")}\n\`\`\``,
  },
  {
    name: "arrow gutter",
    kind: "block",
    gutter: true,
    write: (f) =>
      `\`${f.path}\`:\n\`\`\`\n${f.block.map((l, i) => `${String(f.line + i).padStart(6)}→${l}`).join("\n")}\n\`\`\``,
  },
  {
    name: "html comment",
    kind: "block",
    write: (f) => `\`\`\`${f.lang}\n/* ${f.path}:${f.line} */\n${f.block.join("\n")}\n\`\`\``,
  },

  {
    name: "heading name",
    kind: "symbol",
    write: (f) => `##### \`${f.symbol}\`\n\n- File: ${f.path}\n- Line: ${f.line}`,
  },
  { name: "mention", kind: "symbol", write: (f) => `\`${f.symbol}\` is in @${f.path}:${f.line}` },
  {
    name: "french",
    kind: "symbol",
    defines: true,
    write: (f) =>
      `La fonction \`${f.symbol}\` est définie à la ligne ${f.line} du fichier \`${f.path}\`.`,
  },
  {
    name: "japanese",
    kind: "symbol",
    write: (f) => `関数 \`${f.symbol}\` は \`${f.path}\` の ${f.line} 行目にあります。`,
  },
  {
    name: "reference link",
    kind: "symbol",
    write: (f) => `The helper [\`${f.symbol}\`][impl] is used.\n\n[impl]: ${f.path}#L${f.line}`,
  },
  {
    name: "name (line) cell",
    kind: "symbol",
    write: (f) =>
      `| File | Function (Line) |\n|---|---|\n| ${f.path} | \`${f.symbol}\` (${f.line}) |`,
  },
  {
    name: "code above its place",
    kind: "code",
    write: (f) => `- \`${f.code}\`\n  - at ${f.path}:${f.line}`,
  },
  {
    name: "pre",
    kind: "code",
    write: (f) =>
      `${f.path}:${f.line}\n\n<pre><code>${f.code.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;")}</code></pre>`,
  },
  {
    name: "code frame",
    kind: "block",
    gutter: true,
    write: (f) =>
      `${f.path}:${f.line}\n\n\`\`\`\n${f.block.map((line, index) => `${index === 0 ? ">" : " "} ${f.line + index} | ${line}`).join("\n")}\n    |   ^\n\`\`\``,
  },
  {
    name: "cat -n",
    kind: "block",
    gutter: true,
    write: (f) =>
      `\`\`\`console\n$ cat -n ${f.path}\n${f.block.map((line, index) => `${String(f.line + index).padStart(6)}\t${line}`).join("\n")}\n\`\`\``,
  },

  {
    name: "severity table",
    kind: "symbol",
    write: (f) =>
      `| Sev | What | Ln | Where |\n|---|---|---:|---|\n| high | \`${f.symbol}\` | ${f.line} | ${f.path} |`,
  },
  {
    name: "numbered note",
    kind: "symbol",
    write: (f) => `The helper \`${f.symbol}\` [1] is central.\n\n[1] ${f.path}:${f.line}`,
  },
  {
    name: "question",
    kind: "symbol",
    write: (f) => `**Q:** Where is \`${f.symbol}\` defined?\n**A:** ${f.path}, line ${f.line}.`,
  },
  { name: "attribution", kind: "code", write: (f) => `> ${f.code}\n>\n> — ${f.path}:${f.line}` },
  {
    name: "details",
    kind: "block",
    ranged: true,
    write: (f) =>
      `<details>\n<summary>${f.path} (L${f.line}–L${f.end})</summary>\n\n\`\`\`${f.lang}\n${f.block.join("\n")}\n\`\`\`\n\n</details>`,
  },
  {
    name: "patch",
    kind: "block",
    planned: true,
    write: (f) =>
      `Proposed patch:\n\n\`\`\`diff\n--- a/${f.path}\n+++ b/${f.path}\n@@ -${f.line},${f.block.length} +${f.line},${f.block.length + 1} @@\n${f.block.map((line) => ` ${line}`).join("\n")}\n+// checked\n\`\`\``,
  },

  { name: "create list", kind: "create", write: (f) => `#### Files to create\n\n- \`${f.path}\`` },
];

function dedent(lines) {
  const width = Math.min(
    ...lines
      .filter((line) => line.trim() !== "")
      .map((line) => line.length - line.trimStart().length),
  );
  return lines.map((line) => line.slice(width));
}
