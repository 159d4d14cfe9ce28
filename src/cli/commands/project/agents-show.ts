// The text of `retinue agents show`: one agent with its source, its fields and its prompt.
import { relative } from "node:path";
import { oneLine, printable } from "../../../base/text/printable.ts";
import type { DefinitionPlace, LoadedDefinition } from "../../../definitions/load-definitions.ts";
import type { Io } from "../../io.ts";

export function showText(
  winner: LoadedDefinition,
  { rivals, withheld, cwd }: { rivals: LoadedDefinition[]; withheld: string[]; cwd: string },
  io: Io,
): void {
  const {
    name,
    description,
    prompt,
    source,
    priority: _priority,
    filePath,
    unknownKeys,
    ...fields
  } = winner.definition;
  const row = (key: string, value: string): void =>
    io.out(`${io.paint("dim", key.padEnd(16))}${value}`);
  io.out(io.paint("bold", printable(name)));
  io.out(`${printable(description)}\n`);
  row("source", placeText({ source, ...(filePath !== undefined && { filePath }) }, cwd));
  for (const loser of rivals.filter((entry) => !entry.isActive))
    row("wins over", `${placeText(loser.definition, cwd)}: ${loser.overriddenBy?.reason}`);
  for (const [key, value] of Object.entries(fields))
    row(
      key,
      oneLine(
        typeof value === "string"
          ? value
          : Array.isArray(value) && value.every((item) => typeof item === "string")
            ? value.join(", ") || "(none)"
            : JSON.stringify(value),
        200,
      ),
    );
  if (!("tools" in fields)) row("tools", "inherited");
  if (unknownKeys) row("other keys", oneLine(Object.keys(unknownKeys).join(", "), 200));
  if (withheld.length > 0)
    row("without effect", `${withheld.join(", ")} (the folder is not trusted: \`retinue trust\`)`);
  io.out(`\n${printable(prompt)}`);
}

function placeText({ source, filePath }: DefinitionPlace, cwd: string): string {
  if (filePath === undefined) return source;
  const inside = relative(cwd, filePath);
  return `${source} ${printable(inside.startsWith("..") ? filePath : inside)}`;
}
