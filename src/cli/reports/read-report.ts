// A report or a batch on its way in: a file or standard input, bounded.
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { errorText, RetinueError } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import type { Io } from "../io.ts";

/** The whole text of `file`; standard input without it or with `-`. */
export async function readReport(file: string | undefined, io: Io): Promise<string> {
  if ((file === undefined || file === "-") && io.stdin.isTTY)
    throw new RetinueError(
      "usage",
      "no report was given. Name its file, or pipe it in: retinue verify report.md",
    );
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of reportSource(file, io)) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > limits.verify.reportBytes)
      throw new RetinueError(
        "usage",
        `the report is longer than ${limits.verify.reportBytes / 1024 / 1024} MiB; give a ` +
          "shorter one, or several with --batch",
      );
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** A pipe that broke before it must not look like a report without a fault. */
export function refuseEmpty(report: string): void {
  if (report.trim() === "")
    throw new RetinueError("usage", "the report is empty: there is nothing to check");
}

export function reportSource(file: string | undefined, io: Io): AsyncIterable<Uint8Array | string> {
  return file === undefined || file === "-" ? io.stdin : readable(resolve(io.cwd, file));
}

async function* readable(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new RetinueError("usage", `the report cannot be read: ${whyUnread(path, error)}`);
  }
}

function whyUnread(path: string, error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EISDIR")
    return `${path} is a folder. Name a file with a report; the folder that it is checked against is --root`;
  if (code === "ENOENT") return `there is no file ${path}`;
  return errorText(error);
}
