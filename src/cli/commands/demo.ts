// `retinue demo`: one agent searches, reads, edits and tests a temporary copy of a small project, live and without a key. Its words are a script, and it says so; what it does is real.
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openSession } from "../../app/open-session.ts";
import { runMain } from "../../app/run-main.ts";
import { createCommand, type CommandModule, type ExitCode } from "../command.ts";
import { demoScript } from "../demo/demo-script.ts";
import type { Io } from "../io.ts";
import { liveText } from "../render/live-text.ts";

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("demo", io)
    .description("watch an agent repair a small project, without any key")
    .action(async () => finish(await demo(io)));

async function demo(io: Io): Promise<ExitCode> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-demo-")));
  try {
    const project = join(base, "corner-shop");
    cpSync(assetFolder("demo-project"), project, { recursive: true });
    io.out(`${io.paint("bold", "A shop's test fails: a sum of exactly 100.00 should get 10 % off.")} One agent looks into it.`);
    io.out(io.paint("dim", "The model's words are a script, so that no key is needed. Its tools, permissions and files are real.\n"));
    const code = await watchAgent(io, { base, project });
    io.out(`\nNext:\n  retinue run "what does this project do?"      your own code, with ANTHROPIC_API_KEY or OPENAI_API_KEY set\n  retinue agents list                           which agents are here\n  retinue doctor                                what is missing on this machine`);
    return code;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function watchAgent(io: Io, { base, project }: { base: string; project: string }): Promise<ExitCode> {
  const model = demoScript(project);
  const live = liveText({ ...io, err: io.out, paintErr: io.paint }, undefined);
  const env = { ...io.env, HOME: join(base, "home"), CLAUDE_CONFIG_DIR: join(base, "home", ".claude") };
  const opened = openSession({ cwd: project, env, models: { [model.name]: model }, allowedTools: ["Edit", "Bash(node --test)"] });
  const { outcome } = await runMain(opened, { prompt: "The test about 100.00 fails. Find out why and repair it.", model: model.name, limits: {} }, { signal: io.signal, onEvent: live.onEvent });
  await opened.close();
  live.close();
  if (outcome.state !== "completed") {
    io.err(`${io.paintErr("red", outcome.state)} ${outcome.error ?? ""}`);
    return 1;
  }
  model.finish();
  io.out(`\n${outcome.content}`);
  io.out(io.paint("dim", `${outcome.metrics.turns} turns · ${outcome.metrics.tool_uses} tool calls · ${(outcome.metrics.duration_ms / 1000).toFixed(1)} s`));
  return 0;
}

/** Three folders up, both from the bundle's chunks and from the sources. */
const assetFolder = (name: string): string => fileURLToPath(new URL(`../../../assets/${name}`, import.meta.url));
