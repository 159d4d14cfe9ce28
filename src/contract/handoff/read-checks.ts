// The structured checks of a response, wherever they stand in it: which of them failed, and which
// cannot be read. A check counts as passed only where it says so in the contract's own form.
import { isObject } from "../../base/data/json.ts";
import { oneLine } from "../../base/text/printable.ts";

export type ReadChecks = {
  /** Names of the checks that did not pass, each with its reason where it gives one. */
  failed: string[];
  /** Names of those that say passed: true. */
  passed: string[];
  /** What has the place of a check and not its form, in sentences. */
  unreadable: { field: string; message: string }[];
};

/** Who says it: only the runtime's own validator may say that a check was left out. */
export type CheckTeller = "agent" | "runtime";

const maxNodes = 50_000;

/**
 * `checks` at the top or under findings has the contract's form. Findings that are a check
 * themselves, checks directly below them and deeper ones count by `passed`.
 */
export function readChecks(response: unknown, teller: CheckTeller): ReadChecks {
  const read: ReadChecks = { failed: [], passed: [], unreadable: [] };
  if (!isObject(response)) return read;
  const canonical = [
    { field: "checks", value: response["checks"] },
    {
      field: "findings.checks",
      value: isObject(response["findings"]) ? response["findings"]["checks"] : undefined,
    },
  ];
  const seen = new Set<unknown>();
  for (const { field, value } of canonical) {
    if (value === undefined || seen.has(value)) continue;
    seen.add(value);
    readForm(value, { field, teller, read });
  }
  readDeeper(response["findings"], seen, read);
  return {
    failed: [...new Set(read.failed)],
    passed: [...new Set(read.passed)],
    unreadable: read.unreadable,
  };
}

type At = { field: string; teller: CheckTeller; read: ReadChecks };

function readForm(value: unknown, { field, teller, read }: At): void {
  if (!isObject(value)) {
    const given = oneLineJson(value);
    read.unreadable.push({ field, message: `${given} is no object of {passed: true or false}` });
    return;
  }
  for (const [name, entry] of Object.entries(value)) {
    const passed = isObject(entry) ? entry["passed"] : entry;
    if (typeof passed !== "boolean")
      read.unreadable.push({
        field: `${field}.${name}`,
        message: `${oneLineJson(entry)} does not say passed: true or passed: false`,
      });
    else if (!passed) read.failed.push(named(name, entry));
    else if (teller === "agent" && isObject(entry) && isSaid(entry["skipped"]))
      read.unreadable.push({
        field: `${field}.${name}`,
        message: notSkipped,
      });
    else read.passed.push(name.slice(0, 60));
  }
}

const notSkipped =
  "it says skipped, and a check that was not run has not passed: " +
  "run it, leave it out, or say passed: false with the reason";

/** A number counts what was left out inside of the check. */
const isSaid = (value: unknown): boolean =>
  typeof value !== "number" && value !== undefined && value !== false && value !== null;

/** Other places of checks have no form to keep; a plain `passed: false` in one is a failed check. */
function readDeeper(findings: unknown, seen: ReadonlySet<unknown>, read: ReadChecks): void {
  const open: Node[] = [{ value: findings, isCheck: true, isBelow: false, name: "findings" }];
  for (let count = 0; open.length > 0; count++) {
    if (count > maxNodes) {
      read.unreadable.push({
        field: "findings",
        message: "more entries than can be looked through",
      });
      return;
    }
    const { value, isCheck, isBelow, name } = open.pop()!;
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    if (isCheck && isObject(value)) takePlain(value, nameOf(value) ?? name, read);
    for (const [key, item] of Object.entries(value)) {
      const below = isBelow || key === "checks";
      const isDirect = value === findings && isObject(value);
      open.push({ value: item, isCheck: below || isDirect, isBelow: below, name: key });
    }
  }
}

/** `isBelow`: somewhere under the word `checks`. */
type Node = { value: unknown; isCheck: boolean; isBelow: boolean; name: string };

function takePlain(entry: Record<string, unknown>, name: string, read: ReadChecks): void {
  if (entry["passed"] === false) read.failed.push(named(name, entry));
  else if (entry["passed"] === true && !isSaid(entry["skipped"]))
    read.passed.push(name.slice(0, 60));
}

const nameOf = (entry: Record<string, unknown>): string | undefined =>
  [entry["name"], entry["check"], entry["id"]].find((word) => typeof word === "string");

function named(name: string, entry: unknown): string {
  const { reason, errors } = isObject(entry) ? entry : {};
  const first = Array.isArray(errors) ? (errors[0] as unknown) : undefined;
  const why = [reason, first].find((words) => typeof words === "string" && words.trim() !== "");
  return `${name.slice(0, 60)}${typeof why === "string" ? ` (${oneLine(why, 160)})` : ""}`;
}

const oneLineJson = (value: unknown): string => oneLine(JSON.stringify(value) ?? "nothing", 80);
