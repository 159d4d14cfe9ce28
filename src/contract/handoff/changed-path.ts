// What a handoff says that it changed: the path, and the word for what happened to it.

const doneWords = "created?|added?|new|wrote|modified|updated|edited|changed|deleted|removed";
const doneBefore = new RegExp(`^(?:(${doneWords})(?: file)?:?|([MAD])) +(?=\\S)`, "i");

const actionWords: [RegExp, string][] = [
  [/creat|add|new|wrote/i, "Files Created"],
  [/delet|remov/i, "Files Deleted"],
  [/modif|updat|edit/i, "Files Modified"],
];

/** The heading for a change, by the first of the words that is one. "Changed" alone may mean any of it. */
export function changeHeading(said: readonly unknown[]): string {
  const word = said.find((one) => typeof one === "string") ?? "";
  const known = actionWords.find(([pattern]) => pattern.test(word) && !/^tests/i.test(word));
  return known?.[1] ?? "Files Touched";
}

/**
 * "created src/a.ts: the form", "M src/a.ts", "src/a.ts (new)", "`src/a.ts` - tests": the path
 * alone, and what is said to have happened to it.
 */
export function changedPath(text: string): { path: string; deed: string | undefined } {
  const words = flat(text).replaceAll("`", "");
  const before = doneBefore.exec(words);
  const rest = before ? words.slice(before[0].length) : words;
  const [path = "", ...said] = rest.split(/\s+(?=[-–—([])|:(?=\s|\d|$)|,\s|#L\d/);
  const letters: Record<string, string> = { M: "modified", A: "added", D: "deleted" };
  const after = /^\W*(created|added|new|modified|updated|deleted|removed)\b/i.exec(
    said.join(" "),
  )?.[1];
  return {
    path: path.replace(/^\.\//, "").trim(),
    deed: before?.[1] ?? letters[before?.[2] ?? ""] ?? after,
  };
}

export const flat = (text: string): string => text.replace(/\s+/g, " ").trim().slice(0, 2_000);
