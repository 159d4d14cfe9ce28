// Asks a person at the terminal about one tool call: shows the exact call in escaped form; the
// answer is once, always in this session, or no.
import { escaped } from "../../base/text/printable.ts";
import type { Asker, PermissionAnswer, PermissionQuestion } from "../../manager/session/asker.ts";
import { interruptRun } from "./interrupt-run.ts";
import type { Io } from "../io.ts";
import { loadPrompts } from "../load-prompts.ts";

/**
 * One question at a time. `pause` clears the status line and returns the function that restores it.
 */
export function askTerminal(io: Io, pause: () => () => void): Asker {
  let queue: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = queue.then(() => ask(question, { io, pause, signal }));
    queue = answer.catch(() => undefined);
    return answer;
  };
}

async function ask(
  question: PermissionQuestion,
  { io, pause, signal }: { io: Io; pause: () => () => void; signal: AbortSignal },
): Promise<PermissionAnswer> {
  if (signal.aborted) return "no";
  const resume = pause();
  try {
    const { select, isCancel } = await loadPrompts();
    io.err(describeCall(question, io));
    const answer = await select<PermissionAnswer>({
      message: `Allow ${question.tool}?`,
      options: [
        { value: "once", label: "Yes, once" },
        { value: "session", label: "Yes, and do not ask about this again in this session" },
        { value: "no", label: "No" },
      ],
      initialValue: "no",
      output: process.stderr,
      signal,
    });
    if (!isCancel(answer)) return answer;
    await interruptRun(signal);
    return "no";
  } finally {
    resume();
  }
}

/** Every input in full: what is shown is what will happen. */
export function describeCall(
  { agentType, tool, input, reason, rule }: PermissionQuestion,
  io: Pick<Io, "paintErr">,
): string {
  const rows = Object.entries(input).map(
    ([key, value]) =>
      `  ${io.paintErr("dim", `${escaped(key)}:`)} ` +
      escaped(typeof value === "string" ? value : JSON.stringify(value)),
  );
  return [
    `${io.paintErr("yellow", "?")} ${io.paintErr("bold", escaped(agentType))} wants to ` +
      `use ${io.paintErr("bold", escaped(tool))}`,
    ...rows,
    `  ${io.paintErr("dim", "asked because:")} ` +
      `${escaped(reason)}${rule === undefined ? "" : ` (rule ${escaped(rule)})`}`,
  ].join("\n");
}
