// Confidence as people and models write it: 92, 92%, 0.92, 92/100; words stay words.

export type ConfidenceReading = { score: number | null; words: string | null };

const number = /(?<![\w.])(\d{1,3}(?:\.\d{1,4})?)\s*(%|\/\s*100\b|\/\s*10\b)?(?![\w.]*\d)/;
const words = /\b(very high|high|certain|medium|moderate|low|very low|uncertain)\b/i;

/** The first number that can be a confidence, on the scale 0–100; null where there is none. */
export function readConfidence(text: string): ConfidenceReading {
  const head = text.slice(0, 400);
  const found = number.exec(head);
  const score = found
    ? onScale(Number(found[1]), found[2]?.replace(/\s/g, ""), found[1]!.includes("."))
    : null;
  return { score, words: words.exec(head)?.[1]?.toLowerCase() ?? null };
}

function onScale(value: number, unit: string | undefined, fraction: boolean): number | null {
  const score =
    unit === "/10"
      ? value * 10
      : unit === undefined && fraction && value <= 1
        ? value * 100
        : value;
  return score >= 0 && score <= 100 ? Math.round(score * 10) / 10 : null;
}

type Named = "verified" | "inferred" | "combined";

const behindName = (name: Named): RegExp =>
  new RegExp(
    `\\b${name}(?:[_ -]?confidence)?\\b[*\`_\\s]*[:=|-][*\`_\\s]*([0-9][^\\n]{0,20})`,
    "i",
  );
const named: Record<Named, RegExp> = {
  verified: behindName("verified"),
  inferred: behindName("inferred"),
  combined: behindName("combined"),
};

/** A number behind a name such as `verified_confidence`, in any spelling of it. */
export function namedConfidence(text: string, name: Named): number | null {
  const found = named[name].exec(text);
  return found ? readConfidence(found[1]!).score : null;
}

export type Band = "Certain" | "High" | "Moderate" | "Low" | "Uncertain";

export function bandOf(score: number): Band {
  if (score >= 95) return "Certain";
  if (score >= 85) return "High";
  if (score >= 75) return "Moderate";
  return score >= 60 ? "Low" : "Uncertain";
}
