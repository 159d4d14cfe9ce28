// ---- small Markdown helpers -------------------------------------------------
const runs = (s) => Math.max(0, ...(s.match(/`+/g) || []).map((r) => r.length));

// inline code span whose delimiter does not occur in the text
const tick = (s) => {
  const have = new Set((s.match(/`+/g) || []).map((r) => r.length));
  let n = 1;
  while (have.has(n)) n++;
  const d = "`".repeat(n);
  const pad = s.startsWith("`") || s.endsWith("`") ? " " : "";
  return d + pad + s + pad + d;
};
// the same inside a table cell
const cell = (s) => tick(s).replace(/\|/g, "\\|");

// fenced block, longer than any run of backticks in it
const fence = (info, lines) => {
  const text = Array.isArray(lines) ? lines.join("\n") : lines;
  const d = "`".repeat(Math.max(3, runs(text) + 1));
  return `${d}${info}\n${text}\n${d}`;
};
const each = (text, prefix) =>
  text
    .split("\n")
    .map((l) => (l === "" ? prefix.trimEnd() : prefix + l))
    .join("\n");

const base = (p) => p.split("/").pop();
const root = (f) => `/home/user/${String(f.pack).split("/").pop()}`;
const dest = (u) => (/[\s()<>]/.test(u) ? `<${u}>` : u);
const hash = (lang) => /^(py|python|rb|ruby|sh|bash|r|pl|perl|ex|elixir)$/i.test(lang || "");
const remark = (f, s) => (hash(f.lang) ? `# ${s}` : `// ${s}`);

export const shapes = [
  // ---- bare: 5 ---------------------------------------------------------------
  {
    name: "path:line in backticks, closing sentence of a summary",
    kind: "bare",
    write: (
      f,
    ) => `Done. I kept the change as small as I could and did not touch anything that wasn't needed for it.

The place to look at in review is \`${f.path}:${f.line}\`. Everything else in the diff follows from there.

Let me know if you'd rather have this split into separate commits.`,
  },
  {
    name: "Codex cloud citation with range",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**

* Reworked the handling you described so that it no longer depends on call order. 【F:${f.path}†L${f.line}-L${f.end}】

**Notes**

* I did not run the full suite, since the dependencies could not be installed in this environment.`,
  },
  {
    name: "lines a–b of file, in prose",
    kind: "bare",
    ranged: true,
    write: (f) => `Short answer: yes, I think your suspicion is right.

If you read lines ${f.line}–${f.end} of \`${f.path}\` with that in mind, the behaviour you are seeing makes sense. I haven't changed anything there yet because I wasn't sure whether other people rely on it.

Want me to go ahead?`,
  },
  {
    name: "relative link with #L anchor, file name and line as text",
    kind: "bare",
    write: (f) => `I traced it as far as I could without a debugger.

- Most likely spot: [${base(f.path)}:${f.line}](${dest(`${f.path}#L${f.line}`)})
- I could not reproduce it locally, so treat this as a lead and not as a diagnosis.

If you can send me a log from a failing run, I can confirm it.`,
  },
  {
    name: "plan checklist, path then (line n)",
    kind: "bare",
    write: (f) => `## Plan

- [ ] Agree on the wanted behaviour
- [ ] Make the edit in ${f.path} (line ${f.line})
- [ ] Add a regression test
- [ ] Mention it in the release notes

I'll wait for your OK before I start.`,
  },

  // ---- path: 2 ---------------------------------------------------------------
  {
    name: "files touched, bullet with path",
    kind: "path",
    write: (f) => `I've made the change you asked for.

**Files changed**
- \`${f.path}\` — the actual fix, plus a short comment on why it is needed

Nothing else was modified. You may want to rebuild before you try it out.`,
  },
  {
    name: "where does it live, path in a sentence",
    kind: "path",
    write: (f) => `The code you're asking about lives in \`${f.path}\`.

I'd start reading there and follow the calls outward. It's fairly self-contained, so you shouldn't need much background.

Happy to walk through it in more detail if that helps.`,
  },

  // ---- symbol: 12, 4 of them defines ------------------------------------------
  {
    name: "is defined in path:line, answer",
    kind: "symbol",
    defines: true,
    write: (f) => `\`${f.symbol}\` is defined in \`${f.path}:${f.line}\`.

I'd change it there and leave the callers alone. If you need the old behaviour somewhere, a thin wrapper would be the least invasive way.`,
  },
  {
    name: "table: symbol, defined at",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is what you need to know to find your way around:

| Symbol | Defined at |
|---|---|
| ${cell(f.symbol)} | ${cell(`${f.path}:${f.line}`)} |

I left out everything that is only re-exported.`,
  },
  {
    name: "bold symbol, declared in path on line n",
    kind: "symbol",
    defines: true,
    write: (f) => `### Where is what

- **\`${f.symbol}\`** – declared in \`${f.path}\` on line ${f.line}. This is the one you'll want to extend.
- The rest is glue and can be ignored for this task.

I would avoid adding a second variant next to it; one with an option is easier to maintain.`,
  },
  {
    name: "definition of symbol, linked file, line in words",
    kind: "symbol",
    defines: true,
    write: (f) => `I went looking for a good place for the new option.

You'll find the definition of \`${f.symbol}\` in [${f.path}](${dest(`${f.path}#L${f.line}`)}), line ${f.line}. From what I can tell that's the only spot that has to change.

I haven't written any code yet. Should I?`,
  },
  {
    name: "summary bullet: symbol (path:line)",
    kind: "symbol",
    write: (f) => `All set. Here's a summary of what I did:

**What changed**
- \`${f.symbol}\` (\`${f.path}:${f.line}\`): tightened the handling of the edge case from your report
- added a comment that explains the reasoning

**What I left alone**
- the public interface stays as it was`,
  },
  {
    name: "path:line — symbol, list of places",
    kind: "symbol",
    write: (f) => `This is what I would look at again before merging:

- \`${f.path}:${f.line}\` — \`${f.symbol}\`

I don't consider it a blocker, but it deserves a second pair of eyes. Otherwise the branch looks good to me.`,
  },
  {
    name: "call list with arrows, parenthesised place",
    kind: "symbol",
    write: (f) => `The flow, roughly:

1. The request comes in from the caller
2. → \`${f.symbol}\` (${f.path}:${f.line})
3. → the result is handed back to the caller

The second step is the interesting one; a breakpoint there should tell you quickly whether I'm right.`,
  },
  {
    name: "table: file, line, symbol, note",
    kind: "symbol",
    write: (f) => `## Audit results

| # | Severity | File | Line | Symbol | Note |
|---|----------|------|------|--------|------|
| 1 | Low | ${cell(f.path)} | ${f.line} | ${cell(f.symbol)} | Worth documenting |

I found nothing that would need to be fixed before the release.`,
  },
  {
    name: "Codex desktop link, symbol as link text, absolute path:line",
    kind: "symbol",
    write: (f) => `I've implemented this, and kept it backwards compatible as far as I can see.

The main change is in [${tick(f.symbol)}](${dest(`${root(f)}/${f.path}:${f.line}`)}). The rest is just passing the value through.

I didn't run the integration tests because they need network access.`,
  },
  {
    name: "review comment headline: path:line [minor] symbol",
    kind: "symbol",
    write: (
      f,
    ) => `**${f.path}:${f.line}** [minor] The name \`${f.symbol}\` is a bit hard to search for.

Not asking for a rename in this PR, but it might be worth a thought the next time somebody is in here.

Approving anyway.`,
  },
  {
    name: "path::symbol (line n)",
    kind: "symbol",
    write: (f) => `Root cause, as far as I understand it:

The value gets lost on the way through \`${f.path}::${f.symbol}\` (line ${f.line}). Once that happens, nothing downstream can recover it, and you get the confusing message from your screenshot.

I'd fix it at the source and not paper over it later.`,
  },
  {
    name: "Spanish: symbol en path, línea n",
    kind: "symbol",
    write: (f) => `Ya está hecho. Te resumo lo más importante:

- El cambio principal afecta a \`${f.symbol}\`, en \`${f.path}\`, línea ${f.line}.
- No he tocado la configuración.

Si quieres, puedo añadir también una prueba para este caso.`,
  },

  // ---- code: 10 ----------------------------------------------------------------
  {
    name: "sentence: path:line has code",
    kind: "code",
    write: (
      f,
    ) => `I found it. \`${f.path}:${f.line}\` has ${tick(f.code)}, and that's the line that matters here.

I haven't edited it yet because I'd like to hear first whether the current behaviour is intended. If it isn't, the fix is small.`,
  },
  {
    name: "grep -n output in a fence",
    kind: "code",
    write: (f) => `I searched the repository and this is the hit that is relevant for you:

${fence("", `${f.path}:${f.line}:${f.code}`)}

I skipped matches in comments and documentation. Tell me if you want those as well.`,
  },
  {
    name: "table: location and code",
    kind: "code",
    write: (f) => `### Findings

| Location | Code | Recommendation |
|:--|:--|:--|
| ${cell(`${f.path}:${f.line}`)} | ${cell(f.code)} | Keep, but add a comment |

No further action needed from my point of view.`,
  },
  {
    name: "numbered finding, bold title, one-line fence",
    kind: "code",
    write: (f) => `1. **Intent is not obvious** (\`${f.path}\`, line ${f.line})

${each(fence(f.lang, f.code), "   ")}

   A reader who doesn't know the history will stumble over this. A one-sentence comment would do.

Apart from that I have no objections.`,
  },
  {
    name: "bullet: path Ln — code",
    kind: "code",
    write: (f) => `Things I noticed while I was in there (not part of this change):

- \`${f.path}\` L${f.line} — ${tick(f.code)}

I left it untouched so that the diff stays readable. I can open a follow-up for it.`,
  },
  {
    name: "review comment: heading with file and line, code in block quote",
    kind: "code",
    write: (f) => `#### ${tick(f.path)}, line ${f.line}

> ${tick(f.code)}

Is this on purpose? It took me a moment to see what it is there for. If it is, fine by me, otherwise I'd simplify it.`,
  },
  {
    name: "Codex desktop link file:line, then code",
    kind: "code",
    write: (
      f,
    ) => `The behaviour comes down to one line, [${base(f.path)}:${f.line}](${dest(`${root(f)}/${f.path}:${f.line}`)}):

${fence(f.lang, f.code)}

That's why changing your settings had no effect. I can make it configurable if you'd like, but that would be a new feature and not a bug fix.`,
  },
  {
    name: "Chinese: 第 n 行",
    kind: "code",
    write: (f) => `问题已经定位到了。

关键在 \`${f.path}\` 第 ${f.line} 行：${tick(f.code)}

我暂时没有修改这一行，想先确认一下这是不是预期的行为。如果需要，我可以直接提交修复。`,
  },
  {
    name: "root-cause section, on line n of path, fence",
    kind: "code",
    write: (f) => `## Root cause

On line ${f.line} of \`${f.path}\` we have:

${fence(f.lang, f.code)}

## Suggested fix

Handle the missing case before this point is reached. I'd add a test first, so that we see it fail.`,
  },
  {
    name: "code first, place in parentheses after it",
    kind: "code",
    write: (
      f,
    ) => `How it works, in short: by the time we get to ${tick(f.code)} (${f.path}, line ${f.line}), everything that you passed in has already been looked at.

So the order in which you set things up does matter. I added a note about that to my summary because it confused me at first, too.`,
  },

  // ---- block: 11 ---------------------------------------------------------------
  {
    name: "Cursor code citation start:end:path",
    kind: "block",
    write: (f) => `Here's the relevant part:

${fence(`${f.line}:${f.end}:${f.path}`, f.block)}

This is what I'd build on. I don't think a new abstraction is needed for what you have in mind.

Shall I draft the change?`,
  },
  {
    name: "heading path:line-end over a fence",
    kind: "block",
    write: (f) => `### \`${f.path}:${f.line}-${f.end}\`

${fence(f.lang, f.block)}

I'd pull this apart a little, it's doing more than one thing. Not urgent, though, and I wouldn't mix it with the current change.`,
  },
  {
    name: "bullet with lines a–b and an indented fence",
    kind: "block",
    write: (f) => `Two remarks on this:

- In \`${f.path}\`, lines ${f.line}–${f.end}:

${each(fence(f.lang, f.block), "  ")}

- Please have somebody who knows the history look at it before you change anything.

I stopped here, since the rest depends on your answer.`,
  },
  {
    name: "place as comment in the first line of the fence",
    kind: "block",
    write: (f) => `Sure, this is the code in question:

${fence(f.lang, [remark(f, `${f.path}:${f.line}-${f.end}`), ...f.block])}

It's short, but it's easy to misread. If you want to change how it behaves, this is the right place; I wouldn't do it in the callers.`,
  },
  {
    name: "gutter with line numbers and bar",
    kind: "block",
    write: (f) => {
      const w = String(+f.line + f.block.length - 1).length;
      const rows = f.block.map(
        (l, i) => `${String(+f.line + i).padStart(w)} |${l === "" ? "" : " " + l}`,
      );
      return `Let me show you what I mean. From \`${f.path}\`:

${fence("", rows)}

That's the part I would keep exactly as it is. Everything around it is open for discussion.`;
    },
  },
  {
    name: "fence first, caption with link and L range below",
    kind: "block",
    write: (f) => `The code currently looks like this:

${fence(f.lang, f.block)}

— [${f.path}#L${f.line}-L${f.end}](${dest(`${f.path}#L${f.line}-L${f.end}`)})

I'd leave it unless you see it show up in a profile. My guess is that it won't.`,
  },
  {
    name: "finding with File / Lines / Code labels",
    kind: "block",
    write: (f) => `## Finding: unclear responsibility

**Severity:** Low
**File:** \`${f.path}\`
**Lines:** ${f.line}-${f.end}

**Code:**
${fence(f.lang, f.block)}

**Recommendation:** Document what callers may rely on. No functional change required.`,
  },
  {
    name: "Warp fence info path= start=, absolute path",
    kind: "block",
    write: (f) => `I looked through the project and this is the section that you were asking about:

${fence(`${f.lang} path=${root(f)}/${f.path} start=${f.line}`, f.block)}

Let me know if you would like me to edit it, or if reading it was all you needed.`,
  },
  {
    name: "German: ab Zeile n in path",
    kind: "block",
    write: (f) => `Ich habe mir die Stelle angesehen. Ab Zeile ${f.line} in \`${f.path}\` steht:

${fence(f.lang, f.block)}

Genau hier würde ich ansetzen. Geändert habe ich noch nichts, weil ich nicht weiß, ob das Verhalten so gewollt ist.

Soll ich einen Vorschlag machen?`,
  },
  {
    name: "rg -n -A output, path:line: and path-line-",
    kind: "block",
    write: (f) => {
      const rows = f.block.map((l, i) =>
        i === 0 ? `${f.path}:${f.line}:${l}` : `${f.path}-${+f.line + i}-${l}`,
      );
      return `I checked with a search, and this is what comes up:

${fence("text", rows)}

So that's the spot. I'd like to double-check with you before I go any further, as I don't know which of the behaviours you consider correct.`;
    },
  },
  {
    name: "review question: path, starting at line n, fence in block quote",
    kind: "block",
    write: (f) => `**Question** about \`${f.path}\`, starting at line ${f.line}:

${each(fence(f.lang, f.block), "> ")}

Could you explain why it's done this way? I'm not against it, I just couldn't tell from the commit message.

Everything else looks good to me.`,
  },
];
