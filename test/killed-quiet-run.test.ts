// P1 and P7 for a run that nobody listens to, whose messages may wait: killed at every step of it, it has lost nothing but turns
// that changed nothing, and going on repeats no change.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { loadTranscript } from "../src/transcripts/reading/load-transcript.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const sessionId = "11111111-2222-4333-8444-555555555555";

function play(folder: string, agentId: string, killAt: number): { state?: string; steps?: number } {
  const child = join(import.meta.dirname, "support", "quiet-run-child.mjs");
  const { stdout, signal, stderr } = spawnSync(
    process.execPath,
    [child, folder, sessionId, agentId, String(killAt)],
    { encoding: "utf8" },
  );
  if (signal === "SIGKILL") return {};
  expect(stderr).toBe("");
  return JSON.parse(stdout) as { state: string; steps: number };
}

const linesOf = (path: string): string[] =>
  existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : [];

function transcriptIn(folder: string): string {
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).find((path) =>
    /agent-a[0-9a-f]{16}\.jsonl$/.test(path),
  );
  return join(folder, found ?? "none");
}

test("kill -9 at every step of a run that nobody hears loses only turns that changed nothing", async () => {
  const world = (): string => {
    folders.push(mkdtempSync(join(tmpdir(), "retinue-quiet-")));
    return folders.at(-1)!;
  };
  const whole = play(world(), "", 0);
  expect(whole).toMatchObject({ state: "completed" });
  const unwritten: string[] = [];
  for (let step = 1; step <= whole.steps!; step++) {
    const folder = world();
    expect(play(folder, "", step)).toEqual({});
    const transcript = transcriptIn(folder);
    const [lines, effects] = [linesOf(transcript), linesOf(join(folder, "effects"))];
    for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    for (const id of effects) {
      const about = lines.filter((line) => line.includes(`"${id}"`));
      expect(about.some((line) => line.startsWith('{"type":"assistant"'))).toBe(true);
      expect(about.some((line) => line.includes('"behavior":"allow"'))).toBe(true);
    }
    // What a change came to waits for nothing: the next step finds it on disk.
    const [killedIn = ""] = linesOf(join(folder, "killed"));
    const results = lines.filter((line) => line.includes('"tool_result"')).join("\n");
    for (const id of killedIn.startsWith("change has run") ? effects.slice(0, -1) : effects)
      expect(results).toContain(`"${id}"`);
    expect((await loadTranscript(transcript)).problems).toEqual([]);
    const [, id = "none"] = /(toolu_\d+)$/.exec(killedIn) ?? [];
    if (!lines.some((line) => line.includes(`"${id}"`))) unwritten.push(killedIn);
    if (step % 3 !== 0 && !killedIn.startsWith("change")) continue;
    const agentId = /agent-(a[0-9a-f]{16})/.exec(transcript)![1]!;
    expect(play(folder, agentId, 0)).toMatchObject({ state: "completed" });
    const repeated = linesOf(join(folder, "effects"));
    expect(new Set(repeated).size).toBe(repeated.length);
  }
  // Some of the kills did hit lines that waited.
  expect(unwritten.some((step) => step.startsWith("look"))).toBe(true);
}, 120_000);
