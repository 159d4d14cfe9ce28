// What every judgement of one call shares: the policy, its rules ready for matching, and facts
// about paths, each asked for once.
import type { PathFacts } from "../base/files/path-facts.ts";
import { parseRule, type ParsedRule } from "../base/parse-rule.ts";
import { compileCommandRule, type CommandRule } from "./bash/command-rule.ts";
import { compilePathRule, realPlaces, type PathRule } from "./paths/path-rules.ts";
import { protectedLinks, type ProtectedLink } from "./paths/protected-links.ts";
import { normalise } from "./paths/written-path.ts";
import type { FactsOf, Policy } from "./policy.ts";
import { compileRules, type CompiledRules, type RuleLists } from "./rules.ts";

export type ListName = keyof RuleLists;
export type PathTool = "Read" | "Write" | "Edit" | "Grep" | "Glob";
export type PlacedRule = {
  rule: ParsedRule;
  tool: PathTool;
  places: ReturnType<typeof realPlaces>;
};

export type Judge = {
  policy: Policy;
  rules: CompiledRules;
  facts: FactsOf;
  /** Rules with a path, their places settled for this decision. */
  paths(list: ListName): PlacedRule[];
  commands(list: ListName): CommandRule[];
  /**
   * Workspace folders as written and as they really are; looked at on first use, since most calls
   * name no path.
   */
  roots: { lexical: string[]; real: string[] };
  /** Protected names of the workspace that are links; looked for on first use. */
  links: readonly ProtectedLink[];
};

type Static = {
  rules: CompiledRules;
  paths: Record<ListName, PathRule[]>;
  /** Made for the first call of a command. */
  commands: Partial<Record<ListName, CommandRule[]>>;
};
const prepared = new WeakMap<Policy, Static>();
const pathTools: ReadonlySet<string> = new Set(["Read", "Write", "Edit", "Grep", "Glob"]);

export function createJudge(policy: Policy, facts: FactsOf): Judge {
  return new CallJudge(policy, facts);
}

/** A class, because one is made for every call, and most calls need next to nothing of it. */
class CallJudge implements Judge {
  readonly policy: Policy;
  readonly facts: FactsOf;
  readonly #prepared: Static;
  #placed: Partial<Record<ListName, PlacedRule[]>> | undefined;
  #roots: Judge["roots"] | undefined;
  #links: Judge["links"] | undefined;

  constructor(policy: Policy, facts: FactsOf) {
    this.policy = policy;
    this.facts = rememberFacts(facts, normalise(policy.workspace.cwd));
    this.#prepared = prepare(policy);
  }

  get rules(): CompiledRules {
    return this.#prepared.rules;
  }

  commands(list: ListName): CommandRule[] {
    return (this.#prepared.commands[list] ??= this.rules[list]
      .filter((rule) => rule.tool === "Bash")
      .map((rule) => compileCommandRule(rule)));
  }

  paths(list: ListName): PlacedRule[] {
    this.#placed ??= {};
    return (this.#placed[list] ??= this.#prepared.paths[list].map((item) => ({
      rule: item.rule,
      tool: item.rule.tool as PathTool,
      places: realPlaces(item, this.facts),
    })));
  }

  get links(): Judge["links"] {
    return (this.#links ??= protectedLinks(this.roots.real, this.facts));
  }

  get roots(): Judge["roots"] {
    if (this.#roots) return this.#roots;
    const { cwd, additionalDirectories, memoryDirectory } = this.policy.workspace;
    const lexical = [
      cwd,
      ...additionalDirectories,
      ...(memoryDirectory === undefined ? [] : [memoryDirectory]),
    ].map(normalise);
    return (this.#roots = {
      lexical,
      real: [...lexical, ...lexical.map((root) => this.facts(root).real)],
    });
  }
}

function prepare(policy: Policy): Static {
  const known = prepared.get(policy);
  if (known) return known;
  // A plain name among an agent's disallowed tools that exists nowhere takes nothing away; whoever
  // loaded the definition has said so.
  const disallowed = policy.disallowed.filter(
    (entry) =>
      entry.includes("(") || parseRule(entry, { list: "deny", tools: policy.customTools }).ok,
  );
  const rules = compileRules(
    { ...policy.rules, deny: [...policy.rules.deny, ...disallowed] },
    policy.customTools,
  );
  const pick = (list: ListName): PathRule[] =>
    rules[list]
      .filter((rule) => pathTools.has(rule.tool) && rule.specifier !== undefined)
      .map((rule) => compilePathRule(rule, policy.workspace, { wide: list !== "allow" }));
  const result: Static = {
    rules,
    paths: { allow: pick("allow"), ask: pick("ask"), deny: pick("deny") },
    commands: {},
  };
  prepared.set(policy, result);
  return result;
}

/** Each path once in a decision; what is known of a folder is not looked up again for its files. */
function rememberFacts(factsOf: FactsOf, cwd: string): FactsOf {
  let seen: Map<string, PathFacts> | undefined;
  const recall = (path: string): PathFacts => {
    seen ??= new Map();
    let known = seen.get(path);
    if (known === undefined) seen.set(path, (known = lookUp(path, seen)));
    return known;
  };
  const lookUp = (path: string, known: Map<string, PathFacts>): PathFacts => {
    const at = path.lastIndexOf("/");
    if (at <= 0 || /\/\.{0,2}$/.test(path)) return factsOf(path);
    const parent = path.slice(0, at);
    const above = parent.slice(0, parent.lastIndexOf("/"));
    // The workspace is looked up for every decision that names a path.
    const isNear = [parent, above].some((folder) => folder === cwd || known.has(folder));
    return factsOf(path, isNear ? recall(parent) : undefined);
  };
  return recall;
}
