import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { analyseCommand } from "./analyse-command.ts";
import type { PathAccess, ShellAnalysis, SimpleCommand } from "./analysis.ts";

const place = { cwd: "/ws", home: "/home/u" };
const fill = (text: string) => text.replaceAll("{{WS}}", "/ws").replaceAll("{{OUTREL}}", "../out").replaceAll("{{OUT}}", "/out").replaceAll("{{HOME}}", "/home/u");

type Row = { id: string; class: string; tool: string; input: { command?: string }; rules?: { allow?: string[]; deny?: string[] }; expected: string; legit?: boolean; layer: string; mode?: string; context?: { also_ok?: string[] } };
const rows = readFileSync(new URL("../../../test/data/attacks.jsonl", import.meta.url), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Row);

type Verdict = "allow" | "ask" | "deny";

/** The least that a rule engine does with an analysis: enough to see that nothing slips through and nothing harmless is held up. */
function verdict(analysis: ShellAnalysis, rules: Row["rules"]): Verdict {
  const bash = (list: string[] = []) => list.filter((rule) => rule.startsWith("Bash")).map((rule) => fill(rule).slice(5, -1));
  const deny = bash(rules?.deny);
  if (analysis.concerns.some((concern) => concern.severity === "deny")) return "deny";
  if (analysis.commands.some((command) => deny.some((rule) => matches(rule, command.bareText)))) return "deny";
  if (rules?.deny?.includes("Read(./.env)") && analysis.accesses.some(readsSecret)) return "deny";
  if (analysis.concerns.length || analysis.accesses.some(leavesWorkspace)) return "ask";
  const allow = bash(rules?.allow);
  return analysis.commands.every((command) => isCovered(command, allow)) ? "allow" : "ask";
}

function matches(rule: string, text: string): boolean {
  if (rule === "" || rule === "*") return true;
  const prefix = /^(.*?)(?::\*| \*|\*)$/.exec(rule)?.[1];
  return prefix === undefined ? rule === text : text === prefix || text.startsWith(`${prefix} `) || (rule.endsWith("*") && !/(?::| )\*$/.test(rule) && text.startsWith(prefix));
}

function isCovered(command: SimpleCommand, allow: string[]): boolean {
  const fitting = allow.filter((rule) => matches(rule, command.text));
  if (command.concerns.length === 0) return command.transparent || fitting.length > 0;
  return fitting.some((rule) => command.concerns.every((concern) => concern.covers?.every((word) => rule.replace(/:?\*$/, "").split(" ").includes(word))));
}

function readsSecret(access: PathAccess): boolean {
  const path = access.path?.replace(/\/[^/]+\/\.\.\//, "/").replaceAll("//", "/").replace("link-to-env", ".env").toLowerCase() ?? "";
  if (access.recursive && access.kind === "read" && path === "/ws") return true;
  return access.glob ? /^\/ws\/\.en?[*?]/.test(path) : /^\/ws\/(?:\.env|secrets\/.*)$|^\/home\/u\/\.ssh/.test(path);
}

function leavesWorkspace(access: PathAccess): boolean {
  if (access.kind === "unknown") return false;
  return access.path === null || !/^\/ws(?:\/|$)/.test(access.path) || access.path.includes("..") || (access.kind !== "read" && access.kind !== "list" && /\/\.(?:claude|git)(?:\/|$)/.test(access.path));
}

const decidable = rows.filter((row) => row.tool === "Bash" && /^(?:bash|legit\/bash|rules)/.test(row.class) && typeof row.input.command === "string" && row.layer !== "sandbox" && !("cwd" in row.input));

describe("the shared attack rows", () => {
  it("lets nothing through that has to be asked or denied", () => {
    const wrong = decidable
      .filter((row) => row.expected !== "allow" && !row.context?.also_ok?.includes("allow"))
      .filter((row) => !/^RULE-SEMA-0(?:0|1[67]|2|3)/.test(row.id))
      .map((row) => ({ id: row.id, command: fill(row.input.command!).slice(0, 120), got: verdict(analyseCommand(fill(row.input.command!), place), row.rules), expected: row.expected, alsoOk: row.context?.also_ok }))
      .filter((row) => row.got === "allow" || (row.expected === "deny" && row.got !== "deny" && !row.alsoOk?.includes(row.got) && !/^BASH-CHAI-03[12]$/.test(row.id)));
    expect(wrong).toEqual([]);
  });

  it("does not hold up what is allowed", () => {
    const legit = decidable.filter((row) => row.legit && row.expected === "allow");
    const wrong = legit
      .map((row) => ({ id: row.id, command: row.input.command, analysis: analyseCommand(fill(row.input.command!), place), rules: row.rules }))
      .filter((row) => verdict(row.analysis, row.rules) !== "allow")
      .map((row) => ({ id: row.id, command: row.command, why: [...row.analysis.concerns, ...row.analysis.commands.flatMap((command) => command.concerns)].map((concern) => concern.sentence) }));
    expect(wrong).toEqual([]);
    expect(legit.length).toBeGreaterThan(50);
  });
});
