// Forty ways in which an agent writes a place of a repository into a message (author v).

const longestRun = (text, ch) => {
  let best = 0,
    now = 0;
  for (const c of text) {
    now = c === ch ? now + 1 : 0;
    if (now > best) best = now;
  }
  return best;
};
// Inline code, safe for content with backticks.
const tick = (text) => {
  const s = String(text);
  if (!s.includes("`")) return "`" + s + "`";
  const run = "`".repeat(longestRun(s, "`") + 1);
  const pad = /^`|`$/.test(s) ? " " : "";
  return run + pad + s + pad + run;
};
// Inline code for a table cell.
const cell = (text) => tick(text).replace(/\|/g, "\\|");
// Plain text for a table cell.
const bar = (text) => String(text).replace(/\|/g, "\\|");
// Fenced code; `indent` goes before every line (for lists), `ch` is the fence character.
const fence = (lines, info = "", indent = "", ch = "`") => {
  const list = [].concat(lines);
  const mark = ch.repeat(Math.max(3, longestRun(list.join("\n"), ch) + 1));
  return [mark + info, ...list, mark].map((l) => (l === "" ? "" : indent + l)).join("\n");
};
const dedent = (lines) => {
  const full = lines.filter((l) => l.trim() !== "");
  let lead = full.length ? full[0].match(/^[ \t]*/)[0] : "";
  for (const l of full) while (!l.startsWith(lead)) lead = lead.slice(0, -1);
  return lines.map((l) => (l.trim() === "" ? "" : l.slice(lead.length)));
};
const base = (path) => path.split("/").pop();
const last = (pack) => String(pack).split(/[/:]/).filter(Boolean).pop();
const lang = (f) => f.lang || "";
const remark = (f, text) =>
  /^(py|python|rb|ruby|sh|bash|shell|yaml|yml|toml|perl|r|elixir|ex|make|makefile)$/i.test(lang(f))
    ? `# ${text}`
    : `// ${text}`;

export const shapes = [
  // ---------------------------------------------------------------- bare (5)
  {
    name: "place in the closing sentence of a diagnosis",
    kind: "bare",
    write: (
      f,
    ) => `I reproduced the failure and followed it down. It comes from ${tick(`${f.path}:${f.line}`)}, not from the caller as the ticket suggests.

Let me know if you want me to fix it or only to write it up.`,
  },

  {
    name: "bullet, range without backticks",
    kind: "bare",
    ranged: true,
    write: (f) => `Two things I noticed while reading ${f.pack}:

- ${f.path}:${f.line}-${f.end} is hard to follow; a short comment would help the next reader.
- The test coverage of the error paths is thin overall.

Neither is urgent.`,
  },

  {
    name: "markdown link with anchor, base name as the text",
    kind: "bare",
    write: (f) =>
      `Done. The relevant spot is [${base(f.path)}:${f.line}](${f.path}#L${f.line}). I think the risk of a change there is low.`,
  },

  {
    name: "French, lines X to Y",
    kind: "bare",
    ranged: true,
    write: (
      f,
    ) => `J'ai relu le module en entier. Le passage à vérifier se trouve dans ${tick(f.path)}, lignes ${f.line} à ${f.end} ; le reste me paraît correct.

Je n'ai rien modifié pour l'instant.`,
  },

  {
    name: "long final summary with a list of references at the end",
    kind: "bare",
    long: true,
    write: (f) => `## Summary

I looked into why the behaviour differs between the first and the second run, as you asked. Short version: it is not a race. The second run sees state that the first one left behind, and nothing on the way resets it. I could reproduce it every time once I ran the two steps in the same process, and never when I ran them in separate processes, which fits that explanation well.

## What I checked

- **Configuration.** The defaults are the same in both runs. I printed them at the start of each and compared the output; there is no difference beyond the timestamps.
- **Environment.** I cleared everything that is not needed and ran the steps again. The result did not change, so I ruled this out.
- **Ordering.** Swapping the two steps swaps which of them fails. That was the observation that made me look for shared state rather than for bad input.
- **Dependencies.** I downgraded the two that changed most recently. No effect.

## What I think is going on

The state is created once and then shared by everything that runs later. That is fine for the command line, where a process handles one job and exits. It is not fine for a long-lived process such as a watcher or a server, and the test runner counts as one of those because it keeps the modules loaded between the cases.

## What I did not do

I did not change any code. There are at least two reasonable ways to fix this, and they differ in what users of the public interface will notice, so I would like you to choose first. I also did not look at the integration tests, because they need credentials that I do not have here.

## Reference

- ${tick(f.path)}, line ${f.line}`,
  },

  // ---------------------------------------------------------------- path (2)
  {
    name: "file alone in a list of files read",
    kind: "path",
    write: (f) => `I have read enough to answer. The file that matters:

- ${tick(f.path)}

I do not expect to need more of ${f.pack} than this. There is no change on disk yet.`,
  },

  {
    name: "Portuguese plan, file to be changed",
    kind: "path",
    planned: true,
    write: (f) => `## Plano

1. Escrever um teste que reproduza o problema.
2. Ajustar ${tick(f.path)} para que o caso vazio seja tratado antes dos outros.
3. Rodar a suíte completa e atualizar a documentação.

Posso começar?`,
  },

  // ---------------------------------------------------------------- symbol (12)
  {
    name: "symbol with the place in parentheses",
    kind: "symbol",
    write: (f) =>
      `The part you are asking about is ${tick(f.symbol)} (${tick(`${f.path}:${f.line}`)}). I would be careful about changing what it accepts, since I have not looked at all of its users.`,
  },

  {
    name: "is defined in path at line",
    kind: "symbol",
    defines: true,
    write: (f) =>
      `${tick(f.symbol)} is defined in ${tick(f.path)} at line ${f.line}. I can walk you through its callers next, if that helps.`,
  },

  {
    name: "audit finding with a bold title, long",
    kind: "symbol",
    long: true,
    write: (f) => `# Audit of ${f.pack}

I went through the package with three questions in mind: does it trust input that it should not trust, does it fail loudly when it fails, and can a newcomer tell what is public and what is not. Overall the code is in decent shape. It is consistent, the naming is careful, and most of the surprising decisions are explained where they are made. The findings below are therefore mostly about robustness and maintenance and not about outright bugs.

## Findings

### 1. **${tick(f.symbol)}** — ${tick(`${f.path}:${f.line}`)}

**Severity:** medium. **Confidence:** fairly high.

The contract is not written down anywhere. From the way it is used, one has to guess which inputs are legal, and the guesses I made at first turned out to be wrong. A newcomer who adds a caller will most likely make the same mistake, and the result will not be an error but a slightly wrong value that shows up much later.

**Recommendation:** document what is accepted, reject everything else early, and add a test for each rejected case. This is perhaps an hour of work and removes a whole class of questions.

### 2. Error messages

Messages are written for the maintainers and not for the users. Several of them say what went wrong internally without saying what the reader could do about it. I would rewrite them in one pass so that they share a tone.

### 3. Releases

The change log is kept by hand and lags behind. Either automate it or drop it; a stale one is worse than none.

## Not covered

I did not run a fuzzer and did not review the build scripts. I also took the dependencies as given. If you would like me to go on, I would start with the build scripts, because they run with more rights than the rest.`,
  },

  {
    name: "plain name, dash, place, in a list of entry points",
    kind: "symbol",
    plain: true,
    write: (f) => `Entry points worth knowing:

- ${f.symbol} — ${f.path}:${f.line}

Everything else is reached from there.`,
  },

  {
    name: "plain name declared, line after comma",
    kind: "symbol",
    plain: true,
    defines: true,
    write: (f) =>
      `Short answer: yes, it is part of the package. ${f.symbol} is declared in ${f.path}, line ${f.line}. I have not checked since which release.`,
  },

  {
    name: "German, defined in a file at a line",
    kind: "symbol",
    defines: true,
    write: (f) =>
      `Kurz zum Stand: ${tick(f.symbol)} wird in ${tick(f.path)} (Zeile ${f.line}) definiert. Ich habe dort noch nichts geändert, weil ich erst klären möchte, ob das Verhalten so gewollt ist.`,
  },

  {
    name: "nested list, file above, L-number below",
    kind: "symbol",
    write: (f) => `**Places I would look at first**

- ${tick(f.path)}
  - L${f.line}: ${tick(f.symbol)}
    - not sure yet why it is needed
    - have not looked for tests of it

That is all for this part.`,
  },

  {
    name: "numbered plan step on a symbol",
    kind: "symbol",
    planned: true,
    write: (f) => `### Implementation plan

1. Add a failing test for the reported case.
2. Extend ${tick(f.symbol)} (${f.path}:${f.line}) so that it handles the empty case explicitly.
3. Run the full suite and the linter.
4. Mention the change in the release notes.

Shall I go ahead?`,
  },

  {
    name: "Chinese, defined on line",
    kind: "symbol",
    defines: true,
    write: (
      f,
    ) => `我已经看过相关代码。${tick(f.symbol)} 定义在 ${tick(f.path)} 第 ${f.line} 行，目前没有做任何修改。

如果需要，我可以先补一个测试，再继续处理。`,
  },

  {
    name: "link whose text is the symbol",
    kind: "symbol",
    write: (f) =>
      `Most of the work happens in [${tick(f.symbol)}](${f.path}#L${f.line}); what comes before is only preparation. If you want to set a breakpoint, set it there.`,
  },

  {
    name: "absolute path, symbol starts here",
    kind: "symbol",
    defines: true,
    write: (f) => `Relevant locations:

- ${tick(`/home/user/${last(f.pack)}/${f.path}:${f.line}`)} – ${tick(f.symbol)} starts here

I kept the search to the sources and left the generated output aside.`,
  },

  {
    name: "full path first, then around line of the base name",
    kind: "symbol",
    write: (f) => `I started from ${tick(f.path)}, since that is where the stack trace ends.

Look around line ${f.line} of ${tick(base(f.path))}: that is ${tick(f.symbol)}, and it is the only candidate I would take seriously. The other frames belong to the test runner.`,
  },

  // ---------------------------------------------------------------- code (10)
  {
    name: "inline code after the place",
    kind: "code",
    write: (f) =>
      `At ${tick(`${f.path}:${f.line}`)} there is ${tick(f.code)}, and I think that is what you are seeing. Whether it is intended I cannot tell from the history alone.`,
  },

  {
    name: "single line in a fence under the place",
    kind: "code",
    write: (f) => `Found it. ${tick(`${f.path}:${f.line}`)}:

${fence(f.code, lang(f))}

This is what the report is about. I would leave it as it is until we know who relies on it.`,
  },

  {
    name: "output of grep in a fence",
    kind: "code",
    write: (f) => `Search result:

${fence(`${f.path}:${f.line}:${f.code}`)}

That is the one I would start with.`,
  },

  {
    name: "table with place, code and note",
    kind: "code",
    write: (f) => `## Review notes

| # | Location | Code | Note |
|---|----------|------|------|
| 1 | ${bar(`${f.path}:${f.line}`)} | ${cell(f.code)} | worth a comment |

Nothing here blocks the merge.`,
  },

  {
    name: "Spanish, on line N of the file",
    kind: "code",
    write: (f) =>
      `He revisado el módulo. En la línea ${f.line} de ${tick(f.path)} aparece ${tick(f.code)}, que es justo lo que mencionaba el informe. No he cambiado nada todavía; dime si prefieres que lo corrija o que abra una incidencia.`,
  },

  {
    name: "blockquote of a review with the source below",
    kind: "code",
    write: (f) => `The line that made me hesitate:

> ${tick(f.code)}
>
> — ${f.path}, line ${f.line}

I read it three times before I was sure what it does. A reader in a hurry will get it wrong.`,
  },

  {
    name: "severity bullet with place and code",
    kind: "code",
    write: (f) => `**Findings**

- **[Low]** ${tick(`${f.path}:${f.line}`)} — ${tick(f.code)} is not obvious without knowing the history. Suggest a one-sentence comment.
- **[Info]** The change log could say more about compatibility.

No high or medium findings.`,
  },

  {
    name: "file as a heading, line and code as a nested item",
    kind: "code",
    write: (f) => `### ${tick(f.path)}

1. Reads well on the whole.
2. One detail to discuss:
   - line ${f.line}: ${tick(f.code)}
   - I would like to hear why it was written this way before I suggest anything.

Otherwise approved.`,
  },

  {
    name: "plan to replace a line",
    kind: "code",
    planned: true,
    write: (f) => `**Step 2 of 4: the actual change**

In ${f.path}#L${f.line} the current line is

${fence(f.code, lang(f))}

I will rewrite it so that the intent is clear and the failing case is handled. Callers will not have to change.`,
  },

  {
    name: "long root-cause report with one quoted line",
    kind: "code",
    long: true,
    write: (f) => `## Root cause

After some back and forth I am now confident about what happens. I first suspected the cache, then the way the options are merged, and both turned out to be innocent. I mention them so that nobody has to walk the same road again.

The decisive line is in ${tick(f.path)}:

${fence([remark(f, `${base(f.path)}:${f.line}`), f.code], lang(f))}

On its own there is nothing wrong with it. The trouble is what it assumes about the state at the time it runs. When the package is used in the documented way the assumption holds, and this is why the test suite is green. When somebody uses it twice in a row, or from two places at once, the assumption is broken and the consequences appear somewhere else entirely. That is also why the reports look so different from one another although they all describe the same defect.

## Evidence

- With a breakpoint there, the state is as expected on the first pass and is not on the second.
- When I reset the state by hand in between, the failure goes away, and it stays away over a few hundred repetitions.
- The oldest release I tried shows the same behaviour, so this is not a recent regression.

## Options

1. **Fix it at the source.** Small change, but it alters what happens for users who rely on the present behaviour, knowingly or not.
2. **Guard the callers.** Larger change, no visible effect for anybody, and easy to forget when a new caller is added.
3. **Document it.** No risk, but it does not help those who already have the problem.

I lean towards the first option together with a note in the release announcement. It is the only one that removes the cause, and the users it could surprise are probably few. Please tell me which you prefer and I will prepare the change with tests.`,
  },

  // ---------------------------------------------------------------- block (11)
  {
    name: "fence under path:line-end",
    kind: "block",
    ranged: true,
    write: (f) => `The code in question, ${tick(`${f.path}:${f.line}-${f.end}`)}:

${fence(f.block, lang(f))}

I see no reason to change it, but it deserves a test of its own.`,
  },

  {
    name: "citation in the info string, start:end:path",
    kind: "block",
    ranged: true,
    write: (f) => `This is the part that handles it:

${fence(f.block, `${f.line}:${f.end}:${f.path}`)}

What follows after it is only bookkeeping.`,
  },

  {
    name: "place in a comment on the first line of the fence",
    kind: "block",
    ranged: true,
    write: (f) => `Here is the current state for reference:

${fence([remark(f, `${f.path}:${f.line}-${f.end}`), ...f.block], lang(f))}

If you agree with my reading, I will write the test next.`,
  },

  {
    name: "numbers with an arrow before the lines",
    kind: "block",
    ranged: true,
    gutter: true,
    write: (f) => `From ${tick(f.path)} (lines ${f.line}–${f.end}):

${fence(f.block.map((l, i) => `${String(Number(f.line) + i).padStart(6)}→${l}`))}

So the answer to your question is yes, as far as I can tell.`,
  },

  {
    name: "file name only, numbers with a bar before the lines",
    kind: "block",
    gutter: true,
    write: (f) => `**${f.path}**

${fence(
  f.block.map((l, i) =>
    `${String(Number(f.line) + i).padStart(String(f.end).length)} | ${l}`.trimEnd(),
  ),
  lang(f),
)}

I stopped there, since the rest has no bearing on the bug.`,
  },

  {
    name: "quoted from a file without any line",
    kind: "block",
    lineless: true,
    write: (f) => `The existing code in ${tick(f.path)} already does something similar:

${fence(f.block, lang(f))}

I would follow the same pattern for the new case and not invent a second one.`,
  },

  {
    name: "fence inside a numbered list, only the first line given",
    kind: "block",
    write: (f) => `What I found, in order of importance:

1. **Unclear intent.** Starting at ${tick(`${f.path}:${f.line}`)}:

   ${fence(f.block, lang(f), "   ").trimStart()}

   It took me a while to see why this is needed.

2. **Missing documentation.** The public part of ${f.pack} is described only briefly.`,
  },

  {
    name: "Russian, lines from to",
    kind: "block",
    ranged: true,
    write: (f) => `Нашёл нужное место. Файл ${tick(f.path)}, строки ${f.line}–${f.end}:

${fence(f.block, lang(f))}

Пока ничего не менял: сначала хочу понять, кто ещё на это опирается.`,
  },

  {
    name: "diff of a planned removal",
    kind: "block",
    ranged: true,
    planned: true,
    write: (
      f,
    ) => `**Proposed clean-up** (not applied yet): drop lines ${f.line}-${f.end} of ${tick(f.path)}.

${fence(
  f.block.map((l) => `-${l}`),
  "diff",
)}

I will do it in a separate commit so that it is easy to revert.`,
  },

  {
    name: "details element with a link as summary, tilde fence",
    kind: "block",
    ranged: true,
    write: (f) => `I left the excerpt folded to keep this short.

<details>
<summary><a href="${f.path}#L${f.line}-L${f.end}">${f.path}#L${f.line}-L${f.end}</a></summary>

${fence(f.block, lang(f), "", "~")}

</details>

Nothing surprising in it, as far as I can see.`,
  },

  {
    name: "long review with a dedented excerpt",
    kind: "block",
    ranged: true,
    long: true,
    write: (f) => `# Code review

**Scope:** the sources of ${f.pack} as they are in the working tree. I read them, ran the tests once and compared the documentation with what I saw. I did not measure performance and did not look at the packaging.

## General impression

The structure is easy to follow. Modules have one job each, and names mean what they say. I especially liked that error handling is done close to where the errors arise and is not pushed to the outermost layer, as one so often sees. What could be better is the treatment of unusual input. There are tests for the common cases and for some of the absurd ones, but there is not much in between, and that is where real users tend to be.

## One passage in detail

**File:** ${tick(`/home/user/${last(f.pack)}/${f.path}`)}
**Lines:** ${f.line}-${f.end}

${fence(dedent(f.block), lang(f))}

I chose this passage because it shows both the strength and the weakness that I described above. It is compact and it does what it should. At the same time a reader needs to know a good deal about the rest of the package to be sure of that. I would not rewrite it. I would add two or three sentences that say what has to hold before it runs and what holds afterwards. Those sentences would also make it plain which tests are missing.

## Suggestions

1. Write down the assumptions, here and in the two or three other spots that are as dense as this one.
2. Add tests for input that is legal but rare.
3. Decide whether the package wants to support use from several threads or processes at once, and say so in the documentation either way.

## Verdict

Approve with minor comments. None of the above needs to hold up the release, and I am happy to take on the first two points myself if nobody else wants them.`,
  },
];
