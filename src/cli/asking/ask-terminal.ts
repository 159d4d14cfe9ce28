// Asks a person at the terminal about one tool call: yes, always by a rule that is shown, or no
// with a reason for the agent. One question at a time.
import { escaped } from "../../base/text/printable.ts";
import type { Asker, PermissionAnswer, PermissionQuestion } from "../../manager/session/asker.ts";
import type { Io } from "../io.ts";
import { choose, chooseSeveral, typeText, type Choice } from "./choose.ts";
import { Interrupted } from "./show-prompt.ts";

type Asking = { io: Io; pause: () => () => void; signal: AbortSignal };

/** `pause` clears the status lines and returns the function that restores them. */
export function askTerminal(io: Io, pause: () => () => void): Asker {
  let queue: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const answer = queue.then(() => ask(question, { io, pause, signal }));
    queue = answer.catch(() => undefined);
    return answer;
  };
}

async function ask(question: PermissionQuestion, asking: Asking): Promise<PermissionAnswer> {
  if (asking.signal.aborted) return "no";
  const resume = asking.pause();
  try {
    const { describeCall } = await import("./describe-call.ts");
    asking.io.err(describeCall(question, asking.io, asking.io.cwd));
    for (;;) {
      const answer = await firstAnswer(question, asking);
      if (answer !== undefined) return answer;
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (!asking.io.signal.aborted) asking.io.err(asking.io.paintErr("dim", "  answered elsewhere"));
    return "no";
  } finally {
    resume();
  }
}

/** Undefined when the person came back from the rules or from the reason. */
async function firstAnswer(
  question: PermissionQuestion,
  asking: Asking,
): Promise<PermissionAnswer | undefined> {
  const { io, signal } = asking;
  const word = await choose<"yes" | "always" | "reason" | "no">(io, {
    message: `Allow ${escaped(question.tool)}?`,
    choices: [
      { value: "yes", key: "y", label: question.isUpFront ? "Yes, all of it" : "Yes, once" },
      {
        value: "always",
        key: "a",
        label: question.isUpFront ? "Some of it …" : "Yes, and do not ask again about …",
      },
      { value: "reason", key: "n", label: "No, and tell the agent why …" },
      { value: "no", label: "No", hint: "Esc" },
    ],
    initial: "no",
    onEscape: "no",
    signal,
  });
  if (word === "yes") return "once";
  if (word === "no") return "no";
  return word === "always" ? always(question, asking) : noBecause(asking);
}

async function noBecause({ io, signal }: Asking): Promise<PermissionAnswer | undefined> {
  const because = await typeText(io, {
    message: "What shall the agent know? (Enter for nothing, Esc to go back)",
    signal,
  });
  if (because === undefined) return undefined;
  return because.trim() === "" ? "no" : { answer: "no", because: because.trim() };
}

async function always(
  question: PermissionQuestion,
  { io, signal }: Asking,
): Promise<PermissionAnswer | undefined> {
  if (question.isUpFront) return someRules(question, { io, signal });
  const offers: Choice<PermissionAnswer | undefined>[] = (["session", "local"] as const).flatMap(
    (keep) =>
      question.offers.map((rules) => ({
        value: { answer: "always" as const, rules, keep },
        label: rules.map(escaped).join(" "),
        hint: keep === "session" ? "in this session" : "saved in .claude/settings.local.json",
      })),
  );
  return choose<PermissionAnswer | undefined>(io, {
    message: "Do not ask again about:",
    choices: [...offers, sameCall].map((choice, index) => ({ ...choice, key: String(index + 1) })),
    initial: offers[0]?.value ?? "session",
    onEscape: undefined,
    signal,
  });
}

const sameCall: Choice<PermissionAnswer | undefined> = {
  value: "session",
  label: "this very call",
  hint: "in this session",
};

async function someRules(
  { offers }: PermissionQuestion,
  { io, signal }: Pick<Asking, "io" | "signal">,
): Promise<PermissionAnswer | undefined> {
  const rules = await chooseSeveral(io, {
    message: "Without asking, it may use:",
    choices: offers.flat().map((rule) => ({ value: rule, label: escaped(rule) })),
    signal,
  });
  return rules && { answer: "always", rules, keep: "session" };
}
