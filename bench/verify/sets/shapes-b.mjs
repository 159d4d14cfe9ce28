// 40 ways in which coding agents write down a reference to a place in a repository.
const longest = (s) => Math.max(0, ...(s.match(/`+/g) || []).map((r) => r.length));
// inline code span that survives backticks in the code
const span = (s) => {
  const n = longest(s);
  if (!n) return "`" + s + "`";
  const t = "`".repeat(n + 1);
  return `${t} ${s} ${t}`;
};
const cell = (s) => span(s).replace(/\|/g, "\\|");
const fence = (body, info = "") => {
  const t = "`".repeat(Math.max(3, longest(body) + 1));
  return `${t}${info}\n${body}\n${t}`;
};
const indent = (s, by) =>
  s
    .split("\n")
    .map((l) => (l ? by + l : l))
    .join("\n");
const quote = (s) =>
  s
    .split("\n")
    .map((l) => (l ? "> " + l : ">"))
    .join("\n");
const dedent = (lines) => {
  const full = lines.filter((l) => l.trim());
  if (!full.length) return lines;
  let common = full[0].match(/^[ \t]*/)[0];
  for (const l of full) while (!l.startsWith(common)) common = common.slice(0, -1);
  return lines.map((l) => (l.trim() ? l.slice(common.length) : ""));
};
const comment = (lang) =>
  /^(py|python|rb|ruby|sh|bash|shell|yaml|yml|toml|elixir|ex|perl|pl|r|make|makefile|dockerfile)$/i.test(
    lang || "",
  )
    ? "#"
    : /^(lua|sql|haskell|hs|ada)$/i.test(lang || "")
      ? "--"
      : "//";
const base = (p) => p.split("/").pop();

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "audit location field",
    kind: "bare",
    write: (f) =>
      `#### SEC-03 · Path traversal in download handling

- **Severity:** High (CVSS 7.5)
- **CWE:** CWE-22
- **Location:** \`${f.path}:${f.line}\`
- **Exploitability:** remote, authenticated
`,
  },
  {
    name: "chat arrow with line range words",
    kind: "bare",
    ranged: true,
    write: (f) =>
      `Found it 👇

→ ${f.path}, lines ${f.line}–${f.end}

That's the spot in ${f.pack} that keeps the state between calls.
`,
  },
  {
    name: "japanese line of file",
    kind: "bare",
    write: (f) =>
      `**原因**: 例外が握りつぶされているのは \`${f.path}\` の ${f.line} 行目です。呼び出し側の挙動もここで決まります。
`,
  },
  {
    name: "pr checklist relative link with anchor range",
    kind: "bare",
    ranged: true,
    write: (f) =>
      `## Where to look first

- [x] Retry handling ([${base(f.path)}#L${f.line}-L${f.end}](${f.path}#L${f.line}-L${f.end}))
- [x] Changelog entry
`,
  },

  // ---------------------------------------------------------------- symbol
  {
    name: "severity heading",
    kind: "symbol",
    write: (f) =>
      `### 🔴 [High] \`${f.symbol}\` — ${f.path}:${f.line}

Input reaches this unchecked. Two callers pass user-controlled data.
`,
  },
  {
    name: "audit affected code field",
    kind: "symbol",
    write: (f) =>
      `| Field | Value |
|---|---|
| ID | VULN-007 |
| CWE | CWE-400: Uncontrolled Resource Consumption |
| Affected code | \`${f.symbol}\` (\`${f.path}\`, line ${f.line}) |
| Confidence | Medium |
`,
  },
  {
    name: "numbered frames in text fence",
    kind: "symbol",
    plain: true,
    write: (f) =>
      `Stack of calls at the moment of the hang (innermost first):

\`\`\`text
#0  ${f.symbol}    ${f.path}:${f.line}
#1  <event loop>
#2  <process start>
\`\`\`
`,
  },
  {
    name: "migration inventory eight columns",
    kind: "symbol",
    write: (f) =>
      `| # | Module | File | Line | Symbol | Lang | Effort | Risk |
|--:|--------|------|-----:|--------|------|:------:|:----:|
| 14 | ${f.pack} | \`${f.path}\` | ${f.line} | \`${f.symbol}\` | ${f.lang} | S | 🟡 |
`,
  },
  {
    name: "architecture entry point link",
    kind: "symbol",
    write: (f) =>
      `### Components

**Entry point** — [\`${f.symbol}\`](${f.path}#L${f.line}). Everything downstream hangs off this one; data flows in here and leaves through the writer.
`,
  },
  {
    name: "onboarding lives in",
    kind: "symbol",
    lineless: true,
    write: (f) =>
      `**Day 1.** Clone ${f.pack}, run the tests, then read \`${f.symbol}\`, which lives in \`${f.path}\`. Once that clicks, the rest of the code base is easy.
`,
  },
  {
    name: "double colon path",
    kind: "symbol",
    lineless: true,
    write: (f) =>
      `Root cause is in \`${f.path}::${f.symbol}\` – the state gets shared between two requests.
`,
  },
  {
    name: "commit message body plain",
    kind: "symbol",
    plain: true,
    write: (f) =>
      `docs(core): describe how handles are tracked

Handles are tracked by ${f.symbol} (${f.path}:${f.line}); the docs
now say so in the section on shutdown.

Refs: #4182
`,
  },
  {
    name: "terminal bullet with elbow",
    kind: "symbol",
    plain: true,
    write: (f) =>
      `⏺ Search(pattern: "${f.symbol}")
  ⎿  Found it

⏺ ${f.symbol} is defined at ${f.path}:${f.line}
`,
  },
  {
    name: "spanish definition sentence",
    kind: "symbol",
    write: (f) =>
      `**Hallazgo 2 (gravedad media).** La definición de \`${f.symbol}\` está en \`${f.path}\`, línea ${f.line}. Recibe la entrada tal cual llega de la red.
`,
  },
  {
    name: "russian declared in",
    kind: "symbol",
    write: (f) =>
      `Коротко: \`${f.symbol}\` объявлен в \`${f.path}\` (стр. ${f.line}), именно там и теряется код ошибки.
`,
  },
  {
    name: "portuguese with line range",
    kind: "symbol",
    ranged: true,
    write: (f) =>
      `1. **Ponto de entrada:** \`${f.symbol}\` — definido em \`${f.path}\`, linhas ${f.line} a ${f.end}.
`,
  },
  {
    name: "mermaid node label",
    kind: "symbol",
    plain: true,
    write: (f) =>
      `## Data flow

\`\`\`mermaid
flowchart LR
  IN([client]) --> A["${f.symbol}<br/>${f.path}:${f.line}"]
  A --> OUT[(storage)]
\`\`\`
`,
  },
  {
    name: "footnote place",
    kind: "symbol",
    write: (f) =>
      `Configuration is merged once, by \`${f.symbol}\`[^1], before any worker starts.

[^1]: \`${f.path}\`, L${f.line}.
`,
  },
  {
    name: "file heading then L-bullets",
    kind: "symbol",
    write: (f) =>
      `#### \`${f.path}\`

- **L${f.line}** \`${f.symbol}\` · nit: the name says less than it does
`,
  },
  {
    name: "ascii tree lineless",
    kind: "symbol",
    lineless: true,
    plain: true,
    write: (f) =>
      `\`\`\`
${f.pack}
└── ${f.path}
    └── ${f.symbol}      ← core of the scheduling logic
\`\`\`
`,
  },
  {
    name: "json finding record",
    kind: "symbol",
    write: (f) =>
      `\`\`\`json
{
  "id": "F-11",
  "severity": "medium",
  "cwe": "CWE-362",
  "file": ${JSON.stringify(f.path)},
  "line": ${f.line},
  "symbol": ${JSON.stringify(f.symbol)},
  "message": "Shared state is read and written without a lock."
}
\`\`\`
`,
  },
  {
    name: "github permalink symbol text",
    kind: "symbol",
    ranged: true,
    write: (f) =>
      `Re: your question about startup order — it's [\`${f.symbol}\`](https://github.com/acme/${f.pack}/blob/main/${f.path}#L${f.line}-L${f.end}) that decides it, and it runs exactly once.
`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "grep output",
    kind: "code",
    write: (f) =>
      fence(`$ git grep -n -F "$PATTERN"\n${f.path}:${f.line}:${f.code}`, "console") +
      "\n\nThat's the hit we care about.\n",
  },
  {
    name: "review currently reads",
    kind: "code",
    write: (f) =>
      `**${f.path}:${f.line}** — *minor* — currently reads ${span(f.code)}, which is hard to follow without a comment.
`,
  },
  {
    name: "audit evidence fence",
    kind: "code",
    write: (f) =>
      `### M-2: Missing bounds check (CWE-125)

**File:** \`${f.path}\`
**Line:** ${f.line}
**Evidence:**

${fence(f.code, f.lang)}

**Impact:** denial of service through malformed input.
`,
  },
  {
    name: "inventory table with code column",
    kind: "code",
    write: (f) =>
      `| Status | Location | Current code | Owner | Notes |
|:--|:--|:--|:--|:--|
| ⏳ | \`${f.path}:${f.line}\` | ${cell(f.code)} | platform | legacy call style |
`,
  },
  {
    name: "japanese place then code",
    kind: "code",
    write: (f) =>
      `- 【重要】\`${f.path}:${f.line}\` には ${span(f.code)} と書かれており、これが不具合の直接の原因です。
`,
  },
  {
    name: "quote with attribution",
    kind: "code",
    write: (f) =>
      `The smoking gun:

> ${span(f.code)}
>
> — \`${f.path}\`, line ${f.line}
`,
  },
  {
    name: "compiler arrow and pipe",
    kind: "code",
    write: (f) => {
      const pad = " ".repeat(String(f.line).length);
      return (
        fence(`warning: value is computed more often than needed
${pad}--> ${f.path}:${f.line}
${pad} |
${f.line} | ${f.code}
${pad} |`) + "\n"
      );
    },
  },
  {
    name: "root cause step chain",
    kind: "code",
    write: (f) =>
      `**Root cause**

1. A request arrives with an empty body.
2. Execution gets to line ${f.line} of \`${f.path}\` (${span(f.code)}).
3. The worker dies 💥
`,
  },
  {
    name: "spanish line then fence in list",
    kind: "code",
    write: (f) =>
      `* En la línea ${f.line} de \`${f.path}\` aparece:

${indent(fence(f.code, f.lang), "  ")}

  De ahí sale el valor erróneo.
`,
  },

  // ---------------------------------------------------------------- block
  {
    name: "cursor style fence info",
    kind: "block",
    ranged: true,
    write: (f) =>
      `The handling is right here:

${fence(f.block.join("\n"), `${f.line}:${f.end}:${f.path}`)}

So the order matters.
`,
  },
  {
    name: "path comment as first line",
    kind: "block",
    ranged: true,
    write: (f) =>
      fence(`${comment(f.lang)} ${f.path}:${f.line}-${f.end}\n${f.block.join("\n")}`, f.lang) +
      "\n\nThis is why the test is flaky: it depends on timing.\n",
  },
  {
    name: "read tool arrow gutter",
    kind: "block",
    ranged: true,
    gutter: true,
    write: (f) =>
      `● Read(${f.path})

${fence(f.block.map((l, i) => `${String(f.line + i).padStart(6)}→${l}`).join("\n"))}
`,
  },
  {
    name: "pipe gutter under bold place",
    kind: "block",
    ranged: true,
    gutter: true,
    long: true,
    write: (f) =>
      `**Affected code** — \`${f.path}\` L${f.line}–L${f.end}

${fence(f.block.map((l, i) => `${String(f.line + i).padStart(String(f.end).length)} | ${l}`.trimEnd()).join("\n"), f.lang)}

CWE-703 · severity: low
`,
  },
  {
    name: "dedented block in blockquote",
    kind: "block",
    ranged: true,
    write: (f) =>
      `@reviewer the part I mean:

${quote(`**${f.path}** (lines ${f.line}-${f.end})\n\n${fence(dedent(f.block).join("\n"), f.lang)}`)}

Reads fine to me now that I know the history.
`,
  },
  {
    name: "details summary permalink",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) =>
      `<details>
<summary><code>${f.path}#L${f.line}-L${f.end}</code></summary>

${fence(f.block.join("\n"), f.lang)}

</details>
`,
  },
  {
    name: "title attribute, start line only",
    kind: "block",
    write: (f) =>
      `How it works, starting at line ${f.line}:

${fence(f.block.join("\n"), `${f.lang} title="${f.path}"`)}
`,
  },
  {
    name: "diff hunk of a merged change",
    kind: "block",
    ranged: true,
    write: (f) =>
      `What landed in this PR:

${fence(
  `--- a/${f.path}
+++ b/${f.path}
@@ -${Math.max(0, f.line - 1)},0 +${f.line},${f.block.length} @@
${f.block.map((l) => "+" + l).join("\n")}`,
  "diff",
)}
`,
  },
  {
    name: "russian list, nested dedented fence",
    kind: "block",
    ranged: true,
    write: (f) =>
      `3. Файл \`${f.path}\`, строки ${f.line}–${f.end}:

${indent(fence(dedent(f.block).join("\n"), f.lang), "   ")}

   Здесь и происходит повторная инициализация.
`,
  },
];
