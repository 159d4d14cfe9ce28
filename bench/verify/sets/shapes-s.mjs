// Forty ways in which agents write a place of a repository into a message.

const longestRun = (s) => Math.max(0, ...(String(s).match(/`+/g) ?? []).map((r) => r.length));
// inline code that survives backticks
const tick = (s) => {
  const fence = "`".repeat(longestRun(s) ? longestRun(s) + 1 : 1);
  const pad = /^`|`$/.test(s) ? " " : "";
  return fence + pad + s + pad + fence;
};
// the same inside a table cell
const cell = (s) => tick(s).replace(/\|/g, "\\|");
// fenced block; `lines` is a string or an array of lines, `indent` for list items and quotes
const fenced = (info, lines, indent = "") => {
  const body = Array.isArray(lines) ? lines : [lines];
  const bar = "`".repeat(Math.max(3, longestRun(body.join("\n")) + 1));
  return [bar + info, ...body, bar]
    .map((l) => (l === "" ? indent.trimEnd() : indent + l))
    .join("\n");
};
// link target: only what would break the link is encoded, as agents do it
const target = (p) => p.replace(/ /g, "%20");
const base = (p) => p.split("/").pop();
const root = (f) => `/home/user/${String(f.pack).split("/").pop()}`;
const hash = (f) => /^(py|python|rb|ruby|sh|bash|pl|perl|ex|elixir|r)$/i.test(f.lang);
const remark = (f, s) => (hash(f) ? "# " : "// ") + s;
const last = (f) => f.line + f.block.length - 1;
const numbered = (f, sep) => {
  const w = String(last(f)).length;
  return f.block.map((l, i) =>
    l ? String(f.line + i).padStart(w) + sep + l : (String(f.line + i).padStart(w) + sep).trimEnd(),
  );
};
const dedent = (lines) => {
  const leads = lines.filter((l) => l.trim()).map((l) => l.match(/^[ \t]*/)[0]);
  let lead = leads[0] ?? "";
  for (const l of leads) while (!l.startsWith(lead)) lead = lead.slice(0, -1);
  return lines.map((l) => (l.trim() ? l.slice(lead.length) : ""));
};

export const shapes = [
  // ---------------------------------------------------------------- bare (5)
  {
    name: "inline path:line in a triage sentence",
    kind: "bare",
    write: (f) => `I went through the report and could narrow it down quite a bit.

The place to look at is ${tick(`${f.path}:${f.line}`)}. I have not changed anything yet; before I do, I would like to know whether the current behaviour is intended.`,
  },
  {
    name: "bold numbered finding with a line range",
    kind: "bare",
    ranged: true,
    write: (f) => `## Findings

1. **Hard to follow** — ${tick(`${f.path}:${f.line}-${f.end}`)}
   Severity: low. I had to read this passage several times before I was sure what it is meant to do. A short comment would already help.

Nothing else that I would hold the release for.`,
  },
  {
    name: "link with #L anchor, path:line as text",
    kind: "bare",
    write: (f) => `Good question! The short answer is that you only need one place for this.

Start reading at [${tick(`${f.path}:${f.line}`)}](${target(f.path)}#L${f.line}) and go down from there. Tell me if you want me to walk through it step by step.`,
  },
  {
    name: "table of a refactoring plan, lines column with en dash",
    kind: "bare",
    ranged: true,
    write: (f) => `### Proposed steps

| Step | File | Lines | Effort | Risk |
|------|------|-------|--------|------|
| Extract into a helper | ${cell(f.path)} | ${f.line}–${f.end} | S | low |

I would do this in a commit of its own, so that it can be reverted on its own.`,
  },
  {
    name: "(lines A to B of path) in parentheses",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**

- I could not reproduce the crash with the steps from the ticket.
- The most suspicious passage is still the one that you pointed to (lines ${f.line} to ${f.end} of ${tick(f.path)}).
- A stack trace from the affected machine would help most.`,
  },

  // ---------------------------------------------------------------- path (2)
  {
    name: "files-to-read bullet, path only",
    kind: "path",
    write: (f) => `If you are new to ${f.pack}, I would not try to read everything at once.

**Where to begin**
- ${tick(f.path)} – read this one first, from top to bottom

After that, most of the other questions answer themselves.`,
  },
  {
    name: "absolute path in a closing remark",
    kind: "path",
    write: (
      f,
    ) => `Done with the review. I left the formatting alone, since that would only make the diff harder to read.

The one file that I would like a second pair of eyes on is ${tick(`${root(f)}/${f.path}`)}.

Let me know how you want to proceed.`,
  },

  // ---------------------------------------------------------------- symbol (12)
  {
    name: "symbol, then (path:line) in parentheses",
    kind: "symbol",
    write: (f) => `**Root cause**

The trail ends in ${tick(f.symbol)} (${tick(`${f.path}:${f.line}`)}). Everything before that looks fine to me.

**Suggested next step:** set a breakpoint there and repeat the steps from the ticket.`,
  },
  {
    name: "path:line – symbol as bullet of a place list",
    kind: "symbol",
    write: (f) => `Here is what I would look at, most important first:

- ${tick(`${f.path}:${f.line}`)} — ${tick(f.symbol)}

I only listed what matters for your question. I can make a fuller map if you need one.`,
  },
  {
    name: "is defined in path at line N",
    kind: "symbol",
    defines: true,
    write: (f) => `You asked where this comes from.

${tick(f.symbol)} is defined in ${tick(f.path)} at line ${f.line}. That is also the place to change if you want different behaviour; I would not work around it from the outside.`,
  },
  {
    name: "where-is-what table, symbol | location",
    kind: "symbol",
    write: (f) => `Short map for the onboarding document:

| What | Where | Note |
| --- | --- | --- |
| ${cell(f.symbol)} | ${cell(`${f.path}:${f.line}`)} | worth reading early |

Please double-check the note, it is only my impression.`,
  },
  {
    name: "heading with symbol, location line below",
    kind: "symbol",
    defines: true,
    write: (f) => `### ${tick(f.symbol)}

**Defined in:** ${tick(f.path)}, line ${f.line}
**Recommendation:** keep the name, split the body
**Confidence:** medium

I would hold off on this until after the next release.`,
  },
  {
    name: "call list in a plain fence with @ path:line",
    kind: "symbol",
    write: (f) => `I followed the flow by hand. The step at which I stopped:

${fenced("", [`→ ${f.symbol}  @ ${f.path}:${f.line}`])}

From here on I was only guessing, so I left the rest out.`,
  },
  {
    name: "symbol as link text to path#L",
    kind: "symbol",
    write: (f) => `Thanks for the detailed report, that made it much easier.

I believe the fix belongs in [${tick(f.symbol)}](${target(f.path)}#L${f.line}). It would be a small change, but I would like a maintainer to confirm the direction before I open a pull request.`,
  },
  {
    name: "German: ist definiert in path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `Kurze Antwort auf deine Frage:

- ${tick(f.symbol)} ist in ${tick(`${f.path}:${f.line}`)} definiert.
- Ich würde die Änderung genau dort machen und nicht drumherum.

Geändert habe ich bisher nichts.`,
  },
  {
    name: "review comment: path L12, in symbol",
    kind: "symbol",
    write: (f) => `**${tick(f.path)}** (L${f.line}, ${tick(f.symbol)})

nit: I stumbled over the name. It did not tell me what to expect, and I had to read the body to find out. Not blocking.`,
  },
  {
    name: "file heading, bullets with line and symbol",
    kind: "symbol",
    write: (f) => `## Refactoring candidates

#### ${tick(f.path)}

- **Line ${f.line}:** ${tick(f.symbol)} – does more than one thing in my opinion; I would split it.

No public behaviour should change because of this.`,
  },
  {
    name: "definition bullet, absolute path link with short text",
    kind: "symbol",
    defines: true,
    write: (f) => `I checked this and found the following:

- Definition of ${tick(f.symbol)}: [${base(f.path)}:${f.line}](${target(`${root(f)}/${f.path}`)}:${f.line})

If you want, I can draft the change next.`,
  },
  {
    name: "Spanish: symbol en path, línea N",
    kind: "symbol",
    write: (f) => `He revisado el informe y esto es lo que puedo decir por ahora.

**Dónde mirar:** ${tick(f.symbol)}, en ${tick(f.path)} (línea ${f.line}).

Todavía no he cambiado nada. Si te parece bien, preparo una propuesta.`,
  },

  // ---------------------------------------------------------------- code (10)
  {
    name: "path:line colon inline code bullet",
    kind: "code",
    write: (f) => `Evidence:

- ${tick(`${f.path}:${f.line}`)}: ${tick(f.code)}

That is the line I would question first. I may be missing some history here, so please correct me if there is a reason for it.`,
  },
  {
    name: "sentence: line N of path reads",
    kind: "code",
    write: (f) => `I think I understand now what the reporter means.

Line ${f.line} of ${tick(f.path)} reads ${tick(f.code)}, and that is the point where my expectation and the report part ways. I would add a regression test before touching it.`,
  },
  {
    name: "location bold, single-line fence below",
    kind: "code",
    write: (f) => `### 1. Unclear intent (minor)

**Location:** ${tick(`${f.path}:${f.line}`)}

${fenced(f.lang, f.code)}

A reader who is new here has to guess why this is needed. **Suggestion:** say why in a comment.`,
  },
  {
    name: "grep -n output in a fence",
    kind: "code",
    write: (f) => `I searched for it, and this is the hit that matters:

${fenced("", `${f.path}:${f.line}:${f.code}`)}

I would take it from there. Shall I go ahead?`,
  },
  {
    name: "audit table with code column",
    kind: "code",
    write: (f) => `## Audit notes

| # | Location | Code | Verdict |
|---|----------|------|---------|
| 1 | ${cell(`${f.path}:${f.line}`)} | ${cell(f.code)} | needs a decision |

"Needs a decision" means that I see arguments for both sides.`,
  },
  {
    name: "code first, then (path, line N)",
    kind: "code",
    write: (f) => `What confused me at first is ${tick(f.code)} (${tick(f.path)}, line ${f.line}).

After reading around it I believe it is fine as it stands, but I would not call it obvious. Worth a sentence in the docs.`,
  },
  {
    name: "fence with path:line as first comment",
    kind: "code",
    write: (f) => `The relevant line is this one:

${fenced(f.lang, [remark(f, `${f.path}:${f.line}`), f.code])}

I would leave it alone for now and come back to it once the larger question is settled.`,
  },
  {
    name: "compiler-style arrow and gutter",
    kind: "code",
    write: (f) => {
      const pad = " ".repeat(String(f.line).length);
      return `Here is the spot, in the form that you asked for:

${fenced("text", [`${pad}--> ${f.path}:${f.line}`, `${pad} |`, `${f.line} | ${f.code}`, `${pad} |`])}

I have no fix for it yet, only the location.`;
    },
  },
  {
    name: "numbered step of a plan, change this line",
    kind: "code",
    write: (f) => `**Plan**

1. Open ${tick(f.path)} and go to line ${f.line}:
${fenced(f.lang, f.code, "   ")}
2. Agree on what it should say instead.
3. Make the change, run the tests, open the pull request.

I will wait for your go-ahead after the first step.`,
  },
  {
    name: "link to line, arrow, inline code",
    kind: "code",
    write: (f) => `Quick answer, since you are in a hurry:

* [${base(f.path)}#L${f.line}](${target(f.path)}#L${f.line}) → ${tick(f.code)}

That is all there is to it as far as your question goes.`,
  },

  // ---------------------------------------------------------------- block (11)
  {
    name: "path:start-end in prose, fence below",
    kind: "block",
    write: (f) => `The behaviour you describe comes down to ${tick(`${f.path}:${f.line}-${f.end}`)}:

${fenced(f.lang, f.block)}

I would like to discuss this before changing it, because I cannot tell from the outside who relies on it.`,
  },
  {
    name: "heading path (lines A–B), fence below",
    kind: "block",
    write: (f) => `#### ${tick(f.path)} (lines ${f.line}–${f.end})

${fenced(f.lang, f.block)}

**Assessment:** works, but reads badly. I would rewrite it only together with other changes in the neighbourhood.`,
  },
  {
    name: "start:end:path as fence info",
    kind: "block",
    write: (f) => `Let me show you the part I mean:

${fenced(`${f.line}:${f.end}:${f.path}`, f.block)}

My proposal is to simplify this step by step and to keep every step small enough to review.`,
  },
  {
    name: "path comment on top of the fence, start line only",
    kind: "block",
    write: (f) => `**Finding: worth a second look**

${fenced(f.lang, [remark(f, `${f.path}:${f.line}`), ...f.block])}

- Impact: probably small
- Effort: small
- My vote: fix it when somebody is there anyway`,
  },
  {
    name: "numbered lines with a bar gutter",
    kind: "block",
    write: (f) => `From ${tick(f.path)}, with line numbers so that we talk about the same thing:

${fenced("", numbered(f, " | "))}

Please have a look at the first of these lines (${f.line}) in particular.`,
  },
  {
    name: "list item with indented fence, dedented code",
    kind: "block",
    write: (f) => `Review notes:

1. **${tick(`${f.path}:${f.line}`)}** — I would ask the author about this:

${fenced(f.lang, dedent(f.block), "   ")}

   It may well be right, I just could not convince myself.

Otherwise this looks good to me.`,
  },
  {
    name: "sed -n command with its output",
    kind: "block",
    write: (f) => `To check the claim I printed the passage:

${fenced("console", [`$ sed -n '${f.line},${f.end}p' ${f.path}`, ...f.block])}

So the description in the ticket needs another look before anybody starts on a fix.`,
  },
  {
    name: "cat -n style with colon after the number",
    kind: "block",
    write: (f) => `**Where:** ${tick(`${root(f)}/${f.path}`)}, starting at line ${f.line}

${fenced(f.lang, numbered(f, ": "))}

**What I would do:** nothing for this release; write it down and come back to it.`,
  },
  {
    name: "deletion-only diff with hunk header",
    kind: "block",
    write: (f) => `If we agree that this is no longer wanted, the change would be a pure removal:

${fenced("diff", [
  `--- a/${f.path}`,
  `+++ b/${f.path}`,
  `@@ -${f.line},${f.block.length} +${f.line - 1},0 @@`,
  ...f.block.map((l) => "-" + l),
])}

I have not applied it. Say the word and I will.`,
  },
  {
    name: "quoted review comment with link and fence in the quote",
    kind: "block",
    write: (f) => `My comment for the pull request:

> [${tick(`${f.path}#L${f.line}-L${f.end}`)}](${target(f.path)}#L${f.line}-L${f.end})
>
${fenced(f.lang, f.block, "> ")}
>
> Could you explain this part? I would have expected something shorter.

I will post it once you have read it.`,
  },
  {
    name: "Chinese: path 第 A-B 行, fence below",
    kind: "block",
    write: (f) => `我先看了一遍报告，目前的结论如下。

相关代码在 ${tick(f.path)} 第 ${f.line}-${f.end} 行：

${fenced(f.lang, f.block)}

我还没有做任何修改，建议先讨论一下再动手。`,
  },
];
