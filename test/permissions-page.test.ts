// docs/permissions.md shows what `retinue permissions explain` really prints.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { runCommand } from "../src/cli/command.ts";
import * as permissions from "../src/cli/commands/project/permissions.ts";
import type { Io } from "../src/cli/io.ts";
import { expectGenerated } from "./generated-doc.ts";

const page = "docs/permissions.md";

async function output(args: string[], cwd: string, home: string): Promise<string> {
  const lines: string[] = [];
  const io: Io = {
    out: (text) => void lines.push(text),
    err: (text) => void lines.push(text),
    stdin: Readable.from([]) as unknown as Io["stdin"],
    cwd,
    env: { HOME: home },
    interactive: false,
    paint: (_style, text) => text,
    width: () => undefined,
    paintErr: (_style, text) => text,
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
  await runCommand(args, io, { module: permissions, all: [] });
  return lines.join("\n");
}

/** Words of a command line with double quotes, which is all that the page uses. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2]!);

test("the six situations of docs/permissions.md are what the command prints", async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "retinue-page-")));
  const [ws, home] = [join(root, "project"), join(root, "home")];
  try {
    for (const folder of [join(ws, "src"), join(ws, ".git"), home])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(ws, ".env"), "KEY=x\n");
    symlinkSync(".env", join(ws, "notes.txt"));
    let text = readFileSync(page, "utf8");
    const blocks = [...text.matchAll(/```console\n\$ retinue permissions ([^\n]*)\n[\s\S]*?```/g)];
    expect(blocks).toHaveLength(6);
    for (const [whole, command] of blocks) {
      const printed = (await output(words(command!), ws, home)).replaceAll(ws, "/project");
      expect(printed).toMatch(/^(?:allow|ask|deny): /);
      text = text.replace(
        whole,
        () => `\`\`\`console\n$ retinue permissions ${command}\n${printed}\n\`\`\``,
      );
    }
    expectGenerated(page, text);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
