// How plainly a message tells that a file was made, changed, moved or removed in this run: a sum of learned
// weights, in logits. `npm run bench -- claims --told-files` fits them on what records show of named files.
import type { Fates } from "./fates-of.ts";
import { mentionFeatures, type FileMention } from "./mentions-of.ts";
import learned from "./told-weights.json" with { type: "json" };

let weights: Map<string, number> | undefined;

/** A line is a weight in hundredths and its feature; the first one is the bias. */
function readWeights(): Map<string, number> {
  return new Map(
    learned.map((line, at) => {
      const end = line.indexOf(" ");
      return at === 0
        ? ["", Number(line) / 100]
        : [line.slice(end + 1), Number(line.slice(0, end)) / 100];
    }),
  );
}

export function toldChanged(
  mention: FileMention,
  all: readonly FileMention[],
  fates: Pick<Fates, "isWritten">,
): number {
  const known = (weights ??= readWeights());
  return mentionFeatures(mention, besidesOf(mention, all, fates)).reduce(
    (sum, feature) => sum + (known.get(feature) ?? 0),
    known.get("") ?? 0,
  );
}

/** Whether other files of its sentence, or of its list, were written. */
export function besidesOf(
  { path, statement }: FileMention,
  all: readonly FileMention[],
  { isWritten }: Pick<Fates, "isWritten">,
): "some" | "none" | "alone" {
  const list = [...statement.under, ...statement.head].join("\n");
  const beside = all.filter(
    (one) =>
      one.path !== path &&
      (one.statement === statement ||
        (list !== "" && [...one.statement.under, ...one.statement.head].join("\n") === list)),
  );
  if (beside.length === 0) return "alone";
  return beside.some((one) => isWritten(one.path)) ? "some" : "none";
}
