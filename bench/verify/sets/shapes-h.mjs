// Forty ways in which agents write a place of a repository down.

const longestTicks = (text) => Math.max(0, ...(text.match(/`+/g) || []).map((run) => run.length));

// inline code that survives backticks
const tick = (text) => {
  const t = String(text);
  const most = longestTicks(t);
  if (most === 0) return "`" + t + "`";
  const runs = new Set((t.match(/`+/g) || []).map((run) => run.length));
  let n = 1;
  while (runs.has(n)) n++;
  const pad = t.startsWith("`") || t.endsWith("`") ? " " : "";
  return "`".repeat(n) + pad + t + pad + "`".repeat(n);
};

// inline code in a table cell
const cell = (text) => tick(text).replace(/\|/g, "\\|");

// fenced code with a fence long enough
const fence = (info, body) => {
  const text = Array.isArray(body) ? body.join("\n") : String(body);
  const bar = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${bar}${info || ""}\n${text}\n${bar}`;
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
const base = (path) => path.split("/").pop();
const href = (path) =>
  path.replace(/[ ()<>]/g, (c) => "%" + c.charCodeAt(0).toString(16).toUpperCase());
const note = (lang) =>
  /^(py|python|rb|ruby|sh|bash|shell|r|pl|perl|ex|elixir|yaml|yml|toml)$/i.test(lang || "")
    ? "#"
    : "//";
const last = (f) => f.end ?? f.line + f.block.length - 1;

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "review bullet with path:line",
    kind: "bare",
    write: (
      f,
    ) => `I went through the change once more. Only one thing is left that I would like you to look at:

- \`${f.path}:${f.line}\` – I'm not sure this is intended. Could you confirm before I touch it?

Everything else is a matter of taste, so I left it out of this review.`,
  },
  {
    name: "prose, lines a–b in brackets",
    kind: "bare",
    ranged: true,
    write: (f) => `**Short answer:** I would make the change in one place only.

The part to look at is in \`${f.path}\` (lines ${f.line}–${f.end}). I'd keep the patch limited to that region
and not refactor anything around it, so that the diff stays easy to review.

Let me know if you want me to go ahead.`,
  },
  {
    name: "link with the file's name to an absolute path:line",
    kind: "bare",
    write: (f) => `I haven't changed anything yet; this was a read-only pass.

**Where to start**

The most useful entry point for your question is [${base(f.path)}:${f.line}](/home/user/${f.pack}/${href(f.path)}:${f.line}). Put a breakpoint there, run your reproduction again, and send me what you see.

If you'd rather have me add logging instead, say so and I'll prepare a patch.`,
  },
  {
    name: "relative link with #La-Lb",
    kind: "bare",
    ranged: true,
    write: (f) => `## Plan

1. Agree on the behaviour we want.
2. Rework [${f.path}#L${f.line}-L${f.end}](${href(f.path)}#L${f.line}-L${f.end}) accordingly.
3. Add a regression test and run the whole suite again.

Step 2 is the only one that carries any risk.`,
  },
  {
    name: "citation in lenticular brackets",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**
* Reviewed the section you asked about and found nothing that would stop the release. 【F:${f.path}†L${f.line}-L${f.end}】
* No code was changed in this task.

**Testing**
* ⚠️ Not run (read-only review)`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "files to touch",
    kind: "path",
    write: (f) => `Here is how I'd approach it.

**Files to touch**

- \`${f.path}\` – the actual change

**Out of scope**

- Renaming, formatting, dependency bumps

I expect this to be a small patch. Shall I start?`,
  },
  {
    name: "path in a closing sentence, unmarked",
    kind: "path",
    write: (
      f,
    ) => `I've read through the code that matters for your question, and I don't think a change is needed right now.

If you want to check this yourself, open ${f.path} and read it from top to bottom; it is the best place to begin.
Happy to go deeper if something in there looks odd to you.`,
  },

  // ---------------------------------------------------------------- symbol, defines
  {
    name: "is defined in path at line",
    kind: "symbol",
    defines: true,
    write: (f) => `Found it.

\`${f.symbol}\` is defined in \`${f.path}\` at line ${f.line}. That is the one you want to edit.

I have not modified it. If you tell me which behaviour you expect, I can draft the change and a test for it.`,
  },
  {
    name: "where-is-what list, Definition of",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is what I could find out about the name you asked for:

- **Definition of \`${f.symbol}\`:** \`${f.path}:${f.line}\`
- **Should it be changed?** I'd say no, not for this task.
- **Open question:** whether you want it documented.

Tell me which way you'd like to go on the last point.`,
  },
  {
    name: "table Symbol / Defined at",
    kind: "symbol",
    defines: true,
    write: (f) => `### Orientation

As requested, a quick map for the person who takes this over:

| Symbol | Defined at | Priority |
|---|---|---|
| \`${f.symbol}\` | \`${f.path}:${f.line}\` | read first |

I kept the table short on purpose. Ask if you need more rows.`,
  },
  {
    name: "German, wird in … definiert",
    kind: "symbol",
    defines: true,
    write: (f) => `Ich habe mir den Code angesehen, aber noch nichts geändert.

- \`${f.symbol}\` wird in \`${f.path}\`, Zeile ${f.line}, definiert.
- Dort würde ich mit der Anpassung anfangen.

Soll ich einen Vorschlag dazu machen, oder möchtest du es dir erst selbst ansehen?`,
  },

  // ---------------------------------------------------------------- symbol
  {
    name: "symbol (path:line) in a sentence",
    kind: "symbol",
    write: (f) => `Root cause, as far as I can tell without running it:

I traced the report back to \`${f.symbol}\` (\`${f.path}:${f.line}\`). My suggestion is to reproduce the problem with a minimal test first,
because I'd rather not fix this on a guess.

Next step from my side: write that test.`,
  },
  {
    name: "bold file, line bullets under it",
    kind: "symbol",
    write: (f) => `Notes from the walkthrough, grouped by file:

**${f.path}**
- L${f.line} \`${f.symbol}\` – worth a second pair of eyes

That's all I have for now. I can go through the next file whenever you like.`,
  },
  {
    name: "call list in a plain fence",
    kind: "symbol",
    write: (f) => `I only followed the path that your question is about. The place where I stopped:

\`\`\`
-> ${f.symbol}  (${f.path}:${f.line})
\`\`\`

Going further would have meant guessing, so I'd set a breakpoint there and look at the live values.
I can continue from that point once we know more.`,
  },
  {
    name: "table # / Severity / Location / Symbol",
    kind: "symbol",
    write: (f) => `## Audit findings

| # | Severity | Location | Symbol | Suggestion |
|---|----------|----------|--------|------------|
| 1 | Low | ${cell(`${f.path}:${f.line}`)} | ${cell(f.symbol)} | Discuss with the team before the next release |

Nothing that I would call critical. Severity is my own estimate, feel free to re-rank.`,
  },
  {
    name: "symbol as the text of a #L link",
    kind: "symbol",
    write: (f) => `Thanks for the pointer, that helped.

What you are looking for is [\`${f.symbol}\`](${href(f.path)}#L${f.line}). I suggest that we leave the public behaviour alone and only improve the wording of the docs.

Would that be OK for you?`,
  },
  {
    name: "numbered finding as heading, symbol — path:line",
    kind: "symbol",
    write: (f) => `Reviewed as asked. One finding, not blocking:

### 1. \`${f.symbol}\` — \`${f.path}:${f.line}\`

**Severity:** minor
**Confidence:** medium

I'd like a short comment here that says why it was done this way. It took me a while to follow.`,
  },
  {
    name: "labelled fields File / Line / Symbol",
    kind: "symbol",
    write: (f) => `**Finding 1**

- **File:** \`${f.path}\`
- **Line:** ${f.line}
- **Symbol:** \`${f.symbol}\`
- **Recommendation:** keep as is, revisit when requirements change

No other findings. I did not run any code for this review.`,
  },
  {
    name: "see symbol on line N of path",
    kind: "symbol",
    write: (f) => `Done reading. Two remarks:

1. For the question from the ticket, see \`${f.symbol}\` on line ${f.line} of \`${f.path}\`. I believe that answers it.
2. I'd hold off on the refactoring until somebody has confirmed the first point.

No files were modified.`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "path:line reads code",
    kind: "code",
    write: (f) => `I checked this against the source rather than relying on memory.

\`${f.path}:${f.line}\` reads ${tick(f.code)}, and that is the line I would start from.
I have left it untouched for now.

Let me know whether you want a patch or just the explanation.`,
  },
  {
    name: "bullet path:line — code",
    kind: "code",
    write: (f) => `Evidence:

- \`${f.path}:${f.line}\` — ${tick(f.code)}

I'd treat this as a starting point, not as proof. To be certain we would have to run it under a debugger.`,
  },
  {
    name: "In path, line N: over a fence",
    kind: "code",
    write: (f) => `Let me show what I mean. In \`${f.path}\`, line ${f.line}:

${fence(f.lang, f.code)}

I find this hard to read. It's not wrong as such, but I'd welcome a short comment above it.
Feel free to ignore this if you disagree.`,
  },
  {
    name: "grep output in a fence",
    kind: "code",
    write: (f) => `I searched for it to be sure. The relevant hit:

${fence("", `${f.path}:${f.line}:${f.code}`)}

So that's where I'd make the edit. I can do it in the next step if you agree.`,
  },
  {
    name: "table with a code cell",
    kind: "code",
    write: (f) => `Review result:

| File | Line | Code | Verdict |
| --- | ---: | --- | --- |
| \`${f.path}\` | ${f.line} | ${cell(f.code)} | fine by me |

Approved from my side. The rest of the discussion can happen in the ticket.`,
  },
  {
    name: "labelled finding Location / Code / Suggestion",
    kind: "code",
    write: (f) => `### [P3] Consider simplifying

**Location:** ${f.path}, line ${f.line}
**Code:** ${tick(f.code)}
**Suggestion:** talk it over with the maintainers before changing anything

This is optional and should not hold up the merge.`,
  },
  {
    name: "JSON finding",
    kind: "code",
    write: (f) => `Here is the result in the format that you asked for:

${fence("json", JSON.stringify({ findings: [{ severity: "info", file: f.path, line: f.line, snippet: f.code, comment: "Please have a second look at this." }] }, null, 2))}

I kept it to what I could verify by reading.`,
  },
  {
    name: "link, then the line as a quote",
    kind: "code",
    write: (
      f,
    ) => `Re: your question from this morning. I looked it up, see [${f.path}:${f.line}](${href(f.path)}#L${f.line}):

> ${tick(f.code)}

My reading is that this was deliberate, but the author would know better than I do. I'd ask before changing it.`,
  },
  {
    name: "fence with a path:line comment on top",
    kind: "code",
    write: (f) => `Before I write the patch, I'd like to agree on the spot:

${fence(f.lang, `${note(f.lang)} ${f.path}:${f.line}\n${f.code}`)}

If you're happy with that, I'll make the change there and nowhere else.`,
  },
  {
    name: "Spanish, en la línea N de path",
    kind: "code",
    write: (f) => `He revisado el código sin modificar nada.

En la línea ${f.line} de \`${f.path}\` se encuentra ${tick(f.code)}. Yo empezaría por ahí, con una prueba pequeña antes de tocar el resto.

¿Quieres que prepare el cambio?`,
  },

  // ---------------------------------------------------------------- block
  {
    name: "bold path:a-b over a fence",
    kind: "block",
    write: (f) => `This is the part I was talking about.

**\`${f.path}:${f.line}-${last(f)}\`**

${fence(f.lang, f.block)}

I'd like to discuss it before I propose anything concrete.`,
  },
  {
    name: "fence with a:b:path as info string",
    kind: "block",
    write: (f) => `Here's the section that is relevant for your question:

${fence(`${f.line}:${last(f)}:${f.path}`, f.block)}

Let me know if you want me to walk through it step by step, or whether you'd rather see a proposed edit.`,
  },
  {
    name: "fence with a path:a-b comment on top",
    kind: "block",
    write: (f) => `Current state, quoted so that we talk about the same thing:

${fence(f.lang, [`${note(f.lang)} ${f.path}:${f.line}-${last(f)}`, ...f.block])}

I have no strong opinion on how to change it. A small, local edit would be my preference.`,
  },
  {
    name: "numbered lines as from cat -n",
    kind: "block",
    write: (f) => `I opened \`${f.path}\` and looked at the lines in question:

${fence(
  "",
  f.block.map((l, i) => `${String(f.line + i).padStart(6)}\t${l}`),
)}

Please check that this is the same as in your checkout. If it is, we can rule out a stale branch.`,
  },
  {
    name: "heading path (lines a–b) over a fence",
    kind: "block",
    write: (f) => `# Review

Overall this looks good to me. One spot that I'd like to point out:

### \`${f.path}\` (lines ${f.line}–${last(f)})

${fence(f.lang, f.block)}

**Comment:** a word on the reasoning would help the next reader. Not a blocker.`,
  },
  {
    name: "numbered finding with an indented fence",
    kind: "block",
    write: (f) => `Findings, most important first:

1. **Needs a decision** – \`${f.path}\`, lines ${f.line}-${last(f)}:

${indent(fence(f.lang, f.block), "   ")}

   I can see arguments for both sides here, so I'd leave the call to you.

2. Everything else is cosmetic and can wait.`,
  },
  {
    name: "#La-Lb link over a fence",
    kind: "block",
    write: (f) => `To answer the question in the thread: I think it comes down to this.

[\`${f.path}\` L${f.line}-L${last(f)}](${href(f.path)}#L${f.line}-L${last(f)})

${fence(f.lang, f.block)}

I might be wrong about the intent, so take it with a grain of salt.`,
  },
  {
    name: "French, à partir de la ligne N",
    kind: "block",
    write: (
      f,
    ) => `J'ai relu le code sans rien modifier. Voici le passage en question, dans \`${f.path}\` à partir de la ligne ${f.line} :

${fence(f.lang, f.block)}

Je propose d'en discuter avant de toucher à quoi que ce soit. Dis-moi ce que tu préfères.`,
  },
  {
    name: "path as first line, then N:code as from rg",
    kind: "block",
    write: (f) => `Search output, trimmed to what matters here:

${fence("text", [f.path, ...f.block.map((l, i) => `${f.line + i}:${l}`)])}

I'd base the fix on this. No edits so far.`,
  },
  {
    name: "fence inside a quote, place in the line before",
    kind: "block",
    write: (f) => `Review comment on ${f.path}, L${f.line}–L${last(f)}:

${quote(fence(f.lang, f.block))}

Could we talk about this one? I had to read it twice, and I suspect that others will too.
No need to change it in this pull request.`,
  },
  {
    name: "fence first, absolute place after it",
    kind: "block",
    write: (f) => `I believe this is what you meant:

${fence(f.lang, f.block)}

(from \`/home/user/${f.pack}/${f.path}\`, lines ${f.line} to ${last(f)})

If you had a different part in mind, tell me and I'll look again. I have not edited the file.`,
  },
];
