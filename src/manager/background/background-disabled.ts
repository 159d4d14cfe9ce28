// CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: what asks for the background runs in the foreground, and
// the result says so.
import type { Environment } from "../session/session.ts";

const variable = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS";

export const backgroundDisabled = (env: Environment): boolean =>
  ["1", "true", "yes", "on"].includes((env[variable] ?? "").toLowerCase());

export const backgroundDisabledText = `background tasks are switched off by ${variable}: it runs in the foreground`;
