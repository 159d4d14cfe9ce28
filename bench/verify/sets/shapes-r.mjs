// Ways in which agents write a place of a repository down. See the brief.

const longest = (text) => Math.max(0, ...(String(text).match(/`+/g) || []).map((r) => r.length));

// inline code that survives backticks
const span = (text) => {
  const t = String(text);
  const runs = new Set((t.match(/`+/g) || []).map((r) => r.length));
  let n = 1;
  while (runs.has(n)) n++;
  const tick = "`".repeat(n);
  const pad = /^`|`$/.test(t) ? " " : "";
  return tick + pad + t + pad + tick;
};
// inline code inside a table cell
const cell = (text) => span(text).replace(/\|/g, "\\|");

// fenced code, optionally indented (for list items) or prefixed (for quotes)
const fence = (lines, info = "", prefix = "") => {
  const body = Array.isArray(lines) ? lines : [lines];
  const tick = "`".repeat(Math.max(3, longest(body.join("\n")) + 1));
  return [tick + info, ...body, tick]
    .map((l) => (prefix && !l.trim() ? "" : prefix + l))
    .join("\n");
};

const base = (path) => path.split("/").pop();
const dest = (target) => (/[\s()]/.test(target) ? `<${target}>` : target);
const last = (f) => f.line + f.block.length - 1;
const hash = (f) => (/^(py|python|rb|ruby|sh|bash|ex|pl)$/.test(f.lang || "") ? "#" : "//");
const dedent = (lines) => {
  const pads = lines.filter((l) => l.trim()).map((l) => l.match(/^[ \t]*/)[0]);
  let p = pads[0] || "";
  while (p && !pads.every((x) => x.startsWith(p))) p = p.slice(0, -1);
  return lines.map((l) => (l.trim() ? l.slice(p.length) : l));
};

export const shapes = [
  // ---------------------------------------------------------------- bare (5)
  {
    name: "bullet, backticked path:line",
    kind: "bare",
    write: (
      f,
    ) => `I have finished reading. Short version: the report looks plausible, and I would start here:

- ${span(`${f.path}:${f.line}`)}

I did not change any files. Let me know if you want me to go on and draft the fix.`,
  },
  {
    name: "finding heading with severity, path:from-to",
    kind: "bare",
    ranged: true,
    write: (f) => `## Findings

### 1. [Medium] Needs a closer look — ${span(`${f.path}:${f.line}-${f.end}`)}

Confidence: moderate. I came to this by reading only and have not run anything.
Suggested next step: write a small reproduction before touching it.`,
  },
  {
    name: "prose, lines a–b of path",
    kind: "bare",
    ranged: true,
    write: (
      f,
    ) => `To answer your question directly: yes, I looked at that part. The relevant section is lines ${f.line}–${f.end} of ${span(f.path)}, and I would keep any change confined to it.

Everything else I read seemed unrelated to the question, so I left it out of this summary.`,
  },
  {
    name: "Codex citation 【F:path†La-Lb】",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**
* Reviewed the section in question and left it as it is. 【F:${f.path}†L${f.line}-L${f.end}】

**Testing**
* Not run (read-only review).`,
  },
  {
    name: "link to absolute path with :line",
    kind: "bare",
    write: (
      f,
    ) => `Done reading. The place you asked about is [${base(f.path)}:${f.line}](${dest(`/home/user/project/${f.path}:${f.line}`)}).

I would want a second opinion on it before anybody edits it; I am fairly sure, not certain.`,
  },

  // ---------------------------------------------------------------- path (2)
  {
    name: "key files list, path only",
    kind: "path",
    write: (f) => `### Key files to read first

- ${span(f.path)}

That is the one I would open before planning anything. I skimmed the rest and did not find it useful for this task.`,
  },
  {
    name: "plan step naming the file by absolute path",
    kind: "path",
    write: (f) => `**Plan**

1. Agree on the expected behaviour with you.
2. Edit ${span(`/home/user/project/${f.path}`)} accordingly.
3. Add a regression test and run the whole suite.

No code has been written yet.`,
  },

  // ---------------------------------------------------------------- symbol (12, 4 defines)
  {
    name: "defined at, answer sentence",
    kind: "symbol",
    defines: true,
    write: (f) => `${span(f.symbol)} is defined at ${span(`${f.path}:${f.line}`)}.

I searched by name and then opened the file to make sure. If you meant something else by that name, tell me where you saw it and I will look again.`,
  },
  {
    name: "where-is-what table, Defined in column",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is the inventory you asked for:

| Name | Defined in | Line |
|------|------------|------|
| ${cell(f.symbol)} | ${cell(f.path)} | ${f.line} |

I kept it to what you named in the task. Say so if the table should be longer.`,
  },
  {
    name: "bold label Definition with arrow",
    kind: "symbol",
    defines: true,
    write: (f) => `## ${span(f.symbol)}

- **Definition:** ${span(f.path)} → line ${f.line}
- **Status:** read, not modified
- **Confidence:** high

Nothing further to report on this one.`,
  },
  {
    name: "German, wird definiert in Zeile",
    kind: "symbol",
    defines: true,
    write: (f) => `Kurzfassung: Die Stelle ist gefunden.

${span(f.symbol)} wird in ${span(f.path)} in Zeile ${f.line} definiert. Dort würde ich auch die Änderung ansetzen.

Geändert habe ich noch nichts; die Tests sind ebenfalls nicht gelaufen.`,
  },
  {
    name: "bullet, symbol then path:line in parentheses",
    kind: "symbol",
    write: (f) => `**What I looked at**

- ${span(f.symbol)} (${span(`${f.path}:${f.line}`)}) – the natural starting point for this task
- the surrounding code, briefly

**Open question:** should the change be opt-in? I would ask before going further.`,
  },
  {
    name: "bullet, path:line em dash symbol, call parens",
    kind: "symbol",
    write: (f) => `Worth knowing for the refactor, most important first:

- ${span(`${f.path}:${f.line}`)} — ${span(/^(py|python|rb|ruby|js|javascript)$/.test(f.lang) && /^[a-z]\w*$/.test(f.symbol) ? `${f.symbol}()` : f.symbol)}

I would review this together with whoever owns it. Nothing was edited.`,
  },
  {
    name: "link, symbol as text, #L anchor",
    kind: "symbol",
    write: (
      f,
    ) => `I traced the question back as far as I could. It comes down to [${span(f.symbol)}](${dest(`${f.path}#L${f.line}`)}), and that is where I would put a breakpoint first.

Two caveats:
- I only read the code, I did not execute it.
- I may have misunderstood the bug report; please check my reading of it.`,
  },
  {
    name: "numbered finding with File / Symbol / Line fields",
    kind: "symbol",
    write: (f) => `### Finding 1 — please double-check

- **File:** ${span(f.path)}
- **Symbol:** ${span(f.symbol)}
- **Line:** ${f.line}
- **Severity:** low
- **Recommendation:** cover it with a test before the next release.`,
  },
  {
    name: "root cause note, in symbol at path line N",
    kind: "symbol",
    write: (
      f,
    ) => `**Root cause (hypothesis).** I believe the problem originates in ${span(f.symbol)} at ${f.path} line ${f.line}. I have not proved it; the reasoning is from reading alone.

**Proposed fix.** Keep it minimal, add a regression test, and leave the public behaviour alone.

**Risk.** Low, as far as I can judge.`,
  },
  {
    name: "table row, # / Location / Symbol / Verdict",
    kind: "symbol",
    write: (f) => `Audit results below. One row per item that I was asked to check.

| # | Location | Symbol | Verdict |
|:-:|:---------|:-------|:--------|
| 1 | ${cell(`${f.path}:${f.line}`)} | ${cell(f.symbol)} | looks fine to me |

No further action needed from my side.`,
  },
  {
    name: "heading path, then bullet symbol (line N)",
    kind: "symbol",
    write: (f) => `Summary of the exploration, grouped by file.

#### ${span(f.path)}
- ${span(f.symbol)} (line ${f.line}): relevant for the task, read in full

I stopped here because the brief asked for a quick pass.`,
  },
  {
    name: "absolute path under repository folder, symbol after",
    kind: "symbol",
    write: (f) => `Relevant files (absolute paths):

- /home/user/${f.pack}/${f.path}:${f.line} (${span(f.symbol)})

If you continue from here, read that before the issue thread; it makes the thread easier to follow.`,
  },

  // ---------------------------------------------------------------- code (10)
  {
    name: "bullet, path:line em dash inline code",
    kind: "code",
    write: (f) => `Evidence for the answer above:

- ${span(`${f.path}:${f.line}`)} — ${span(f.code)}

I quote it verbatim so that you can find it again if the numbering shifts.`,
  },
  {
    name: "sentence, line N of path reads",
    kind: "code",
    write: (
      f,
    ) => `I checked this by hand. Line ${f.line} of ${span(f.path)} reads ${span(f.code)}, which is what made me pause.

It may well be intended. I would ask the author before changing it, and I would not block the merge on it.`,
  },
  {
    name: "heading path:line over one-line fence",
    kind: "code",
    write: (f) => `### ${span(`${f.path}:${f.line}`)}

${fence(f.code, f.lang)}

This is the line I would change. The patch itself should be small; I have left it to you, as the brief asked for analysis only.`,
  },
  {
    name: "table, Location and Code columns",
    kind: "code",
    write: (f) => `Everything I would mention in a review:

| Location | Code | Comment |
|---|---|---|
| ${cell(`${f.path}:${f.line}`)} | ${cell(f.code)} | hard to read, consider a comment |

No blockers.`,
  },
  {
    name: "raw grep -n output in a fence",
    kind: "code",
    write: (f) => `I searched for the term from the ticket. The hit that matters:

${fence(`${f.path}:${f.line}:${f.code}`)}

I read around it and think it is the right place to start. No edits made.`,
  },
  {
    name: "numbered review comment, link then code",
    kind: "code",
    write: (f) => `**Review**

1. **nit** [${f.path}:${f.line}](${dest(`${f.path}#L${f.line}`)}): ${span(f.code)}. Could this be made easier to follow? Not a blocker.
2. Otherwise the structure is clear to me.

Overall: approve with comments.`,
  },
  {
    name: "fence with path:line comment on top",
    kind: "code",
    write: (f) => `The critical line, in my opinion:

${fence([`${hash(f)} ${f.path}:${f.line}`, f.code], f.lang)}

I would begin the debugging session there. Please treat this as a lead and not as a conclusion.`,
  },
  {
    name: "finding with Location and Evidence fields",
    kind: "code",
    write: (f) => `## F-01: worth confirming

**Location:** ${f.path}, line ${f.line}
**Evidence:** ${span(f.code)}
**Confidence:** medium
**Next step:** confirm with a failing test, then decide.`,
  },
  {
    name: "quote first, place in parentheses after",
    kind: "code",
    write: (f) => `Answer: I think so, but only because of one line.

> ${span(f.code)} (${f.path}:${f.line})

If that line ever changes, my answer has to be checked again. I found it by reading, not by running the program.`,
  },
  {
    name: "Chinese, full-width punctuation",
    kind: "code",
    write: (f) => `结论：我已经看过相关代码，没有做任何修改。

- 位置：${span(f.path)} 第 ${f.line} 行
- 代码：${span(f.code)}

建议先补一个测试，再决定是否需要改动。`,
  },

  // ---------------------------------------------------------------- block (11)
  {
    name: "bold path:from-to over fence",
    kind: "block",
    write: (f) => `This is the part that I think you are after.

**${span(`${f.path}:${f.line}-${f.end ?? last(f)}`)}**

${fence(f.block, f.lang)}

I copied it without changes. My suggestion is to discuss the intent first and to touch it afterwards.`,
  },
  {
    name: "prose with (lines a-b) and colon, fence",
    kind: "block",
    write: (
      f,
    ) => `I went through the file once from top to bottom. In ${span(f.path)} (lines ${f.line}-${f.end ?? last(f)}):

${fence(f.block, f.lang)}

That seems consistent with what the ticket describes, though I have not reproduced it.`,
  },
  {
    name: "Cursor fence, start:end:path as info string",
    kind: "block",
    write: (f) => `Here is the code I meant in my earlier message:

${fence(f.block, `${f.line}:${f.end ?? last(f)}:${f.path}`)}

I would leave it alone for now and revisit it once the other questions are settled.`,
  },
  {
    name: "numbered finding, fence indented in the item",
    kind: "block",
    write: (f) => `Findings, most important first:

1. **Please look at this one** — ${span(`${f.path}:${f.line}`)}

${fence(f.block, f.lang, "   ")}

   I am not sure that it is intended. A short comment would already help.

2. Nothing else that I would raise.`,
  },
  {
    name: "Read-tool gutter, number→line",
    kind: "block",
    write: (f) => `Excerpt from ${span(f.path)} as I read it:

${fence(f.block.map((l, i) => `${String(f.line + i).padStart(6)}→${l}`))}

This supports the answer above. I have no other evidence for it, so weigh it accordingly.`,
  },
  {
    name: "gutter with bar, absolute path heading",
    kind: "block",
    write: (f) => `#### /home/user/${f.pack}/${f.path}, lines ${f.line} to ${f.end ?? last(f)}

${fence(f.block.map((l, i) => `${String(f.line + i).padStart(String(last(f)).length)} | ${l}`))}

Comment: readable as it stands. I would only tidy it up if we are editing nearby anyway.`,
  },
  {
    name: "fence with comment path:a-b on top, dedented code",
    kind: "block",
    write: (f) => `**Root cause candidate**

${fence([`${hash(f)} ${f.path}:${f.line}-${f.end ?? last(f)}`, ...dedent(f.block)], f.lang)}

Why I picked it: it is the part that fits the symptom best in my reading. I could be wrong; a test would tell.`,
  },
  {
    name: "diff hunk that removes the lines",
    kind: "block",
    write: (
      f,
    ) => `Proposed change, not applied. It only takes the lines out, so that you can see whether the symptom goes away:

${fence(
  [
    `--- a/${f.path}`,
    `+++ b/${f.path}`,
    `@@ -${f.line},${f.block.length} +${f.line - 1},0 @@`,
    ...f.block.map((l) => `-${l}`),
  ],
  "diff",
)}

Please run the suite before you decide. I did not.`,
  },
  {
    name: "link with #La-Lb, then fence",
    kind: "block",
    write: (
      f,
    ) => `See [${base(f.path)}:${f.line}-${f.end ?? last(f)}](${dest(`${f.path}#L${f.line}-L${f.end ?? last(f)}`)}):

${fence(f.block, f.lang)}

Two remarks:
- I would keep the shape of it.
- I would ask for a test, because I could not tell from reading whether it is covered.`,
  },
  {
    name: "fence first, source line below",
    kind: "block",
    write: (f) => `The passage in full, so that you do not need to open the file:

${fence(f.block, f.lang)}

(from ${span(f.path)}, starting at line ${f.line})

I take this as sufficient for the plan; tell me if you need more context around it.`,
  },
  {
    name: "French, lignes a à b, fence",
    kind: "block",
    write: (
      f,
    ) => `Voici le passage concerné, dans ${span(f.path)}, lignes ${f.line} à ${f.end ?? last(f)} :

${fence(f.block, f.lang)}

Je n'ai rien modifié. À mon avis, il faudrait d'abord écrire un test, puis en rediscuter.`,
  },
];
