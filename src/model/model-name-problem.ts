// Says what is wrong with a model's name, without asking a provider: it is no alias, no
// `provider:id` and no id of a known family.
import { RetinueError } from "../base/errors.ts";
import { aliasTable, expandAlias, type EnvironmentVariables } from "./aliases.ts";
import { nearModelName, parseModelName, type ProviderTable } from "./providers.ts";

export type ModelNames = {
  env: EnvironmentVariables;
  providers?: ProviderTable;
  aliases?: Readonly<Record<string, string>>;
};

/** Undefined if the name can be resolved. `inherit` and `offline` always can. */
export function modelNameProblem(
  name: string,
  { env, providers = {}, aliases: given }: ModelNames,
): { message: string; suggestion?: string } | undefined {
  const aliases = aliasTable(env, given);
  if (name === "inherit" || name === "offline") return undefined;
  const known = [...aliases.keys()];
  const full = expandAlias(name, aliases);
  try {
    parseModelName(full, providers, known);
    return undefined;
  } catch (error) {
    if (!(error instanceof RetinueError)) throw error;
    const near = nearModelName(full, providers, known);
    return { message: error.message, ...(near !== undefined && { suggestion: near }) };
  }
}
