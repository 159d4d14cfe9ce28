import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { StorageFailure } from "../transcripts/storage-failure.ts";
import { createCommand, runCommand } from "./command.ts";
import type { Io } from "./io.ts";

async function called(args: string[], action: () => void): Promise<{ code: number; err: string }> {
  const err: string[] = [];
  const io: Io = {
    out: () => undefined,
    err: (text) => void err.push(text.trimEnd()),
    stdin: Readable.from([]) as unknown as Io["stdin"],
    cwd: "/",
    env: {},
    interactive: false,
    paint: (_style, text) => text,
    width: () => undefined,
    paintErr: (_style, text) => text,
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
  const build = (): ReturnType<typeof createCommand> =>
    createCommand("try", io).argument("[prompt]").option("--resume <id>").action(action);
  return { code: await runCommand(args, io, { module: { build }, all: [] }), err: err.join("\n") };
}

test("a full disk is a sentence and 1, wherever it shows itself", async () => {
  const { code, err } = await called([], () => {
    throw new StorageFailure(
      "/x/t.jsonl",
      "its lock cannot be taken (ENOSPC: no space left on device)",
    );
  });
  expect([code, err]).toEqual([
    1,
    "error The transcript /x/t.jsonl cannot be written: its lock cannot be taken (ENOSPC: no space left on device)",
  ]);
});

test("a prompt without quotes is told about them", async () => {
  expect(await called(["fix", "the", "bug"], () => undefined)).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      /too many arguments[^]*A prompt of several words stands in quotes\./,
    ) as string,
  });
});

test("a fault of the program itself is not swallowed", async () => {
  await expect(called([], () => void (undefined as unknown as { x: string }).x)).rejects.toThrow(
    TypeError,
  );
});
