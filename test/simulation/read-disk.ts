// Reads what stands on disk with nothing of the code under test: lines, spilled texts, what each life of an agent left.
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { dirname, join } from "node:path";

export type DiskLine = Record<string, unknown> & {
  type?: string;
  subtype?: string;
  seq?: number;
  runId?: string;
  message?: { role: string; content: unknown };
  outcome?: { state: string; reason?: string };
  spec?: DiskSpec;
};

export type DiskSpec = {
  agentType: string;
  model: string;
  place: { cwd: string };
  tools: string[];
  limits: { maxTurns: number; timeoutMs: number; maxTokens?: number };
  policy: {
    mode: string;
    rules: { allow: string[]; ask: string[]; deny: string[] };
    disallowed: string[];
    ceilings: { tools: string[] }[];
  };
};

export type DiskTranscript = {
  path: string;
  lines: DiskLine[];
  /** Lines in the middle that are no JSON. */ broken: number[];
  /** Bytes after the last newline. */ torn: string;
};

export function readTranscript(path: string): DiskTranscript {
  const parts = readFileSync(path, "utf8").split("\n");
  const torn = parts.pop() ?? "";
  const lines: DiskLine[] = [];
  const broken: number[] = [];
  for (const [index, text] of parts.entries()) {
    try {
      lines.push(withSpilled(JSON.parse(text) as DiskLine, join(dirname(dirname(path)), "spill")));
    } catch {
      broken.push(index + 1);
    }
  }
  return { path, lines, broken, torn };
}

/** The first two lines as text, where they are whole. */
export function firstLines(path: string): string[] {
  const buffer = Buffer.allocUnsafe(64 * 1024);
  const fd = openSync(path, "r");
  const text = buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, 0));
  closeSync(fd);
  return text.split("\n").slice(0, -1).slice(0, 2);
}

type Pointer = { path: (string | number)[]; file: string; json?: boolean };

function withSpilled(line: DiskLine, folder: string): DiskLine {
  for (const { path, file, json } of (line["spill"] as Pointer[] | undefined) ?? []) {
    const text = readFileSync(join(folder, file), "utf8");
    const last = path.at(-1)!;
    let at = line as Record<string | number, unknown>;
    for (const key of path.slice(0, -1)) at = at[key] as Record<string | number, unknown>;
    at[last] = json ? (JSON.parse(text) as unknown) : text;
  }
  return line;
}

/** Every file below a folder, by path. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
