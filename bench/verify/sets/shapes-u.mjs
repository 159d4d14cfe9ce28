// Forty ways in which agents write a place of a repository into a message.

const base = (p) => p.split("/").pop();
const packTail = (pack) => String(pack).split(/[/:]/).filter(Boolean).pop();
const absolute = (f) => `/home/user/${packTail(f.pack)}/${f.path}`;

const longestRun = (text) => Math.max(0, ...(text.match(/`+/g) || []).map((r) => r.length));

// inline code; a longer run of backticks (and a blank inside) where the code has backticks
const tick = (text) => {
  const run = "`".repeat(longestRun(text) ? longestRun(text) + 1 : 1);
  const pad = /^`|`$/.test(text) ? " " : "";
  return run + pad + text + pad + run;
};
const cell = (text) => text.replace(/\|/g, "\\|");

const fence = (lines, info = "") => {
  const run = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return `${run}${info}\n${lines.join("\n")}\n${run}`;
};
const indent = (text, by) =>
  text
    .split("\n")
    .map((l) => (l ? by + l : l))
    .join("\n");
const quote = (text) =>
  text
    .split("\n")
    .map((l) => (l ? `> ${l}` : ">"))
    .join("\n");

const dedent = (lines) => {
  const full = lines.filter((l) => l.trim());
  if (!full.length) return lines;
  let lead = full[0].match(/^[ \t]*/)[0];
  for (const l of full) while (!l.startsWith(lead)) lead = lead.slice(0, -1);
  return lines.map((l) => (l.trim() ? l.slice(lead.length) : l));
};

const comment = (lang) =>
  /^(py|python|rb|ruby|sh|bash|shell|zsh|ya?ml|toml|perl|pl|r|elixir|ex|exs|make|makefile|dockerfile|cmake)$/i.test(
    lang || "",
  )
    ? "#"
    : "//";

const gutter = (f, join) => {
  const width = String(Number(f.line) + f.block.length - 1).length;
  return f.block.map((l, i) => (String(Number(f.line) + i).padStart(width) + join + l).trimEnd());
};

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "parenthesis at the end of a sentence in a closing message",
    kind: "bare",
    write: (f) => `Done. All tests pass and the type check is clean.

One thing I noticed on the way but left alone: there is a similar pattern elsewhere that may deserve the same treatment (\`${f.path}:${f.line}\`). Let me know if you want me to follow up on it.`,
  },
  {
    name: "Markdown link with #L range, base name as text",
    kind: "bare",
    ranged: true,
    write: (f) =>
      `I traced the warning back to [${base(f.path)}:${f.line}-${f.end}](${f.path}#L${f.line}-L${f.end}). Nothing is changed so far, I wanted to check with you first.`,
  },
  {
    name: "plan task with a Files list, Modify: path:from-to",
    kind: "bare",
    ranged: true,
    planned: true,
    write: (f) => `### Task 2: Tighten the error handling

**Files:**
- Modify: \`${f.path}:${f.line}-${f.end}\`

**Steps:**
1. Write a failing test for the bad input.
2. Run it and see it fail.
3. Make the smallest change that turns it green.
4. Commit.`,
  },
  {
    name: "absolute path and line in a bullet, without backticks",
    kind: "bare",
    write: (f) => `Open questions before I go on:

- Should the old behaviour stay behind a flag?
- ${absolute(f)}:${f.line} looks like the right spot for the hook, do you agree?
- Is a changelog entry wanted?`,
  },
  {
    name: "German: Zeile in Datei",
    kind: "bare",
    write: (f) =>
      `Kurzer Zwischenstand: Ich habe den Ablauf einmal komplett durchgelesen. Die relevante Stelle ist Zeile ${f.line} in \`${f.path}\`. Geändert habe ich noch nichts – soll ich weitermachen?`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "summary with a bullet list of files",
    kind: "path",
    write: (f) => `## Summary

- Read through \`${f.path}\` from top to bottom
- No behaviour was changed
- Tests were not touched

Ready for review.`,
  },
  {
    name: "French: bare path in running text, bold",
    kind: "path",
    write: (f) =>
      `J'ai terminé l'analyse. Tout ce qui concerne cette question se trouve dans **${f.path}** ; le reste du dépôt n'est pas concerné. Dites-moi si je peux commencer les modifications.`,
  },

  // ---------------------------------------------------------------- symbol
  {
    name: "sentence: symbol is defined at path:line",
    kind: "symbol",
    defines: true,
    write: (f) =>
      `Found it. \`${f.symbol}\` is defined at \`${f.path}:${f.line}\`. I'd suggest starting there.`,
  },
  {
    name: "findings table with number, symbol, location, severity",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is what came out of the audit:

| # | Definition | Location | Severity | Note |
|---|-----------|----------|----------|------|
| 1 | \`${cell(f.symbol)}\` | \`${cell(f.path)}:${f.line}\` | Low | Missing documentation |

Nothing of high severity was found.`,
  },
  {
    name: "bold bullet, symbol then place in parentheses",
    kind: "symbol",
    write: (f) => `**Key pieces**

- **\`${f.symbol}\`** (\`${f.path}:${f.line}\`) — the one to read first
- everything else hangs off it

I can draw a diagram if that helps.`,
  },
  {
    name: "numbered list, symbol and place all in plain text",
    kind: "symbol",
    plain: true,
    write: (f) => `To understand the flow, read in this order:

1. ${f.symbol} (${f.path}:${f.line})
2. then its callers
3. then the tests

That should take about half an hour.`,
  },
  {
    name: "Spanish: declared on line N of path",
    kind: "symbol",
    defines: true,
    write: (f) =>
      `He revisado el código y no he encontrado ningún otro uso sospechoso. \`${f.symbol}\` se declara en la línea ${f.line} de \`${f.path}\`; conviene empezar la revisión por ahí.`,
  },
  {
    name: "place first, dash, symbol with call parentheses",
    kind: "symbol",
    write: (f) => `Places worth a second look:

- \`${f.path}:${f.line}\` – \`${f.symbol}()\`: no test covers the unhappy path as far as I can see

Otherwise this looks good to me.`,
  },
  {
    name: "long review with a heading per finding",
    kind: "symbol",
    long: true,
    write: (f) => `# Code review

I went through the package ${f.pack} with an eye on correctness first, then on readability, and on performance only where something caught my attention. The short version: the code is in good shape, the structure is easy to follow, and I found nothing that would stop a release. There is one point that I would raise with the maintainers, and a few general remarks.

## Findings

### 1. \`${f.symbol}\` — \`${f.path}:${f.line}\`

**Severity:** Medium
**Confidence:** Moderate

The responsibilities here are a little mixed. A reader who comes to this place for the first time has to keep several things in mind at once, and the naming does not help as much as it could. I would not rewrite it now, but the next time somebody has to touch it for another reason, it would be worth splitting it along the lines of what is computed and what is reported.

**Suggestion:** add a short comment that states the invariant, and a test that pins it down. Both are cheap, and both make a later refactoring much less risky.

## General remarks

- The error messages are mostly helpful, but they differ in tone and in how much context they give.
- The tests are well organised. A few of them check more than one thing, which makes failures harder to read.
- The documentation is brief but accurate wherever I compared it with the behaviour.

## What I did not check

I did not run any benchmarks, I did not look at the release tooling, and I did not try the package on platforms other than Linux. If any of these matter to you, please tell me and I will have a second look.

## Verdict

Approve, with the one remark above as a non-blocking comment.`,
  },
  {
    name: "full path once, then base name with line",
    kind: "symbol",
    defines: true,
    write: (f) => `All of the relevant logic lives in \`${f.path}\`.

The entry point for this question is \`${f.symbol}\`, which starts at \`${base(f.path)}:${f.line}\`. From there on it is straightforward.`,
  },
  {
    name: "Markdown link with the symbol as text, path#L as target",
    kind: "symbol",
    write: (f) =>
      `The behaviour you are seeing comes from [\`${f.symbol}\`](${f.path}#L${f.line}). It is intended as far as I can tell, though it could be documented better.`,
  },
  {
    name: "checkbox in a plan, symbol with path and (line N)",
    kind: "symbol",
    planned: true,
    write: (f) => `## Plan

- [ ] Add a regression test
- [ ] Extract the validation out of \`${f.symbol}\` in \`${f.path}\` (line ${f.line})
- [ ] Update the changelog

Shall I go ahead?`,
  },
  {
    name: "Russian: declared in path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `Коротко о результатах:

- \`${f.symbol}\` объявлен в файле \`${f.path}\`, строка ${f.line};
- других объявлений с таким именем я не искал;
- код я пока не менял.`,
  },
  {
    name: "listing in a fence, place and symbol side by side",
    kind: "symbol",
    plain: true,
    defines: true,
    write: (f) => `Definitions that are relevant here:

\`\`\`
${f.path}:${f.line}    ${f.symbol}
\`\`\`

The remaining ones are not involved.`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "sentence: path:line reads code",
    kind: "code",
    write: (f) =>
      `The cause is simple enough: \`${f.path}:${f.line}\` reads ${tick(f.code)}, and that is the only place where this is decided.`,
  },
  {
    name: "grep output in a fence",
    kind: "code",
    write: (f) => `I searched the repository and there is a hit that matters:

${fence([`${f.path}:${f.line}:${f.code}`])}

I don't think the others are related.`,
  },
  {
    name: "table with location and code",
    kind: "code",
    write: (f) => `## Evidence

| Location | Code | Verdict |
|:--|:--|:--|
| ${cell(f.path)}:${f.line} | ${cell(tick(f.code))} | ok |

No further action needed.`,
  },
  {
    name: "one-line fence after the place and a colon",
    kind: "code",
    write: (
      f,
    ) => `You are right, I overlooked that. This is what it looks like today, at \`${f.path}:${f.line}\`:

${fence([f.code], f.lang)}

I'll leave it as it is unless you say otherwise.`,
  },
  {
    name: "place as a comment on the first line of the fence",
    kind: "code",
    write: (f) => `**Root cause**

${fence([`${comment(f.lang)} ${f.path}:${f.line}`, f.code], f.lang)}

This is reached on every call, which explains what you observed.`,
  },
  {
    name: "path in a heading, bold Line N bullets below",
    kind: "code",
    write: (f) => `### \`${f.path}\`

- **Line ${f.line}**: ${tick(f.code)} – fine, but a comment would help the next reader
- No other remarks on this file`,
  },
  {
    name: "on line N of path, then a one-line fence",
    kind: "code",
    write: (f) => `Checked. On line ${f.line} of \`${f.path}\` there is:

${fence([f.code], f.lang)}

So it does behave the way you described.`,
  },
  {
    name: "plan step: replace the line at path:line",
    kind: "code",
    planned: true,
    write: (f) => `Here's my plan:

1. **Reproduce** the problem with a small test.
2. **Change** \`${f.path}\` (L${f.line}): replace ${tick(f.code)} with a guarded version.
3. **Verify** that the whole suite is still green.

I have not started on any of these yet.`,
  },
  {
    name: "long audit with Location / Evidence / Impact fields",
    kind: "code",
    long: true,
    write: (f) => `# Audit of ${f.pack}

**Scope:** the library code as checked out. Generated files, examples and fixtures were left out.
**Method:** manual reading, supported by text search. No dynamic analysis was done.

## Executive summary

The package is small enough to be read in one sitting, and it was. The overall impression is good: inputs are checked close to where they enter, side effects are kept in few places, and there is little dead code. One observation is listed below. It is informational; I would not hold back a release because of it, but I would want it to be known to whoever maintains this part of the code.

## Observations

#### O-A: Implicit assumption

- **Location:** \`${f.path}\`, line ${f.line}
- **Evidence:** ${tick(f.code)}
- **Impact:** Low. The assumption holds for all callers that I looked at. It may stop holding when a new caller is added by somebody who does not know about it.
- **Likelihood:** Low.
- **Recommendation:** Write the assumption down next to the code, or check it explicitly where the cost of the check does not matter.

## Things that look suspicious but are fine

Some constructs look odd at first sight and turn out to be deliberate. I followed each of them to its callers before striking it off the list. None of them needs a change, although a sentence of explanation would spare the next auditor the same detour.

## Limits of this audit

Reading is not proof. Concurrency was considered only where it is visible in the code, third-party dependencies were taken to work as documented, and I did not assess the release process. If you need assurance about any of these points, a separate review would be the way to go.

## Conclusion

No blocking issues. One informational observation, for which a comment in the source is enough.`,
  },
  {
    name: "Portuguese: blockquote with the code and the place below",
    kind: "code",
    write: (f) => `Confirmei o que você suspeitava. O trecho é este:

${quote(`${tick(f.code)}\n\n— \`${f.path}\`, linha ${f.line}`)}

Não alterei nada por enquanto.`,
  },

  // ---------------------------------------------------------------- block
  {
    name: "path:from-to and a fence",
    kind: "block",
    ranged: true,
    write: (f) => `The relevant part is \`${f.path}:${f.line}-${f.end}\`:

${fence(f.block, f.lang)}

So the answer to your question is yes.`,
  },
  {
    name: "fence with numbers and arrows as the Read tool prints them",
    kind: "block",
    gutter: true,
    write: (f) => `This is what I see at that spot in ${f.path}:

${fence(gutter(f, "→"))}

I have not edited it.`,
  },
  {
    name: "no line at all, just the path and a fence",
    kind: "block",
    lineless: true,
    write: (f) => `This is how it's done in \`${f.path}\` at the moment:

${fence(dedent(f.block), f.lang)}

I would keep to the same style for the new code.`,
  },
  {
    name: "fence with from:to:path in its info string",
    kind: "block",
    ranged: true,
    write: (f) => `I looked into it. The logic you asked about is here:

${fence(f.block, `${f.line}:${f.end}:${f.path}`)}

Let me know whether you want me to change it.`,
  },
  {
    name: "fence inside a nested list, only the first line given",
    kind: "block",
    write: (f) => `Findings:

1. **Readability**
   - Starting at \`${f.path}:${f.line}\`:

${indent(fence(dedent(f.block), f.lang), "     ")}

     This could do with a comment.
2. **Tests**
   - No remarks.`,
  },
  {
    name: "comment with path:from-to on the first line of the fence",
    kind: "block",
    ranged: true,
    write: (f) => `### What happens today

${fence([`${comment(f.lang)} ${f.path}:${f.line}-${f.end}`, ...f.block], f.lang)}

### What should happen

The same, but with a clearer error for the user.`,
  },
  {
    name: "plan: diff fence that only removes, lines N–M in the text",
    kind: "block",
    ranged: true,
    planned: true,
    write: (
      f,
    ) => `**Step 1.** Remove the block in \`${f.path}\` (lines ${f.line}–${f.end}) and move it into a helper of its own:

${fence(
  f.block.map((l) => `-${l}`),
  "diff",
)}

**Step 2.** Call the helper from the same place.

**Step 3.** Run the full test suite.`,
  },
  {
    name: "from line N on, with a trailing ellipsis",
    kind: "block",
    write: (
      f,
    ) => `The interesting bit is in **${base(f.path)}** (\`${f.path}\`, from line ${f.line} on):

${fence([...f.block, "..."], f.lang)}

The rest continues in the same manner.`,
  },
  {
    name: "long hand-over note with one excerpt",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => `# Hand-over

I am stopping here so that you can pick it up in a fresh session. This note says what was asked, what I found out, and what is left to do.

## What was asked

You wanted to know how ${f.pack} deals with unusual input, and whether it can be made more robust without breaking existing users. You also asked me not to change any code before we had agreed on an approach, and I kept to that: the working tree is clean.

## What I found out

The part that matters is short. It is in \`${absolute(f)}\`, lines ${f.line}-${f.end}:

${fence(f.block, f.lang)}

I read it together with its callers. In the ordinary case everything goes as one would expect. For unusual input the outcome depends on what the caller does with the result, and the callers do not all agree. That is not a bug in itself, but it makes the behaviour hard to describe in the documentation, and it is probably the reason for the confusion in the reports that you forwarded to me.

## Options

- **Leave it.** Document the present behaviour and close the reports. Cheap, and nobody is broken.
- **Make it strict.** Reject unusual input early. Clean, but it is a breaking change and needs a major release.
- **Make it configurable.** Keep the default and let users opt in. More code, more tests, no breakage.

My preference is the first option for now, and the second one with the next major release.

## What is left to do

- [ ] Decide on one of the options
- [ ] Write the tests that pin down the present behaviour
- [ ] Answer the open reports

Nothing else is pending from my side.`,
  },
  {
    name: "gutter with a bar, path and range in a bold caption",
    kind: "block",
    ranged: true,
    gutter: true,
    write: (f) => `**${f.path}** (L${f.line}-L${f.end})

${fence(gutter(f, " | "))}

Looks correct to me; I'd approve this as it stands.`,
  },
  {
    name: "Chinese: path with line range in full-width parentheses",
    kind: "block",
    ranged: true,
    write: (f) => `我检查了相关代码，结论如下。

关键部分在 \`${f.path}\`（第 ${f.line}-${f.end} 行）：

${fence(f.block, f.lang)}

目前没有做任何修改，请确认后我再继续。`,
  },
];
