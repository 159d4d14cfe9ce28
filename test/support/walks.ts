// Four walks through the code, step by step. A step names a function and where it stands; the line
// is looked up, and every step must really be called from the one before it.
import { readFileSync } from "node:fs";

/**
 * `via` is the word by which an earlier step reaches this one, where that is not its own name: a port,
 * a method of another name. `from` is the step that calls it, where that is not the one before.
 */
type Step = { at: string; name: string; via?: string; from?: string; does: string };
export type Walk = { title: string; steps: Step[] };

const step = (at: string, does: string, more: Partial<Step> = {}): Step => {
  const [file, name] = at.split("#") as [string, string];
  return { at: `src/${file}.ts`, name, does, ...more };
};

export const walks: Walk[] = [
  {
    title: "A run of Explore",
    steps: [
      step("cli/commands/run#run", "reads the flags of `retinue run --agent Explore …`"),
      step("cli/commands/run#runHere", "opens the session and chooses what is printed"),
      step("cli/running/foreground-run#showRun", "starts the run where a person can watch it"),
      step("app/main/run-main-thread#settleMain", "definition and flags become a spec"),
      step("manager/run/settle/prepare-run#prepareRun", "tools, policy, memory, prompt"),
      step("app/main/run-main-thread#runMainThread", "starts the spec", {
        from: "src/cli/running/foreground-run.ts",
      }),
      step("manager/agents/manager#startMain", "the agents that it starts are its children"),
      step("manager/agents/run-table#start", "the run gets its handle, its one state"),
      step("manager/run/run-agent#runAgent", "hooks come and go with the run"),
      step("executors/local#execute", "transcript, tools, deadline"),
      step("loop/run-loop#runLoop", "ask the model, run its tools, ask again"),
      step("loop/ask-model#askModel", "one reply of the model"),
      step("loop/run-tools#runTools", "its tool calls", { from: "src/loop/run-loop.ts" }),
      step("manager/agents/run-table#end", "the handle ends with one result", {
        from: "src/manager/agents/run-table.ts",
      }),
      step("cli/render/report-run#reportRun", "prints the answer", {
        from: "src/cli/commands/run.ts",
      }),
    ],
  },
  {
    title: "Ctrl+B to a host",
    steps: [
      step("cli/running/foreground-run#sendToBackground", "the key was pressed"),
      step("manager/agents/manager#background", "for each of them, with its masked output file"),
      step("manager/run/run-handle#moveToBackground", "nobody is asked from here on"),
      step("cli/running/foreground-run#handOverAgents", "all of them move together", {
        from: "src/cli/running/foreground-run.ts",
      }),
      step("app/host/move-to-host#moveToHost", "starts the host and tells the runs", {
        via: "HostMove",
      }),
      step("app/host/move-to-host#startHost", "a process that outlives the terminal"),
      step("manager/run/run-handle#moveTo", "from the next turn on it is moving", {
        from: "src/app/host/move-to-host.ts",
      }),
      step("manager/run/run-handle#isMoving", "at the turn's end the loop leaves as moved", {
        from: "src/manager/run/hooks/hook-ports.ts",
      }),
      step("manager/run/run-handle#passOn", "the lock goes to the next owner", {
        from: "src/manager/run/transcripts-on-disk.ts",
      }),
      step("cli/running/foreground-run#leaveToHost", "the spec goes to the host", {
        from: "src/cli/running/foreground-run.ts",
      }),
      step("app/host/run-host#takeOver", "the host goes on with it", {
        via: "host",
        from: "src/app/host/move-to-host.ts",
      }),
    ],
  },
  {
    title: "A report from loop to header",
    steps: [
      step("loop/run-loop#answered", "the model has answered without a tool call"),
      step(
        "manager/run/hooks/hook-ports#beforeEnd",
        "the report is checked before anyone reads it",
      ),
      step("manager/run/run-services#verifier", "by the verifier of this run"),
      step("manager/run/report-verifier#verifierOf", "one repair at most", { via: "#verifier" }),
      step("verify/assess-report#assessReport", "against the files and the record"),
      step("manager/run/report-verifier#judgedReport", "what was found, as data", {
        from: "src/manager/run/report-verifier.ts",
      }),
      step("executors/local#withStore", "the verdict joins the outcome", {
        via: "judged",
        from: "src/executors/local.ts",
      }),
      step("verify/report/report-header#reportHeader", "the lines that a parent reads first", {
        from: "src/manager/run/report-verifier.ts",
      }),
      step("manager/session/agent-result#agentResult", "outcome and verdict become the result", {
        from: "src/manager/run/run-agent.ts",
      }),
      step("manager/agents/tools/report-text#reportText", "header first, the report as data", {
        from: "src/manager/agents/tools/agent-tool.ts",
      }),
    ],
  },
  {
    title: "A Bash call through the gate",
    steps: [
      step("loop/run-tools#gateCall", "every call is judged before it runs"),
      step("manager/run/gate#createGate", "hooks, policy, person", { via: "gate" }),
      step("permissions/decide#decide", "the policy's word"),
      step("permissions/bash/judge-bash#judgeBash", "each part of the command"),
      step("manager/run/gate#settle", "what the rules leave open", {
        from: "src/manager/run/gate.ts",
      }),
      step("manager/run/gate#askPerson", "is asked, while the run is in the state `asking`"),
      step("loop/run-tools#applyDecision", "a no becomes an error result", {
        from: "src/loop/run-tools.ts",
      }),
      step("tools/bash-tool#bash", "runs what was allowed", { via: "execute" }),
      step("process/spawn-group#spawnGroup", "in a process group of its own"),
    ],
  },
];

const textOf = (path: string): string => readFileSync(path, "utf8");

/** Where the step's function is declared. Throws when it is not, or when nobody calls it from before. */
function lineOf({ at, name }: Step): number {
  const declared = new RegExp(
    `^(?:export )?(?:async )?function ${name}\\b|^(?:export )?const ${name}\\b|^  (?:async )?${name}\\(`,
  );
  const line = textOf(at)
    .split("\n")
    .findIndex((text) => declared.test(text));
  if (line < 0) throw new Error(`${at} declares no ${name}`);
  return line + 1;
}

function checkCalled({ steps, title }: Walk): void {
  steps.forEach(({ name, via = name, from }, index) => {
    const caller = from ?? steps[index - 1]?.at;
    if (caller !== undefined && !textOf(caller).includes(via))
      throw new Error(`${title}: ${caller} does not mention ${via}`);
  });
}

export const roomChanges = ({ steps }: Walk): number =>
  steps.filter(({ at }, index) => index > 0 && roomOf(at) !== roomOf(steps[index - 1]!.at)).length;

const roomOf = (path: string): string => path.split("/")[1]!;

export function walksPage(): string {
  const sections = walks.map((walk) => {
    checkCalled(walk);
    const files = new Set(walk.steps.map(({ at }) => at)).size;
    const rows = walk.steps.map(
      (one, index) =>
        `${index === 0 ? "  " : "→ "}${one.at}:${lineOf(one)}  ${one.name}: ${one.does}`,
    );
    return `## ${walk.title}\n\n${files} files, ${roomChanges(walk)} changes of room.\n\n\`\`\`\n${rows.join("\n")}\n\`\`\``;
  });
  return `# Four walks through the code\n\nEach line is a step: the file, the line, the function and what it does. A test looks the lines up and\nfails when a step is no longer called from where this page says.\n\n${sections.join("\n\n")}\n`;
}
