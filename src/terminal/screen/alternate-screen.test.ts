import { expect, test } from "vitest";
import { openAlternateScreen } from "./alternate-screen.ts";

/** As most terminals do: behind the last column the cursor stays on it, and clearing begins there. */
function cellsOf(written: string, columns: number): string[] {
  const rows: string[] = [];
  let [row, column] = [0, 0];
  for (const [part] of written.matchAll(/\u001b\[\??\d*[A-Za-z]|\r\n|[^]/g)) {
    const line = (rows[row] ?? "").padEnd(columns);
    if (part === "\u001b[H") [row, column] = [0, 0];
    else if (part === "\r\n") [row, column] = [row + 1, 0];
    else if (part === "\u001b[K") rows[row] = line.slice(0, column);
    else if (part === "\u001b[J") rows.splice(row, Infinity, line.slice(0, column));
    else if (part.length === 1) {
      rows[row] = line.slice(0, column) + part + line.slice(column + 1);
      column = Math.min(column + 1, columns - 1);
    }
  }
  return rows.map((line) => line.trimEnd());
}

test("a line that fills the width keeps its last character, and what was there before is gone", () => {
  let written = "";
  const stream = { columns: 12, rows: 4, write: (text: string) => (written += text) };
  const screen = openAlternateScreen(stream);
  screen.enter();
  screen.draw(["first", "second", "third", "UNVERIFIED"]);
  expect(cellsOf(written, 12)).toEqual(["first", "second", "third", "UNVERIFIED"]);
  screen.draw(["1", "CONTRADICTED", "CONTRADICTED"]);
  expect(cellsOf(written, 12)).toEqual(["1", "CONTRADICTED", "CONTRADICTED"]);
  screen.close();
});
