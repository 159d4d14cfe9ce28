// Tool names as Claude Code writes them, their aliases, and the groups that policies use.

export const builtInTools = [
  "Read",
  "Write",
  "Edit",
  "Bash",
  "Grep",
  "Glob",
  "WebFetch",
  "WebSearch",
  "TodoWrite",
  "Skill",
  "AskUserQuestion",
  "Agent",
  "TaskOutput",
  "TaskStop",
  "SendMessage",
  "Report",
] as const;

/**
 * The tool with which an agent answers. An agent that owes a report has it whatever its list of
 * tools says; only `disallowedTools` and deny rules take it away.
 */
export const answeringTool = "Report";

const aliases: ReadonlyMap<string, string> = new Map([
  ["Task", "Agent"],
  ["FileRead", "Read"],
  ["FileWrite", "Write"],
  ["FileEdit", "Edit"],
  ["KillShell", "TaskStop"],
  ["MultiEdit", "Edit"],
  ["LS", "Glob"],
]);

/**
 * Tools of Claude Code that do not exist here. Rules and lists may name them; they match nothing.
 */
export const foreignTools: readonly string[] = [
  "NotebookEdit",
  "NotebookRead",
  "BashOutput",
  "KillBash",
  "ExitPlanMode",
  "EnterPlanMode",
  "SlashCommand",
  "ListMcpResources",
  "ReadMcpResource",
  "ListMcpResourcesTool",
  "ReadMcpResourceTool",
  "LSP",
  "ToolSearch",
  "TodoRead",
  "EnterWorktree",
  "ExitWorktree",
  "TeamCreate",
  "TeamDelete",
  "TaskCreate",
  "TaskGet",
  "TaskList",
  "TaskUpdate",
  "StructuredOutput",
  "CronCreate",
  "CronDelete",
  "CronList",
  "RemoteTrigger",
  "PushNotification",
  "ScheduleWakeup",
  "Monitor",
  "PowerShell",
  "WaitForMcpServers",
  "ShareOnboardingGuide",
  "Artifact",
  "Brief",
  "Config",
  "DesignSync",
  "REPL",
  "ReportFindings",
  "SendUserFile",
  "SendUserMessage",
  "Sleep",
  "Workflow",
];

const known: ReadonlySet<string> = new Set(builtInTools);
const byLowerCase: ReadonlyMap<string, string> = new Map(
  [...builtInTools, ...aliases.keys()].map((name) => [name.toLowerCase(), name]),
);

/** The name that policies compare: aliases resolved, everything else as given. */
export const canonicalToolName = (name: string): string => aliases.get(name) ?? name;

/**
 * The right spelling of a name in another case: `bash` gives Bash, `task` gives Task. Undefined if
 * the case is right or the name is unknown.
 */
export function rightlyCased(name: string, more: Iterable<string> = []): string | undefined {
  if (known.has(name) || aliases.has(name)) return undefined;
  const lower = name.toLowerCase();
  const own = [...more];
  return own.includes(name)
    ? undefined
    : (byLowerCase.get(lower) ?? own.find((tool) => tool.toLowerCase() === lower));
}

/** Every name of the same tool, the given one first: a matcher for `Task` also matches `Agent`. */
export function toolNameVariants(name: string): string[] {
  const canonical = canonicalToolName(name);
  const others = [canonical, ...aliases.keys()].filter(
    (other) => other !== name && canonicalToolName(other) === canonical,
  );
  return [name, ...others];
}

export const isKnownTool = (name: string): boolean =>
  known.has(canonicalToolName(name)) || isMcpToolName(name);

export const isMcpToolName = (name: string): boolean => name.startsWith("mcp__");

/** The Agent tools and other tools that coordinate and do not touch the workspace. */
export const coordinationTools: ReadonlySet<string> = new Set([
  "Agent",
  "TaskOutput",
  "TaskStop",
  "SendMessage",
  "TodoWrite",
  "AskUserQuestion",
  "Skill",
  answeringTool,
]);
