// Lines at the bottom of the terminal that are written over: one for each agent that is at work.
import { displayWidth } from "../../base/text/printable.ts";

type StatusTerminal = { columns: number; write(text: string): void };

export type StatusArea = { draw(lines: readonly string[]): void; clear(): void };

/** No line may be wider than the terminal. Escape codes of colours take no room. */
export function statusArea(terminal: StatusTerminal): StatusArea {
  let drawn: readonly string[] = [];
  const erased = (): string => {
    // A terminal that became narrower has broken the lines anew.
    const rows = drawn.reduce(
      (sum, line) => sum + Math.max(1, Math.ceil(displayWidth(plain(line)) / terminal.columns)),
      0,
    );
    drawn = [];
    return rows === 0 ? "" : `\r${rows > 1 ? `\u001b[${rows - 1}A` : ""}\u001b[J`;
  };
  return {
    draw(lines) {
      const before = erased();
      drawn = lines;
      terminal.write(`${before}${lines.join("\r\n")}`);
    },
    clear: () => terminal.write(erased()),
  };
}

const plain = (text: string): string => text.replace(/\u001b\[[0-9;]*m/g, "");
