// 40 ways in which agents write a place of a repository down.

// longest run of backticks in a text
const run = (s) => Math.max(0, ...(s.match(/`+/g) || []).map((r) => r.length));
// inline code that survives backticks in the text
const tick = (s) => {
  if (!s.includes("`")) return "`" + s + "`";
  const t = "`".repeat(run(s) + 1);
  return `${t} ${s} ${t}`;
};
// inline code inside a table cell
const cell = (s) => tick(s).replace(/\|/g, "\\|");
// fenced block, optionally indented or quoted by a prefix on every line
const fence = (lines, info = "", prefix = "") => {
  const t = "`".repeat(Math.max(3, run(lines.join("\n")) + 1));
  return [t + info, ...lines, t].map((l) => (l === "" ? prefix.trimEnd() : prefix + l)).join("\n");
};
const base = (p) => p.split("/").pop();
// link target that survives blanks and parentheses
const url = (p) =>
  p.replace(/%/g, "%25").replace(/ /g, "%20").replace(/\(/g, "%28").replace(/\)/g, "%29");
// link text as plain words
const plain = (s) => s.replace(/([\\`*_[\]<>|])/g, "\\$1");
const comment = (lang) =>
  /^(py|python|rb|ruby|sh|bash|shell|perl|pl|r|ex|elixir|yaml|toml|make|cmake)$/i.test(lang)
    ? "#"
    : "//";

export const shapes = [
  // ---------------------------------------------------------------- bare (5)
  {
    name: "sentence, path:line in backticks",
    kind: "bare",
    write: (f) => `I reproduced the hang you reported and stepped through it in a debugger.

The spot to look at is \`${f.path}:${f.line}\`. I haven't changed anything yet because I'd like your opinion on whether to fix it there or to handle it at the call site.

Let me know which you prefer and I'll put up a patch.`,
  },
  {
    name: "absolute path with line in a relevant-places list",
    kind: "bare",
    write: (f) => `Done looking around. Relevant place for the follow-up:

- /home/user/${f.pack}/${f.path}:${f.line}

I would leave everything else alone for this ticket. The change should be small enough to review in one sitting.`,
  },
  {
    name: "path:start-end in a root-cause note",
    kind: "bare",
    ranged: true,
    write: (f) => `## Root cause

After bisecting the failing build I ended up at \`${f.path}:${f.line}-${f.end}\`. Everything before that point behaves as expected in my runs.

## Suggested next step

Add a regression test first, then change that passage. I'm fairly confident, but I could only test on Linux.`,
  },
  {
    name: "numbered finding, path (lines a–b)",
    kind: "bare",
    ranged: true,
    write: (f) => `### Review summary

1. **Medium – error handling is hard to follow.** See ${f.path} (lines ${f.line}–${f.end}). I'd split this up before adding the new option, otherwise the next person will trip over it.

Nothing else blocks the merge from my side.`,
  },
  {
    name: "link with #La-Lb anchor, file name as text",
    kind: "bare",
    ranged: true,
    write: (f) => `Short answer: yes, that's the part that matters for your question.

You can see it in [${plain(base(f.path))}](${url(f.path)}#L${f.line}-L${f.end}). If you want to override it from your own config, that's the code to read first.

Happy to sketch the change if that's useful.`,
  },

  // ---------------------------------------------------------------- path (2)
  {
    name: "bullet list of touched files",
    kind: "path",
    write: (f) => `I've finished the first half of the refactoring plan.

**Files to review**
- \`${f.path}\` – this is where I'd like a second pair of eyes

I didn't run the slow integration tests; please let CI do that before you merge.`,
  },
  {
    name: "plan step that names the file",
    kind: "path",
    write: (f) => `Plan:

1. Read through ${f.path} again with the new requirement in mind.
2. Write a failing test.
3. Make the smallest change that turns it green.

I'll stop after step 2 and check back with you.`,
  },

  // ---------------------------------------------------------------- symbol (12)
  {
    name: "sentence: is defined in path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `Found it. ${tick(f.symbol)} is defined in \`${f.path}:${f.line}\`.

If you only need to change the behaviour for your own build, I'd wrap it instead of editing it in place. That keeps upgrades painless.`,
  },
  {
    name: "where-is-what answer, bold Definition label",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is what you asked for:

- **Name:** ${tick(f.symbol)}
- **Definition:** \`${f.path}\`, line ${f.line}

I looked this up in the checkout you gave me, so it may have moved on other branches.`,
  },
  {
    name: "table with a Defined at column",
    kind: "symbol",
    defines: true,
    write: (f) => `I went through the API surface that the migration touches.

| Symbol | Defined at | Action |
|---|---|---|
| ${cell(f.symbol)} | \`${f.path}:${f.line}\` | keep, but document |

Everything not listed can stay as it is for now.`,
  },
  {
    name: "Spanish: está definido en, línea",
    kind: "symbol",
    defines: true,
    write: (f) => `He revisado el código para responder a tu pregunta.

${tick(f.symbol)} está definido en \`${f.path}\` (línea ${f.line}). Antes de tocarlo, yo escribiría una prueba que cubra el caso que describes.

Si quieres, preparo el cambio en una rama aparte.`,
  },
  {
    name: "bullet: path:line – symbol",
    kind: "symbol",
    write: (f) => `Places I'd read before touching the option parsing:

- \`${f.path}:${f.line}\` – ${tick(f.symbol)}

That should be enough context to judge the patch. Ask if you want me to go deeper.`,
  },
  {
    name: "symbol with path:line in parentheses",
    kind: "symbol",
    write: (
      f,
    ) => `The stack trace you pasted makes sense now. I'd start at ${tick(f.symbol)} (\`${f.path}:${f.line}\`) and work outwards from there.

I don't think the dependency update is to blame: I get the same result with the old lockfile.`,
  },
  {
    name: "table: Location | Symbol | Note",
    kind: "symbol",
    write: (f) => `## Audit results

| # | Location | Symbol | Note |
|---|----------|--------|------|
| 1 | ${f.path}:${f.line} | ${cell(f.symbol)} | worth a closer look |

Severity is my own estimate. I stopped after the first pass, as agreed.`,
  },
  {
    name: "heading of a finding: symbol — path:line",
    kind: "symbol",
    write: (f) => `### 1. ${tick(f.symbol)} — \`${f.path}:${f.line}\`

**Severity:** low
**Confidence:** medium

The naming confused me on first reading, and I expect it to confuse contributors too. I'd rename it in a separate commit so that the diff for the actual fix stays readable.`,
  },
  {
    name: "link: symbol as text, absolute path:line as target",
    kind: "symbol",
    write: (f) => `I've implemented what we discussed and kept the public interface as it was.

The main piece to check is [${plain(f.symbol)}](/home/user/${f.pack}/${url(f.path)}:${f.line}). I ran the unit tests locally and they passed; I couldn't run the Windows job.

Natural next step: squash the commits and open the PR.`,
  },
  {
    name: "plan step: symbol in path (line n)",
    kind: "symbol",
    write: (f) => `Here's how I'd approach it:

1. **Pin the current behaviour** with a test.
2. **Rework ${tick(f.symbol)}** in \`${f.path}\` (line ${f.line}) so that it can be tested in isolation.
3. **Update the changelog** and bump the version.

Step 2 is the only risky one. Shall I go ahead?`,
  },
  {
    name: "citation mark 【F:path†Ln】",
    kind: "symbol",
    write: (f) => `**Summary**
- Took another look at ${tick(f.symbol)} and tidied up the comments around it. 【F:${f.path}†L${f.line}】

**Testing**
- ⚠️ Not run (network access was disabled in this environment)`,
  },
  {
    name: "file as parent bullet, symbol with line as child",
    kind: "symbol",
    write: (f) => `What I'd hand over to the next person:

- **${f.path}**
  - ${tick(f.symbol)} (L${f.line})

Start there; the rest follows once you have that in your head. I left no uncommitted changes behind.`,
  },

  // ---------------------------------------------------------------- code (10)
  {
    name: "bullet: path:line — code",
    kind: "code",
    write: (
      f,
    ) => `I searched for the thing that breaks your build and this is the match that counts:

- \`${f.path}:${f.line}\` — ${tick(f.code)}

I'd rather not paper over it with a try/catch further up. A targeted fix is about as much work.`,
  },
  {
    name: "table: File | Line | Code",
    kind: "code",
    write: (f) => `Result of the search, trimmed to what's relevant:

| File | Line | Code |
|------|-----:|------|
| \`${f.path}\` | ${f.line} | ${cell(f.code)} |

Everything else was noise from vendored copies or docs.`,
  },
  {
    name: "In path, line n: and a fenced line",
    kind: "code",
    write: (
      f,
    ) => `The warning you're seeing can be traced back to a single line. In \`${f.path}\`, line ${f.line}:

${fence([f.code], f.lang)}

I'd leave it alone until the next major release, since people may depend on it by now.`,
  },
  {
    name: "numbered finding, bold place, indented fence",
    kind: "code",
    write: (f) => `Findings, most important first:

1. **${f.path}:${f.line}** – please double-check this one.

${fence([f.code], f.lang, "   ")}

   It may well be intentional, but then it deserves a comment.

That's all I have. Overall the change looks good to me.`,
  },
  {
    name: "grep output path:line:code in a fence",
    kind: "code",
    write: (f) => `I grepped the checkout. The relevant hit:

${fence([`${f.path}:${f.line}:${f.code}`])}

So to answer your question: that is the line to change. I haven't edited it yet.`,
  },
  {
    name: "link base:line with anchor, then code",
    kind: "code",
    write: (f) => `Thanks for the reproduction, it helped a lot.

[${plain(base(f.path))}:${f.line}](${url(f.path)}#L${f.line}) reads ${tick(f.code)}, and that's what I'd change to get rid of the surprising output.

I can add a test along with it if you'd like.`,
  },
  {
    name: "sentence: line n of path is code",
    kind: "code",
    write: (
      f,
    ) => `I checked this instead of guessing. Line ${f.line} of ${f.path} is ${tick(f.code)}.

That matches the explanation from the issue thread, so I don't think you need to upgrade your toolchain. Clearing the cache and rebuilding should do.`,
  },
  {
    name: "evidence labels File / Line / Code",
    kind: "code",
    write: (f) => `#### Finding A: unclear intent

- **File:** \`${f.path}\`
- **Line:** ${f.line}
- **Code:** ${tick(f.code)}
- **Recommendation:** ask the original author before changing it

I'm not certain that this is a bug, hence the low priority.`,
  },
  {
    name: "French: à la ligne n de path",
    kind: "code",
    write: (f) => `J'ai suivi la piste que tu proposais et je pense avoir trouvé.

À la ligne ${f.line} de \`${f.path}\`, on lit : ${tick(f.code)}

C'est là que je ferais la correction. Je n'ai encore rien modifié ; dis-moi si tu veux que je m'en occupe.`,
  },
  {
    name: "compiler-like arrow and gutter",
    kind: "code",
    write: (f) => {
      const n = String(f.line);
      const pad = " ".repeat(n.length);
      return `Here's the place, in the style of a compiler message:

${fence([`${pad}--> ${f.path}:${n}`, `${pad} |`, `${n} | ${f.code}`, `${pad} |`])}

I would fix it at the source instead of silencing the linter. It shouldn't take long.`;
    },
  },

  // ---------------------------------------------------------------- block (11)
  {
    name: "sentence with path:a-b, then fence",
    kind: "block",
    write: (
      f,
    ) => `I think I understand the behaviour now. The relevant part is \`${f.path}:${f.line}-${f.end}\`:

${fence(f.block, f.lang)}

I read this several times and believe that it explains your report. A test would settle it for good.`,
  },
  {
    name: "heading path:line over a fence",
    kind: "block",
    write: (f) => `I collected the code that you need for the write-up.

### ${f.path}:${f.line}

${fence(f.block, f.lang)}

Quote it as is; I didn't reformat anything.`,
  },
  {
    name: "fence with start:end:path as info string",
    kind: "block",
    write: (f) => `Let me show you what I mean:

${fence(f.block, `${f.line}:${f.end}:${f.path}`)}

My proposal is to pull this out so that the CLI and the library entry point can share it. I'd do that in its own commit.`,
  },
  {
    name: "numbered finding, File/Lines labels, indented fence",
    kind: "block",
    write: (f) => `## Code review

1. **Hard to test in isolation**
   **File:** \`${f.path}\`
   **Lines:** ${f.line}–${f.end}

${fence(f.block, f.lang, "   ")}

   Consider passing the dependency in. Not a blocker.

Verdict: approve with comments.`,
  },
  {
    name: "place as comment in the fence's first line",
    kind: "block",
    write: (f) => `Sure, this is the snippet I was referring to:

${fence([`${comment(f.lang)} ${f.path}:${f.line}-${f.end}`, ...f.block], f.lang)}

If you agree with the direction, I'll prepare the patch and update the docs to match.`,
  },
  {
    name: "fence with line numbers in front",
    kind: "block",
    write: (f) => {
      const w = String(f.line + f.block.length - 1).length;
      return `From \`${f.path}\`, with line numbers so that we talk about the same thing:

${fence(f.block.map((l, i) => `${String(f.line + i).padStart(w)}${l === "" ? "" : "  " + l}`))}

I'd put the guard right before this. Anything later is too late for the case that you describe.`;
    },
  },
  {
    name: "diff hunk that removes the block",
    kind: "block",
    write: (f) => `Proposed cleanup (not applied yet):

${fence([`--- a/${f.path}`, `+++ b/${f.path}`, `@@ -${f.line},${f.block.length} +${f.line - 1},0 @@`, ...f.block.map((l) => "-" + l)], "diff")}

Please confirm before I delete it. I'd like to run the full test matrix afterwards.`,
  },
  {
    name: "review comment as quote with a fence inside",
    kind: "block",
    write: (f) => `Draft of the review comment:

> **${f.path}**, lines ${f.line} to ${f.end}
>
${fence(f.block, f.lang, "> ")}
>
> Could you explain the reasoning behind this? A short comment would help future readers.

Post it if you think the tone is fine.`,
  },
  {
    name: "sed command and its output",
    kind: "block",
    write: (f) => `I verified it in the checkout:

${fence([`$ sed -n '${f.line},${f.end}p' ${/[\s()[\]$&]/.test(f.path) ? `'${f.path}'` : f.path}`, ...f.block], "console")}

So the description in the ticket still applies and we can go on with the plan.`,
  },
  {
    name: "German, link with anchor, then fence",
    kind: "block",
    write: (
      f,
    ) => `Ich habe mir die Sache angesehen. Die entscheidende Stelle ist [${plain(f.path)}](${url(f.path)}#L${f.line}-L${f.end}):

${fence(f.block, f.lang)}

Ich würde hier ansetzen und zuerst einen Test schreiben. Geändert habe ich noch nichts.`,
  },
  {
    name: "absolute path, starting at line n, plain fence",
    kind: "block",
    write: (f) => `**Evidence**

/home/user/${f.pack}/${f.path}, starting at line ${f.line}:

${fence(f.block)}

**Assessment**

Looks fine to me on its own. I'd still keep an eye on it when the build is moved to the new runner.`,
  },
];
