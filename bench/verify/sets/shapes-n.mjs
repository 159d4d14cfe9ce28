// Ways in which coding agents write down a place of a repository in their final messages.

// ---- helpers -------------------------------------------------------------
const longestRun = (s) => Math.max(0, ...(String(s).match(/`+/g) || []).map((r) => r.length));

/** inline code that survives backticks in the text */
const tick = (s) => {
  s = String(s);
  if (!s.includes("`")) return "`" + s + "`";
  const runs = new Set((s.match(/`+/g) || []).map((r) => r.length));
  let n = 1;
  while (runs.has(n)) n++;
  const q = "`".repeat(n);
  const pad = s.startsWith("`") || s.endsWith("`") ? " " : "";
  return q + pad + s + pad + q;
};

/** inline code inside a table cell */
const cell = (s) => tick(s).replace(/\|/g, "\\|");

/** fenced code; `prefix` is put before each line (list indent or "> ") */
const fence = (lines, info = "", prefix = "") => {
  const q = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [q + info, ...lines, q]
    .map((l) => (prefix + l === prefix ? prefix.trimEnd() : prefix + l))
    .join("\n");
};

/** the common leading white space taken off, as agents often do when they quote */
const dedent = (lines) => {
  const full = lines.filter((l) => l.trim());
  if (!full.length) return lines;
  let p = full[0].match(/^[ \t]*/)[0];
  for (const l of full) while (!l.startsWith(p)) p = p.slice(0, -1);
  return lines.map((l) => (l.startsWith(p) ? l.slice(p.length) : l.trim()));
};

const hash = new Set([
  "py",
  "python",
  "rb",
  "ruby",
  "sh",
  "bash",
  "ex",
  "exs",
  "elixir",
  "pl",
  "perl",
  "r",
  "yaml",
  "yml",
  "toml",
]);
const mark = (f) => (hash.has(String(f.lang).toLowerCase()) ? "#" : "//");
const no = (f, i) => Number(f.line) + i;
const end = (f) => (f.end === undefined ? no(f, f.block.length - 1) : f.end);
const root = (f) => "/home/user/" + String(f.pack).split("/").pop();
/** link target that survives blanks and brackets */
const href = (p) => (/[\s()<>]/.test(p) ? "<" + p + ">" : p);
const target = (f, frag) => href(f.path + frag);

// ---- the shapes ----------------------------------------------------------
export const shapes = [
  // ------------------------------------------------------------------ bare
  {
    name: "sentence, path:line in backticks",
    kind: "bare",
    write: (
      f,
    ) => `I went through everything that could explain the report. The most likely starting point is ${tick(f.path + ":" + f.line)}; I would put a breakpoint there before touching anything else.

I have not run anything, so treat this as a reading of the source only. Let me know if you want me to draft a patch.`,
  },
  {
    name: "finding with Location field, path:a-b",
    kind: "bare",
    ranged: true,
    write: (f) => `## Review summary

Verdict: **approve with comments**. One item needs a second pair of eyes.

### [MEDIUM] Readability
- **Location:** ${tick(`${f.path}:${f.line}-${f.end}`)}
- **Issue:** I had to read this passage several times to follow it.
- **Suggestion:** Consider whether a short explanatory comment would help the next reader.

No blocking issues from my side.`,
  },
  {
    name: "relative link with #La-Lb",
    kind: "bare",
    ranged: true,
    write: (f) => `Short answer: yes, I think you can go ahead with the plan.

The part to read first is [${f.path}:${f.line}-${f.end}](${target(f, `#L${f.line}-L${f.end}`)}). Once you have that in mind, the rest of the change should be straightforward.

Confidence: high on where to look, medium on how much work it is.`,
  },
  {
    name: "prose, lines a–b of path",
    kind: "bare",
    ranged: true,
    write: (f) => `**Plan**

1. Read lines ${f.line}–${f.end} of ${tick(f.path)} and agree on the intended behaviour.
2. Write a failing test for the reported case.
3. Make the smallest change that turns it green.

Step 1 is where I would like your input. I stopped before editing because the request said research only.`,
  },
  {
    name: "table row with severity, path:line without backticks",
    kind: "bare",
    write: (f) => `Audit complete. Result:

| # | Severity | Location | Note |
|---|----------|----------|------|
| 1 | Low | ${f.path.replace(/\|/g, "\\|")}:${f.line} | Worth a follow-up, not urgent |

I did not change any files. If you only have time for one thing, it is the row above.`,
  },

  // ------------------------------------------------------------------ path
  {
    name: "key files list, path only",
    kind: "path",
    write: (f) => `I have enough context to answer now.

**Essential files to read**
- ${tick(f.path)} – start here

I would read it top to bottom before making the change; it will save you a round trip. Nothing was modified during this exploration.`,
  },
  {
    name: "absolute path only, in a sentence",
    kind: "path",
    write: (
      f,
    ) => `Done exploring. The only file that I consider relevant for your question is ${tick(root(f) + "/" + f.path)}.

I did not come across anything else that I would want to flag. If the main agent wants more depth, a second pass with a narrower question would be the best use of time.`,
  },

  // ---------------------------------------------------------------- symbol
  {
    name: "sentence: X is defined in path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `Found it.

${tick(f.symbol)} is defined in ${tick(f.path + ":" + f.line)}.

I searched by name and then opened the file to make sure that it is not just a mention. Tell me if you also want the list of callers; I left that out because you did not ask for it.`,
  },
  {
    name: "table Symbol / Defined in / Line",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is the lookup you asked for.

| Symbol | Defined in | Line |
| --- | --- | ---: |
| ${cell(f.symbol)} | ${cell(f.path)} | ${f.line} |

I checked the location by opening the file, not only from search output. No edits were made.`,
  },
  {
    name: "bold symbol, dash, definition in path (line n)",
    kind: "symbol",
    defines: true,
    write: (f) => `### Where things live

- **${tick(f.symbol)}** — definition in ${tick(f.path)} (line ${f.line})

### What I would do next

Read the definition first, then decide whether the change belongs there or one level up. My own preference is to keep the diff as small as possible. I have not tried anything out yet.`,
  },
  {
    name: "German: ist in path (Zeile n) definiert",
    kind: "symbol",
    defines: true,
    write: (f) => `Kurz zusammengefasst:

${tick(f.symbol)} ist in ${tick(f.path)} (Zeile ${f.line}) definiert. Dort würde ich auch mit der Änderung anfangen.

Ich habe nur gelesen und nichts ausgeführt. Wenn ich gleich einen Vorschlag für den Patch schreiben soll, sag bitte Bescheid.`,
  },
  {
    name: "sentence, symbol with (path:line) in parentheses",
    kind: "symbol",
    write: (f) => `**Root cause (hypothesis)**

Everything I looked at points to ${tick(f.symbol)} (${tick(f.path + ":" + f.line)}). I could not reproduce the failure in this environment, so please confirm with a debugger before acting on it.

**Suggested next step:** add a log statement there and rerun the scenario from the bug report.`,
  },
  {
    name: "bullet path:line – symbol",
    kind: "symbol",
    write: (f) => `Exploration finished. Relevant code:

- ${tick(f.path + ":" + f.line)} - ${tick(f.symbol)}

That is the one I would hand to whoever implements this. I kept the list short on purpose; anything more would have been guesswork.`,
  },
  {
    name: "link with the symbol as text, #Ln",
    kind: "symbol",
    write: (f) => `Thanks for the context, that narrowed it down a lot.

Have a look at [${tick(f.symbol)}](${target(f, `#L${f.line}`)}). In my opinion this is the right place to hook in, and I would rather extend it than add something parallel to it.

Open question for you: should the old behaviour stay available behind an option?`,
  },
  {
    name: "heading n. symbol (path:line)",
    kind: "symbol",
    write: (f) => `# Code review

Overall the quality is fine; comments below are suggestions unless marked otherwise.

### 1. ${tick(f.symbol)} (${tick(f.path + ":" + f.line)})

**Severity:** minor
**Confidence:** 70/100

I found this hard to follow on first reading. A sentence of documentation would go a long way. Not a blocker for merging.`,
  },
  {
    name: "file bullet with nested symbol bullet (line n)",
    kind: "symbol",
    write: (f) => `## Findings

- ${tick(f.path)}
  - ${tick(f.symbol)} (line ${f.line})

## Notes

I grouped the result by file so that you can open it in order. I have not judged whether a change is needed, only where it would go.`,
  },
  {
    name: "call list in a plain fence with aligned places",
    kind: "symbol",
    write: (
      f,
    ) => `I traced the behaviour by hand. The stop along the way that matters for your question:

${fence([`→ ${f.symbol}    ${f.path}:${f.line}`], "")}

From there I would step through with real input. Static reading only gets us so far, and I did not want to speculate beyond that.`,
  },
  {
    name: "absolute path:line, symbol after it in prose",
    kind: "symbol",
    write: (f) => `All requested checks are finished; summary for the main agent:

* ${root(f)}/${f.path}:${f.line} → ${tick(f.symbol)}. Needs a decision from you before I continue.

I see two ways forward, keep it and document it or rework it. I lean towards the former, since it is the cheaper one. No files were written.`,
  },
  {
    name: "In path, symbol (Ln)",
    kind: "symbol",
    write: (f) => `Step 2 of the plan, in more detail:

In ${tick(f.path)}, update ${tick(f.symbol)} (L${f.line}) so that it covers the new requirement. Keep the public interface as it is, and add a test next to it.

Estimated effort: small. Risk: I would call it low, but that is a judgement call rather than something I measured.`,
  },

  // ------------------------------------------------------------------ code
  {
    name: "bullet path:line followed by the line in backticks",
    kind: "code",
    write: (f) => `Here is what I found for the pattern you gave me:

- ${tick(f.path + ":" + f.line)}: ${tick(f.code)}

I think this is the one you meant. If not, a more specific search term would help; I stopped here to keep the report short.`,
  },
  {
    name: "sentence: line n of path reads",
    kind: "code",
    write: (f) => `I double-checked the claim from the earlier report against the source.

Line ${f.line} of ${tick(f.path)} reads ${tick(f.code)}, so that is the wording we should base the discussion on.

I do not have an opinion yet on whether it should change. Happy to look into it if that is useful.`,
  },
  {
    name: "grep output path:line:code in a fence",
    kind: "code",
    write: (f) => `Search result, unedited:

${fence([`${f.path}:${f.line}:${f.code}`], "")}

That is the hit I consider relevant. I would start from there and only widen the search if it turns out to be a dead end.`,
  },
  {
    name: "bold path:line, then fence with the line",
    kind: "code",
    write: (f) => `### Root cause

**${tick(f.path + ":" + f.line)}**
${fence([f.code], f.lang)}

This is the line I would question first. I reached it by working backwards from the symptom, without running the program.

### Fix

I would like to discuss the options before proposing a concrete diff.`,
  },
  {
    name: "numbered finding with File / Line / Code fields",
    kind: "code",
    write: (f) => `Security pass done. One item for discussion:

1. **Please double-check this one**
   - File: ${tick(f.path)}
   - Line: ${f.line}
   - Code: ${tick(f.code)}
   - Recommendation: have somebody who knows the history confirm that it is intentional.

I rate my own confidence as moderate. No exploit was attempted.`,
  },
  {
    name: "table Location / Code, escaped pipes",
    kind: "code",
    write: (f) => `Inventory for the migration:

| Location | Code | Action |
|---|---|---|
| ${cell(f.path + ":" + f.line)} | ${cell(f.code)} | to be decided |

I left the last column open because it depends on which version you want to target. Everything here was read from the working copy.`,
  },
  {
    name: "code first, place in parentheses after it",
    kind: "code",
    write: (
      f,
    ) => `To answer your second question: the behaviour hinges on ${tick(f.code)} (${f.path}:${f.line}).

If that is what was intended, then we can close the ticket. If it is not, I would change it there and nowhere else. I cannot tell which of the two it is from the source alone.`,
  },
  {
    name: "fence in a bullet with line-number arrow",
    kind: "code",
    write: (f) => `Evidence collected so far:

- ${tick(root(f) + "/" + f.path)}

${fence([`${String(f.line).padStart(6)}→${f.code}`], "", "  ")}

  I would treat this as the primary lead.

Everything else I looked at was inconclusive, so I am leaving it out of this report.`,
  },
  {
    name: "fence with path:line comment above the line",
    kind: "code",
    write: (f) => `Review comment, ready to be posted:

> Could you explain the reasoning here? I am not against it, I just did not get it from reading.

It refers to this line:

${fence([`${mark(f)} ${f.path}:${f.line}`, f.code], f.lang)}

Severity: nit. Feel free to drop it if the author has already answered elsewhere.`,
  },
  {
    name: "Chinese: path 第 n 行, code in backticks",
    kind: "code",
    write: (f) => `## 结论

我按照问题描述阅读了相关代码，最值得关注的是 ${tick(f.path)} 第 ${f.line} 行：${tick(f.code)}

建议先在这里确认预期行为，再决定是否修改。目前我只做了静态阅读，没有运行任何命令，也没有改动文件。`,
  },

  // ----------------------------------------------------------------- block
  {
    name: "heading path:a-b over a fence",
    kind: "block",
    write: (f) => `## Relevant code

### ${tick(`${f.path}:${f.line}-${end(f)}`)}

${fence(f.block, f.lang)}

I quoted it in full so that you do not have to open the file. My suggestion is to leave it alone for now and revisit it once the requirements are settled.`,
  },
  {
    name: "fence with a:b:path as info string",
    kind: "block",
    write: (f) => `I looked into it. This is the passage in question:

${fence(f.block, `${f.line}:${end(f)}:${f.path}`)}

Before changing it I would want to know who depends on the current behaviour. Shall I check that next, or do you prefer to go straight for the fix?`,
  },
  {
    name: "fence with a comment // path:a-b as the first line",
    kind: "block",
    write: (f) => `**Summary:** I believe I found the right spot; details below.

${fence([`${mark(f)} ${f.path}:${f.line}-${end(f)}`, ...f.block], f.lang)}

**Assessment:** plausible cause, not proven.
**Next step:** write a minimal reproduction and see whether it goes through here.`,
  },
  {
    name: "sentence naming file and lines, then dedented fence",
    kind: "block",
    write: (
      f,
    ) => `The debugging session came down to one passage. In ${tick(f.path)}, lines ${f.line}-${end(f)}:

${fence(dedent(f.block), f.lang)}

I read this several times and still would not bet on what was intended. A comment from the original author would settle it.

I have reverted all of my temporary logging.`,
  },
  {
    name: "cat -n style numbers in a fence under the path",
    kind: "block",
    write: (f) => `Contents as requested, with line numbers.

${tick(f.path)}:

${fence(
  f.block.map((l, i) => `${String(no(f, i)).padStart(6)}\t${l}`),
  "",
)}

I only copied the part that you asked about. Let me know if you need more of the surroundings.`,
  },
  {
    name: "numbered finding, fence indented in the list item",
    kind: "block",
    write: (f) => `Findings, ordered by how much I care about them:

1. **Hard to test in isolation, in my view** (${tick(f.path)}, line ${f.line})

${fence(f.block, f.lang, "   ")}

   I would not block the merge on this, but I would open a follow-up ticket.

That is all. Thanks for keeping the change small, it made reviewing pleasant.`,
  },
  {
    name: "compiler style: --> path:line and a gutter",
    kind: "block",
    write: (f) => {
      const w = String(no(f, f.block.length - 1)).length;
      return `Pointing at the exact place, since the description alone was ambiguous:

${fence([`${" ".repeat(w)}--> ${f.path}:${f.line}`, ...f.block.map((l, i) => `${String(no(f, i)).padStart(w)} | ${l}`)], "text")}

Please have a look and tell me whether that matches what you saw. I did not go any further than this.`;
    },
  },
  {
    name: "link path#La-Lb, then fence, explanation after it",
    kind: "block",
    write: (f) => `Answering the question from the hand-off note:

See [${tick(f.path)}](${target(f, `#L${f.line}-L${end(f)}`)}):

${fence(f.block, f.lang)}

I would reuse this rather than write something new. If you disagree, the alternative is a separate helper, which I consider the less attractive option.`,
  },
  {
    name: "absolute path bullets, fence with elision comments around",
    kind: "block",
    write: (f) => {
      const pad = (f.block.find((l) => l.trim()) || "").match(/^[ \t]*/)[0];
      return `Report for the main agent

- **File:** ${root(f)}/${f.path}
- **Starting at line:** ${f.line}

${fence([`${pad}${mark(f)} ...`, ...f.block, `${pad}${mark(f)} ...`], f.lang)}

This is what I would show the user. I kept it to the essential part; the full text is in the file if they want to read on.`;
    },
  },
  {
    name: "fence first, place underneath",
    kind: "block",
    write: (f) => `I think the answer to "why does it do that" is simply this:

${fence(f.block, f.lang)}

(${f.path}, L${f.line}–L${end(f)})

Whether it *should* do that is a different question, and one for the maintainers. I would ask before sending a pull request.`,
  },
  {
    name: "Spanish: fragmento de path, líneas a a b",
    kind: "block",
    write: (f) => `### Resultado de la revisión

Fragmento de ${tick(f.path)}, líneas ${f.line} a ${end(f)}:

${fence(f.block, f.lang)}

Yo empezaría por aquí. No he ejecutado nada ni he modificado ningún archivo; es solo una lectura del código. Si hace falta, puedo preparar una propuesta de cambio.`,
  },
];
