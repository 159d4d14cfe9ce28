// Forty ways of writing a place of a repository down: reports of sub-agents, audits, migration notes.

const longest = (s, floor) => {
  let n = floor;
  for (const m of String(s).matchAll(/`+/g)) n = Math.max(n, m[0].length);
  return n;
};
/** Inline code that survives backticks inside of it. */
const tick = (s) => {
  const bar = "`".repeat(longest(s, 0) + 1);
  const pad = /^`|`$/.test(s) ? " " : "";
  return bar + pad + s + pad + bar;
};
/** Inline code for a table cell: pipes are escaped. */
const cell = (s) => tick(s).replace(/\|/g, "\\|");
/** A fenced block; `info` is written behind the opening fence. */
const fence = (lines, info = "") => {
  const text = Array.isArray(lines) ? lines.join("\n") : lines;
  const bar = "`".repeat(Math.max(3, longest(text, 2) + 1));
  return `${bar}${info}\n${text}\n${bar}`;
};
const indent = (text, by) =>
  text
    .split("\n")
    .map((l) => (l ? by + l : l))
    .join("\n");
const quote = (text) =>
  text
    .split("\n")
    .map((l) => (l ? "> " + l : ">"))
    .join("\n");
const dest = (s) => (/\s/.test(s) ? `<${s}>` : s);
const base = (p) => p.split("/").pop();
const HASH = new Set([
  "py",
  "python",
  "rb",
  "ruby",
  "sh",
  "bash",
  "pl",
  "perl",
  "r",
  "yaml",
  "yml",
  "toml",
  "ex",
  "elixir",
]);
const remark = (f, text) => (HASH.has(String(f.lang).toLowerCase()) ? "# " : "// ") + text;
const numbered = (f, sep) => {
  const w = String(f.line + f.block.length - 1).length;
  return f.block.map((l, i) => String(f.line + i).padStart(w) + sep + l);
};

export const shapes = [
  // ---------------------------------------------------------------- bare (5)
  {
    name: "sub-agent's answer, one place in backticks",
    kind: "bare",
    write: (f) => `I finished the search you asked for. I only read, I did not change anything.

The place that matters for your question is \`${f.path}:${f.line}\`. I'd start there and decide afterwards whether the migration needs more than that.

Let me know if you want me to keep digging.`,
  },
  {
    name: "open question with a line range",
    kind: "bare",
    ranged: true,
    write: (f) => `## Open questions

- Is \`${f.path}:${f.line}-${f.end}\` in scope for this migration? The brief does not say, so I left it alone.
- Who signs off on the rollout plan?

Everything else in the brief was clear to me.`,
  },
  {
    name: "link with an anchor for the range",
    kind: "bare",
    ranged: true,
    write: (f) => `**Audit result: one item needs a human decision.**

See [${f.path}#L${f.line}-L${f.end}](${dest(`${f.path}#L${f.line}-L${f.end}`)}). I could not tell from reading alone whether this is intended.

Confidence: medium. Please treat it as a question, not as a defect.`,
  },
  {
    name: "audit table, place in one column",
    kind: "bare",
    write: (f) => `Here is the audit log in the format that you requested.

| ID | Location | Severity | Status |
|----|----------|----------|--------|
| A-01 | \`${f.path.replace(/\|/g, "\\|")}:${f.line}\` | low | needs review |

Nothing was edited. The severity is my own estimate.`,
  },
  {
    name: "relevant files, absolute path with line",
    kind: "bare",
    write: (f) => `Done. I've written the summary for the parent task below.

Relevant files (absolute paths):
- /home/user/project/${f.path}:${f.line}

I recommend opening that place before you plan the next step; I didn't find a reason to stop the migration.`,
  },

  // ---------------------------------------------------------------- path (2)
  {
    name: "migration checklist, file only",
    kind: "path",
    write: (f) => `### Migration notes

1. Take a backup branch before anything else.
2. Go through \`${f.path}\` by hand; I would not trust an automated rewrite here.
3. Run the full test suite and compare it with the baseline.

I haven't started on any of these yet.`,
  },
  {
    name: "what I read, absolute path of the file",
    kind: "path",
    write: (f) => `**Scope of this report**

I was asked to look at a single file and I kept to that: \`/home/user/project/${f.path}\`.

I read it once from top to bottom. I didn't run it, and I didn't look at the git history.`,
  },

  // ---------------------------------------------------------------- symbol (12, 4 of them define)
  {
    name: "where is it: defined in path:line",
    kind: "symbol",
    defines: true,
    write: (f) => `Found it. \`${f.symbol}\` is defined in \`${f.path}:${f.line}\`.

If you want, I can follow its usages next; that was not part of the question, so I stopped here.`,
  },
  {
    name: "inventory table with a 'Defined at' column",
    kind: "symbol",
    defines: true,
    write: (f) => `Inventory for the upgrade, as requested by the parent task:

| Symbol | Defined at | Action |
| --- | --- | --- |
| ${cell(f.symbol)} | ${cell(`${f.path}:${f.line}`)} | decide: keep or rename |

The action column is a suggestion. I made no edits.`,
  },
  {
    name: "Spanish: the definition is in the file, line N",
    kind: "symbol",
    defines: true,
    write: (f) => `Ya revisé lo que pediste.

La definición de \`${f.symbol}\` está en \`${f.path}\`, línea ${f.line}. No he modificado nada; solo leí el código.

Si quieres, en el siguiente paso preparo el plan de migración.`,
  },
  {
    name: "key-value record, definition",
    kind: "symbol",
    defines: true,
    write: (f) => `### Item for the rename

- **Symbol:** \`${f.symbol}\`
- **Definition:** \`${f.path}\` line ${f.line}
- **Risk:** not assessed yet
- **Next step:** agree on the new name before anyone touches it

I'll wait for your answer before I go on.`,
  },
  {
    name: "finding heading with the symbol, place below",
    kind: "symbol",
    write: (f) => `### [P2] Review \`${f.symbol}\` before the upgrade

**File:** \`${f.path}:${f.line}\`

I'd like a second opinion here. The upgrade guide is vague about this kind of code, and I would rather ask than guess.

**Suggested owner:** whoever approves the upgrade.`,
  },
  {
    name: "bullet: place, dash, symbol",
    kind: "symbol",
    write: (f) => `**Key places**

- \`${f.path}:${f.line}\` — \`${f.symbol}\`

That's where I would set the first breakpoint. The rest of my notes were dead ends, so I left them out.`,
  },
  {
    name: "root-cause note, place in brackets behind the symbol",
    kind: "symbol",
    write: (f) => `## Root cause (hypothesis)

I believe the behaviour in the ticket comes from \`${f.symbol}\` (\`${f.path}:${f.line}\`). I have not reproduced it, so please read this as a lead.

To confirm it, add a log statement there, repeat the steps in the ticket, and compare the output with a good run.`,
  },
  {
    name: "symbol as link text, anchor as target",
    kind: "symbol",
    write: (f) => `Short version for the parent agent:

1. Start at [\`${f.symbol}\`](${dest(`${f.path}#L${f.line}`)}).
2. Decide there whether the old behaviour has to be kept.
3. Only then write the changelog entry.

I stopped after step 1, as agreed.`,
  },
  {
    name: "path::symbol with the line in brackets",
    kind: "symbol",
    write: (f) => `The audit is complete. One entry for the follow-up list:

* \`${f.path}::${f.symbol}\` (line ${f.line}): worth a look by someone who knows the history

I marked it as "unclear" rather than as "broken", since I only had the source to go by.`,
  },
  {
    name: "plain-text list in a fence",
    kind: "symbol",
    write: (f) => `Reading list, in the plain format that your script expects:

\`\`\`text
TO CHECK
  ${f.symbol}    ${f.path}:${f.line}
\`\`\`

Please check it before the freeze. I have nothing else to add.`,
  },
  {
    name: "JSON record of a sub-agent",
    kind: "symbol",
    write: (f) => `Structured result for the orchestrator:

${fence(
  JSON.stringify(
    {
      status: "done",
      findings: [
        {
          file: f.path,
          line: f.line,
          symbol: f.symbol,
          severity: "info",
          note: "confirm with a maintainer",
        },
      ],
    },
    null,
    2,
  ),
  "json",
)}

No edits were made while producing this.`,
  },
  {
    name: "to-do box with an absolute path",
    kind: "symbol",
    write: (f) => `Follow-ups that I would put on the board:

- [ ] \`${f.symbol}\` at \`/home/user/project/${f.path}:${f.line}\`: agree on what should happen here after the migration
- [ ] write the announcement

Both can wait until after the review. Neither blocks you.`,
  },

  // ---------------------------------------------------------------- code (10)
  {
    name: "sentence: at place we have code",
    kind: "code",
    write: (
      f,
    ) => `I traced it as far as reading allows. At \`${f.path}:${f.line}\` we have ${tick(f.code)}, and that is the line I would question first.

I haven't run anything, so this is a suspicion and not a proof. A small reproduction would settle it.`,
  },
  {
    name: "audit table with the quoted line",
    kind: "code",
    write: (f) => `## Audit: lines to revisit

| File | Line | Code | Verdict |
|------|-----:|------|---------|
| ${cell(f.path)} | ${f.line} | ${cell(f.code)} | check by hand |

"Check by hand" means that I could not decide it from the text alone.`,
  },
  {
    name: "place with a colon, then a fence",
    kind: "code",
    write: (f) => `This is the spot that you were asking about.

\`${f.path}:${f.line}\`:

${fence(f.code, f.lang)}

I'd leave it as it is for now and note it in the migration document.`,
  },
  {
    name: "grep output in a fence",
    kind: "code",
    write: (f) => `I searched the tree from the project root. The hit worth reporting:

${fence(`${f.path}:${f.line}:${f.code}`, "")}

I left out the hits that I considered noise. Tell me if you need the raw output.`,
  },
  {
    name: "numbered finding with location and evidence",
    kind: "code",
    write: (f) => `### Finding 1 (low)

- **Location:** \`${f.path}\`, line ${f.line}
- **Evidence:** ${tick(f.code)}
- **Why it is listed:** it matched the pattern in the audit brief
- **Recommendation:** have it confirmed by a maintainer, then close

End of findings.`,
  },
  {
    name: "review comment, code in a quote",
    kind: "code",
    write: (f) => `**\`${f.path}\`** (line ${f.line})

> ${tick(f.code)}

nit: could you add a short comment that explains the intent? I had to read this twice. Not blocking, happy to approve without it.`,
  },
  {
    name: "German: in line N of the file it says",
    kind: "code",
    write: (f) => `Kurzer Zwischenstand zur Prüfung:

In Zeile ${f.line} von \`${f.path}\` steht ${tick(f.code)}. Ob das nach der Umstellung so bleiben soll, kann ich nicht entscheiden.

Ich habe nichts geändert und warte auf Rückmeldung.`,
  },
  {
    name: "JSON finding with a snippet",
    kind: "code",
    write: (f) => `Report of the audit worker:

${fence(
  JSON.stringify(
    [{ id: "AUD-1", path: f.path, line: f.line, snippet: f.code, confidence: "medium" }],
    null,
    2,
  ),
  "json",
)}

The confidence is my own estimate. The parent should verify the snippet before acting on it.`,
  },
  {
    name: "fence with the place as a comment on top",
    kind: "code",
    write: (f) => `**What I would look at first**

${fence([remark(f, `${f.path}:${f.line}`), f.code], f.lang)}

If the migration guide has a section about this, follow the guide and not me. I couldn't open it from here.`,
  },
  {
    name: "file as heading, lines as bullets below",
    kind: "code",
    write: (f) => `Notes per file, for the migration ticket.

#### \`${f.path}\`

- L${f.line}: ${tick(f.code)} → ask before changing

That's all I have for now; I'll extend the list when the next task comes in.`,
  },

  // ---------------------------------------------------------------- block (11)
  {
    name: "place and range as heading over a fence",
    kind: "block",
    write: (f) => `### ${f.path}:${f.line}-${f.end}

${fence(f.block, f.lang)}

This came up during the audit. I would like to know whether it is meant to survive the migration. Until then I'd not touch it.`,
  },
  {
    name: "code reference fence start:end:path",
    kind: "block",
    write: (f) => `I looked into it. This is the part that you should read:

${fence(f.block, `${f.line}:${f.end}:${f.path}`)}

My suggestion is to discuss it in the review first. I can prepare a patch as soon as we agree on the direction.`,
  },
  {
    name: "sentence with lines N–M, then a fence",
    kind: "block",
    write: (
      f,
    ) => `To answer the question of the parent task: the relevant passage is lines ${f.line}–${f.end} of \`${f.path}\`:

${fence(f.block, f.lang)}

I quote it unchanged. My reading of it may be wrong, so please check it against the ticket.`,
  },
  {
    name: "numbered finding with a fence inside of the item",
    kind: "block",
    write: (f) => `## Findings

1. **Needs a decision** — \`${f.path}:${f.line}-${f.end}\`

${indent(fence(f.block, f.lang), "   ")}

   Severity: low. I'd ask the author before filing a ticket.

No further findings from this worker.`,
  },
  {
    name: "file named above, line numbers inside of the fence",
    kind: "block",
    write: (f) => `Excerpt from \`${f.path}\` with line numbers, so that you can jump there:

${fence(numbered(f, " | "))}

I cut the excerpt short on purpose. Ask me for more context if you need it.`,
  },
  {
    name: "starting at line N",
    kind: "block",
    write: (f) => `**Migration note.** In \`${f.path}\`, starting at line ${f.line}:

${fence(f.block, f.lang)}

Before you migrate this, write down what you expect to happen and compare afterwards. I did not try it out.`,
  },
  {
    name: "link over a fence in a block quote",
    kind: "block",
    write: (f) => `Forwarding what the sub-agent reported, word for word:

${quote(`[\`${base(f.path)}:${f.line}-${f.end}\`](${dest(`${f.path}#L${f.line}-L${f.end}`)})

${fence(f.block, f.lang)}

Please have a human look at this.`)}

I have no opinion on it yet.`,
  },
  {
    name: "details element with the place in the summary",
    kind: "block",
    write: (f) => `The audit is done; the evidence is folded away below.

<details>
<summary><code>${f.path}</code>, lines ${f.line}-${f.end}</summary>

${fence(f.block, f.lang)}

</details>

Verdict: acceptable for now, revisit after the release.`,
  },
  {
    name: "proposed removal as a diff, not applied",
    kind: "block",
    write: (
      f,
    ) => `**Proposal (not applied):** drop \`${f.path}:${f.line}-${f.end}\` as part of the cleanup.

${fence(
  f.block.map((l) => "-" + l),
  "diff",
)}

I did not write a replacement. If you would rather keep it, just close this item.`,
  },
  {
    name: "fence with path and lines in a comment on top",
    kind: "block",
    write: (f) => `Here's the code I based the plan on.

${fence([remark(f, `${f.path} (lines ${f.line}-${f.end})`), ...f.block], f.lang)}

The plan itself is simple: agree on the target behaviour, change it in one commit, and keep that commit easy to revert.`,
  },
  {
    name: "French: excerpt with lines N to M",
    kind: "block",
    write: (f) => `Voici l'extrait demandé, tiré de \`${f.path}\` (lignes ${f.line} à ${f.end}) :

${fence(f.block, f.lang)}

Je n'ai rien modifié. À mon avis, il faudrait en parler avec l'équipe avant la migration.`,
  },
];
