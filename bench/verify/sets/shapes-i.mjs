// Ways in which agents write a place of a repository down: review bots, on-call notes, onboarding answers, final messages.

const longestRun = (text) => Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));

/** An inline code span that survives backticks. */
const tick = (text) => {
  const run = longestRun(text);
  if (run === 0) return "`" + text + "`";
  const marks = "`".repeat(run + 1);
  return `${marks} ${text} ${marks}`;
};
/** The same inside a table cell. */
const cell = (text) => tick(text).replaceAll("|", "\\|");

/** A fenced block that survives fences in its content. */
const fence = (text, info = "", least = 3) => {
  const marks = "`".repeat(Math.max(least, longestRun(text) + 1));
  return `${marks}${info}\n${text}\n${marks}`;
};

const names = {
  js: "js",
  javascript: "js",
  mjs: "js",
  cjs: "js",
  jsx: "jsx",
  ts: "ts",
  typescript: "ts",
  tsx: "tsx",
  py: "python",
  python: "python",
  go: "go",
  rs: "rust",
  rust: "rust",
  rb: "ruby",
  ruby: "ruby",
  java: "java",
  kt: "kotlin",
  c: "c",
  h: "c",
  cpp: "cpp",
  cs: "csharp",
  php: "php",
  sh: "bash",
};
const info = (f) => names[f.lang] ?? f.lang ?? "";
const mark = (f) => (["python", "ruby", "bash"].includes(info(f)) ? "#" : "//");

const base = (path) => path.slice(path.lastIndexOf("/") + 1);
const root = (f) => f.pack.slice(f.pack.lastIndexOf("/") + 1);
const url = (path) => path.split("/").map(encodeURIComponent).join("/").replaceAll("%40", "@");
const block = (f) => f.block.join("\n");
const last = (f) => f.line + f.block.length - 1;
const prefixed = (text, prefix) =>
  text
    .split("\n")
    .map((line) => (prefix + line).replace(/^(>) $/, "$1"))
    .join("\n");
const indented = (text, by) =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : by + line))
    .join("\n");
const dedented = (lines) => {
  const leads = lines.filter((line) => line.trim() !== "").map((line) => line.match(/^[ \t]*/)[0]);
  if (leads.length === 0) return lines.join("\n");
  let common = leads[0];
  for (const lead of leads) while (!lead.startsWith(common)) common = common.slice(0, -1);
  return lines
    .map((line) => (line.startsWith(common) ? line.slice(common.length) : line.trimStart()))
    .join("\n");
};
const gutter = (f, between, least = 0) => {
  const width = Math.max(least, String(last(f)).length);
  return f.block
    .map((line, i) => `${String(f.line + i).padStart(width)}${between}${line}`)
    .join("\n");
};

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "final message, path:line in backticks",
    kind: "bare",
    write: (f) => `I read through the flow you described and have not changed anything yet.

The place I would touch first is \`${f.path}:${f.line}\`. Before I do, I'd like you to confirm the behaviour you expect, because both readings of the ticket are possible.

Let me know which one you prefer and I'll go ahead.`,
  },
  {
    name: "review bot finding with priority and absolute range",
    kind: "bare",
    ranged: true,
    write: (
      f,
    ) => `The patch looks reasonable overall, but one spot deserves a second look before merging.

Review comment:

- [P2] Consider the empty case here — /home/user/${root(f)}/${f.path}:${f.line}-${f.end}
  If the caller hands over nothing at all, it is not obvious to me what the intended outcome is. A short comment or a test would settle it.`,
  },
  {
    name: "review bot prompt, around lines",
    kind: "bare",
    ranged: true,
    write: (f) => `**Actionable comments posted: 1**

<details>
<summary>🤖 Prompt for AI Agents</summary>

In \`@${f.path}\` around lines ${f.line} - ${f.end}, verify the current behaviour first and only
apply a change if it is still needed; keep the fix minimal and do not reformat
the surrounding code.

</details>`,
  },
  {
    name: "on-call timeline with a line anchor link",
    kind: "bare",
    write: (f) => `## Incident note

- **02:14 UTC** – page received, error budget burning
- **02:31 UTC** – rolled back, alert cleared at 02:36
- **Suspected origin:** [${f.path}#L${f.line}](${url(f.path)}#L${f.line})
- **Confidence:** medium. I had only the logs to go by and could not reproduce it.

Follow-up: the owning team should confirm or reject this tomorrow.`,
  },
  {
    name: "citation brackets with F and L",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**
* Looked into the question and left the code as it was.
* The part that matters for your question is here.【F:${f.path}†L${f.line}-L${f.end}】

**Testing**
* ⚠️ Not run (read-only review).`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "onboarding, start reading with this file",
    kind: "path",
    write: (f) => `Welcome aboard! You don't need to understand everything on day one.

If I had to pick a single file to read first, it would be \`${f.path}\`. Skim it top to bottom, write down what surprises you, and bring the list to our next call.

Everything else can wait until you have a concrete task.`,
  },
  {
    name: "plan with a file checklist",
    kind: "path",
    write: (f) => `### Plan

1. Agree on the expected behaviour.
2. Make the change.
3. Ask for a review.

**Files to modify**

- [ ] **${f.path}** (small change, no public names touched)

I'll wait for your go-ahead before editing.`,
  },

  // ---------------------------------------------------------------- symbol
  {
    name: "where is what, defined in path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `\`${f.symbol}\` is defined in \`${f.path}:${f.line}\`.

I found it by searching the whole repository for the name. If you want, I can also trace who uses it, but that takes a little longer.`,
  },
  {
    name: "symbol then place in round brackets",
    kind: "symbol",
    write: (f) => `I have a guess about the cause now.

From what you sent me, I'd look at \`${f.symbol}\` (\`${f.path}:${f.line}\`) next. I have not verified this with a debugger, so treat it as a starting point.

Shall I add some logging there?`,
  },
  {
    name: "table of definitions",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is the answer to your question in short form:

| Name | Defined in | Line |
|------|------------|-----:|
| ${cell(f.symbol)} | ${cell(f.path)} | ${f.line} |

I listed only what you asked for.`,
  },
  {
    name: "numbered review finding with bold title",
    kind: "symbol",
    write: (f) => `## Code review

Found 1 issue worth discussing:

1. **\`${f.symbol}\` could use a clearer name** — \`${f.path}:${f.line}\`
   - Severity: low
   - The name didn't tell me what to expect when I read it for the first time.
   - Suggestion: rename in a separate change, or add a one-line comment.

Nothing blocking from my side.`,
  },
  {
    name: "call list with arrows",
    kind: "symbol",
    write: (f) => `My unverified guess at the way through, as far as I followed it:

\`\`\`
your example
  → ${f.symbol}   ${f.path}:${f.line}
  → (stopped here)
\`\`\`

I stopped there because the remaining steps don't matter for the ticket.`,
  },
  {
    name: "stack frame in a root-cause note",
    kind: "symbol",
    write: (f) => `**Root cause (preliminary)**

The top frame in the report that is ours, not a dependency's:

\`\`\`text
    at ${f.symbol} (/srv/app/${root(f)}/${f.path}:${f.line})
\`\`\`

Everything above it is library code. I'd start the investigation at this frame and work downwards.`,
  },
  {
    name: "editor link with the symbol as its text",
    kind: "symbol",
    write: (f) => `Short answer: yes, and there is one place to look at.

Have a look at [\`${f.symbol}\`](${url(f.path)}#L${f.line}) and tell me if that matches what you had in mind. If not, send me the exact wording of the error and I'll search again.`,
  },
  {
    name: "prose, line N of file, declared",
    kind: "symbol",
    defines: true,
    write: (f) => `Good question, I had to look that up as well.

On line ${f.line} of \`${f.path}\` you'll find the definition of \`${f.symbol}\`. That's the one people mean when they talk about it in the channel.

Ping me if your editor jumps somewhere else.`,
  },
  {
    name: "file heading, then bullet with L number",
    kind: "symbol",
    write: (f) => `Reading notes, grouped by file.

### \`${f.path}\`

- **L${f.line}** \`${f.symbol}\`: read this one carefully, it is the core of the question.

That's all I'd put on the list for now; the rest is background.`,
  },
  {
    name: "json findings from a review bot",
    kind: "symbol",
    write: (f) => `Review finished. Machine-readable result:

${fence(JSON.stringify({ findings: [{ severity: "info", file: f.path, line: f.line, symbol: f.symbol, message: "Please double-check the intent here." }] }, null, 2), "json")}

No blocking findings.`,
  },
  {
    name: "German answer, defined in",
    kind: "symbol",
    defines: true,
    write: (f) => `Kurz zusammengefasst:

- \`${f.symbol}\` ist in \`${f.path}\` definiert (Zeile ${f.line}).
- Geändert habe ich noch nichts.

Sag Bescheid, ob ich dort ansetzen soll oder ob du zuerst einen Test möchtest.`,
  },
  {
    name: "full path first, then short file name with line",
    kind: "symbol",
    write: (f) => `I went through \`${f.path}\` as you asked.

The relevant bit is \`${f.symbol}\` at \`${base(f.path)}:${f.line}\`. I would leave everything else in there alone for this ticket.

**Next step:** write a failing test, then decide.`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "sentence with the quoted line after a colon",
    kind: "code",
    write: (f) => `I think I see where the confusion comes from.

\`${f.path}:${f.line}\` reads: ${tick(f.code)}

On a quick read it is easy to misjudge that. I'd leave it as it is and explain it in a comment.`,
  },
  {
    name: "review comment, place as heading over one line fence",
    kind: "code",
    write: (f) => `#### ${f.path}:${f.line}

${fence(f.code, info(f))}

**nit:** could you add a word on why this is needed? It took me a while to follow, and the next reader will have the same question.

Feel free to resolve this if it was discussed before.`,
  },
  {
    name: "table of findings with the code",
    kind: "code",
    write: (f) => `### Audit result

| # | Location | Code | Verdict |
|---|----------|------|---------|
| 1 | ${cell(`${f.path}:${f.line}`)} | ${cell(f.code)} | worth a second look |

I did not rate the severity, since that depends on how you deploy it.`,
  },
  {
    name: "grep output",
    kind: "code",
    write: (f) => `One hit looks relevant to the alert:

${fence(`${f.path}:${f.line}:${f.code}`)}

I'd ask the owner of this code before touching it during the incident. A rollback is the safer option tonight.`,
  },
  {
    name: "bullet, line number in brackets, code after a dash",
    kind: "code",
    write: (f) => `**What I looked at**

- \`${f.path}\` (line ${f.line}) – ${tick(f.code)}

**What I'd do**

- Nothing right now. It is not obviously wrong, and a change here would need a test first.`,
  },
  {
    name: "code first, then the place",
    kind: "code",
    write: (f) => `To answer the onboarding question from this morning:

The line ${tick(f.code)} at \`${f.path}#L${f.line}\` is the one I meant when I shared my screen. Set a breakpoint on it, run your example once and look at the values.

That will tell you more than any diagram.`,
  },
  {
    name: "quoted reply in a thread",
    kind: "code",
    write: (f) => `> **${f.path}** line ${f.line}
>
${prefixed(fence(f.code, info(f)), "> ")}

Thanks, I had overlooked this one. I agree that it deserves a comment, but I'd rather not change the behaviour in this pull request.

Will follow up separately.`,
  },
  {
    name: "comment with the place inside the fence",
    kind: "code",
    write: (f) => `Most likely suspect for last night's page:

${fence(`${mark(f)} ${f.path}:${f.line}\n${f.code}`, info(f))}

Evidence is thin: the timing fits, nothing more. I'd keep the incident open until someone has reproduced it.`,
  },
  {
    name: "Spanish, line N of file",
    kind: "code",
    write: (f) => `He revisado lo que me pediste y no he modificado nada.

En la línea ${f.line} de \`${f.path}\` pone ${tick(f.code)}. Creo que conviene hablarlo con el equipo antes de cambiarlo.

¿Quieres que prepare una propuesta?`,
  },
  {
    name: "numbered root cause with absolute path and nested fence",
    kind: "code",
    write: (f) => `Investigation summary:

1. Checked the dashboards, nothing unusual before 09:40.
2. Narrowed it down to \`/home/user/${root(f)}/${f.path}:${f.line}\`:

${indented(fence(f.code, info(f)), "   ")}

3. Handed over to the day shift.

Open question: was this intended?`,
  },

  // ---------------------------------------------------------------- block
  {
    name: "place with range over a fence",
    kind: "block",
    write: (f) => `Here is the part you were asking about.

\`${f.path}:${f.line}-${f.end}\`

${fence(block(f), info(f))}

I would keep it as it is. If you still want to change it, please add a test first so that we notice when something breaks.`,
  },
  {
    name: "editor citation in the fence's info string",
    kind: "block",
    write: (f) => `Let me show you the spot first:

${fence(block(f), `${f.line}:${f.end}:${f.path}`)}

That is what I would step through in the debugger. Nothing has been edited so far; tell me if you want me to continue.`,
  },
  {
    name: "heading with lines in brackets",
    kind: "block",
    write: (f) => `## Findings

### 1. Hard to follow — \`${f.path}\` (lines ${f.line}–${f.end})

${fence(block(f), info(f))}

**Impact:** readability only, as far as I can tell.
**Recommendation:** a comment that says why, not what.`,
  },
  {
    name: "cat -n like gutter with a tab",
    kind: "block",
    write: (
      f,
    ) => `Onboarding question: "where should I put my breakpoint?" I'd say in \`${f.path}\`, right here:

${fence(gutter(f, "\t", 6))}

Start with the first of these lines and step from there. Ask again if it is never hit.`,
  },
  {
    name: "gutter with a bar, start line only",
    kind: "block",
    write: (f) => `**Where:** ${f.path}:${f.line}

${fence(gutter(f, " | "), "text")}

**Why I flag it:** I had to read it twice.
**Blocking:** no. Take it as a note for later.`,
  },
  {
    name: "review bot, details with file and lines",
    kind: "block",
    write: (f) => `<details>
<summary>🧹 Nitpick comments (1)</summary><blockquote>

<details>
<summary>${f.path} (1)</summary><blockquote>

\`${f.line}-${f.end}\`: **Consider documenting the intent.**

${fence(block(f), info(f))}

A short explanation would help future readers here. Feel free to ignore this one.

</blockquote></details>

</blockquote></details>`,
  },
  {
    name: "review bot prompt with location and context tags",
    kind: "block",
    write: (f) => `Hey there, I've reviewed your changes and have one remark.

${fence(
  `## Individual Comments

### Comment 1
<location> \`${f.path}:${f.line}\` </location>
<code_context>
${block(f)}
</code_context>

<issue_to_address>
**question:** Is this intended? Please confirm or add a comment.
</issue_to_address>`,
  "markdown",
  5,
)}

Was this helpful? React with 👍 or 👎.`,
  },
  {
    name: "comment with path and lines as the fence's first line",
    kind: "block",
    write: (f) => `Root-cause note, draft for the postmortem. The code in question:

${fence(`${mark(f)} ${f.path}, lines ${f.line}-${f.end}\n${block(f)}`, info(f))}

I believe that this is worth a closer look, but the evidence is circumstantial. Treat it as a hypothesis until the owners have signed off.`,
  },
  {
    name: "proposed removal as a diff",
    kind: "block",
    write: (
      f,
    ) => `If you agree that this is no longer wanted, the smallest possible change would be to take it out (not applied yet):

${fence(
  `--- a/${f.path}
+++ b/${f.path}
@@ -${f.line},${f.block.length} +${f.line - 1},0 @@
${f.block.map((line) => "-" + line).join("\n")}`,
  "diff",
)}

I'd like a second opinion before I push that. It is only a proposal for discussion.`,
  },
  {
    name: "bullet with link, nested fence, indentation taken off",
    kind: "block",
    write: (f) => `Two remarks on your question:

- The snippet you remembered is in [${base(f.path)}:${f.line}](/home/user/${root(f)}/${url(f.path)}#L${f.line}-L${f.end}):

${indented(fence(dedented(f.block), info(f)), "  ")}

- I'd not copy it elsewhere; better to talk to the maintainers first.`,
  },
  {
    name: "Japanese, from line to line over a fence",
    kind: "block",
    write: (f) => `ご質問の箇所を確認しました。まだ何も変更していません。

\`${f.path}\` の ${f.line}〜${f.end} 行目:

${fence(block(f), info(f))}

この部分を変更する前に、期待する動作を教えてください。`,
  },
];
