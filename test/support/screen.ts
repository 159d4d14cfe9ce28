// A pseudo-terminal with an emulator behind it: what stands in each cell can be read, with its colour, and the window can change its size.
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { waitUntil } from "./wait-until.ts";

export type Screen = {
  /** The rows of the window as text, without the blanks at their ends. */
  rows(): string[];
  text(): string;
  /** Everything, with what has scrolled away. */
  all(): string;
  /** The colour (as in SGR 30–37, less 30) of the first cell of `text`; undefined for the usual one. */
  colourOf(text: string): number | undefined;
  isAlternate(): boolean;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  until(what: RegExp, withinMs?: number): Promise<string>;
  /** The exit code. */
  ended(): Promise<number>;
  /** Every byte that the program has written. */
  bytes(): string;
  kill(signal?: string): void;
  pid: number;
};

export const keys = {
  up: "\u001b[A",
  down: "\u001b[B",
  enter: "\r",
  escape: "\u001b",
  ctrlC: "\u0003",
};

export function openScreen(
  args: string[],
  {
    cwd,
    env,
    columns = 80,
    rows = 40,
  }: { cwd: string; env: Record<string, string>; columns?: number; rows?: number },
): Screen {
  const emulator = new xterm.Terminal({
    cols: columns,
    rows,
    allowProposedApi: true,
    scrollback: 5_000,
  });
  const child = spawn(process.execPath, args, {
    name: "xterm-256color",
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LC_ALL: "C.UTF-8", ...env },
  });
  let bytes = "";
  child.onData((data) => {
    bytes += data;
    emulator.write(data);
  });
  const exit = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const lines = (from: number): string[] => {
    const buffer = emulator.buffer.active;
    return Array.from(
      { length: buffer.length - from },
      (_, index) => buffer.getLine(from + index)?.translateToString(true) ?? "",
    );
  };
  const screen: Screen = {
    rows: () => lines(emulator.buffer.active.baseY),
    text: () => screen.rows().join("\n"),
    all: () => lines(0).join("\n"),
    colourOf(text) {
      const all = lines(0);
      const y = all.findLastIndex((line) => line.includes(text));
      if (y < 0) throw new Error(`${text} is not on the screen:\n${all.join("\n")}`);
      const line = emulator.buffer.active.getLine(y)!;
      let column = 0;
      for (let at = ""; column < emulator.cols; column++) {
        at = line.translateToString(true, 0, column + 1);
        if (at.includes(text)) break;
      }
      const cell = line.getCell(column)!;
      return cell.isFgPalette() ? cell.getFgColor() % 8 : undefined;
    },
    isAlternate: () => emulator.buffer.active.type === "alternate",
    type: (text) => child.write(text),
    resize(width, height) {
      emulator.resize(width, height);
      child.resize(width, height);
    },
    async until(what, withinMs = 20_000) {
      try {
        return await waitUntil(() => (what.test(screen.all()) ? screen.all() : undefined), {
          withinMs,
        });
      } catch {
        throw new Error(`${String(what)} did not come; the screen shows:\n${screen.all()}`);
      }
    },
    async ended() {
      const code = await exit;
      // The emulator reads what was written in its own time.
      await new Promise<void>((resolve) => emulator.write("", resolve));
      return code;
    },
    bytes: () => bytes,
    kill: (signal) => {
      try {
        child.kill(signal);
      } catch {
        // It has ended already.
      }
    },
    pid: child.pid,
  };
  return screen;
}
