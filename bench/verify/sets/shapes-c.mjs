// Shapes C: ways in which agents write down a reference to a place in a repository.

const HASH =
  /^(py|python|rb|ruby|sh|bash|shell|zsh|yaml|yml|toml|perl|pl|r|elixir|ex|exs|julia|jl|nix|make|makefile|dockerfile)$/i;
const DASH = /^(lua|sql|haskell|hs|ada|elm)$/i;
const mark = (f) => (HASH.test(f.lang || "") ? "#" : DASH.test(f.lang || "") ? "--" : "//");

// the longest run of backticks in a text
const run = (s) => Math.max(0, ...(String(s).match(/`+/g) || []).map((m) => m.length));

// inline code that survives backticks inside
const tick = (s) => {
  const n = run(s);
  if (n === 0) return "`" + s + "`";
  const d = "`".repeat(n + 1);
  return `${d} ${s} ${d}`;
};
const cell = (s) => tick(s).replace(/\|/g, "\\|");

// fenced code that survives fences inside
const fence = (info, lines) => {
  const body = Array.isArray(lines) ? lines.join("\n") : String(lines);
  const d = "`".repeat(Math.max(3, run(body) + 1));
  return `${d}${info || ""}\n${body}\n${d}`;
};

const dedent = (lines) => {
  const full = lines.filter((l) => l.trim());
  if (!full.length) return lines;
  let lead = full[0].match(/^[ \t]*/)[0];
  for (const l of full) while (!l.startsWith(lead)) lead = lead.slice(0, -1);
  return lines.map((l) => (l.trim() ? l.slice(lead.length) : ""));
};
const prefix = (p, text) =>
  text
    .split("\n")
    .map((l) => (l ? p + l : p.trimEnd()))
    .join("\n");

const base = (p) => p.split("/").pop();
const dir = (p) => p.split("/").slice(0, -1).join("/");
const where = (p) => (dir(p) ? `\`${dir(p)}/\`` : "the repository root");
const repo = (f) => (String(f.pack).includes("/") ? f.pack : `${f.pack}/${f.pack}`);
const url = (f, tail) =>
  `https://github.com/${repo(f)}/blob/main/${f.path.replace(/ /g, "%20")}#${tail}`;

// lines that hold nothing but a line comment
const isComment = (f, l) =>
  l.trim().startsWith(mark(f) === "//" ? "//" : mark(f)) && !l.trim().startsWith("#!");

// a tree down to one file, with a note on the file
const tree = (path, note) => {
  const parts = path.split("/");
  return parts
    .map((p, i) => {
      const last = i === parts.length - 1;
      const lead = "    ".repeat(i) + "└── ";
      return lead + (last ? `${p}   # ${note}` : `${p}/`);
    })
    .join("\n");
};

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "see also list",
    kind: "bare",
    write: (f) => `## See also

Background for the findings above, in reading order:

- \`${f.path}:${f.line}\` — the place this behaviour starts from
`,
  },
  {
    name: "table File | Lines | Purpose",
    kind: "bare",
    ranged: true,
    write: (f) => `### Code Locations

| File | Lines | Purpose |
|------|-------|---------|
| \`${f.path}\` | ${f.line}-${f.end} | Core of the behaviour described in the summary |

The rest of the module is glue and was read only in passing.
`,
  },
  {
    name: "audit finding, Location fields",
    kind: "bare",
    ranged: true,
    write: (f) => `### M-02: Input reaches this section as it was received

**Severity:** Medium
**File:** \`${f.path}\`
**Lines:** ${f.line}–${f.end}
**Confidence:** High

Reviewed by hand; the finding was reproduced once on a clean checkout.
`,
  },
  {
    name: "permalink as bare list item",
    kind: "bare",
    write: (f) => `## Code References

- [${base(f.path)}#L${f.line}](${url(f, `L${f.line}`)})
`,
  },

  // -------------------------------------------------------------- symbol
  {
    name: "file heading, Line N bullet",
    kind: "symbol",
    write: (f) => `### \`${f.path}\`

The module is small and has one clear responsibility.

- **Line ${f.line}**: \`${f.symbol}\` is defined
`,
  },
  {
    name: "key discoveries",
    kind: "symbol",
    write: (f) => `## Current State Analysis

The existing structure follows one convention throughout.

### Key Discoveries:
- \`${f.symbol}\` is defined at \`${f.path}:${f.line}\` and is shared by the rest of the package
- Errors surface to the caller instead of being swallowed
`,
  },
  {
    name: "reference list, em dash",
    kind: "symbol",
    write: (f) => `## Code References

- \`${f.path}:${f.line}\` — \`${f.symbol}\` definition
`,
  },
  {
    name: "table Symbol | File | Line",
    kind: "symbol",
    write: (f) => `| Symbol | File | Line |
|:-------|:-----|-----:|
| \`${f.symbol}\` | \`${f.path}\` | ${f.line} |
`,
  },
  {
    name: "table Location | Component, range",
    kind: "symbol",
    ranged: true,
    write: (f) => `#### Components involved

| Component | Location | Role |
|-----------|----------|------|
| \`${f.symbol}\` | \`${f.path}:${f.line}-${f.end}\` | Does the actual work |
`,
  },
  {
    name: "numbered data flow",
    kind: "symbol",
    write: (f) => `### Data Flow

1. The caller hands over its input.
2. **Processing** — \`${f.symbol}\` (\`${f.path}:${f.line}\`) takes it from there.
3. The result travels back up to the caller.
`,
  },
  {
    name: "nested bullet, file in the parent",
    kind: "symbol",
    write: (f) => `- **${f.pack}** internals
  - \`${f.path}\`
    - L${f.line}: \`${f.symbol}\`
`,
  },
  {
    name: "plain symbol, place in parentheses",
    kind: "symbol",
    plain: true,
    write: (
      f,
    ) => `The second half of the question is easier to answer. The definition of ${f.symbol} (${f.path}:${f.line}) settles it, and the observed output agrees.
`,
  },
  {
    name: "execution flow with arrows in a fence",
    kind: "symbol",
    plain: true,
    write: (f) => `#### Execution Flow

\`\`\`
caller passes its input
    ↓
${f.symbol} takes over → ${f.path}:${f.line}
    ↓
result is handed back
\`\`\`
`,
  },
  {
    name: "yaml finding",
    kind: "symbol",
    plain: true,
    write: (f) => `Findings are listed in the format of the review template.

\`\`\`yaml
- id: F-03
  severity: minor
  file: ${f.path}
  line: ${f.line}
  symbol: ${f.symbol}
\`\`\`
`,
  },
  {
    name: "footnote holds the place",
    kind: "symbol",
    write: (f) => `Everything in this area goes back to \`${f.symbol}\`.[^def]

The tests agree with that reading.

[^def]: Defined in \`${f.path}\`, line ${f.line}.
`,
  },
  {
    name: "folder tree with a note",
    kind: "symbol",
    plain: true,
    lineless: true,
    write: (f) => `## Project Structure (excerpt)

\`\`\`
${tree(f.path, `defines ${f.symbol}`)}
\`\`\`
`,
  },
  {
    name: "File and Symbol fields without a line",
    kind: "symbol",
    lineless: true,
    write: (f) => `#### Where it is defined

**File**: \`${f.path}\`
**Symbol**: \`${f.symbol}\`
`,
  },
  {
    name: "symbol as a relative link",
    kind: "symbol",
    write: (
      f,
    ) => `The answer is short: [\`${f.symbol}\`](${f.path.replace(/ /g, "%20")}#L${f.line}) is the definition that everything else in this part of ${f.pack} relies on.
`,
  },
  {
    name: "symbol as a permalink, range",
    kind: "symbol",
    ranged: true,
    write: (f) => `### Detailed Findings

- The definition of [\`${f.symbol}\`](${url(f, `L${f.line}-L${f.end}`)}) is self-contained.
- Naming in this area is consistent.
`,
  },
  {
    name: "prose, lines A to B of the file",
    kind: "symbol",
    ranged: true,
    write: (
      f,
    ) => `I traced this by reading rather than by running it. \`${f.symbol}\` is defined in lines ${f.line}–${f.end} of \`${f.path}\`. Nothing in the surrounding code changes the picture.
`,
  },
  {
    name: "folder in the lead-in, base name in the bullet",
    kind: "symbol",
    write: (f) => `Relevant files in ${where(f.path)}:

- \`${base(f.path)}:${f.line}\` - definition of \`${f.symbol}\`
`,
  },
  {
    name: "numbered heading with the place in parentheses",
    kind: "symbol",
    write: (f) => `### 2. \`${f.symbol}\` (\`${f.path}:${f.line}\`)

Small and focused. Its name describes well what it is for, and callers treat it as stable.
`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "Current implementation (path:line) with a fence",
    kind: "code",
    write: (f) => `**Current implementation** (\`${f.path}:${f.line}\`):

${fence(f.lang, f.code)}

This has been stable for a while.
`,
  },
  {
    name: "inline quotation",
    kind: "code",
    write: (
      f,
    ) => `At \`${f.path}:${f.line}\` the code reads ${tick(f.code)}, which matches what the logs show.
`,
  },
  {
    name: "table Location | Code",
    kind: "code",
    write: (f) => `| # | Location | Code |
|---|----------|------|
| 1 | \`${f.path}:${f.line}\` | ${cell(f.code)} |
`,
  },
  {
    name: "audit finding with Evidence",
    kind: "code",
    write: (f) => `#### Finding 4

- **Location:** \`${f.path}\`, line ${f.line}
- **Category:** Maintainability

**Evidence:**

${fence(f.lang, f.code)}

**Impact:** Limited to readers of this part of the code.
`,
  },
  {
    name: "fence headed by a comment with the place",
    kind: "code",
    write: (f) => `The decisive statement:

${fence(f.lang, [`${mark(f)} ${f.path}:${f.line}`, f.code])}
`,
  },
  {
    name: "fence with a trailing line-number comment",
    kind: "code",
    write: (f) => `From \`${f.path}\`:

${fence(f.lang, `${f.code}  ${mark(f)} line ${f.line}`)}
`,
  },
  {
    name: "file heading, Line N: code bullet",
    kind: "code",
    write: (f) => `#### ${f.path}

- Line ${f.line}: ${tick(f.code)}
`,
  },
  {
    name: "grep output",
    kind: "code",
    write: (f) => `A search over the repository turned up this place:

${fence("", `${f.path}:${f.line}:${f.code}`)}

I read the surrounding code to make sure the match is a real one.
`,
  },
  {
    name: "numbered step with an indented fence",
    kind: "code",
    write: (f) => `1. The request comes in and is validated.
2. Control reaches line ${f.line} of \`${f.path}\`:

${prefix("   ", fence(f.lang, f.code))}

3. The outcome is reported to the caller.
`,
  },

  // --------------------------------------------------------------- block
  {
    name: "bold place with a range, fence below",
    kind: "block",
    ranged: true,
    write: (f) => `### How it works today

**\`${f.path}:${f.line}-${f.end}\`**

${fence(f.lang, f.block)}

The shape of this section is typical of ${f.pack}.
`,
  },
  {
    name: "start:end:path as the info string",
    kind: "block",
    ranged: true,
    write: (f) => `The relevant section is this one:

${fence(`${f.line}:${f.end}:${f.path}`, f.block)}
`,
  },
  {
    name: "gutter with bars",
    kind: "block",
    ranged: true,
    gutter: true,
    write: (f) => {
      const w = String(f.end).length;
      return `Excerpt from \`${f.path}\` (lines ${f.line}-${f.end}):

${fence(
  "",
  f.block.map((l, i) => `${String(f.line + i).padStart(w)} | ${l}`.trimEnd()),
)}
`;
    },
  },
  {
    name: "gutter as the read tool prints it",
    kind: "block",
    gutter: true,
    write: (f) => `#### \`${f.path}\`

Read in full; this is the part that matters:

${fence(
  "",
  f.block.map((l, i) => `${String(f.line + i).padStart(6)}→${l}`),
)}
`,
  },
  {
    name: "abridged, middle dropped",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => {
      const b = dedent(f.block);
      let last = b.length - 1;
      while (last > 2 && !b[last].trim()) last--;
      const lead = b[1].match(/^[ \t]*/)[0];
      return `\`${f.path}\` lines ${f.line}-${f.end} (abridged):

${fence(f.lang, [b[0], b[1], `${lead}${mark(f)} …`, b[last]])}

The part left out is routine.
`;
    },
  },
  {
    name: "comments and blank lines dropped",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => {
      const kept = f.block.filter((l) => l.trim() && !isComment(f, l));
      return `Code at \`${f.path}:${f.line}-${f.end}\`, shown here with comments and blank lines dropped:

${fence(f.lang, dedent(kept.length ? kept : f.block))}
`;
    },
  },
  {
    name: "details with the place in the summary",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => `<details>
<summary><code>${f.path}</code>, lines ${f.line}–${f.end}</summary>

${fence(f.lang, f.block)}

</details>
`,
  },
  {
    name: "fence headed by a comment with the range, dedented",
    kind: "block",
    ranged: true,
    write: (f) => `This pattern is used as follows:

${fence(f.lang, [`${mark(f)} ${f.path} (lines ${f.line}-${f.end})`, ...dedent(f.block)])}

Other parts of the project follow the same style.
`,
  },
  {
    name: "list item with an indented fence, no line",
    kind: "block",
    lineless: true,
    write: (f) => `- **Existing pattern** — \`${f.path}\` contains:

${prefix("  ", fence(f.lang, dedent(f.block)))}

- The pattern is easy to recognise once seen.
`,
  },
];
