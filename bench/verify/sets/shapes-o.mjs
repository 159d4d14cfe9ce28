// Ways in which agents write a place of a repository down.

const longestRun = (s) => Math.max(0, ...(String(s).match(/`+/g) || []).map((r) => r.length));

/** Inline code that survives backticks in its content. */
const ic = (s) => {
  const text = String(s);
  const ticks = "`".repeat(longestRun(text) + 1);
  const pad = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return ticks + pad + text + pad + ticks;
};

/** Inline code for a table cell. */
const cell = (s) => ic(s).replace(/\|/g, "\\|");

/** Fenced code; `lines` is a string or an array of whole lines. */
const fence = (lines, info = "") => {
  const text = Array.isArray(lines) ? lines.join("\n") : String(lines);
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${info}\n${text}\n${ticks}`;
};

const indent = (text, by) =>
  text
    .split("\n")
    .map((l) => (l === "" ? "" : by + l))
    .join("\n");
const quote = (text) =>
  text
    .split("\n")
    .map((l) => (l === "" ? ">" : "> " + l))
    .join("\n");
const dest = (s) => (/[\s()<>]/.test(s) ? `<${s}>` : s);
const root = (f) => `/home/user/${String(f.pack).split("/").pop()}`;
const mark = (lang) =>
  ["py", "python", "rb", "ruby", "sh", "bash", "pl", "r", "ex", "exs"].includes(lang)
    ? "#"
    : lang === "lua"
      ? "--"
      : "//";

export const shapes = [
  // ---------------------------------------------------------------- bare (5)
  {
    name: "short answer, path:line in backticks",
    kind: "bare",
    write: (f) => `Found it. The place to look at is \`${f.path}:${f.line}\`.

I haven't changed anything yet. Tell me whether you want a minimal fix there or a broader cleanup and I'll go ahead.`,
  },
  {
    name: "review finding with severity tag and absolute link",
    kind: "bare",
    write: (f) => `**Findings**

- [P2] Please double-check this before merging — [${f.path}:${f.line}](${dest(`${root(f)}/${f.path}#L${f.line}`)})

**Open questions**

- Is the current behaviour intended, or left over from an earlier iteration?

I did not run the test suite for this review.`,
  },
  {
    name: "Codex citation with line range",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**

* Reviewed the requested area; no edits were necessary. 【F:${f.path}†L${f.line}-L${f.end}】

**Testing**

* ⚠️ Not run (read-only review)`,
  },
  {
    name: "plan step with path:start-end",
    kind: "bare",
    ranged: true,
    write: (f) => `## Plan

1. Reproduce the report with a small failing case.
2. Adjust the logic in \`${f.path}:${f.line}-${f.end}\`.
3. Re-run the suite and compare with the baseline.

I'd keep step 2 as small as possible. Shall I proceed?`,
  },
  {
    name: "audit field list, path with (lines a–b) in words",
    kind: "bare",
    ranged: true,
    write: (f) => `### Finding 3: Input handling deserves a closer look

**Severity:** Low
**Confidence:** Medium
**Location:** ${f.path} (lines ${f.line}–${f.end})

**Recommendation:** Decide what the contract should be, write it down, and add a regression test for it.`,
  },

  // ---------------------------------------------------------------- path (2)
  {
    name: "sentence with file only",
    kind: "path",
    write: (
      f,
    ) => `Short version: everything you asked about lives in \`${f.path}\`, so I'd keep the change local to that file.

If you'd like, I can put together a patch next. I'd start with a test and only then touch the implementation.`,
  },
  {
    name: "files-to-read list with link",
    kind: "path",
    write: (f) => `If you're new to ${f.pack}, here is where I would start reading:

- [${f.path}](${dest(f.path)}) – start here, read it top to bottom

After that the rest should be easier to follow. Let me know if you want a walkthrough.`,
  },

  // -------------------------------------------------------------- symbol (12)
  {
    name: "plain sentence, symbol is defined at path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `${ic(f.symbol)} is defined at \`${f.path}:${f.line}\`.

That's the one you want to change; I'd leave everything around it alone for now.`,
  },
  {
    name: "where-is-what table, Symbol | Defined in",
    kind: "symbol",
    defines: true,
    write: (f) => `Here's what I found:

| Symbol | Defined in | Line |
|--------|------------|------|
| ${cell(f.symbol)} | \`${f.path}\` | ${f.line} |

I searched by name only, so treat this as a starting point rather than a complete map.`,
  },
  {
    name: "bullet with Definition: label and #L link",
    kind: "symbol",
    defines: true,
    write: (f) => `### ${ic(f.symbol)}

- **Definition:** [${f.path}#L${f.line}](${dest(`${f.path}#L${f.line}`)})
- **Suggested action:** add a doc comment and a focused test
- **Effort:** small

Happy to open a follow-up PR for this if it's out of scope here.`,
  },
  {
    name: "Chinese answer, defined in file line n",
    kind: "symbol",
    defines: true,
    write: (f) => `找到了：${ic(f.symbol)} 定义在 \`${f.path}\` 第 ${f.line} 行。

建议先在这里加一个断点，复现问题后再决定如何修改。目前我没有改动任何代码。`,
  },
  {
    name: "bullet, symbol then path:line in parentheses",
    kind: "symbol",
    write: (f) => `The pieces that matter for this bug:

- ${ic(f.symbol)} (\`${f.path}:${f.line}\`) – the part I would change
- a regression test – to be added once the fix is in

Everything else looked unrelated to the report, so I left it out.`,
  },
  {
    name: "bold numbered finding, symbol in title, place after dash",
    kind: "symbol",
    write: (f) => `## Code review

**1. ${ic(f.symbol)} deserves a clearer contract** — \`${f.path}:${f.line}\`

I had to think for a while about what I may rely on here. Please say so in the PR description if this is intended.

Verdict: approve with nits.`,
  },
  {
    name: "link whose text is the symbol, absolute target with :line",
    kind: "symbol",
    write: (
      f,
    ) => `I traced the report back to [${ic(f.symbol)}](${dest(`${root(f)}/${f.path}:${f.line}`)}). I'd put the guard there rather than at each call site.

Not verified: I couldn't reproduce the original failure in this sandbox, so the conclusion rests on reading the code.`,
  },
  {
    name: "numbered call list with arrow",
    kind: "symbol",
    write: (f) => `Call path for the failing request, as far as I followed it:

1. the test harness
2. → ${ic(f.symbol)} — ${f.path}:${f.line}
3. → wherever the error is finally reported (not traced)

Step 2 is where I'd add logging first.`,
  },
  {
    name: "root-cause note, 'in SYMBOL, line n of path'",
    kind: "symbol",
    write: (f) => `**Root cause (tentative)**

I believe the problem starts in ${ic(f.symbol)}, line ${f.line} of \`${f.path}\`. I have not confirmed this with a debugger.

**Next step**

Write a failing test first, then fix, then check whether the original report is gone.`,
  },
  {
    name: "table row with path:line first and symbol second",
    kind: "symbol",
    write: (f) => `### Refactoring candidates

| # | Location | Symbol | Priority |
|---|---|---|---|
| 1 | \`${f.path}:${f.line}\` | ${cell(f.symbol)} | medium |

Priorities are my own judgement. I'd take this one after the release, not before it.`,
  },
  {
    name: "JSON finding with file, line, symbol",
    kind: "symbol",
    write: (f) => `Review result in the requested format:

${fence(
  JSON.stringify(
    {
      findings: [
        {
          severity: "minor",
          file: f.path,
          line: f.line,
          symbol: f.symbol,
          message: "Consider documenting the expected input.",
        },
      ],
    },
    null,
    2,
  ),
  "json",
)}

No blocking issues from my side.`,
  },
  {
    name: "file as heading, bullets with symbol and (L12)",
    kind: "symbol",
    write: (f) => `Changes I'd propose, grouped by file.

#### \`${f.path}\`

- ${ic(f.symbol)} (L${f.line}): rename for clarity, keep the behaviour as is

#### Docs

- mention the rename in the release notes`,
  },

  // ---------------------------------------------------------------- code (10)
  {
    name: "bullet, path:line dash inline code",
    kind: "code",
    write: (f) => `Relevant spot:

- \`${f.path}:${f.line}\` — ${ic(f.code)}

I'd look at this first. If it turns out to be a red herring, the next thing to try is bisecting.`,
  },
  {
    name: "sentence, line n of path reads",
    kind: "code",
    write: (
      f,
    ) => `I went through the file once more. Line ${f.line} of \`${f.path}\` reads ${ic(f.code)}, and that is the line I'd question in review.

It may well be deliberate; a comment saying so would be enough for me.`,
  },
  {
    name: "table File | Line | Code",
    kind: "code",
    write: (f) => `## Audit notes

| File | Line | Code | Note |
|:-----|-----:|:-----|:-----|
| \`${f.path}\` | ${f.line} | ${cell(f.code)} | please review |

Scope was limited to a manual read; no tooling was run.`,
  },
  {
    name: "numbered security finding, fence indented under it",
    kind: "code",
    write: (f) => `# Security review

1. **[LOW] Needs a second opinion** — \`${f.path}:${f.line}\`

${indent(fence(f.code, f.lang), "   ")}

   I don't consider this exploitable by itself. Recommendation: have somebody who knows the threat model confirm.

No other items to report.`,
  },
  {
    name: "root-cause link then one-line fence",
    kind: "code",
    write: (f) => `## Root cause

It comes down to one line, [${f.path}:${f.line}](${dest(`${f.path}#L${f.line}`)}):

${fence(f.code, f.lang)}

I'd rather fix it here than work around it downstream. Want me to make the edit?`,
  },
  {
    name: "pasted grep -n hit",
    kind: "code",
    write: (f) => `A quick search turned up this one:

${fence(`${f.path}:${f.line}:${f.code}`)}

That matches the description in the ticket, so I'd begin there. I haven't looked at the history of the line.`,
  },
  {
    name: "review comment, bold place and quoted line",
    kind: "code",
    write: (f) => `**${f.path}**, line ${f.line}

> ${ic(f.code)}

nit: could we make the intent more obvious here? A short comment would do. Not blocking.`,
  },
  {
    name: "audit fields Location / Evidence with absolute path",
    kind: "code",
    write: (f) => `### M-02 — Behaviour should be documented

- **Location:** \`${root(f)}/${f.path}:${f.line}\`
- **Evidence:** ${ic(f.code)}
- **Impact:** to be assessed by the maintainers
- **Recommendation:** state the intended behaviour, then test for it`,
  },
  {
    name: "German sentence, Zeile n",
    kind: "code",
    write: (
      f,
    ) => `Kurz gesagt: Die Stelle ist in \`${f.path}\`, Zeile ${f.line}. Dort steht ${ic(f.code)}.

Ich habe noch nichts geändert. Wenn du einverstanden bist, schreibe ich zuerst einen Test und passe die Zeile danach an.`,
  },
  {
    name: "code first, place in parentheses after it, file heading-less",
    kind: "code",
    write: (f) => `Two remarks before you merge:

* ${ic(f.code)} (${f.path}#L${f.line}) took me a while to understand; I'd split it up or explain it.
* Please squash the fixup commits.

Otherwise LGTM.`,
  },

  // --------------------------------------------------------------- block (11)
  {
    name: "heading path:start-end over fence",
    kind: "block",
    write: (f) => `### \`${f.path}:${f.line}-${f.end}\`

${fence(f.block, f.lang)}

This is the section I'd revisit. I have no strong opinion on how, as long as a test pins the result.`,
  },
  {
    name: "Cursor code reference start:end:path",
    kind: "block",
    write: (f) => `Here's the code in question:

${fence(f.block, `${f.line}:${f.end}:${f.path}`)}

I'd suggest stepping through it once with the input from the bug report. Want me to add temporary logging?`,
  },
  {
    name: "place as comment on first line of fence",
    kind: "block",
    write: (f) => `The interesting part is short enough to quote:

${fence([`${mark(f.lang)} ${f.path}:${f.line}-${f.end}`, ...f.block], f.lang)}

My reading could be wrong, so please check it against what you see at runtime.`,
  },
  {
    name: "sentence 'From path (lines a–b):' then fence",
    kind: "block",
    write: (
      f,
    ) => `Thanks for the pointer, that narrowed it down. From \`${f.path}\` (lines ${f.line}–${f.end}):

${fence(f.block, f.lang)}

I'd expect the fix to be small. Before touching it I'd like to know which behaviour you consider correct.`,
  },
  {
    name: "numbered finding, fence indented in list item",
    kind: "block",
    write: (f) => `**Issues found**

1. **Readability** (\`${f.path}:${f.line}\`)

${indent(fence(f.block, f.lang), "   ")}

   Suggestion: pull this apart or add a comment on why it is written this way.

**Verdict:** comment only, not blocking.`,
  },
  {
    name: "read-tool gutter with arrows",
    kind: "block",
    write: (f) => `I re-read ${f.path} around the place you mentioned:

${fence(f.block.map((l, i) => `${String(Number(f.line) + i).padStart(6)}→${l}`))}

So line ${f.line} is where I'd set the breakpoint. I haven't modified the file.`,
  },
  {
    name: "details/summary evidence",
    kind: "block",
    write: (f) => `**Finding 1 (informational).** Worth documenting; no action strictly required.

<details>
<summary>Evidence: <code>${f.path}</code> L${f.line}-L${f.end}</summary>

${fence(f.block, f.lang)}

</details>

Reviewed by reading only.`,
  },
  {
    name: "quoted fence in review comment",
    kind: "block",
    write: (f) => `Comment on \`${f.path}\` line ${f.line}:

${quote(fence(f.block, f.lang))}

Is this still what we want after the discussion in the issue? If so, feel free to resolve this thread.`,
  },
  {
    name: "link with line anchor range, then fence, absolute path",
    kind: "block",
    write: (
      f,
    ) => `- **Where:** [${f.path}:${f.line}](${dest(`${root(f)}/${f.path}#L${f.line}-L${f.end}`)})
- **Confidence:** moderate

${fence(f.block, f.lang)}

I'd start the investigation here and widen the search only if this turns out clean.`,
  },
  {
    name: "sed command and its output",
    kind: "block",
    write: (f) => `To double-check I printed the lines:

${fence([`$ sed -n '${f.line},${f.end}p' ${f.path}`, ...f.block])}

That's what my earlier summary refers to. No edits made so far.`,
  },
  {
    name: "Spanish, a partir de la línea n",
    kind: "block",
    write: (
      f,
    ) => `El fragmento que me parece relevante está en \`${f.path}\`, a partir de la línea ${f.line}:

${fence(f.block, f.lang)}

Todavía no he cambiado nada. Si te parece bien, primero añado una prueba y después propongo el arreglo.`,
  },
];
