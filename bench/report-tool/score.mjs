// Puts quotations into reports of many findings, has each report judged as a program would, and
// counts what came of every quotation by what should have.
import { holds } from "./quotations.mjs";

const perReport = 100;

export const emptyCount = () => ({ made: 0, found: 0, right: 0, asked: 0, refused: 0, broken: 0 });

/** `made`: [{ kind, facts, quote, near, expect }]. Adds to `counts`, by kind; returns references that do not hold. */
export async function scoreQuotations(made, { checkReportInput, world, counts }) {
  const wrong = [];
  for (let from = 0; from < made.length; from += perReport) {
    const part = made.slice(from, from + perReport);
    const answer = await checkReportInput(reportOf(part), world, { withdraw: true });
    if (!answer.ok)
      throw new Error(answer.problems.map(({ at, message }) => `${at} ${message}`).join("\n"));
    const rows = new Map(
      [...answer.text.matchAll(/^\| F\d+ \| Q(\d+) \| `(.+):(\d+)(?:-(\d+))?` \|/gm)].map((row) => [
        Number(row[1]),
        { path: row[2].replaceAll("\\|", "|"), lines: [Number(row[3]), Number(row[4] ?? row[3])] },
      ]),
    );
    const reasons = new Map(
      answer.withdrawn.map(({ text, reason }) => [Number(text.slice(1)), reason]),
    );
    for (const [index, item] of part.entries())
      count(item, { place: rows.get(index), reason: reasons.get(index) ?? "" }, { counts, wrong });
  }
  return wrong;
}

function count(item, { place, reason }, { counts, wrong }) {
  const tally = (counts[item.kind] ??= emptyCount());
  tally.made += 1;
  if (!place) {
    if (/ times: /.test(reason)) tally.asked += 1;
    else tally.refused += 1;
    return;
  }
  tally.found += 1;
  const isThere = place.path === item.facts.path && holds(item.facts, place.lines, item.quote);
  if (!isThere) {
    tally.broken += 1;
    wrong.push({ ...item, facts: item.facts.path, place });
  }
  const { expect } = item;
  if (Array.isArray(expect) && expect[0] === place.lines[0] && expect[1] === place.lines[1])
    tally.right += 1;
  else if (isThere) wrong.push({ ...item, facts: item.facts.path, place, elsewhere: true });
}

const reportOf = (part) => ({
  status: "SUCCESS",
  summary: "Looked at the package.",
  findings: part.map(({ facts, quote, near }, index) => ({
    title: `Q${index}`,
    kind: "present",
    statement: "It stands there.",
    path: facts.path,
    quote,
    ...(near === undefined ? {} : { near }),
  })),
  confidence: { verified: 80, inferred: 74, justification: "Read" },
});
