// Reads keys from the terminal one by one. Ctrl+Z suspends the program as usual; every other key,
// Ctrl+C among them, goes to the reader.
import { StringDecoder } from "node:string_decoder";

export type Keyboard = {
  /** Leaves the keyboard to another reader until the returned function is called. */
  pause(): () => void;
  close(): void;
};

export type KeyReader = {
  /** A character, or the name of a key: "up", "enter", "escape", "backspace", "ctrl-c". */
  onKey: (key: string) => void;
  /** Ctrl+Z is about to suspend the program: the screen belongs to the shell until `onReturn`. */
  onLeave?: () => void;
  onReturn?: () => void;
  /** The program waits for a key; without it a program with nothing else to do may end. */
  keepsAlive: boolean;
};

export function openKeyboard({ stdin }: { stdin: NodeJS.ReadStream }, reader: KeyReader): Keyboard {
  let isListening = false;
  let decoder = new StringDecoder("utf8");
  const onData = (data: Buffer | string): void => {
    for (const key of keysOf(typeof data === "string" ? data : decoder.write(data))) {
      // The key before this one may have been the answer: what follows is for nobody.
      if (!isListening) return;
      if (key === "ctrl-z") suspend();
      else reader.onKey(key);
    }
  };
  const listen = (): void => {
    isListening = true;
    decoder = new StringDecoder("utf8");
    stdin.setRawMode(true);
    stdin.on("data", onData);
    stdin.resume();
    if (reader.keepsAlive) stdin.ref();
    else stdin.unref();
  };
  const stop = (): void => {
    isListening = false;
    stdin.off("data", onData);
    process.off("SIGCONT", wake);
    stdin.setRawMode(false);
    stdin.pause();
  };
  const wake = (): void => {
    listen();
    reader.onReturn?.();
  };
  const suspend = (): void => {
    stop();
    reader.onLeave?.();
    process.once("SIGCONT", wake);
    process.kill(0, "SIGTSTP");
  };
  listen();
  return {
    pause() {
      stop();
      return listen;
    },
    close: stop,
  };
}

const named: Readonly<Record<string, string>> = {
  "\r": "enter",
  "\n": "enter",
  "\u007f": "backspace",
  "\b": "backspace",
  "\t": "tab",
  "\u001b": "escape",
};
const arrows: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  F: "end",
  H: "home",
};
/** Keys that older terminals name by a number: ESC [ 5 ~. */
const numbered: Readonly<Record<string, string>> = {
  1: "home",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};
const sequence = /^\u001b(?:\[([0-9;?]*)([A-Za-z~])|O([A-Za-z])|[^[O\u001b])/;

/** The keys of one piece of input. A sequence that is no known key is no key. */
export function keysOf(text: string): string[] {
  const keys: string[] = [];
  for (let at = 0; at < text.length;) {
    const [whole, number = "", csi, short] = sequence.exec(text.slice(at, at + 32)) ?? [];
    if (whole !== undefined) {
      const name = csi === "~" ? numbered[number] : arrows[csi ?? short ?? ""];
      if (name !== undefined) keys.push(name);
      at += whole.length;
      continue;
    }
    const character = String.fromCodePoint(text.codePointAt(at)!);
    keys.push(named[character] ?? controlName(character) ?? character);
    at += character.length;
  }
  return keys;
}

function controlName(character: string): string | undefined {
  const code = character.codePointAt(0)!;
  return code < 32 ? `ctrl-${String.fromCharCode(code + 96)}` : undefined;
}
