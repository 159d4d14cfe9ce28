// The clauses of the labelled messages, each with its features and with what it says of which subject.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { loadSource } from "../../support/load-source.mjs";
import { root } from "../../support/root.mjs";
import { framedMessages } from "./frames.mjs";

const folder = join(root, "bench/claims/stance");

/** A clause is {set, message, statement, words, features, labels: [{subject, stance}]}. */
export async function labelledClauses() {
  const { statementsOf, stanceFeatures } = await loadSource([
    ["statementsOf", "verify/claims/words/statements.ts"],
    ["stanceFeatures", "verify/claims/stance/stance-features.ts"],
  ]);
  return messages().flatMap(({ set, id, text, labels }) =>
    statementsOf(text).flatMap((statement, at) =>
      statement.kind === "fence"
        ? []
        : statement.clauses.map((clause, index) => ({
            set,
            message: `${set}/${id}`,
            statement: `${set}/${id}#${at}`,
            words: clause.words,
            features: stanceFeatures(statement, index),
            labels: labels.filter((label) => speaks(text, statement, clause, label)),
          })),
    ),
  );
}

/** So many clauses of described code are taken, and a clause this plain may be a claim all the same. */
const [mostDescribed, plainClaim] = [9_000, 2];

/**
 * Clauses of a folder of Markdown files that describe code and claim nothing of a run: what the reader must
 * not take for claims. Documents of other people are read where they lie; only the weights come from them.
 */
export async function describedClauses(from) {
  const { stancesOf, stanceFeatures } = await loadSource([
    ["stancesOf", "verify/claims/stance/stances-of.ts"],
    ["stanceFeatures", "verify/claims/stance/stance-features.ts"],
  ]);
  const found = readdirSync(from)
    .filter((name) => name.endsWith(".md"))
    .sort()
    .flatMap((name) => {
      const { statements, of } = stancesOf(readFileSync(join(from, name), "utf8").slice(0, 60_000));
      return statements.flatMap((statement, at) =>
        statement.clauses.flatMap((clause, index) =>
          of(statement, clause).ok > plainClaim
            ? []
            : [
                {
                  set: "described",
                  message: `described/${name}`,
                  statement: `described/${name}#${at}`,
                  words: clause.words,
                  features: stanceFeatures(statement, index),
                  labels: [],
                  hard: of(statement, clause).ok > -3,
                },
              ],
        ),
      );
    });
  // Those that come near to a claim teach most; of the others a part is enough.
  const near = found.filter(({ hard }) => hard);
  const rest = found.filter(({ hard }) => !hard);
  const step = Math.max(1, Math.ceil(rest.length / Math.max(1, mostDescribed - near.length)));
  return [...near.slice(0, mostDescribed), ...rest.filter((_, at) => at % step === 0)];
}

/** The labelled words overlap the clause by more than their edge; `place`: where they stand, if it is known. */
function speaks(text, statement, clause, { words, place }) {
  const at = place ?? text.indexOf(words, statement.span[0]);
  if (at < 0 || at >= statement.span[1] || at + words.length <= statement.span[0]) return false;
  const shared = Math.min(at + words.length, clause.span[1]) - Math.max(at, clause.span[0]);
  const least = Math.min(words.length, clause.span[1] - clause.span[0]);
  return shared >= Math.min(4, words.length) && shared >= 0.3 * least;
}

const linesOf = (file) =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");

/** Messages of sets that have labels, and those that were written for the fit alone. */
function messages() {
  const labels = new Map();
  for (const line of linesOf(join(folder, "labels.tsv"))) {
    const [row, subject, stance, words, place] = line.split("\t");
    const label = {
      subject,
      stance,
      words,
      place: place === undefined ? undefined : Number(place),
    };
    labels.set(row, [...(labels.get(row) ?? []), label]);
  }
  const sets = [...new Set([...labels.keys()].map((row) => row.split("/")[0]))].sort();
  const own = sets.flatMap((set) => {
    const file = join(root, `bench/claims/sets/${set}.jsonl`);
    return (existsSync(file) ? linesOf(file) : []).map((line) => {
      const { id, final } = JSON.parse(line);
      return { set, id, text: final, labels: labels.get(`${set}/${id}`) ?? [] };
    });
  });
  const written = linesOf(join(folder, "messages.jsonl")).map((line, id) => ({
    set: "extra",
    id,
    ...JSON.parse(line),
  }));
  const framed = framedMessages().map((one, id) => ({ set: "framed", id, ...one }));
  return [...own, ...written, ...framed];
}
