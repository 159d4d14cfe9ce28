// The system prompt of a run: fixed order, empty parts left out, and never a word of the parent's
// conversation.
import { orchestratorRules } from "../../../permissions/orchestrator/orchestrator-rules.ts";

export type PromptEnvironment = {
  cwd: string;
  platform: string;
  /** ISO date of the day the run starts. */
  date: string;
  /** Branch and state in a few words; absent outside a repository. */
  git?: {
    branch: string;
    /** Absent where nobody has looked. */ dirty?: boolean;
    head?: string;
    /** The folder is a worktree made from that branch. */ worktree?: boolean;
  };
};

/**
 * Each part is text made by its own room (`contractInBrief`, `skillsPrompt`, `memoryPrompt`,
 * `projectInstructionsPrompt`).
 */
export type PromptParts = {
  definition: string;
  contract?: string;
  /** In delegate mode: the rules that hold there. */
  orchestrator?: string;
  skills?: string;
  memory?: string;
  /** Left out for Explore, Plan and definitions with `omitClaudeMd`. */
  projectInstructions?: string;
  environment: PromptEnvironment;
  criticalReminder?: string | undefined;
};

export function systemPrompt(parts: PromptParts): string {
  return [
    parts.definition,
    parts.contract,
    parts.orchestrator,
    parts.skills,
    parts.memory,
    parts.projectInstructions,
    environmentBlock(parts.environment),
    parts.criticalReminder === undefined || parts.criticalReminder.trim() === ""
      ? undefined
      : `<critical-reminder>\n${parts.criticalReminder.trim()}\n</critical-reminder>`,
  ]
    .map((part) => part?.trim())
    .filter((part) => part !== undefined && part !== "")
    .join("\n\n");
}

function environmentBlock({ cwd, platform, date, git }: PromptEnvironment): string {
  const lines = [
    `Working directory: ${oneLine(cwd)}`,
    `Platform: ${oneLine(platform)}`,
    `Date: ${oneLine(date)}`,
  ];
  if (git) {
    const head = git.head === undefined ? "" : ` at ${oneLine(git.head)}`;
    const state =
      git.dirty === undefined ? "" : git.dirty ? ", with uncommitted changes" : ", clean";
    lines.push(
      `Git: ${git.worktree ? "a worktree of " : ""}branch ${oneLine(git.branch)}${head}${state}`,
    );
  } else lines.push("Git: not a repository");
  return `<environment>\n${lines.join("\n")}\n</environment>`;
}

/**
 * Directory and branch names are anybody's text: they must not start a line or a tag of their own.
 */
const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029<>]/gu, "_").slice(0, 1_000);

/** The orchestrator's rules: the model does not try calls that would be refused. */
export const orchestratorInBrief = `# You lead

You hand work to other agents and put their reports together; you do none of it yourself. These rules are \
enforced, and what breaks one is denied:
${Object.entries(orchestratorRules)
  .map(([rule, words]) => `- ${rule}: ${words}`)
  .join("\n")}
Tell each agent everything it needs, start agents whose tasks are independent in one reply, and keep what is \
done and what is left in TodoWrite or a file below .retinue/progress.`;
