// The verifier on documents and final messages that nobody wrote for it, against labels that people gave: `--corpus DIR`,
// where DIR/index.jsonl names each text with its tree, or its git folder and commit: then the past of the files is known, too.
// Every flag goes to a file, to be read by hand.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const flaggedVerdicts = new Set(
  "relocated stale altered missing out_of_range wrong_symbol outside_root".split(" "),
);
const isFlag = ({ verdict }) => flaggedVerdicts.has(verdict);
const readLines = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
const labelsOf = (name) =>
  readLines(fileURLToPath(new URL(`real/${name}-labels.jsonl`, import.meta.url)));
const percent = (part, whole) => (whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`);

/** Prints the figures of one corpus; `out` takes all flags as lines of JSON. */
export function runCorpus(folder, { room, out }) {
  const entries = readLines(join(folder, "index.jsonl"));
  const isTranscripts = entries[0]?.transcript !== undefined;
  const repositories = new Map();
  const repositoryOf = ({ tree, git, commit }) => {
    const key = git ? `${git} ${commit}` : tree;
    if (!repositories.has(key)) {
      if (repositories.size > 3) repositories.clear();
      const reader = git ? room.commitReader(git, commit) : room.treeReader(tree);
      repositories.set(key, new room.Repository(reader));
    }
    return repositories.get(key);
  };
  const started = performance.now();
  const texts = entries.flatMap((entry) => {
    const text = isTranscripts ? finalText(entry.transcript) : readFileSync(entry.doc, "utf8");
    if (text === undefined || !existsSync(entry.git ?? entry.tree)) return [];
    const options = {
      reader: repositoryOf(entry),
      ...(entry.document ? { document: entry.document } : {}),
    };
    return [{ ...entry, text, checks: room.verifyReport(text, options).checks }];
  });
  const seconds = (performance.now() - started) / 1000;
  const flags = texts.flatMap(({ id, kind, text, checks }) =>
    checks.filter(isFlag).map((check) => flagLine(check, { id, kind, text })),
  );
  writeFileSync(out, flags.map((flag) => `${JSON.stringify(flag)}\n`).join(""));
  const all = texts.flatMap(({ checks }) => checks);
  console.log(
    `\n# ${folder}: ${texts.length} texts, ${all.length} checks, ${flags.length} flags (${out}), ${seconds.toFixed(1)} s\n`,
  );
  printVerdicts(all);
  printFlagged(texts);
  if (isTranscripts) gradeTranscripts(texts);
  else gradeDocuments(texts, labelsFor(texts));
  printForms(texts);
}

const flagLine = (
  { span, text, verdict, reason, path, lines, kind },
  { id, kind: from, text: whole },
) => ({
  id,
  from,
  span,
  kind,
  verdict,
  text: text.slice(0, 200),
  path,
  lines,
  reason: reason.slice(0, 300),
  around: whole.slice(Math.max(0, span[0] - 300), span[1] + 400),
});

/** What the agent said last. */
function finalText(file) {
  const last = readLines(file).findLast(
    ({ type, message }) => type === "assistant" && message?.content !== undefined,
  );
  const content = last?.message.content;
  if (typeof content === "string") return content;
  return content
    ?.filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n");
}

function printVerdicts(checks) {
  const counts = new Map();
  for (const { verdict } of checks) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  console.log(
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([verdict, count]) => `${verdict} ${count}`)
      .join(" · "),
  );
}

function printFlagged(texts) {
  const kinds = new Map([["all", texts]]);
  for (const text of texts) kinds.set(text.kind, [...(kinds.get(text.kind) ?? []), text]);
  for (const [kind, list] of kinds) {
    const flagged = list.filter(({ checks }) => checks.some(isFlag)).length;
    console.log(
      `texts with a flag (${kind}): ${flagged} of ${list.length}, ${percent(flagged, list.length)}`,
    );
  }
}

const overlaps = (check, [start, end]) => check.span[0] < end && start < check.span[1];

const labelSets = ["document", ...Array.from({ length: 22 }, (_, index) => `fresh-${index + 1}`)];

/** The set of labels that speaks of these documents. */
const labelsFor = (texts) =>
  labelSets
    .map(labelsOf)
    .find((labels) => labels.some(({ doc }) => texts.some(({ id }) => id === doc))) ?? [];

function gradeDocuments(texts, labels) {
  const byId = new Map(texts.map((text) => [text.id, text]));
  const sums = {
    kept: 0,
    right: 0,
    stillWrong: 0,
    wrong: 0,
    verifiedRight: 0,
    verifiedFlagged: 0,
    verified: 0,
    wronglyVerified: 0,
    stillVerified: 0,
    undecided: 0,
    decided: 0,
    badlyVerified: 0,
  };
  const lines = [];
  for (const label of labels) {
    const checks = (byId.get(label.doc)?.checks ?? []).filter((check) =>
      overlaps(check, label.span),
    );
    const flag = checks.find(isFlag);
    const isVerified = checks.some(({ verdict }) => verdict === "verified") && !flag;
    const wasFlag = isFlag({ verdict: label.said });
    if (wasFlag && label.right === true) {
      sums.right++;
      if (flag) sums.kept++;
      else lines.push(["lost", label, checks]);
      if (isVerified) sums.badlyVerified++;
    } else if (wasFlag && label.right === false) {
      sums.wrong++;
      if (flag) {
        sums.stillWrong++;
        lines.push(["still wrong", label, checks]);
      }
    } else if (label.said === "verified" && label.right === true) {
      sums.verified++;
      if (isVerified) sums.verifiedRight++;
      if (flag) {
        sums.verifiedFlagged++;
        lines.push(["newly flagged", label, checks]);
      }
    } else if (label.said === "verified" && label.right === false) {
      sums.wronglyVerified++;
      if (isVerified) {
        sums.stillVerified++;
        lines.push(["still verified", label, checks]);
      }
    } else if (!wasFlag && label.right === false) {
      sums.undecided++;
      if (
        flag ||
        isVerified ||
        (label.said === "ambiguous" && checks.some(({ verdict }) => verdict === "exists_only"))
      )
        sums.decided++;
    }
  }
  const wrong = sums.stillWrong + sums.verifiedFlagged;
  console.log(
    `labelled flags: right ones kept ${sums.kept} of ${sums.right} (${percent(sums.kept, sums.right)}), wrong ones left ${sums.stillWrong} of ${sums.wrong}, right references newly flagged ${sums.verifiedFlagged}; precision ${percent(sums.kept, sums.kept + wrong)}`,
  );
  console.log(
    `verified: still so ${sums.verifiedRight} of ${sums.verified} right and ${sums.stillVerified} of ${sums.wronglyVerified} wrong ones; contradicted by a label ${sums.badlyVerified}; "could have been decided" decided ${sums.decided} of ${sums.undecided}`,
  );
  for (const [word, { doc, span, text, said, cause, note }, checks] of lines)
    console.log(
      `  ${word}: ${doc} ${span} ${said} ${JSON.stringify(text)} (${cause ?? ""}${note ? `: ${note}` : ""}) → ${checks.map(({ verdict, reason }) => `${verdict}: ${reason.slice(0, 110)}`).join(" | ") || "not read"}`,
    );
}

function gradeTranscripts(texts) {
  const byId = new Map(texts.map((text) => [text.id, text]));
  const sums = {};
  const add = (key) => (sums[key] = (sums[key] ?? 0) + 1);
  for (const { id, target, lines, verdict, adjudicated, mechanism, kind } of labelsOf(
    "transcript",
  )) {
    if (!["path", "location", "symbol", "quote"].includes(kind)) continue;
    const same = (byId.get(id)?.checks ?? []).filter(
      (check) =>
        check.path === target &&
        (lines === null || check.lines?.[0] === lines[0] || check.lines === null),
    );
    const flag = same.find(isFlag);
    const word = adjudicated.startsWith("right") ? "right" : adjudicated;
    add(`${word}: ${flag ? "flagged" : "not flagged"}`);
    if (flag && word === "wrong")
      console.log(
        `  still wrong: ${id} ${verdict} ${target} ${lines} (${mechanism}) → ${flag.verdict}: ${flag.reason.slice(0, 140)}`,
      );
    if (!flag && word === "right")
      console.log(
        `  lost: ${id} ${verdict} ${target} ${lines} (${adjudicated}) → ${same.map((check) => check.verdict).join() || "not read"}`,
      );
  }
  console.log(
    `labels: ${Object.entries(sums)
      .map(([key, count]) => `${key} ${count}`)
      .join(" · ")}`,
  );
}

const forms = {
  "path:line outside fences": /(?<![\w/])[\w./@[\]-]*\w\.[a-z]{1,5}:\d+/g,
  "path:a-b, c-d": /[\w./@-]+\.[a-z]{1,5}:\d+-\d+,\s?\d+/g,
  "line N in words": /\blines?\s+\d+/gi,
  "[...slug] paths": /[\w./-]+\/\[\.{0,3}\w+\][\w./-]*\.[a-z]{2,4}/g,
  "N+ behind a path": /\.[a-z]{1,5}:\d+\+/g,
};

/** How many of each written form some check covers. */
function printForms(texts) {
  for (const [form, pattern] of Object.entries(forms)) {
    let [total, read] = [0, 0];
    for (const { text, checks } of texts) {
      const prose = text.replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1/gm, (fence) =>
        " ".repeat(fence.length),
      );
      for (const match of prose.matchAll(pattern)) {
        total++;
        const end = match.index + match[0].length;
        if (
          checks.some(
            ({ span, lines }) =>
              span[0] < end && match.index < span[1] && (lines !== null || !/\d/.test(form)),
          )
        )
          read++;
      }
    }
    console.log(`read: ${form}: ${read} of ${total}, ${percent(read, total)}`);
  }
}
