// Permission profiles: named ceilings. A profile admits tools and refuses paths; applied to a
// policy it only narrows.
import type { RuleLists } from "./rules.ts";

export type Profile = {
  name: string;
  description: string;
  /** Tool entries: names, `mcp__server__*`, `*`. */
  tools: string[];
  use_cases?: string[];
  /** The profile whose tools, denials and guards this one starts from. */
  extends?: string;
  /** Deny rules. */
  deny?: string[];
  /** Further rules; allow rules count only from a trusted source. */
  rules?: Partial<RuleLists>;
  /**
   * Wildcards never admit an MCP tool that writes, and `.env*`, key and credential files are not
   * read.
   */
  guarded?: boolean;
};

const symbolTools = [
  "mcp__cclsp__find_definition",
  "mcp__cclsp__find_references",
  "mcp__cclsp__get_hover",
  "mcp__cclsp__find_workspace_symbols",
];

export const builtInProfiles: readonly Profile[] = [
  {
    name: "read-only",
    description: "Read and search only, no modifications",
    tools: ["Read", "Grep", "Glob", ...symbolTools],
    use_cases: ["Code review", "Security audit", "Pattern analysis"],
    guarded: true,
  },
  {
    name: "research",
    description: "Read, search, and web lookup",
    tools: ["Read", "Grep", "Glob", "WebFetch", "WebSearch", "mcp__cclsp__*", "mcp__context7__*"],
    use_cases: ["Documentation lookup", "Pattern research", "Conflict detection"],
    guarded: true,
  },
  {
    name: "writer",
    description: "Full file operations and build commands",
    tools: ["Read", "Write", "Edit", "Bash", "Grep", "Glob", "mcp__cclsp__*"],
    use_cases: ["Code implementation", "Test writing", "File creation"],
  },
  {
    name: "full-access",
    description: "All tools including Agent for sub-agent spawning",
    tools: ["*"],
    use_cases: ["Workflow orchestration", "Complex multi-phase operations"],
  },
  {
    name: "validator",
    description: "Read and search, and Bash for the project's checks",
    tools: ["Read", "Grep", "Glob", "Bash", "mcp__cclsp__*"],
    use_cases: ["Type checks", "Lint", "Tests", "Security checks"],
  },
];

/** Whoever writes a file of these names changes the list of tools, not what the names promise. */
const guardedNames: ReadonlySet<string> = new Set(["read-only", "research"]);

export type ResolvedProfile = { ok: true; profile: Profile } | { ok: false; problem: string };

/**
 * The profile of that name with everything it extends folded in. Own profiles come before the
 * built-in ones of the same name.
 */
export function resolveProfile(name: string, own: readonly Profile[] = []): ResolvedProfile {
  const chain: Profile[] = [];
  for (let next: string | undefined = name; next !== undefined; next = chain.at(-1)!.extends) {
    const wanted: string = next;
    const shadowed = chain.at(-1)?.name === wanted;
    const found = (shadowed ? builtInProfiles : [...own, ...builtInProfiles]).find(
      (profile) => profile.name === wanted,
    );
    if (!found)
      return {
        ok: false,
        problem:
          `there is no profile named ${JSON.stringify(wanted)} (known: ` +
          `${[...new Set([...own, ...builtInProfiles].map((profile) => profile.name))].join(", ")})`,
      };
    if (chain.includes(found))
      return { ok: false, problem: `the profile ${JSON.stringify(name)} extends itself` };
    chain.push(found);
  }
  const profile = chain.reduceRight((base, own) => fold(base, own));
  return {
    ok: true,
    profile: chain.some(({ name }) => guardedNames.has(name))
      ? { ...profile, guarded: true }
      : profile,
  };
}

/**
 * True for a file that says what is built in anyway, as `init` writes it: with or without it the
 * same holds.
 */
export function repeatsBuiltIn({
  name,
  tools,
  extends: base,
  deny = [],
  rules = {},
}: Profile): boolean {
  const builtIn = builtInProfiles.find((profile) => profile.name === name);
  const addsRules = deny.length > 0 || Object.values(rules).some((list) => list.length > 0);
  return (
    builtIn !== undefined &&
    base === undefined &&
    !addsRules &&
    new Set(tools).size === builtIn.tools.length &&
    tools.every((tool) => builtIn.tools.includes(tool))
  );
}

function fold(base: Profile, own: Profile): Profile {
  return {
    name: own.name,
    description: own.description,
    tools: [...new Set([...base.tools, ...own.tools])],
    ...(own.use_cases ? { use_cases: own.use_cases } : {}),
    deny: [...(base.deny ?? []), ...(own.deny ?? [])],
    rules: joinRules(base.rules ?? {}, own.rules ?? {}),
    guarded: base.guarded === true || own.guarded === true,
  };
}

/** Both lists of rules, the first one's first. */
export function joinRules(a: Partial<RuleLists>, b: Partial<RuleLists>): RuleLists {
  return {
    allow: [...(a.allow ?? []), ...(b.allow ?? [])],
    ask: [...(a.ask ?? []), ...(b.ask ?? [])],
    deny: [...(a.deny ?? []), ...(b.deny ?? [])],
  };
}
