// Assignments: what a variable gets, and what is known of it afterwards.
import type { Assignment, Word } from "unbash";
import type { Concern } from "../analysis.ts";
import { known, type Field } from "../field.ts";
import { addConcern, noteValue, type Findings, type Scope } from "../scope.ts";
import { checkVariable } from "../tables/check-variable.ts";
import { expandWord } from "./expand-word.ts";
import type { Survey } from "./survey-script.ts";
import { checkIndex, type Expander } from "./word-pieces.ts";

type Place = { scope: Scope; walker: { findings: Findings; survey: Survey } };

export function assign(name: string, value: string | null, { scope, walker }: Place): void {
  const concern = checkVariable(name, value, false);
  if (concern) addConcern(walker.findings.concerns, concern);
  scope.values.delete(name);
}

/** `export A=b` keeps its shape as one word; arrays and subscripts are looked into. */
export function argumentFields(item: Word | Assignment, tools: Expander): Field[] {
  if (item.type === "Word") return expandWord(item, tools);
  const value = assignedValue(item, tools);
  const head = `${item.name}${item.index ? `[${item.index.text}]` : ""}${item.append ? "+" : ""}=`;
  return [
    value?.value == null
      ? { ...known("", item.text), value: null, values: null }
      : known(head + value.value, item.text),
  ];
}

export function assignedValue(item: Assignment, tools: Expander): Field | undefined {
  if (item.index) checkIndex(item.index, tools);
  if (item.value.type === "Word") {
    const fields = expandWord(item.value, tools);
    return fields.length === 1 ? fields[0] : undefined;
  }
  item.value.elements.forEach((element) => expandWord(element, tools));
  return undefined;
}

function remember(item: Assignment, value: Field | undefined, { scope, walker }: Place): void {
  scope.values.delete(item.name);
  // An empty value could still be replaced by `${name:=…}`.
  if (value?.value && !item.append && !item.index && walker.survey.isStable(item.name))
    scope.values.set(item.name, { texts: [value.value], glob: false });
}

/** What speaks against the variable; for a command it is handed on, alone it is remembered. */
export function judgeAssignment(
  item: Assignment,
  fields: readonly Field[],
  { scope, walker, tools }: Place & { tools: Expander },
): Concern[] {
  const value = assignedValue(item, tools);
  const concern = checkVariable(item.name, value?.value ?? null, fields.length > 0);
  if (fields.length === 0) remember(item, value, { scope, walker });
  else noteValue(walker.findings, value?.value ?? null, scope);
  // `IFS= read` splits one line and ends with it.
  const isOneRead = item.name === "IFS" && fields[0]?.value === "read";
  return concern && !isOneRead ? [concern] : [];
}
