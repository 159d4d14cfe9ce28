// Reads a spec that another process has written, maybe one of another version: the first version
// is read as the second, and what is newer is refused in words.
import { isObject, type JsonObject } from "../base/data/json.ts";
import { specVersion } from "./run-spec.ts";

export type ReadSpec = { ok: true; spec: JsonObject } | { ok: false; problem: string };

/** Only its version is checked: whoever relies on a field looks at it. */
export function readRunSpec(value: unknown): ReadSpec {
  if (!isObject(value)) return { ok: false, problem: "it does not say what it ran with" };
  const { version } = value;
  if (version === specVersion) return { ok: true, spec: value as JsonObject };
  if (version === 1) return { ok: true, spec: fromFirst(value as JsonObject) };
  const given = typeof version === "number" ? `version ${version}` : "no known version";
  return {
    ok: false,
    problem:
      `its spec has ${given}, and this Retinue reads 1 and ${specVersion}; ` +
      "go on with the Retinue that wrote it",
  };
}

/** The first version named the session and the folder among everything else, and no start. */
function fromFirst({ sessionId, cwd, isolation, ...rest }: JsonObject): JsonObject {
  return {
    ...rest,
    version: specVersion,
    startedAt: 0,
    session: { id: sessionId ?? "" },
    place: { cwd: cwd ?? "", ...(isolation === undefined ? {} : { isolation }) },
  };
}
