// How surely a name or a path is said of this code as it is: the numbers of the words around it, weighed.
import type { Evidence } from "../reading/find-evidence.ts";
import type { Mention } from "../reading/paths/find-mentions.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import { factFeatures, type MessageFrame } from "./fact-features.ts";
import { factWeights } from "./fact-weights.ts";

/** All numbers of a name; undefined where it is surely none of this code. */
export function nameFeatures(
  unit: ReadingUnit,
  item: Evidence,
  frame: MessageFrame,
): Record<string, number> | undefined {
  const features = factFeatures(unit, item, frame);
  // `time.perf_counter`: what is a part of a value is oftener another's.
  const holder = item.name.split(/\.|::|->|#/).at(-2);
  return features && { ...features, low: Number(/^[a-z]/.test(holder ?? "")) };
}

/** All numbers of a path with folders; undefined where it is surely none of this code. */
export function pathFeatures(
  unit: ReadingUnit,
  mention: Mention,
  frame: MessageFrame,
): Record<string, number> | undefined {
  const features = factFeatures(unit, mention, frame);
  const folders = mention.path.replace(/^\//, "").split("/").length - 1;
  if (!features) return undefined;
  // A name in brackets explains a word; a path there says where it is.
  const { before_bracket: cited = 0, ...others } = features;
  return { ...others, cited, deep: Math.min(deepest, folders) / deepest };
}

const deepest = 4;

export function factScore(features: Record<string, number>): number {
  let score = factWeights.bias;
  for (const [name, [weight, usual]] of Object.entries(factWeights.weights))
    score += weight * ((features[name] ?? 0) - usual);
  return score;
}
