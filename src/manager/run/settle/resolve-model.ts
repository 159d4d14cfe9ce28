// Which model a run gets: the call's word, the definition's, the environment's default, the
// parent's.
import { RetinueError } from "../../../base/errors.ts";
import type { Model } from "../../../model/model.ts";

export type ModelChoice = {
  /** `model` of the call. */
  input?: string | undefined;
  definition?: string | undefined;
  /** CLAUDE_CODE_SUBAGENT_MODEL: a default here, no override. */
  fallback?: string | undefined;
  /** Asked last: a parent without a model is no matter to a child that has one. */
  parent: () => string;
};

const aliases = /^(opus|sonnet|haiku|fable)$/i;

/** The first one given; a written `inherit` means the parent at once. */
export function resolveModelName(choice: ModelChoice): string {
  for (const name of [choice.input, choice.definition, choice.fallback]) {
    if (name === "inherit") break;
    if (name) return name;
  }
  return choice.parent();
}

/**
 * The model itself. A definition that names opus, sonnet or haiku says how strong it should be, not
 * who serves it: where nobody has a key for that, or the parent is offline and so asked for no
 * provider at all, it runs on the parent's model, and a note says so. Everything else that cannot
 * be reached throws.
 */
export function resolveModel(
  choice: ModelChoice,
  open: (name: string) => Model,
): { model: Model; notes: string[] } {
  const name = resolveModelName(choice);
  const isWish = !choice.input && choice.definition === name && aliases.test(name);
  if (isWish && isOffline(choice))
    return {
      model: open("offline"),
      notes: [
        `its definition names the model "${name}"; whoever started it is offline, and so is it.`,
      ],
    };
  try {
    return { model: open(name), notes: [] };
  } catch (error) {
    if (!isWish || !(error instanceof RetinueError) || error.code !== "missing_key") throw error;
    const model = open(choice.parent());
    return {
      model,
      notes: [
        `its definition names the model "${name}", for which there is no key: it runs on ` +
          `${model.name}. \`retinue.aliases\` in the settings can name another.`,
      ],
    };
  }
}

function isOffline({ parent }: ModelChoice): boolean {
  try {
    return parent() === "offline";
  } catch {
    return false;
  }
}
