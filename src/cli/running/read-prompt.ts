// The prompt of a run: the argument, or standard input for "-" and for a pipe.
import { RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Io } from "../io.ts";

/** Reads at most what a prompt may hold; more is a mistake that is told before anything starts. */
export async function readPrompt(
  argument: string | undefined,
  io: Io,
  flags: object = {},
): Promise<string> {
  if (argument !== undefined && argument !== "-") return told(argument);
  const swallowed =
    argument === undefined && Object.values(flags).some(Array.isArray)
      ? " An option with several values, such as --allowedTools, takes every word up to the " +
        "next option: write -- before the prompt."
      : "";
  if (argument === undefined && io.stdin.isTTY)
    throw new RetinueError(
      "usage",
      `no prompt was given. Give it as an argument: retinue run "what does this project ` +
        `do?", or pipe it in.${swallowed}`,
    );
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limits.prompt.bytes)
      throw new RetinueError(
        "usage",
        `the prompt on standard input has more than ${limits.prompt.bytes / 1024 / 1024} MB. ` +
          "Put the material into a file and name the file in the prompt.",
      );
  }
  return told(Buffer.concat(chunks).toString("utf8"), swallowed);
}

function told(prompt: string, hint = ""): string {
  if (prompt.trim() === "")
    throw new RetinueError(
      "usage",
      `the prompt is empty. Say what is to be done, as an argument or, with "-", on standard input.${hint}`,
    );
  return prompt;
}
