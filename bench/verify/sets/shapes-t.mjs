// Forty ways in which agents write a place of a repository into a message.

const base = (p) => p.split("/").pop();
const abs = (f) => `/home/user/${f.pack.split("/").pop()}/${f.path}`;
const longestRun = (s) => Math.max(0, ...(s.match(/`+/g) || []).map((r) => r.length));

// inline code, with a longer run of backticks where the text has some
const tick = (s) => {
  const n = longestRun(s);
  const t = "`".repeat(n + 1);
  const pad = s.startsWith("`") || s.endsWith("`") ? " " : "";
  return t + pad + s + pad + t;
};
const cell = (s) => s.replace(/\|/g, "\\|");

// fenced block; `prefix` stands before each of its lines (list indent, "> ")
const fence = (lines, info = "", prefix = "") => {
  const t = "`".repeat(Math.max(3, longestRun(lines.join("\n")) + 1));
  return [t + info, ...lines, t].map((l) => (prefix + l).replace(/^\s+$/, "")).join("\n");
};
const dedent = (lines) => {
  const full = lines.filter((l) => l.trim());
  if (!full.length) return lines;
  let p = full[0].match(/^\s*/)[0];
  for (const l of full) while (!l.startsWith(p)) p = p.slice(0, -1);
  return lines.map((l) => (l.trim() ? l.slice(p.length) : ""));
};
const comment = (lang, text) => {
  if (/^(py|python|rb|ruby|sh|bash|shell|ya?ml|toml|r|perl|pl|elixir|ex|exs)$/i.test(lang))
    return `# ${text}`;
  if (/^(lua|sql|haskell|hs)$/i.test(lang)) return `-- ${text}`;
  return `// ${text}`;
};

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "inline path:line closing a triage",
    kind: "bare",
    write: (
      f,
    ) => `I could reproduce it. The failure goes back to \`${f.path}:${f.line}\`, where the value is used before anything has looked at it.

I haven't changed anything yet. Do you want me to fix it there, or rather validate the input earlier?`,
  },

  {
    name: "bullets with 'lines a–b of path'",
    kind: "bare",
    ranged: true,
    write: (f) => `Here's what I found about the retry problem:

- **Cause:** lines ${f.line}–${f.end} of \`${f.path}\`. The error is swallowed there, so the caller never learns about it.
- **Effect:** the second attempt starts with stale state.
- **Tests:** nothing in the suite covers this path at the moment.

I'd fix the cause first and add a regression test after that.`,
  },

  {
    name: "Markdown link with #L",
    kind: "bare",
    write: (f) =>
      `Done. The fix for the issue you described belongs in [${base(f.path)}:${f.line}](${f.path}#L${f.line}); everything else can stay as it is. Let me know if you'd like me to go ahead.`,
  },

  {
    name: "German, absolute path with Zeile",
    kind: "bare",
    write: (
      f,
    ) => `Ich habe mir das angesehen. Die entscheidende Stelle ist \`${abs(f)}\`, Zeile ${f.line}. Dort wird der Wert übernommen, ohne dass er vorher geprüft wird.

Geändert habe ich noch nichts. Soll ich die Prüfung direkt dort einbauen?`,
  },

  {
    name: "long plan with a range in one step",
    kind: "bare",
    ranged: true,
    planned: true,
    long: true,
    write: (f) => `# Plan: make error reporting consistent in ${f.pack}

## Context

Users report that some failures end in a clear message while others just end silently. The reason is that errors are handled in several styles that have grown over time: some are thrown, some are returned, and some are only logged. The goal of this change is one style, without breaking anybody who relies on the current public behaviour.

## Approach

1. **Agree on the contract.** Every public entry point either succeeds or reports a failure with a message that names the operation. Nothing is dropped without a trace.
2. **Rework the central place.** Change \`${f.path}:${f.line}-${f.end}\` so that the original cause is kept and handed on instead of being replaced by a generic one. This is the core of the work, and everything after it is mechanical.
3. **Walk through the callers.** Most of them need no change, because they already pass failures on. The few which don't will be adapted one by one, in separate commits so that a reviewer can follow.
4. **Tests.** Add a case for each style of failure, and one for the successful path to show that nothing has changed for it.
5. **Docs.** A short note in the changelog, nothing more.

## Risks

- Somebody may depend on the text of the generic message. I consider that unlikely, but will mention it in the release notes.
- The order in which callbacks run must not change. I'll verify this by hand before and after.

## Out of scope

- Logging levels and formats
- Any renaming of public names
- Performance work, although one or two spots look tempting

## Verification

Run the full suite before the first commit and after each step, then try the reproduction from the issue by hand. If you agree with this, I'll start with the second step.`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "summary bullet, bold path",
    kind: "path",
    write: (f) => `All done. Summary of what I did:

- **\`${f.path}\`**: read through completely; this is where the behaviour you asked about lives
- Ran the whole test suite: everything passes
- No dependencies were added or updated

Nothing has been committed so far.`,
  },

  {
    name: "plain path in a sentence",
    kind: "path",
    write: (f) =>
      `Short answer: yes, ${f.pack} supports that. The relevant part is in ${f.path}, and you don't need any option for it because it's on by default.`,
  },

  // ---------------------------------------------------------------- symbol
  {
    name: "two-column table, defined in",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is where things live in **${f.pack}**:

| Symbol | Defined in |
|--------|------------|
| \`${cell(f.symbol)}\` | \`${f.path}:${f.line}\` |

Everything else is reached from there.`,
  },

  {
    name: "sentence 'is defined in path at line'",
    kind: "symbol",
    defines: true,
    write: (f) =>
      `\`${f.symbol}\` is defined in \`${f.path}\` at line ${f.line}. It's part of the internal machinery, so I would not call it directly from application code.`,
  },

  {
    name: "nested bullets, symbol with place in parentheses",
    kind: "symbol",
    write: (f) => `## Code review

Overall this looks good. A few remarks:

- **Correctness**
  - \`${f.symbol}\` (\`${f.path}:${f.line}\`) doesn't say what happens with empty input. Is that intended?
  - Otherwise I found no wrong results.
- **Style**
  - Consistent with the rest of the project.
- **Tests**
  - An edge case for the remark above would be nice to have.

**Verdict:** approve with minor comments.`,
  },

  {
    name: "long audit, numbered heading with symbol and place",
    kind: "symbol",
    long: true,
    write: (f) => `# Audit report: ${f.pack}

**Scope:** the library sources as they stand in the working tree. Generated code, examples and benchmarks were left out.
**Method:** manual reading, supported by searches for typical patterns. No code was executed apart from the existing tests.

## Summary

The code base is in good shape. It is small, has few dependencies, and the naming makes it easy to follow. I found one issue that I would fix before the next release and some observations that are a matter of taste.

| Severity | Count |
|---|---|
| High | 0 |
| Medium | 1 |
| Low | 0 |

## Findings

### 1. \`${f.symbol}\` trusts its input — ${f.path}:${f.line}

**Severity:** Medium
**Confidence:** High

What comes in is used as it is. With friendly callers this is fine, and all callers inside the package are friendly. But the name can be reached from outside, and then a malformed value travels quite far before it fails, with a message that doesn't help anybody to find the reason.

**Impact:** confusing errors; in the worst case a wrong result that goes unnoticed.

**Recommendation:** check the input once at the boundary and fail early with a clear message. This costs next to nothing at run time.

## Observations

- The documentation is a little behind the code, but nothing in it is plainly wrong.
- Error messages vary in style. It would be worth agreeing on one.
- The tests are thorough for the usual cases and thin for the unusual ones.

## Not examined

Concurrency, behaviour under memory pressure, and the release process. I can look at these in a second round if that is of interest to you.`,
  },

  {
    name: "plain symbol and plain place in a sentence",
    kind: "symbol",
    plain: true,
    write: (f) =>
      `I checked the code before answering: see ${f.symbol} at ${f.path}:${f.line}. As far as I can tell there's no caching involved, so the numbers you're seeing must come from somewhere else.`,
  },

  {
    name: "Chinese, 定义在",
    kind: "symbol",
    defines: true,
    write: (f) => `我看了一下代码，结论如下：

1. \`${f.symbol}\` 定义在 \`${f.path}:${f.line}\`。
2. 目前没有发现其他地方覆盖它的行为。

暂时没有修改任何文件。需要我继续处理吗？`,
  },

  {
    name: "call flow drawn in a fence",
    kind: "symbol",
    plain: true,
    write: (f) => `The flow is simpler than it looks:

\`\`\`
caller
  └─► ${f.symbol}  (${f.path}:${f.line})
        └─► result goes back to the caller
\`\`\`

So there's exactly one place to hook into.`,
  },

  {
    name: "bold bullet with a range for the symbol",
    kind: "symbol",
    ranged: true,
    write: (f) => `Key parts I looked at:

* **\`${f.symbol}\`** (\`${f.path}\`, lines ${f.line}-${f.end}) - does the actual work
* the public wrapper around it, which only passes its arguments on

Neither of them needs to change for your use case.`,
  },

  {
    name: "plan step with call parentheses",
    kind: "symbol",
    planned: true,
    write: (f) => `**Plan**

1. Add a failing test that shows the problem.
2. Extend \`${f.symbol}()\` in \`${f.path}:${f.line}\` so that it accepts the new option.
3. Update the docs and the changelog.

- [ ] Step one
- [ ] Step two
- [ ] Step three

Shall I proceed?`,
  },

  {
    name: "symbol as the text of a Markdown link",
    kind: "symbol",
    write: (f) =>
      `The entry point for this is [\`${f.symbol}\`](${f.path}#L${f.line}). From there it's only a short way to the part that matters to you.`,
  },

  {
    name: "full path first, then base name with line",
    kind: "symbol",
    defines: true,
    write: (f) => `I went through \`${f.path}\` to answer this.

**What happens:** the work is done by \`${f.symbol}\`, which starts at \`${base(f.path)}:${f.line}\`. It's called once per run.

**Why it's slow for you:** most likely because of the size of the input and not because of the code itself.`,
  },

  {
    name: "wide findings table with symbol, L-number",
    kind: "symbol",
    write: (f) => `### Findings

| # | Sev. | File | Line | Symbol | Note |
|:-:|:----:|------|-----:|--------|------|
| 1 | 🟡 | \`${f.path}\` | L${f.line} | \`${cell(f.symbol)}\` | undocumented, although it's visible from outside |

No 🔴 findings.`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "sentence, place has code",
    kind: "code",
    write: (f) =>
      `Found it. \`${f.path}:${f.line}\` has ${tick(f.code)}, and that explains the behaviour you're seeing.`,
  },

  {
    name: "place, colon, one-line fence",
    kind: "code",
    write: (f) => `The root cause is in \`${f.path}:${f.line}\`:

${fence([f.code], f.lang)}

This runs every time, also when there's nothing to do. I'd suggest guarding it.`,
  },

  {
    name: "grep output in a fence",
    kind: "code",
    write: (f) => `I searched the sources for it, and there is one hit that matters:

${fence([`${f.path}:${f.line}:${f.code}`])}

The other matches are in comments or tests, so they can be ignored.`,
  },

  {
    name: "table row with escaped code",
    kind: "code",
    write: (f) => `## Results

| Location | Code | Assessment |
|---|---|---|
| \`${f.path}:${f.line}\` | ${cell(tick(f.code))} | Safe as it is, but hard to read |

No further occurrences worth mentioning.`,
  },

  {
    name: "heading with absolute path, bullet 'Line n:'",
    kind: "code",
    write: (f) => `#### ${abs(f)}

- Line ${f.line}: ${tick(f.code)}
  - Looks right to me; just be aware that it is evaluated early.

That's all I noticed in this file.`,
  },

  {
    name: "review comment as a blockquote",
    kind: "code",
    write: (f) => `**Suggestion (non-blocking)**

> \`${f.path}\` L${f.line}
>
${fence([f.code], f.lang, "> ")}

Could we add a short comment here that says why? It took me a while to see it.`,
  },

  {
    name: "long security report with an evidence field",
    kind: "code",
    long: true,
    write: (f) => `## Security review of ${f.pack}

I've gone through the package with the question in mind whether input under the control of an attacker can do harm. Below is the outcome, with the most relevant item first. I have tried to separate what I verified from what I only suspect.

### Overview

- **Verified problems:** none
- **Worth hardening:** one
- **Dependencies:** few, and all of them are maintained

### H-1: Hardening opportunity

- **Severity:** Low
- **Category:** Robustness
- **Location:** \`${f.path}:${f.line}\`
- **Evidence:** ${tick(f.code)}
- **Description:** Taken alone this is harmless. It does rely on an assumption which holds today only because all callers are well behaved. If a future caller isn't, there is no second line of defence.
- **Exploitability:** I don't see a way to exploit it from outside. I tried several inputs of unusual size and shape in my head and by reading along, and each of them was stopped earlier.
- **Recommendation:** State the assumption in a comment and add a test that fails when it's broken. A check at run time would be possible as well but is probably not worth its price.

### What I looked at and found to be fine

1. Handling of paths and names that come from outside
2. Use of temporary data and its clean-up
3. Patterns that could need exponential time
4. Places in which secrets could end up in messages
5. Default settings, which are on the careful side

### Limits of this review

This was a reading exercise. I did not fuzz anything, nor did I look at the build and release process, which for a package like this one may well be the more attractive target. If you want me to go deeper into one of these areas, tell me which.`,
  },

  {
    name: "plan bullet, 'currently'",
    kind: "code",
    planned: true,
    write: (f) => `### Implementation plan

- **Step A** – Introduce a small helper and cover it with tests.
- **Step B** – Replace line ${f.line} of \`${f.path}\` (currently ${tick(f.code)}) by a call of that helper.
- **Step C** – Remove what has become unused.

Estimated effort: small. No change of the public API.`,
  },

  {
    name: "Russian, на строке",
    kind: "code",
    write: (
      f,
    ) => `Посмотрел. В файле \`${f.path}\` на строке ${f.line} стоит ${tick(f.code)}. Судя по всему, именно поэтому результат отличается от ожидаемого.

Пока ничего не менял. Исправить?`,
  },

  {
    name: "French, code first, place in parentheses",
    kind: "code",
    write: (f) => `Quelques remarques après lecture des sources :

1. La documentation est exacte sur ce point.
2. L'instruction décisive est ${tick(f.code)} (${f.path}, ligne ${f.line}).
3. Il n'y a pas d'option pour désactiver ce comportement ; il faudrait donc le contourner.`,
  },

  // ---------------------------------------------------------------- block
  {
    name: "heading with path and lines, then fence",
    kind: "block",
    ranged: true,
    write: (f) => `### \`${f.path}\` (lines ${f.line}-${f.end})

${fence(f.block, f.lang)}

This is the part I'd leave alone for now.`,
  },

  {
    name: "fence with start:end:path as info string",
    kind: "block",
    ranged: true,
    write: (f) => `The logic you're asking about is here:

${fence(f.block, `${f.line}:${f.end}:${f.path}`)}

It is only reached when the earlier checks have passed.`,
  },

  {
    name: "Read-tool output with arrow gutter",
    kind: "block",
    ranged: true,
    gutter: true,
    write: (f) => `From \`${f.path}:${f.line}-${f.end}\`:

${fence(f.block.map((l, i) => `${String(Number(f.line) + i).padStart(6)}→${l}`))}

So the answer to your question is yes, it is handled.`,
  },

  {
    name: "lineless, path as comment on top of the fence",
    kind: "block",
    lineless: true,
    write: (f) => `Here is the relevant snippet:

${fence([comment(f.lang, f.path), ...dedent(f.block)], f.lang)}

As you can see, there's nothing asynchronous going on.`,
  },

  {
    name: "lineless and dedented in a numbered list",
    kind: "block",
    lineless: true,
    write: (f) => `Two things to know:

1. **It already exists.** In \`${f.path}\` there is:

${fence(dedent(f.block), f.lang, "   ")}

2. **It isn't documented.** I'd open an issue upstream before relying on it.`,
  },

  {
    name: "dedented, 'starting at line'",
    kind: "block",
    write: (
      f,
    ) => `I believe this is a bug in the library and not in your code. Look at \`${f.path}\`, starting at line ${f.line}:

${fence(dedent(f.block), f.lang)}

If you can't wait for a release, pin the previous version in the meantime.`,
  },

  {
    name: "planned deletion as a diff",
    kind: "block",
    ranged: true,
    planned: true,
    write: (
      f,
    ) => `Proposed change: drop lines ${f.line}-${f.end} from \`${f.path}\`, since nothing depends on them any more.

${fence(
  f.block.map((l) => `-${l}`),
  "diff",
)}

I haven't applied it. Say the word and I will.`,
  },

  {
    name: "long review with a details element",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => `## Review

Thanks for the work on ${f.pack}. I read the change together with the code around it, because some of the decisions make sense only in that context. In general I'm happy with the direction. My remarks are sorted by weight, and only the first one needs an answer before this can go in.

### Needs an answer

The new behaviour meets an existing piece of code that was written with other assumptions in mind. I don't claim that the two are in conflict. But I couldn't convince myself of the opposite either, and there is no test that would show it. Could you explain how they play together, ideally in the description so that it is kept with the history?

<details>
<summary>The code I mean: <code>${f.path}</code>, lines ${f.line} to ${f.end}</summary>

${fence(f.block, f.lang)}

</details>

### Would be nice

- A test for the case in which nothing is configured at all. This is what most users have, and it is the one that hurts most when it breaks.
- A sentence in the changelog. People who upgrade look there first, and the change can be noticed from outside.
- Shorter commit messages in the subject and longer ones in the body. At present it's the other way round.

### Just thoughts

- I wondered whether this should be an option. After some thinking I'd say no: there are enough of them already, and every further one doubles what has to be tested.
- The naming is good. I had to look up nothing.

### Checklist

- [x] Builds without warnings
- [x] Existing tests pass
- [ ] New behaviour is covered
- [ ] Changelog updated

Once the first point is settled I'm ready to approve.`,
  },

  {
    name: "Portuguese, linhas a a b",
    kind: "block",
    ranged: true,
    write: (f) => `Encontrei o trecho responsável em \`${f.path}\` (linhas ${f.line} a ${f.end}):

${fence(f.block, f.lang)}

Ainda não alterei nada. Posso enviar uma proposta de correção, se quiser.`,
  },

  {
    name: "gutter with bar, start only in the heading",
    kind: "block",
    gutter: true,
    write: (f) => {
      const w = String(Number(f.line) + f.block.length - 1).length;
      return `**${f.path}:${f.line}**

${fence(
  f.block.map((l, i) => `${String(Number(f.line) + i).padStart(w)} | ${l}`.trimEnd()),
  "text",
)}

I'd say this is intended, given how carefully the cases are kept apart.`;
    },
  },

  {
    name: "bullet with #La-Lb and an indented fence",
    kind: "block",
    ranged: true,
    write: (f) => `Where this comes from:

- **Source:** [${f.path}#L${f.line}-L${f.end}](${f.path}#L${f.line}-L${f.end})

${fence(f.block, f.lang, "  ")}

- **Since when:** I couldn't tell from the history, it has been moved around.
- **Workaround:** none that I'd recommend.`,
  },
];
