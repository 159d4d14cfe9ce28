// Ways in which coding agents write a place of a repository down.

const longestRun = (s) => Math.max(0, ...(s.match(/`+/g) || []).map((r) => r.length));

// inline code that survives backticks in the text
const ic = (s) => {
  const runs = new Set((s.match(/`+/g) || []).map((r) => r.length));
  let n = 1;
  while (runs.has(n)) n++;
  const pad = s.startsWith("`") || s.endsWith("`") ? " " : "";
  return "`".repeat(n) + pad + s + pad + "`".repeat(n);
};

// inline code inside a table cell
const cell = (s) => ic(s).replace(/\|/g, "\\|");

// fenced code, with a fence longer than any run of backticks inside
const fence = (text, info = "", indent = "") => {
  const body = Array.isArray(text) ? text : text.split("\n");
  const marks = "`".repeat(Math.max(3, longestRun(body.join("\n")) + 1));
  return [marks + info, ...body, marks].map((l) => (l === "" ? "" : indent + l)).join("\n");
};

const quote = (text) =>
  text
    .split("\n")
    .map((l) => (l === "" ? ">" : "> " + l))
    .join("\n");
const base = (p) => p.split("/").pop();
const root = (f) => String(f.pack).split("/").pop();
const abs = (f, home = "/home/user") => `${home}/${root(f)}/${f.path}`;
const href = (target) => (/[\s()<>]/.test(target) ? `<${target}>` : target);
const comment = (lang) =>
  /^(py|python|rb|ruby|sh|bash|shell|r|pl|perl|ex|exs|elixir|yaml|yml|toml)$/i.test(lang)
    ? "#"
    : /^(lua|sql|hs|haskell|elm)$/i.test(lang)
      ? "--"
      : "//";

export const shapes = [
  // ---------------------------------------------------------------- bare (5)
  {
    name: "closing sentence, path:line in backticks",
    kind: "bare",
    write: (f) => `I've gone through the code and have enough to answer.

The spot you're asking about is \`${f.path}:${f.line}\`. I'd start reading there and work outwards.

I haven't changed anything yet. Let me know if you want me to go ahead with a patch.`,
  },
  {
    name: "bullet with a relative link, #L anchor",
    kind: "bare",
    write: (f) => `## Summary

Nothing was edited in this pass; this is only exploration.

**Worth a look**

- [${base(f.path)}:${f.line}](${href(`${f.path}#L${f.line}`)}) – please check this one by hand before we merge

Everything else I had questions about is cleared up.`,
  },
  {
    name: "finding with Location field, path:a-b",
    kind: "bare",
    ranged: true,
    write: (f) => `### Finding 1 – needs a second opinion

**Severity:** Medium
**Confidence:** Low
**Location:** ${ic(`${f.path}:${f.line}-${f.end}`)}

I could not reproduce the report from reading alone. I'd like someone who knows this part to confirm before I file it.`,
  },
  {
    name: "prose, lines a–b of path",
    kind: "bare",
    ranged: true,
    write: (f) => `Short answer: yes, I think that's the place.

Have a look at lines ${f.line}–${f.end} of \`${f.path}\`. That is the part I kept coming back to while following the trace, and it's what I'd step through first with a debugger attached.

If it turns out to be a dead end, send me the full log and I'll try again.`,
  },
  {
    name: "Spanish, absolute path and line in words",
    kind: "bare",
    write: (f) => `He revisado el proyecto y ya tengo una respuesta a tu pregunta.

El sitio que buscas está en \`${abs(f)}\`, línea ${f.line}.

No he modificado nada todavía. Si quieres, preparo el cambio y te lo enseño antes de aplicarlo.`,
  },

  // ---------------------------------------------------------------- path (2)
  {
    name: "key files list, path only",
    kind: "path",
    write: (f) => `Here's where I'd begin if you are new to this code.

### Key files

- \`${f.path}\` — read this one first

I can go deeper into any part of it; just tell me what you want to change.`,
  },
  {
    name: "plan step naming a file",
    kind: "path",
    write: (f) => `**Plan**

1. Reproduce the problem locally and keep the output.
2. Make the change in ${f.path} and keep the diff small.
3. Run the tests again and compare with the output from step 1.

I'll wait for your OK before starting on step 2.`,
  },

  // -------------------------------------------------------------- symbol (12)
  {
    name: "defined in path:line, one-sentence answer",
    kind: "symbol",
    defines: true,
    write: (f) => `\`${f.symbol}\` is defined in \`${f.path}:${f.line}\`.

I looked that up by name and then opened the file to make sure. Let me know if you'd like me to walk through it.`,
  },
  {
    name: "definition bullet, bold label, path and line in parentheses",
    kind: "symbol",
    defines: true,
    write: (f) => `Here's what I found for your question:

- **Name:** \`${f.symbol}\`
- **Definition:** \`${f.path}\` (line ${f.line})

I only looked for the definition, not for the places that use it. That would be the next step if you plan to rename it.`,
  },
  {
    name: "table of definitions",
    kind: "symbol",
    defines: true,
    write: (f) => `Where is what, as far as it matters for this ticket:

| Symbol | Defined in | Line |
|--------|------------|------|
| ${cell(f.symbol)} | ${cell(f.path)} | ${f.line} |

I left out what has nothing to do with the question.`,
  },
  {
    name: "linked definition in running text",
    kind: "symbol",
    defines: true,
    write: (f) => `Good question – it took me a moment to find this one too.

The definition of \`${f.symbol}\` is at [${f.path}:${f.line}](${href(`${f.path}#L${f.line}`)}). Start there, read it top to bottom once, and the rest of the picture should get clearer.

Want me to trace how it is reached from the outside?`,
  },
  {
    name: "bullet: symbol, em dash, path:line",
    kind: "symbol",
    write: (f) => `**Relevant code**

- \`${f.symbol}\` — \`${f.path}:${f.line}\`

**Open questions**

- Should the behaviour stay as it is for existing users?
- Do we want a test first? I'd say yes.`,
  },
  {
    name: "symbol with parenthesised path:line in prose",
    kind: "symbol",
    write: (f) => `I followed the stack trace from the bottom up.

My main suspect is \`${f.symbol}\` (${ic(`${f.path}:${f.line}`)}). I can't prove it without running the thing, but it fits the order of events in your report.

Next I would add some logging there and try your input again.`,
  },
  {
    name: "numbered call list step, bold symbol and bracketed place",
    kind: "symbol",
    write: (f) => `### Trace

1. The request comes in from the outside.
2. **\`${f.symbol}\`** [${f.path}:${f.line}]
3. From here on I'd rather use a debugger than guess.

So step 2 is the one to set a breakpoint on.`,
  },
  {
    name: "path first, symbol after an arrow, L number",
    kind: "symbol",
    write: (f) => `Impact analysis (read-only, nothing was touched):

\`${f.path}\` → \`${f.symbol}\` (L${f.line})
  - needs a careful review if we go on with the proposal
  - effort: small, perhaps half an hour including a test

Tell me if I should go on.`,
  },
  {
    name: "heading with symbol, File line below",
    kind: "symbol",
    write: (f) => `## 1. \`${f.symbol}\`

**File:** \`${f.path}\`
**Line:** ${f.line}

This is the one that I would discuss in the review. The name alone does not tell a reader what to expect, so a short comment would help.`,
  },
  {
    name: "two-column table, place first",
    kind: "symbol",
    write: (
      f,
    ) => `I've put the candidates for the refactoring into a table so that you can tick them off:

| # | Location | Symbol | Priority |
|---|----------|--------|----------|
| 1 | ${cell(`${f.path}:${f.line}`)} | ${cell(f.symbol)} | high |

Nothing is changed so far. I'd do one commit per row.`,
  },
  {
    name: "absolute path, then short form again",
    kind: "symbol",
    write: (f) => `Done exploring. The relevant file paths (absolute):

- ${abs(f, "/workspace")}:${f.line} (\`${f.symbol}\`)

To answer the actual question: I believe that ${base(f.path)}:${f.line} is the right place to hook in; I'd touch nothing but \`${f.symbol}\` in a first attempt. Please double-check that with whoever maintains it.`,
  },
  {
    name: "Chinese, bullet with symbol and path:line",
    kind: "symbol",
    write: (f) => `我看了一遍相关代码，结论如下：

- \`${f.symbol}\`（\`${f.path}:${f.line}\`）是需要重点关注的地方

目前还没有修改任何文件。如果你同意，我下一步先补测试，再动手改。`,
  },

  // ---------------------------------------------------------------- code (10)
  {
    name: "sentence, place then colon and inline code",
    kind: "code",
    write: (f) => `Found it. In \`${f.path}:${f.line}\`: ${ic(f.code)}

That's the line I would look at first. I haven't run the tests, so treat this as a lead and not as a verdict.`,
  },
  {
    name: "place sentence over a fenced line",
    kind: "code",
    write: (f) => `I narrowed it down to one line, \`${f.path}:${f.line}\`:

${fence(f.code, f.lang)}

Please compare this with what you have locally. If yours looks different, we are not on the same revision and the rest of my analysis won't apply.`,
  },
  {
    name: "grep output in a fence",
    kind: "code",
    write: (f) => `I searched for it from the project root. The hit that matters:

${fence(`${f.path}:${f.line}:${f.code}`)}

I'd go on from there. The other things that I tried led nowhere, so I am leaving them out.`,
  },
  {
    name: "table with location and code",
    kind: "code",
    write: (f) => `## Audit notes

| Location | Code | Verdict |
|----------|------|---------|
| ${cell(`${f.path}:${f.line}`)} | ${cell(f.code)} | to be discussed |

Verdicts are mine and preliminary. I did not open an issue for any of them.`,
  },
  {
    name: "numbered finding, bold place, code after a dash",
    kind: "code",
    write: (f) => `Here is my review, most important point first.

1. **${f.path}:${f.line}** – ${ic(f.code)}
   I'd like to see a comment that says why it's done this way. Not blocking.

2. General: the description of the change could say what was tested.

Otherwise this looks fine to me.`,
  },
  {
    name: "root cause note, line number in words",
    kind: "code",
    write: (f) => `**Root cause (likely)**

Line ${f.line} of \`${f.path}\` reads ${ic(f.code)}, and that is where I think things start to go wrong for your input.

**Next step**

Write a failing test first, then change that line. I can do both if you want.`,
  },
  {
    name: "review comment: heading with L anchor, quoted line",
    kind: "code",
    write: (f) => `#### ${ic(`${f.path}#L${f.line}`)}

${quote(ic(f.code))}

nit: I had to read this twice. Could we find something that is easier to follow? Happy to be told that it has to stay like this.`,
  },
  {
    name: "numbered source line in a fence under a file label",
    kind: "code",
    write: (f) => `Checked against the working copy a moment ago.

File: \`${f.path}\`

${fence(`${f.line}: ${f.code}`, f.lang)}

That settles your first question. For the second one I would need to know which input you used.`,
  },
  {
    name: "linked line number, code in parentheses",
    kind: "code",
    write: (f) => `A few notes from reading the code:

- The line to watch is [${f.path}, line ${f.line}](${href(`${f.path}#L${f.line}`)}) (${ic(f.code)}).
- I'd leave the rest alone for now; smaller diffs are easier to revert.

Confidence: fairly high, but I only read the code and did not execute it.`,
  },
  {
    name: "German, code then place in parentheses",
    kind: "code",
    write: (f) => `Kurz zusammengefasst: Ich habe die Stelle gefunden, geändert ist noch nichts.

- ${ic(f.code)} (\`${f.path}\`, Zeile ${f.line})

Ich würde hier ansetzen und vorher einen Test schreiben, der das heutige Verhalten festhält. Sag Bescheid, ob ich loslegen soll.`,
  },

  // --------------------------------------------------------------- block (11)
  {
    name: "sentence with path:a-b over a fence",
    kind: "block",
    write: (
      f,
    ) => `This is the part that answers your question, from \`${f.path}:${f.line}-${f.end}\`:

${fence(f.block, f.lang)}

Everything I said above follows from these lines. I have not looked at the history of the file.`,
  },
  {
    name: "code citation fence, start:end:path as info string",
    kind: "block",
    write: (f) => `I read through the code path you mentioned. The interesting part is here:

${fence(f.block, `${f.line}:${f.end}:${f.path}`)}

I'd make the change right there and keep it as small as possible. Shall I?`,
  },
  {
    name: "heading with path and lines, fence below",
    kind: "block",
    write: (f) => `## Findings

### 1. \`${f.path}\` (lines ${f.line}-${f.end})

${fence(f.block, f.lang)}

**Assessment:** worth a closer look, no immediate danger.
**Suggestion:** cover it with a test before anybody refactors it.`,
  },
  {
    name: "comment with the place as first line in the fence",
    kind: "block",
    write: (f) => `Here's the code in question:

${fence([`${comment(f.lang)} ${f.path}:${f.line}-${f.end}`, ...f.block], f.lang)}

My reading of it may be off, since I haven't stepped through it. But it matches the symptoms that you describe.`,
  },
  {
    name: "cat -n style numbers under a path:line sentence",
    kind: "block",
    write: (f) => `For reference, what I see when I open ${abs(f)} at line ${f.line}:

${fence(f.block.map((l, i) => `${String(f.line + i).padStart(6)}\t${l}`))}

If your copy differs, pull first. Then we can talk about the same thing.`,
  },
  {
    name: "numbered gutter with a bar, file name in bold",
    kind: "block",
    write: (f) => `**${ic(f.path)}**

${fence(
  f.block.map((l, i) => `${String(f.line + i).padStart(String(f.end).length)} | ${l}`),
  f.lang,
)}

I've pasted it as it is, without shortening. I'd start the fix at line ${f.line} and stop there; the remainder of the ticket is a separate matter.`,
  },
  {
    name: "fence inside a numbered list item",
    kind: "block",
    write: (f) => `What I'd raise in the review:

1. **Readability** – ${ic(`${f.path}:${f.line}`)}

   ${fence(f.block, f.lang, "   ").trimStart()}

   It took me a while to see what is going on here. A sentence of explanation would be enough.

2. **Process** – please squash before merging.`,
  },
  {
    name: "source link after the fence",
    kind: "block",
    write: (f) => `Yes, there is something in the code about this:

${fence(f.block, f.lang)}

Source: [${f.path}#L${f.line}-L${f.end}](${href(`${f.path}#L${f.line}-L${f.end}`)})

I quoted it as it stands. Whether it's intended is a question for the maintainers.`,
  },
  {
    name: "evidence field of an audit entry, quoted fence",
    kind: "block",
    write: (f) => `**ID:** A-1
**Status:** open
**Where:** ${f.path}, lines ${f.line} to ${f.end}
**Evidence:**

${quote(fence(f.block, f.lang))}

**Recommendation:** have a second person look at it. I would not hold the release for this.`,
  },
  {
    name: "diff hunk that takes the lines out",
    kind: "block",
    write: (
      f,
    ) => `As an experiment (not applied!) I'd take these lines out and see which tests complain:

${fence(
  [
    `--- a/${f.path}`,
    `+++ b/${f.path}`,
    `@@ -${f.line},${f.block.length} +${f.line - 1},0 @@`,
    ...f.block.map((l) => `-${l}`),
  ],
  "diff",
)}

If nothing fails, we are missing a test; if something does, we know where to look next.`,
  },
  {
    name: "prose 'starting at line', fence, then reference to the range",
    kind: "block",
    write: (
      f,
    ) => `To understand the bug you need to see the code first. In \`${f.path}\`, starting at line ${f.line}:

${fence(f.block, f.lang)}

I'm fairly sure that the answer is somewhere in L${f.line}–L${f.end}. I'll stop here, because you asked for an analysis and not for a fix.`,
  },
];
