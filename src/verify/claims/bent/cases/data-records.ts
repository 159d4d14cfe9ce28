// Tables that stand in files of data: the values of each record, whatever the format is.
import { valuesIn } from "../reading/operands.ts";
import type { Files } from "../what-changed.ts";

/** Records of the files of data that a text names. */
export const dataRecords = (text: string, files: Files): string[][] =>
  [...files]
    .filter(([path]) => isData.test(path) && isNamedIn(path, text))
    .flatMap(([, data]) => recordsIn(data))
    .filter((values) => values.length > 0);

const isData = /\.(?:json|jsonl|ya?ml|csv|tsv|txt|toml|in|out|dat)$/;

/** The file, or the folder that it stands in. */
const isNamedIn = (path: string, text: string): boolean => {
  const [file, folder] = path.split("/").toReversed();
  return text.includes(file!) || (folder !== undefined && text.includes(folder));
};

/** Lists and objects of JSON; elsewhere lines, and blocks that an empty line or a dash begins. */
function recordsIn(data: string): string[][] {
  try {
    return leavesOf(JSON.parse(data)).records;
  } catch {
    const lines = data.split("\n");
    const blocks = data.split(/\n\s*\n|\n(?=\s*- )|\n(?=\[)/);
    return [...lines, ...blocks].map((one) => [
      ...valuesIn(one),
      ...one
        .split(/[\n,;\t|]|(?<=\w): |\s=\s/)
        .map((cell) => cell.trim().replace(/^- |^["']|["']$/g, "")),
    ]);
  }
}

/** The values in a list or an object, and those of each one inside. */
function leavesOf(node: unknown): { values: string[]; records: string[][] } {
  if (typeof node !== "object" || node === null) return { values: [String(node)], records: [] };
  const inside = Object.values(node).map(leavesOf);
  const values = inside.flatMap((one) => one.values);
  return { values, records: [values, ...inside.flatMap((one) => one.records)] };
}
