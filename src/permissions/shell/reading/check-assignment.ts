// Assignments: a variable that some program executes, searches or splits by is as good as a command.
import { ask, type Concern } from "../analysis.ts";
import { isDangerousVariable, isHarmlessVariable } from "../tables/variables.ts";

/** `exported`: a program will see it. `value` is null when it is only known at run time. */
export function checkVariable(
  name: string,
  value: string | null,
  exported: boolean,
): Concern | undefined {
  const fine = exported ? isHarmlessVariable(name, value) : !isDangerousVariable(name, value);
  if (fine) return undefined;
  const covers =
    value === null || isDangerousVariable(name, value) ? undefined : [`${name}=${value}`];
  return ask("assignment", `Setting ${name} can change what later commands do.`, covers);
}
