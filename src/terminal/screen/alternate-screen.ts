// The alternate screen: a page of its own that is drawn whole, and a terminal that is as before when
// the program ends, however it ends.
import { writeSync } from "node:fs";

type ScreenStream = {
  fd?: number;
  columns: number;
  rows: number;
  write(text: string): unknown;
};

export type AlternateScreen = {
  /** The lines from the top; none may be wider than the terminal. */
  draw(lines: readonly string[]): void;
  /** The usual screen, until `enter`. */ leave(): void;
  enter(): void;
  close(): void;
};

const entering = "\u001b[?1049h\u001b[?25l\u001b[?7l";
const leaving = "\u001b[?7h\u001b[?25h\u001b[?1049l";

export function openAlternateScreen(stream: ScreenStream): AlternateScreen {
  let isIn = false;
  let last = "";
  // A process that ends at once has no time for a stream.
  const restore = (): void => {
    if (!isIn) return;
    isIn = false;
    try {
      writeSync(stream.fd ?? 2, leaving);
    } catch {
      // The terminal is gone, and with it what was to be restored.
    }
  };
  // Before Node prints what was thrown: on the alternate screen nobody would see it.
  process.on("uncaughtExceptionMonitor", restore);
  process.on("exit", restore);
  const screen: AlternateScreen = {
    draw(lines) {
      if (!isIn) return;
      // Cleared before it is written: behind a line that fills the width, the cursor stays on its
      // last character, and clearing from there takes that away.
      const shown = lines.slice(0, stream.rows);
      const cleared = shown.map(
        (line, at) => `${at < shown.length - 1 ? "\u001b[K" : "\u001b[J"}${line}`,
      );
      const page = `\u001b[H${cleared.join("\r\n") || "\u001b[J"}`;
      if (page === last) return;
      last = page;
      stream.write(page);
    },
    leave() {
      if (!isIn) return;
      isIn = false;
      stream.write(leaving);
    },
    enter() {
      if (isIn) return;
      isIn = true;
      last = "";
      stream.write(entering);
    },
    close() {
      screen.leave();
      process.off("uncaughtExceptionMonitor", restore);
      process.off("exit", restore);
    },
  };
  screen.enter();
  return screen;
}
