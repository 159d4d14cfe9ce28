// Puts one question on the terminal and waits for its answer. The one place where Ctrl+C at a
// question is heard: it interrupts the program as Ctrl+C does elsewhere.
import type { Io } from "../io.ts";
import { statusArea } from "../../terminal/screen/status-area.ts";
import { openKeyboard } from "../../terminal/screen/keyboard.ts";

/** A question while it is open. */
export type Prompt<T> = {
  /** What stands on the screen; no line is wider than `width`. */
  lines(width: number): string[];
  /** The answer that a key gives, if it gives one. */
  press(key: string): { answer: T } | undefined;
  /** One line that stays on the screen. */
  summary(answer: T): string;
};

/** The person pressed Ctrl+C at a question, or the question was taken back. */
export class Interrupted extends Error {
  constructor() {
    super("interrupted at a question");
    this.name = "Interrupted";
  }
}

const fallbackColumns = 80;

/** Throws `Interrupted`; by then `io.signal` has been aborted, or `signal` has. */
export function showPrompt<T>(
  io: Io,
  prompt: Prompt<T>,
  signal: AbortSignal = io.signal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (signal.aborted) return reject(new Interrupted());
    const screen = promptScreen(io, prompt);
    const close = (): void => {
      keyboard.close();
      signal.removeEventListener("abort", onAbort);
      io.status?.off("resize", screen.draw);
    };
    const onAbort = (): void => {
      close();
      screen.erase();
      reject(new Interrupted());
    };
    const onKey = (key: string): void => {
      if (key === "ctrl-c") {
        close();
        screen.erase();
        io.interrupt();
        return reject(new Interrupted());
      }
      const given = prompt.press(key);
      if (!given) return screen.draw();
      close();
      screen.erase();
      io.err(prompt.summary(given.answer));
      resolve(given.answer);
    };
    const keyboard = openKeyboard(io, {
      onKey,
      onLeave: screen.erase,
      onReturn: screen.draw,
      keepsAlive: true,
    });
    signal.addEventListener("abort", onAbort, { once: true });
    io.status?.on("resize", screen.draw);
    screen.draw();
  });
}

type PromptScreen = { draw: () => void; erase: () => void };

/** Draws over what was drawn before. On a terminal that cannot do this, lines are only added. */
function promptScreen<T>({ status, err }: Io, prompt: Prompt<T>): PromptScreen {
  let drawn: string[] = [];
  if (!status)
    return {
      draw() {
        const lines = prompt.lines(fallbackColumns);
        for (const line of lines) if (!drawn.includes(line)) err(line);
        drawn = lines;
      },
      erase: () => undefined,
    };
  const area = statusArea(status);
  return { draw: () => area.draw(prompt.lines(status.columns - 1)), erase: () => area.clear() };
}
