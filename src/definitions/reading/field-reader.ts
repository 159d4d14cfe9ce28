// Reads the fields of one definition: values with their lines, and the problems found on the way.
import type { YamlEntry } from "../../base/data/read-yaml.ts";
import type { DefinitionProblem } from "../agent-definition.ts";

type Complaint = Pick<DefinitionProblem, "code" | "message" | "suggestion">;

export type FieldReader = {
  data: Readonly<Record<string, unknown>>;
  has(key: string): boolean;
  /**
   * A text; numbers and booleans as they were written. Undefined if absent, null or something else
   * (which is reported).
   */
  text(key: string): string | undefined;
  /** An unquoted scalar, in which `\n` means a line break. */
  isPlain(key: string): boolean;
  warn(key: string, complaint: Complaint): void;
  /** An error, but the definition is loaded: whoever uses the value refuses it. */
  fault(key: string, complaint: Complaint): void;
  /** The definition is not loaded. */
  refuse(key: string, complaint: Complaint): void;
  refused: boolean;
  problems: DefinitionProblem[];
};

export function createFieldReader(
  data: Record<string, unknown>,
  entries: ReadonlyMap<string, YamlEntry>,
  path: string,
): FieldReader {
  const problems: DefinitionProblem[] = [];
  const add = (
    severity: DefinitionProblem["severity"],
    key: string,
    { code, message, suggestion }: Complaint,
  ): void => {
    problems.push({
      path,
      line: entries.get(key)?.line ?? 1,
      severity,
      code,
      message,
      ...(suggestion !== undefined && { suggestion }),
    });
  };
  const reader: FieldReader = {
    data,
    problems,
    refused: false,
    has: (key) => Object.hasOwn(data, key) && data[key] !== null && data[key] !== undefined,
    isPlain: (key) => entries.get(key)?.plain ?? false,
    warn: (key, complaint) => add("warning", key, complaint),
    fault: (key, complaint) => add("error", key, complaint),
    refuse(key, complaint) {
      reader.refused = true;
      add("error", key, complaint);
    },
    text(key) {
      if (!reader.has(key)) return undefined;
      const value = data[key];
      if (typeof value === "string") return value;
      if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint")
        return entries.get(key)?.source ?? String(value);
      return undefined;
    },
  };
  return reader;
}
