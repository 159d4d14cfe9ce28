// What was denied, for people: identical denials are one line with a count.
import { oneLine, printable } from "../../base/text/printable.ts";
import type { PermissionDenial } from "../../events/outcome.ts";
import type { Io } from "../io.ts";

export function denialLines(
  denials: readonly PermissionDenial[],
  { paintErr }: Pick<Io, "paintErr">,
): string[] {
  const counts = new Map<string, number>();
  for (const { tool_name, reason } of denials) {
    const text = `${oneLine(tool_name, 80)}: ${printable(reason)}`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts].map(
    ([text, count]) =>
      `${paintErr("yellow", "denied")} ${text}${count === 1 ? "" : ` (${count} times)`}`,
  );
}
