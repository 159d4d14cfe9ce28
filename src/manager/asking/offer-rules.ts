// The allow rules that "always" offers for one call: made from the parts that are asked about, and
// offered only if the policy with them allows the call.
import { dirname, relative } from "node:path";
import { absolutePath } from "../../base/files/path-facts.ts";
import { isMcpToolName } from "../../base/tool-names.ts";
import { decide } from "../../permissions/decide.ts";
import type { Step } from "../../permissions/decision.ts";
import type { Call, FactsOf, Policy } from "../../permissions/policy.ts";
import { compileRules } from "../../permissions/rules.ts";
import { specOf, wrapperOf } from "../../permissions/shell/tables/commands.ts";

type Asked = { steps: readonly Step[]; policy: Policy; facts: FactsOf };

/** Widest first; each offer is taken whole. None where a rule cannot answer the question. */
export function offerRules(call: Call, { steps, policy, facts }: Asked): string[][] {
  const candidates = [true, false].map((wide) => rulesFor(call, { wide, steps, policy }));
  const distinct = candidates.filter(
    (rules, index): rules is string[] =>
      rules !== undefined &&
      rules.length > 0 &&
      candidates.findIndex((other) => String(other) === String(rules)) === index,
  );
  return distinct.filter((rules) => answers(rules, call, { policy, facts }));
}

function answers(rules: string[], call: Call, { policy, facts }: Omit<Asked, "steps">): boolean {
  const given = { allow: rules, ask: [], deny: [] };
  if (compileRules(given, policy.customTools).problems.length > 0) return false;
  const widened = { ...policy.rules, allow: [...policy.rules.allow, ...rules] };
  return decide(call, { ...policy, rules: widened }, facts).behavior === "allow";
}

type Wish = { wide: boolean; steps: readonly Step[]; policy: Policy };

/** Undefined where there is no such rule. */
function rulesFor({ tool, input }: Call, wish: Wish): string[] | undefined {
  const { wide, policy } = wish;
  if (tool === "Bash") return bashRules(wish);
  if (tool === "Edit" || tool === "Write" || tool === "Read") {
    const path = input["file_path"];
    const rule =
      typeof path === "string" &&
      pathRule(tool === "Read" ? "Read" : "Edit", path, { wide, policy });
    return rule ? [rule] : undefined;
  }
  if (tool === "WebFetch") {
    const url = input["url"];
    return typeof url === "string" && URL.canParse(url)
      ? [`WebFetch(domain:${new URL(url).hostname})`]
      : undefined;
  }
  if (tool === "Agent") return [`Agent(${String(input["subagent_type"])})`];
  if (!wide || !isMcpToolName(tool)) return [tool];
  const [, server] = tool.split("__");
  return [`mcp__${server}__*`];
}

/** One rule for each command and path that is asked about. */
function bashRules({ wide, steps, policy }: Wish): string[] | undefined {
  const asked = steps.filter(({ behavior }) => behavior === "ask").map(({ part }) => part);
  const rules = [...new Set(asked)].map((part) => {
    const [, kind, path] = /^(read|list|write|delete|execute|may touch) (\/.+)$/.exec(part) ?? [];
    if (path !== undefined)
      return pathRule(kind === "read" || kind === "list" ? "Read" : "Edit", path, {
        wide,
        policy,
      });
    return wide ? prefixRule(part) : `Bash(${part})`;
  });
  return rules.every((rule) => rule !== undefined && !rule.includes("…"))
    ? (rules as string[])
    : undefined;
}

/**
 * `npm test *` for `npm test --watch`. Of a program that runs what it is given (a shell, an
 * interpreter, sudo) only the exact call is offered.
 */
function prefixRule(command: string): string | undefined {
  const [program = "", second = ""] = command.split(" ");
  if (!/^[\w.+-]+$/.test(program) || runsWhatItIsGiven(program)) return undefined;
  const spec = specOf(program);
  if (spec?.subcommands === undefined && spec?.otherNames === undefined)
    return `Bash(${program} *)`;
  return /^[a-z][\w:-]*$/.test(second) ? `Bash(${program} ${second} *)` : undefined;
}

function runsWhatItIsGiven(program: string): boolean {
  const { launches, judge } = specOf(program) ?? {};
  return (
    wrapperOf(program) !== undefined ||
    launches === true ||
    judge === "shell" ||
    judge === "interpreter"
  );
}

/** Below the project as `/src/**`, elsewhere from the root of the disk; a pattern is no path. */
function pathRule(
  tool: "Edit" | "Read",
  path: string,
  { wide, policy }: Omit<Wish, "steps">,
): string | undefined {
  const { cwd, home, root } = policy.workspace;
  const written = absolutePath(path, cwd, home);
  const file = wide ? dirname(written) : written;
  if (/[*?[\]{}()!]/.test(file)) return undefined;
  const below = relative(root, file);
  const isInside = below !== ".." && !below.startsWith("../");
  if (wide && (below === "" || file === "/" || file === home)) return undefined;
  return `${tool}(${isInside ? `/${below}` : `/${file}`}${wide ? "/**" : ""})`;
}
