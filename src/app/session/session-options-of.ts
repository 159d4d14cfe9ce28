// What a program gives, in the words of a session: models under the names that runs know them by,
// rules as the command gives them.
import { aiSdkModel, isAiSdkModel, type AiSdkModel } from "../../model/ai-sdk/ai-sdk-model.ts";
import type { Model } from "../../model/model.ts";
import { plainModel } from "../../model/plain-model.ts";
import type { ManagerOptions } from "../manager-options.ts";
import type { SessionOptions } from "./session-options.ts";

/** Every model under its name, and the name of the one that is used where none is named. */
function modelsOf({ model, models = {} }: ManagerOptions): {
  models: Record<string, Model>;
  named: string | undefined;
} {
  const all = Object.fromEntries(
    Object.entries(models).map(([name, given]) => [name, asModel(given, name)]),
  );
  if (model === undefined || typeof model === "string") return { models: all, named: model };
  const own = asModel(model);
  return { models: { ...all, [own.name]: own }, named: own.name };
}

/**
 * A run names its model in its spec, so a model has to answer to the name under which it was given.
 */
const asModel = (given: Model | AiSdkModel, name?: string): Model =>
  plainModel(isAiSdkModel(given) ? aiSdkModel(given) : given, name);

/** The options of a session, and the name of the model for agents that name none. */
export function sessionOptionsOf(options: ManagerOptions): {
  options: SessionOptions;
  named: string | undefined;
} {
  const { models, named } = modelsOf(options);
  return { options: { ...inSessionsWords(options), models }, named };
}

function inSessionsWords({
  cwd = process.cwd(),
  env = process.env,
  permissions = {},
  agents,
  limits,
  ...rest
}: ManagerOptions): SessionOptions {
  const { mode, allow, ask, deny, additionalDirectories } = permissions;
  const {
    model: _model,
    models: _models,
    executor,
    onEvent: _onEvent,
    watch: _watch,
    ...passed
  } = rest;
  return {
    ...passed,
    cwd,
    env,
    ...(typeof executor === "string" ? { executor } : {}),
    ...(agents ? { agents } : {}),
    // A number that was left undefined is none that was given: the settings' cap holds.
    ...(limits
      ? {
          limits: Object.fromEntries(
            Object.entries(limits).filter(([, value]) => value !== undefined),
          ),
        }
      : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(allow ? { allowedTools: allow } : {}),
    ...(ask ? { askRules: ask } : {}),
    ...(deny ? { disallowedTools: deny } : {}),
    ...(additionalDirectories ? { addDirs: additionalDirectories } : {}),
  };
}
