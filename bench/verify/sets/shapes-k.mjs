// Ways in which coding agents write a place of a repository down.

const longestRun = (text) =>
  Math.max(0, ...(String(text).match(/`+/g) || []).map((run) => run.length));

// inline code that survives backticks
const tick = (text) => {
  const s = String(text);
  const run = new Set((s.match(/`+/g) || []).map((r) => r.length));
  let n = 1;
  while (run.has(n)) n++;
  const t = "`".repeat(n);
  const pad = s.startsWith("`") || s.endsWith("`") ? " " : "";
  return t + pad + s + pad + t;
};

// the same inside a table's cell
const cell = (text) => tick(text).replace(/\|/g, "\\|");

const fence = (lines, info = "") => {
  const body = Array.isArray(lines) ? lines.join("\n") : String(lines);
  const bar = "`".repeat(Math.max(3, longestRun(body) + 1));
  return `${bar}${info}\n${body}\n${bar}`;
};

const prefix = (text, by) =>
  text
    .split("\n")
    .map((l) => (l === "" ? by.trimEnd() : by + l))
    .join("\n");

const dedent = (lines) => {
  const full = lines.filter((l) => l.trim() !== "");
  if (full.length === 0) return lines;
  let common = full[0].match(/^[ \t]*/)[0];
  for (const l of full) while (!l.startsWith(common)) common = common.slice(0, -1);
  return lines.map((l) => (l.trim() === "" ? "" : l.slice(common.length)));
};

const base = (path) => path.split("/").pop();
const root = (f) => `/home/user/${String(f.pack).split("/").pop()}`;
const last = (f) => f.end ?? f.line + f.block.length - 1;
// a link's target; angle brackets where the path would break it
const to = (target) => (/[\s()<>]/.test(target) ? `<${target}>` : target);
const comment = (lang) =>
  /^(py|python|rb|ruby|sh|bash|pl|perl|ex|exs|elixir|r|yaml|yml|toml)$/i.test(lang)
    ? "#"
    : /^(lua|sql|hs|haskell|elm)$/i.test(lang)
      ? "--"
      : "//";

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "path:line in backticks at the end of a sentence",
    kind: "bare",
    write: (f) => `I stopped before changing anything, because I'd like your decision first.

The spot I would start from is \`${f.path}:${f.line}\`. If you agree, I'll put the timeout handling there and leave the public behaviour alone.

I have not run the test suite yet.`,
  },
  {
    name: "link with file name and line, #L anchor",
    kind: "bare",
    write: (f) => `Short answer: yes, that should be possible without a migration.

- Have a look at [\`${base(f.path)}:${f.line}\`](${to(`${f.path}#L${f.line}`)}) first.
- After that we can talk about whether the flag should be on by default.

Let me know if you want me to open a PR for it.`,
  },
  {
    name: "path:from-to as bold finding head",
    kind: "bare",
    ranged: true,
    write: (f) => `## Review

**1. Medium — \`${f.path}:${f.line}-${f.end}\`**
I had to read this passage three times before I trusted it. I'd ask the author for a short explanation in the PR description.

Nothing else in my notes is blocking.`,
  },
  {
    name: "table row with file and line range in two columns",
    kind: "bare",
    ranged: true,
    write: (f) => `Here is what I would like a second pair of eyes on before we deploy:

| # | File | Lines | Priority |
|---|------|-------|----------|
| 1 | \`${f.path}\` | ${f.line}–${f.end} | P2 |

I kept the list short on purpose.`,
  },
  {
    name: "citation mark with F: and dagger",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**
* Looked into the question from the ticket and wrote down where I would go on. 【F:${f.path}†L${f.line}-L${f.end}】

**Testing**
* ⚠️ Not run (read-only session)`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "file in a sentence of a plan",
    kind: "path",
    write: (f) => `Plan:

1. Reproduce the problem locally with the payload from the ticket.
2. Read \`${f.path}\` from top to bottom before touching anything.
3. Write the failing test, then the fix.

I'll report back after step 2.`,
  },
  {
    name: "absolute path in a bullet list of files",
    kind: "path",
    write: (f) => `I'm done with the first pass. Relevant files for the follow-up:

- \`${root(f)}/${f.path}\`

No files were modified. Shall I go on with the second part?`,
  },

  // -------------------------------------------------------------- symbol
  {
    name: "symbol with (path:line) in a sentence",
    kind: "symbol",
    write: (f) => `I went through the log you pasted and tried to match it with the code.

My best candidate at the moment is \`${f.symbol}\` (\`${f.path}:${f.line}\`). I can't prove it without a request dump from staging, so please treat it as a hypothesis.

Next I would add a log statement and redeploy.`,
  },
  {
    name: "bullet: path:line, dash, symbol",
    kind: "symbol",
    write: (f) => `**Key places**

- \`${f.path}:${f.line}\` — \`${f.symbol}\`

That is the one I'd keep open in the editor while you read the rest of this note. Everything below it is opinion.`,
  },
  {
    name: "table with symbol, file, line",
    kind: "symbol",
    write: (f) => `Inventory for the refactoring, as requested:

| Symbol | File | Line | My suggestion |
|:--|:--|--:|:--|
| ${cell(f.symbol)} | ${cell(f.path)} | ${f.line} | discuss first |

I'd rather not rename anything until you have had a look.`,
  },
  {
    name: "symbol as link text, #L anchor",
    kind: "symbol",
    write: (
      f,
    ) => `Good question. To follow it, open [\`${f.symbol}\`](${to(`${f.path}#L${f.line}`)}) and read on from there.

If it is still unclear after that, I can draw a small sequence diagram for the wiki.`,
  },
  {
    name: "symbol, then link to absolute path:line",
    kind: "symbol",
    write: (f) => `Findings

- Low: I'd like a unit test around \`${f.symbol}\` in [\`${base(f.path)}\`](${to(`${root(f)}/${f.path}:${f.line}`)}) before the next release, mostly for peace of mind.

Open questions

- Who signs off on this?`,
  },
  {
    name: "file heading, then symbol with its line",
    kind: "symbol",
    write: (f) => `Notes from the audit, sorted by file.

### \`${f.path}\`

- \`${f.symbol}\` (line ${f.line}): worth a closer look when we get to the auth work.

I'll extend these notes as I go.`,
  },
  {
    name: "checklist step with arrow and L-number",
    kind: "symbol",
    write: (f) => `### Implementation plan

- [ ] Agree on the wire format with the frontend team
- [ ] \`${f.path}\` → \`${f.symbol}\` (L${f.line}): prepare for the new option
- [ ] Write the release note

Estimated effort: half a day, reviews not included.`,
  },
  {
    name: "German: symbol in path, Zeile n",
    kind: "symbol",
    write: (f) => `Ich habe mir das angesehen, aber noch nichts geändert.

Am ehesten würde ich bei \`${f.symbol}\` ansetzen (\`${f.path}\`, Zeile ${f.line}). Wenn du einverstanden bist, schreibe ich zuerst einen Test und danach die Korrektur.`,
  },
  {
    name: "is defined in path at line n",
    kind: "symbol",
    defines: true,
    write: (f) => `Found it.

\`${f.symbol}\` is defined in \`${f.path}\` at line ${f.line}.

Do you want me to go through its callers as well?`,
  },
  {
    name: "bullet: symbol, defined at path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `Here's the map you asked for:

- **\`${f.symbol}\`**: defined at \`${f.path}:${f.line}\`

I can turn this into a page for the onboarding docs if that helps.`,
  },
  {
    name: "table with a Defined in column",
    kind: "symbol",
    defines: true,
    write: (f) => `## Where is what

| Name | Defined in |
|------|------------|
| ${cell(f.symbol)} | ${cell(`${f.path}:${f.line}`)} |

Line numbers are from the working tree as I read it.`,
  },
  {
    name: "the definition of symbol is on line n of path",
    kind: "symbol",
    defines: true,
    write: (
      f,
    ) => `To your second question: the definition of \`${f.symbol}\` is on line ${f.line} of [\`${f.path}\`](${to(`${f.path}#L${f.line}`)}).

As for the first one, I would need access to the metrics to say anything useful.`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "path:line, colon, the line in backticks",
    kind: "code",
    write: (f) => `I traced the request as far as I could without a debugger.

This is the line I keep coming back to, \`${f.path}:${f.line}\`: ${tick(f.code)}

I'd set a breakpoint there and replay the failing call. Happy to do it if you give me the fixture.`,
  },
  {
    name: "line n of path, then a fence",
    kind: "code",
    write: (f) => `**Root cause (suspected)**

Line ${f.line} of \`${f.path}\`:

${fence(f.code, f.lang)}

I'm fairly, but not entirely, sure. A regression test would settle it, and I'd write that before any fix.`,
  },
  {
    name: "table with location and code",
    kind: "code",
    write: (f) => `Results of the sweep:

| Location | Code | Verdict |
|---|---|---|
| ${cell(`${f.path}:${f.line}`)} | ${cell(f.code)} | please check |

I left the verdicts vague on purpose, since you know the traffic better than I do.`,
  },
  {
    name: "review comment: bold place, quoted line",
    kind: "code",
    write: (f) => `**\`${f.path}:${f.line}\`**
> ${tick(f.code)}

nit: could we have one sentence in the PR about why it is written like this? Not blocking from my side.

---

Overall: approve with comments.`,
  },
  {
    name: "search output in a fence, path:line:code",
    kind: "code",
    write: (f) => `Searching brought me here:

${fence(`${f.path}:${f.line}:${f.code}`)}

I haven't looked any further than that yet. Should I go on, or is this what you were after?`,
  },
  {
    name: "numbered finding with an evidence line",
    kind: "code",
    write: (f) => `## Security review

1. **[Needs discussion] Trust boundary** (\`${f.path}\`, line ${f.line})
   - Evidence: ${tick(f.code)}
   - Recommendation: let somebody from the platform team confirm that this is intended.

I did not attempt to exploit anything.`,
  },
  {
    name: "field list: file, line, code",
    kind: "code",
    write: (f) => `### Issue 1

- **File:** \`${f.path}\`
- **Line:** ${f.line}
- **Code:** ${tick(f.code)}
- **Severity:** low
- **Action:** talk it over at the next sync`,
  },
  {
    name: "comment with path:line over the code in the fence",
    kind: "code",
    write: (f) => `Here is the place I meant in my last message:

${fence([`${comment(f.lang)} ${f.path}:${f.line}`, f.code], f.lang)}

Before I touch it I'd like to know whether other services depend on the current behaviour.`,
  },
  {
    name: "the line in a sentence, then a link in brackets",
    kind: "code",
    write: (f) => `I would not merge this today.

- What gives me pause is ${tick(f.code)} ([\`${f.path}:${f.line}\`](${to(`${root(f)}/${f.path}#L${f.line}`)})).
- I may well be missing context, so a short reply from the author is enough for me.

The rest of my remarks are in the PR thread.`,
  },
  {
    name: "Spanish: en path, línea n, se lee",
    kind: "code",
    write: (f) => `He revisado lo que me pediste y todavía no he cambiado nada.

En \`${f.path}\`, línea ${f.line}, se lee ${tick(f.code)}. Yo empezaría por ahí.

Si te parece bien, preparo primero una prueba que falle y después la corrección.`,
  },

  // --------------------------------------------------------------- block
  {
    name: "code citation fence from:to:path",
    kind: "block",
    write: (f) => `This is the part that matters for your question:

${fence(f.block, `${f.line}:${last(f)}:${f.path}`)}

I'd begin with a test around exactly this passage. Want me to write it?`,
  },
  {
    name: "heading with path:from-to over a fence",
    kind: "block",
    write: (f) => `I collected the passage for the design discussion.

### \`${f.path}:${f.line}-${last(f)}\`

${fence(f.block, f.lang)}

My preference would be to leave it as it is until the load test is through.`,
  },
  {
    name: "comment with path and lines as first line of the fence",
    kind: "block",
    write: (f) => `Current state, for reference:

${fence([`${comment(f.lang)} ${f.path} (lines ${f.line}-${last(f)})`, ...f.block], f.lang)}

I'll send the proposed version in a separate message, so that the two are easy to compare.`,
  },
  {
    name: "sentence with lines a to b, dedented fence",
    kind: "block",
    write: (
      f,
    ) => `I think I understand the incident a little better now. Lines ${f.line}–${last(f)} of \`${f.path}\`:

${fence(dedent(f.block), f.lang)}

Please read it with the timeline of last night next to it. If you come to the same conclusion, I'll draft the fix.`,
  },
  {
    name: "gutter with line numbers and bars",
    kind: "block",
    write: (f) => {
      const width = String(f.line + f.block.length - 1).length;
      const rows = f.block.map((l, i) => `${String(f.line + i).padStart(width)} | ${l}`.trimEnd());
      return `**\`${f.path}\`**

${fence(rows)}

My question for the author: is line ${f.line} the right place to begin, if we want to make this configurable? I don't have a strong opinion.`;
    },
  },
  {
    name: "file viewer output, number and arrow",
    kind: "block",
    write: (
      f,
    ) => `I re-read \`${f.path}\` starting at line ${f.line}, to be sure that I'm not quoting from memory:

${fence(f.block.map((l, i) => `${String(f.line + i).padStart(6)}→${l}`))}

So that's settled. I'd go ahead with option B unless you object.`,
  },
  {
    name: "fence nested in a numbered finding",
    kind: "block",
    write: (f) => `### Findings

1. **Readability** – \`${f.path}:${f.line}\`

${prefix(fence(f.block, f.lang), "   ")}

   I'd welcome a second opinion here. It isn't urgent.

2. **Process** – let's agree on who reviews changes to the API.`,
  },
  {
    name: "review comment, whole thing in a block quote",
    kind: "block",
    write: (f) => `Reply to the open review thread:

${prefix(`\`${f.path}\` L${f.line}-L${last(f)}\n\n${fence(f.block, f.lang)}`, "> ")}

Thanks, I see your point. I'd still prefer to handle this in a follow-up, so that this PR stays small.`,
  },
  {
    name: "details element with place in the summary",
    kind: "block",
    write: (f) => `Only one item is left on my list, and it can wait until after the release.

<details>
<summary><code>${f.path}</code>, lines ${f.line} to ${last(f)}</summary>

${fence(f.block, f.lang)}

</details>

I'll open a ticket for it.`,
  },
  {
    name: "proposed diff that removes the block",
    kind: "block",
    write: (
      f,
    ) => `As an experiment (not applied!) I would take this out on a branch and see what CI says:

${fence(
  [
    `--- a/${f.path}`,
    `+++ b/${f.path}`,
    `@@ -${f.line},${f.block.length} +${f.line - 1},0 @@`,
    ...f.block.map((l) => `-${l}`),
  ],
  "diff",
)}

If everything stays green we learn something, and if not, even more so.`,
  },
  {
    name: "French: extrait de link, then a fence",
    kind: "block",
    write: (
      f,
    ) => `Je n'ai rien modifié pour l'instant. Voici l'extrait dont je parlais, [\`${f.path}:${f.line}\`](${to(`${f.path}#L${f.line}-L${last(f)}`)}) :

${fence(f.block, f.lang)}

Je propose d'en discuter demain avant de commencer.`,
  },
];
