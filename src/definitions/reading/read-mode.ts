// Reads the `permissionMode` of a definition, with the words of Claude Code that mean something else
// here.
import { permissionModes } from "../../base/permission-modes.ts";
import type { AgentFields } from "../agent-definition.ts";
import type { FieldReader } from "./field-reader.ts";
import { readEnumField } from "./read-fields.ts";

/** Claude Code's modes that have another name here, and what there is to say about it. */
const otherModes: Readonly<Record<string, string | null>> = {
  // The same mode under its newer name.
  manual: null,
  auto: "the mode `auto` of Claude Code does not exist here; `default` is used, which asks",
};

/** A mode is a guard: a word that is none refuses the definition. */
export function readMode(reader: FieldReader): AgentFields["permissionMode"] {
  const word = reader.text("permissionMode")?.trim() ?? "";
  if (!Object.hasOwn(otherModes, word))
    return readEnumField(reader, "permissionMode", permissionModes);
  const message = otherModes[word];
  if (typeof message === "string")
    reader.warn("permissionMode", {
      code: "absent-mode",
      message,
      suggestion: "permissionMode: default",
    });
  return "default";
}
