// The Agent family of one run: all of it for a main thread; for a sub-agent only what concerns its
// own background commands.
import type { RunHandle } from "../../run/run-handle.ts";
import type { Tool } from "../../../tool/tool.ts";
import type { Shells } from "../../../tools/shells.ts";
import { spawnRefusal } from "../../run/settle/resolve-policy.ts";
import type { Manager } from "../manager.ts";
import type { Session } from "../../session/session.ts";
import { agentTool } from "./agent-tool.ts";
import { askUserQuestionTool } from "./ask-user-question-tool.ts";
import { sendMessageTool } from "./send-message-tool.ts";
import { taskOutputTool } from "./task-output-tool.ts";
import { taskStopTool } from "./task-stop-tool.ts";

export function agentTools(
  run: RunHandle,
  from: { session: Session; manager: Manager; shells: Shells; onSeen: (agentId: string) => void },
): Tool[] {
  const { session, manager, shells, onSeen } = from;
  const { spec } = run;
  const asking =
    session.answer || session.background.ask === "wait" ? [askUserQuestionTool(session, run)] : [];
  // Structure, not a check: a sub-agent's tools know no manager.
  if (!spec.isMain)
    return [
      taskOutputTool({ manager: undefined, shells }),
      taskStopTool({ manager: undefined, shells }),
      ...asking,
    ];
  const types = [...manager.definitions().values()].filter(
    ({ name }) => spawnRefusal(name, spec.policy) === undefined,
  );
  const spawning =
    types.length > 0
      ? [agentTool(manager, { types, parentRunId: spec.runId }), sendMessageTool(manager)]
      : [];
  return [
    ...spawning,
    taskOutputTool({ manager, shells, onSeen }),
    taskStopTool({ manager, shells, onSeen }),
    ...asking,
  ];
}
