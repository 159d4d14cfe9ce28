// Breaks text into lines of at most so many columns: between words where it can, inside a word
// where it must.
import { displayWidth } from "../../base/text/printable.ts";

export function wrapText(text: string, width: number): string[] {
  const columns = Math.max(1, width);
  return text.split("\n").flatMap((line) => wrapLine(line.trimEnd(), columns));
}

function wrapLine(line: string, columns: number): string[] {
  if (displayWidth(line) <= columns) return [line];
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\s)(?=\S)/)) {
    if (current !== "" && displayWidth(current + word.trimEnd()) > columns) {
      lines.push(current.trimEnd());
      current = "";
    }
    for (const character of word) {
      if (displayWidth(current + character) > columns && character.trim() !== "") {
        lines.push(current.trimEnd());
        current = "";
      }
      current += character;
    }
  }
  return [...lines, current.trimEnd()];
}
