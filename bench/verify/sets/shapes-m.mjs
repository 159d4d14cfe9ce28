// Ways in which coding agents write a place of a repository down.

const longest = (text) =>
  Math.max(0, ...(String(text).match(/`+/g) || []).map((run) => run.length));

// A code span that survives backticks inside.
const span = (text) => {
  const s = String(text);
  const runs = new Set((s.match(/`+/g) || []).map((run) => run.length));
  let n = 1;
  while (runs.has(n)) n += 1;
  const ticks = "`".repeat(n);
  const pad = s.startsWith("`") || s.endsWith("`") ? " " : "";
  return ticks + pad + s + pad + ticks;
};

// The same for a table cell.
const cell = (text) => span(text).replace(/\|/g, "\\|");

// A fenced block, with a fence longer than any run of backticks inside.
const fence = (info, body, prefix = "") => {
  const text = Array.isArray(body) ? body.join("\n") : String(body);
  const ticks = "`".repeat(Math.max(3, longest(text) + 1));
  return [ticks + info, ...text.split("\n"), ticks]
    .map((line) => (prefix + line).replace(/^[ \t]+$/, ""))
    .join("\n");
};

const dedent = (lines) => {
  const full = lines.filter((line) => line.trim() !== "");
  if (full.length === 0) return lines;
  let common = full[0].match(/^[ \t]*/)[0];
  for (const line of full) {
    while (!line.startsWith(common)) common = common.slice(0, -1);
  }
  return lines.map((line) =>
    line.startsWith(common) ? line.slice(common.length) : line.trimStart(),
  );
};

const last = (f) => f.end ?? f.line + (f.block ? f.block.length - 1 : 0);
const base = (path) => path.split("/").pop();
const root = (f) => "/home/user/" + base(String(f.pack || "project"));
const href = (target) =>
  /[\s()<>]/.test(target) ? `<${target.replace(/[<>]/g, "\\$&")}>` : target;
const remark = (f) =>
  /^(py|python|rb|ruby|sh|bash|shell|perl|pl|elixir|ex|r|yaml|yml|toml)$/i.test(f.lang)
    ? "#"
    : "//";

export const shapes = [
  // ---------------------------------------------------------------- bare
  {
    name: "severity bullet, path:line in backticks",
    kind: "bare",
    write: (f) => `## Review

Overall this looks good to me. One thing I'd settle before merging:

- **Medium** — \`${f.path}:${f.line}\`: the intent isn't obvious on a first read. Either a short comment or a better name would do.

Everything else is a matter of taste and can wait.`,
  },
  {
    name: "plan step with path:start-end",
    kind: "bare",
    ranged: true,
    write: (f) => `Here's the plan I'd follow:

1. Write a failing test first, so that we see the problem.
2. Rework \`${f.path}:${f.line}-${f.end}\` and keep the behaviour otherwise unchanged.
3. Run the whole suite again and look at the diff once more.

Let me know if you want me to go ahead.`,
  },
  {
    name: "markdown link, basename as text, #L range as target",
    kind: "bare",
    ranged: true,
    write: (
      f,
    ) => `I found the spot. The part you're asking about is in [${base(f.path)}:${f.line}-${f.end}](${href(`${f.path}#L${f.line}-L${f.end}`)}).

I haven't changed anything yet. If you agree with the approach above, I'll start there and keep the change as small as possible.`,
  },
  {
    name: "Codex citation with dagger",
    kind: "bare",
    ranged: true,
    write: (f) => `**Summary**
- Went through the part that the issue talks about and noted what I'd simplify. 【F:${f.path}†L${f.line}-L${f.end}】

**Testing**
- ⚠️ Not run (read-only review)`,
  },
  {
    name: "prose, line N of path",
    kind: "bare",
    write: (f) => `Short answer: yes, I think you're right.

Have a look at line ${f.line} of \`${f.path}\`, that is where I would put the breakpoint. If the value is already wrong at this point, the cause is further up; if not, we can rule out the first half.

I couldn't reproduce it on my side, so take this as a hypothesis.`,
  },

  // ---------------------------------------------------------------- path
  {
    name: "files to modify, bullet with path",
    kind: "path",
    write: (f) => `### Files to modify

- \`${f.path}\` — the actual change goes here

### Out of scope

Renaming, formatting and anything that isn't needed for the fix.`,
  },
  {
    name: "where-is answer, bold path in a sentence",
    kind: "path",
    write: (f) => `You'll want to start reading in **\`${f.path}\`**.

I'd read it once without stopping, take notes, and ignore everything else until you have a rough picture of that file; happy to walk you through it in detail.`,
  },

  // ---------------------------------------------------------------- symbol, defines
  {
    name: "sentence: is defined in path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `${span(f.symbol)} is defined in \`${f.path}:${f.line}\`.

I'd read it from top to bottom before changing anything, then decide whether the fix belongs there or at the place where it's used. My preference is the former.`,
  },
  {
    name: "table: symbol, defined at",
    kind: "symbol",
    defines: true,
    write: (f) => `Here is what you asked for:

| Symbol | Defined at |
|--------|------------|
| ${cell(f.symbol)} | ${cell(`${f.path}:${f.line}`)} |

I left usages out of the table on purpose. Tell me if you'd like those as well.`,
  },
  {
    name: "German: ist in path (Zeile N) definiert",
    kind: "symbol",
    defines: true,
    write: (f) => `Kurz zusammengefasst:

- ${span(f.symbol)} ist in \`${f.path}\` (Zeile ${f.line}) definiert.
- Ich würde die Änderung genau dort vornehmen und sonst nichts anfassen.

Getestet habe ich noch nichts, das käme im nächsten Schritt.`,
  },
  {
    name: "bold label Definition, path then line",
    kind: "symbol",
    defines: true,
    write: (f) => `## ${span(f.symbol)}

- **Definition:** \`${f.path}\`, line ${f.line}
- **Recommendation:** leave it alone until there is a test that you trust
- **Effort:** small

Nothing here is urgent.`,
  },

  // ---------------------------------------------------------------- symbol, place only
  {
    name: "root cause, symbol with (path:line) behind",
    kind: "symbol",
    write: (f) => `**Root cause**

The trail ends at ${span(f.symbol)} (\`${f.path}:${f.line}\`). Whatever comes in there wrong also comes out wrong, so a guard further down would only hide the symptom.

**Suggested fix**

Validate the input as early as possible and fail loudly. I'd add a regression test in the same commit.`,
  },
  {
    name: "Codex review finding, [P2] title — absolute path:line",
    kind: "symbol",
    write: (f) => `The change is reasonable, but I'd ask for one follow-up before it ships.

Review comment:

- [P2] Reconsider the name ${span(f.symbol)} — ${root(f)}/${f.path}:${f.line}
  A reader who comes to this for the first time may expect something else from the name. Consider renaming it or documenting the intent, so that the next change doesn't rely on a wrong assumption.`,
  },
  {
    name: "call chain in a fence, symbol and path:line",
    kind: "symbol",
    write: (f) => `This is how far I got while debugging:

\`\`\`
(caller)
  └─ ${f.symbol}  (${f.path}:${f.line})
       └─ (not followed any further)
\`\`\`

I stopped at that level; going deeper didn't tell me anything new.`,
  },
  {
    name: "markdown link, symbol as text, path#Lline as target",
    kind: "symbol",
    write: (
      f,
    ) => `Good question. The piece that matters here is [${span(f.symbol)}](${href(`${f.path}#L${f.line}`)}).

If you only want to understand the behaviour, reading that is enough. If you want to change it, I'd write a test against the public interface first.`,
  },
  {
    name: "audit table with file, line and symbol columns",
    kind: "symbol",
    write: (f) => `### Findings

| # | Severity | File | Line | Symbol | Action |
|---|----------|------|------|--------|--------|
| 1 | Low | ${cell(f.path)} | ${f.line} | ${cell(f.symbol)} | Add a doc comment |

No blockers from my side. The action above can be done in a follow-up.`,
  },
  {
    name: "file as heading, bullet with L-number and symbol",
    kind: "symbol",
    write: (f) => `I grouped my notes by file.

### ${f.path}

- **L${f.line}** ${span(f.symbol)}: worth a second pair of eyes. I'd like to hear from the author why it was done this way before I suggest anything.

That's all from me.`,
  },
  {
    name: "prose: in path, symbol (line N)",
    kind: "symbol",
    write: (f) => `I went through the report and tried to narrow it down.

In \`${f.path}\`, ${span(f.symbol)} (line ${f.line}) is the first candidate. I'm fairly but not entirely sure: I only read the code and haven't executed it. A quick log statement there should confirm or refute it within a minute.`,
  },
  {
    name: "key places list, path:line — symbol",
    kind: "symbol",
    write: (f) => `Done with the exploration. Key places for this task:

- \`${f.path}:${f.line}\` — ${span(f.symbol)}, the entry point for the planned change

**Next steps**
1. Agree on the expected behaviour
2. Implement
3. Update the docs if needed`,
  },

  // ---------------------------------------------------------------- code
  {
    name: "bullet, path:line: inline code",
    kind: "code",
    write: (f) => `I'd look at this one first:

- \`${f.path}:${f.line}\`: ${span(f.code)}

It may well be fine, but it's the kind of line that I'd want covered by a test before anyone touches it.`,
  },
  {
    name: "path:line with colon, then one-line fence",
    kind: "code",
    write: (f) => `**1. Easy to misread**

\`${f.path}:${f.line}\`:

${fence(f.lang, f.code)}

I had to read this twice. Not a bug as far as I can tell, just something to keep in mind when you refactor.`,
  },
  {
    name: "table with location and code",
    kind: "code",
    write: (f) => `Result of the audit:

| Location | Code | Verdict |
|---|---|---|
| ${cell(`${f.path}:${f.line}`)} | ${cell(f.code)} | keep, but document |

I rated this by reading only. Nothing was executed.`,
  },
  {
    name: "grep output path:line:code in a fence",
    kind: "code",
    write: (f) => `I searched for it and this is the hit I'd start with:

${fence("", `${f.path}:${f.line}:${f.code}`)}

Before editing I'd check with whoever wrote it. The wording of the issue leaves room for more than one reading.`,
  },
  {
    name: "prose: line N of path reads code",
    kind: "code",
    write: (
      f,
    ) => `To answer your question directly: line ${f.line} of \`${f.path}\` reads ${span(f.code)}, and that's what I meant in my earlier message.

Sorry for being vague before. If you see something different on your side, we're probably not looking at the same revision.`,
  },
  {
    name: "review comment, bold place above a quoted line",
    kind: "code",
    write: (f) => `**${span(f.path)}, line ${f.line}**

> ${span(f.code)}

nit: could we make this a bit more explicit? I don't feel strongly about it, so feel free to resolve the comment if you disagree.`,
  },
  {
    name: "fence with place as comment in its first line",
    kind: "code",
    write: (f) => `The relevant line:

${fence(f.lang, `${remark(f)} ${f.path}:${f.line}\n${f.code}`)}

My suggestion is to leave it as it is for now and to revisit it once the larger refactoring has landed.`,
  },
  {
    name: "finding as field list: file, line, code",
    kind: "code",
    write: (f) => `### Finding 1: Needs clarification

- **File:** \`${f.path}\`
- **Line:** ${f.line}
- **Code:** ${span(f.code)}
- **Severity:** Low
- **Recommendation:** explain the intent in a comment, or restructure so that no explanation is needed

No further findings.`,
  },
  {
    name: "numbered change, link to path#L, code behind a dash",
    kind: "code",
    write: (f) => `I'd make the change in this order:

1. [${f.path}:${f.line}](${href(`${f.path}#L${f.line}`)}) – ${span(f.code)}
   This goes first, because it's the smallest step that can be verified on its own.
2. Clean up afterwards, in a separate commit.

Want me to proceed?`,
  },
  {
    name: "Spanish: en la línea N de path",
    kind: "code",
    write: (f) => `He revisado lo que comentabas.

En la línea ${f.line} de \`${f.path}\` aparece:

${fence(f.lang, f.code)}

Yo empezaría por ahí. Todavía no he modificado nada; si te parece bien, preparo el cambio y una prueba.`,
  },

  // ---------------------------------------------------------------- block
  {
    name: "bold path:start-end above a fence",
    kind: "block",
    write: (f) => `Here's the part in question.

**\`${f.path}:${f.line}-${last(f)}\`**

${fence(f.lang, f.block)}

I'd keep the structure and only touch what the issue asks for. Anything beyond that makes the diff harder to review.`,
  },
  {
    name: "numbered heading with place in parentheses, fence below",
    kind: "block",
    write: (f) => `## Issues

### 1. Hard to follow (\`${f.path}:${f.line}\`)

${fence(f.lang, f.block)}

**Impact:** low, mostly a question of maintainability.
**Fix:** split it into smaller steps with names that tell what they're for.`,
  },
  {
    name: "Cursor fence start:end:path",
    kind: "block",
    write: (f) => `Yes, I see what you mean. This is the code:

${fence(`${f.line}:${last(f)}:${f.path}`, f.block)}

I think it does what the author intended, though I'd like to see a test that pins it down. Shall I write one?`,
  },
  {
    name: "fence with place and lines as comment on top",
    kind: "block",
    write: (f) => `**Current state**

${fence(f.lang, [`${remark(f)} ${f.path} (lines ${f.line}-${last(f)})`, ...f.block])}

**Proposal**

Leave the interface as it is and rewrite the inside. I'd do that in one commit, so that it can be reverted easily.`,
  },
  {
    name: "block with a gutter of line numbers",
    kind: "block",
    write: (f) => {
      const width = String(f.line + f.block.length - 1).length;
      const rows = f.block.map((text, i) =>
        `${String(f.line + i).padStart(width)} | ${text}`.trimEnd(),
      );
      return `Let me quote what I'm looking at, from \`${f.path}\`:

${fence("", rows)}

Reading it in isolation, I can't tell whether this is on purpose. A hint from the author would help; otherwise I'd treat it as intended.`;
    },
  },
  {
    name: "numbered finding, fence indented in the list",
    kind: "block",
    write: (f) => `Two remarks, the first one is the more important:

1. **Deserves a comment**: \`${f.path}\` lines ${f.line}–${last(f)}

${fence(f.lang, f.block, "   ")}

   It took me a while to see why it's written like this.

2. The description of the pull request could say a bit more about the motivation.`,
  },
  {
    name: "starting at line N of path, dedented fence",
    kind: "block",
    write: (f) => `I traced it back as far as I could. Starting at line ${f.line} of \`${f.path}\`:

${fence(f.lang, dedent(f.block))}

That's where I'd set a breakpoint. I haven't run it under a debugger, so please treat the rest of my analysis as a working theory.`,
  },
  {
    name: "diff that takes the lines out",
    kind: "block",
    write: (f) => `### Step 2: replace the old code

In \`${f.path}\` (L${f.line}-L${last(f)}), take this out:

${fence(
  "diff",
  f.block.map((text) => `-${text}`),
)}

The replacement follows in the next step. Don't commit in between, the tree may not build at that point.`,
  },
  {
    name: "review comment as blockquote with a fence inside",
    kind: "block",
    write: (f) => `On \`${f.path}:${f.line}\`:

${fence(f.lang, f.block, "> ")}

Could you say a word about why this approach was chosen? I can think of an alternative, but I may be missing context. Not blocking.`,
  },
  {
    name: "link with absolute target above a fence",
    kind: "block",
    write: (
      f,
    ) => `Found it: [${f.path}#L${f.line}-L${last(f)}](${href(`${root(f)}/${f.path}#L${f.line}`)})

${fence(f.lang, f.block)}

**Assessment:** acceptable as it stands.
**Confidence:** medium, based on reading only.`,
  },
  {
    name: "French: dans path, lignes N à M",
    kind: "block",
    write: (
      f,
    ) => `Voici l'extrait dont je parlais, dans \`${f.path}\` (lignes ${f.line} à ${last(f)}) :

${fence(f.lang, f.block)}

Je n'ai rien modifié pour l'instant. À mon avis, il vaut mieux ajouter un test avant d'y toucher.`,
  },
];
