// The tour: a search by the offline model, a change by a scripted one, a made-up reference caught
// and put right, the project's own tests; and what all of it cost in context.
import { createManager, type AgentManager } from "../../app/create-manager.ts";
import { validateProject } from "../../checks/validate-project.ts";
import { printable } from "../../base/text/printable.ts";
import { countTokens } from "../../base/text/tokens.ts";
import type { RunEvent } from "../../events/event.ts";
import { contextReport, type PhaseContext } from "../../flows/context-report.ts";
import { checkTokens } from "../../flows/measuring/measure-flow.ts";
import type { AgentResult } from "../../manager/session/agent-result.ts";
import { textOf } from "../../model/message.ts";
import { offlineModel } from "../../offline/offline-model.ts";
import type { Io } from "../io.ts";
import { contextTable } from "../render/flow-measures.ts";
import { liveText } from "../../terminal/live/live-text.ts";
import { demoScript, scriptName } from "./demo-script.ts";

export type TourPlace = { project: string; home: string };

/** True when everything came out as promised: the reference caught, the test green. */
export async function tour(io: Io, { project, home }: TourPlace): Promise<boolean> {
  const script = demoScript(project);
  const manager = createManager({
    cwd: project,
    env: { ...io.env, HOME: home, CLAUDE_CONFIG_DIR: `${home}/.claude` },
    models: { offline: offlineModel(), [scriptName]: script },
    model: "offline",
    watch: false,
    agents: {
      scout: {
        description: "looks around",
        prompt: "Find what the task names.",
        tools: ["Read", "Grep", "Glob"],
        model: "offline",
      },
      fixer: {
        description: "repairs",
        prompt: "Repair it.",
        tools: ["Read", "Edit", "Bash"],
        model: scriptName,
      },
    },
    permissions: { allow: ["Edit", "Bash(node --test)"] },
    onEvent: watcher(io),
  });
  // What runs is stopped, and what has not begun does not begin.
  const stop = (): void => void manager.close();
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    return await walk(io, manager, project);
  } finally {
    io.signal.removeEventListener("abort", stop);
    await manager.close();
  }
}

async function walk(io: Io, manager: AgentManager, project: string): Promise<boolean> {
  title(
    io,
    "1 Search",
    "a search that needs no key and no model; each place that it names is checked",
  );
  const research = await ask(
    manager,
    "scout",
    "Where is `volumeDiscount` defined, and where is `bestDiscount` used?",
  );
  header(io, research);
  if (io.signal.aborted) return false;
  title(
    io,
    "2 Write",
    "this model's words are a script; its tools and files are real. One reference in its report is made up",
  );
  const written = await ask(
    manager,
    "fixer",
    "The test about 100.00 fails: a sum that has reached a step must get its discount. Repair it.",
  );
  header(io, written);
  if (io.signal.aborted) return false;
  title(io, "3 Validate", "the project's own checks, run without a model");
  const { decision, checks, context_summary } = await validateProject({
    root: project,
    env: { ...io.env },
    signal: io.signal,
  });
  io.out(
    `  ${decision === "PROCEED" ? io.paint("green", "✓") : io.paint("red", "✗")} ${context_summary}`,
  );
  await table(io, [
    ran("research", research),
    ran("write", written),
    {
      phase: "validate",
      agent: "validator",
      transcripts: [],
      contextTokens: checkTokens(checks) + countTokens(context_summary),
      handedBack: context_summary,
    },
  ]);
  const repair = written.verification?.["repair"] as { fixed?: number } | null | undefined;
  return (
    holdsWhole(research) &&
    repair?.fixed === 1 &&
    written.verification?.["trust"] === "VERIFIED" &&
    checks.tests.passed
  );
}

/** Every place that the search named stands there. */
const holdsWhole = ({ verification }: AgentResult): boolean => {
  const places = verification?.tally?.places;
  return places !== undefined && places.of > 0 && places.hold === places.of;
};

const ask = (manager: AgentManager, agent: string, prompt: string): Promise<AgentResult> =>
  manager.spawn({ subagent_type: agent, description: agent, prompt }).done;

const title = (io: Io, name: string, about: string): void =>
  io.out(`\n${io.paint("bold", name)} ${io.paint("dim", about)}`);

function header(io: Io, { verification, error }: AgentResult): void {
  if (error) io.out(io.paint("red", `  ${error}`));
  const lines =
    typeof verification?.["header"] === "string" ? verification["header"].split("\n") : [];
  for (const line of lines) io.out(io.paint("cyan", `  ${printable(line)}`));
}

/** Live lines, and in front of everyone what the verifier sends back. */
function watcher(io: Io): (event: RunEvent) => void {
  const live = liveText({ ...io, err: io.out, paintErr: io.paint }, undefined);
  return (event) => {
    live.onEvent(event);
    const text =
      event.type === "message" && event.origin === "hook" ? textOf(event.message.content) : "";
    const row = text
      .split("\n")
      .find((line) => line.startsWith("| ") && !line.startsWith("| your text"));
    if (row)
      io.out(`  ${io.paint("red", "✗ the verifier sends the report back:")} ${printable(row)}`);
  };
}

const ran = (phase: string, { agent_type, transcript, content }: AgentResult): PhaseContext => ({
  phase,
  agent: agent_type,
  transcripts: [transcript],
  handedBack: content,
});

/**
 * What each agent had in front of it, beside one conversation that would have carried everything
 * along.
 */
async function table(io: Io, phases: readonly PhaseContext[]): Promise<void> {
  io.out("");
  for (const line of contextTable((await contextReport(phases)).report, io)) io.out(line);
}
