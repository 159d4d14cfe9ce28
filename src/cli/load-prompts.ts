// The library that asks a person, loaded when somebody is asked; its keyboard works again after
// Ctrl+Z and fg.
import type * as Prompts from "@clack/prompts";

let isWatching = false;

export async function loadPrompts(): Promise<typeof Prompts> {
  if (!isWatching) process.on("SIGCONT", wake);
  isWatching = true;
  return import("@clack/prompts");
}

/**
 * Node's readline pauses its input when the program goes on, and leaves it to its user to begin
 * again: nobody would hear a key any more, Ctrl+C neither.
 */
function wake(): void {
  setImmediate(() => {
    if (process.stdin.isRaw) process.stdin.resume();
  });
}
