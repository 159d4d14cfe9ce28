// The kinds of questions at the terminal: one of several, any of several, a text. Keys are letters,
// arrows, Enter and Esc.
import { displayWidth, oneLine, printable } from "../../base/text/printable.ts";
import type { Io } from "../io.ts";
import { afterKey } from "../../terminal/screen/after-key.ts";
import { wrapText } from "../../terminal/screen/wrap-text.ts";
import { showPrompt, type Prompt } from "./show-prompt.ts";

export type Choice<T> = { value: T; label: string; key?: string; hint?: string };

type Question = { message: string; signal?: AbortSignal };

/** One of the choices: by its letter, or with the arrows and Enter. Esc gives `onEscape`. */
export function choose<T>(
  io: Io,
  {
    message,
    signal,
    choices,
    initial,
    onEscape,
  }: Question & {
    choices: readonly Choice<T>[];
    initial: T;
    onEscape: T;
  },
): Promise<T> {
  let at = Math.max(
    0,
    choices.findIndex(({ value }) => value === initial),
  );
  const move = (by: number): undefined => {
    at = (at + by + choices.length) % choices.length;
    return undefined;
  };
  const press = (key: string): { answer: T } | undefined => {
    if (key === "up" || key === "k") return move(-1);
    if (key === "down" || key === "j" || key === "tab") return move(1);
    if (key === "escape") return { answer: onEscape };
    if (key === "enter") return { answer: choices[at]!.value };
    const found = choices.find((choice) => choice.key === key.toLowerCase());
    return found && { answer: found.value };
  };
  const prompt: Prompt<T> = {
    lines: (width) => [
      ...heading(io, message, width),
      ...choices.map((choice, index) => {
        const letter = choice.key === undefined ? "" : `${choice.key}  `;
        const text = oneLine(`${letter}${choice.label}${hintOf(choice)}`, width - 2);
        return index === at ? io.paintErr("cyan", `❯ ${text}`) : `  ${text}`;
      }),
    ],
    press,
    summary: (answer) =>
      answered(io, message, choices.find(({ value }) => value === answer)?.label ?? "no answer"),
  };
  return showPrompt(io, prompt, signal);
}

/** Any of the choices: Space marks one, Enter takes the marked ones. Esc gives undefined. */
export function chooseSeveral<T>(
  io: Io,
  { message, signal, choices }: Question & { choices: readonly Choice<T>[] },
): Promise<T[] | undefined> {
  const marked = new Set<number>();
  let at = 0;
  const press = (key: string): { answer: T[] | undefined } | undefined => {
    if (key === "escape") return { answer: undefined };
    if (key === "enter")
      return { answer: choices.filter((_, index) => marked.has(index)).map(({ value }) => value) };
    if (key === "up" || key === "down")
      at = (at + (key === "up" ? -1 : 1) + choices.length) % choices.length;
    if (key === " " && !marked.delete(at)) marked.add(at);
    return undefined;
  };
  const prompt: Prompt<T[] | undefined> = {
    lines: (width) => [
      ...heading(io, `${message} (Space marks, Enter takes)`, width),
      ...choices.map((choice, index) => {
        const box = marked.has(index) ? "[x]" : "[ ]";
        const text = oneLine(`${box} ${choice.label}${hintOf(choice)}`, width - 2);
        return index === at ? io.paintErr("cyan", `❯ ${text}`) : `  ${text}`;
      }),
    ],
    press,
    summary: (answer) => {
      const labels = choices
        .filter(({ value }) => answer?.includes(value))
        .map(({ label }) => label);
      return answered(io, message, labels.join(", ") || "none");
    },
  };
  return showPrompt(io, prompt, signal);
}

/** A line of text; Esc gives undefined. */
export function typeText(io: Io, { message, signal }: Question): Promise<string | undefined> {
  let text = "";
  const press = (key: string): { answer: string | undefined } | undefined => {
    if (key === "escape") return { answer: undefined };
    if (key === "enter") return { answer: text };
    text = afterKey(text, key);
    return undefined;
  };
  const prompt: Prompt<string | undefined> = {
    lines: (width) => [...heading(io, message, width), `❯ ${endOf(printable(text), width - 3)}`],
    press,
    summary: (answer) => answered(io, message, answer ?? "no answer"),
  };
  return showPrompt(io, prompt, signal);
}

/** Esc is a no. */
export const confirm = (io: Io, message: string): Promise<boolean> =>
  choose(io, {
    message,
    choices: [
      { value: true, key: "y", label: "Yes" },
      { value: false, key: "n", label: "No" },
    ],
    initial: false,
    onEscape: false,
  });

const hintOf = <T>({ hint }: Choice<T>): string => (hint === undefined ? "" : `  (${hint})`);

/** The whole message, however long it is. */
const heading = (io: Io, message: string, width: number): string[] =>
  wrapText(printable(message), width - 2).map(
    (line, index) => `${index === 0 ? io.paintErr("cyan", "?") : " "} ${io.paintErr("bold", line)}`,
  );

const answered = (io: Io, message: string, answer: string): string =>
  io.paintErr("dim", `  ${oneLine(message, 200)} ${oneLine(answer, 200)}`);

/** While somebody types, the end is what they look at. */
function endOf(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  const characters = Array.from(text);
  while (displayWidth(characters.join("")) > width - 1) characters.shift();
  return `…${characters.join("")}`;
}
