// The settings under the key `retinue`: their shape, their defaults, and a sentence for everything
// that does not fit.
import * as z from "zod";
import { limits } from "../base/limits.ts";
import { runnerSubjects, type RunnerSubject } from "../base/runner-subjects.ts";
import { suggest } from "../base/text/suggest.ts";

/**
 * Built when settings are read: most starts need no such shape, and building it would take a third
 * of zod's time.
 */
const buildShape = (count = z.int().min(1)) => ({
  limits: z.strictObject({
    maxConcurrent: count.max(1_000).optional(),
    maxTurns: count.max(10_000).optional(),
    timeoutMs: count.optional(),
    idleTimeoutMs: count.optional(),
    maxTokens: count.optional(),
    maxUsd: z.number().positive().optional(),
  }),
  aliases: z.record(z.string(), z.string().min(1)),
  providers: z.record(
    z
      .string()
      .regex(/^[a-z][a-z0-9-]*$/, "a provider's name has lowercase letters, digits and hyphens"),
    z.strictObject({
      protocol: z.enum(["anthropic", "openai"]),
      baseUrl: z.url({ protocol: /^https?$/ }),
      apiKeyEnv: z
        .string()
        .regex(
          /^[A-Za-z_][A-Za-z0-9_]*$/,
          "the name of an environment variable, never the key itself",
        )
        .optional(),
    }),
  ),
  sandbox: z.strictObject({
    enabled: z.boolean().optional(),
    allowHosts: z.array(z.string().min(1)).optional(),
    denyRead: z.array(z.string().min(1)).optional(),
  }),
  contract: z.enum(["report", "handoff", "none"]),
  transcripts: z.strictObject({ fsync: z.enum(["turn", "end", "never"]).optional() }),
  executor: z.union([
    z.enum(["local", "durable"]),
    z.strictObject({
      restate: z.strictObject({
        url: z.url({ protocol: /^https?$/ }),
        tokenEnv: z
          .string()
          .regex(
            /^[A-Za-z_][A-Za-z0-9_]*$/,
            "the name of an environment variable, never the token itself",
          ),
        tenant: z.string().min(1).optional(),
      }),
    }),
  ]),
  permissions: z.strictObject({ readOnlyCommands: z.boolean().optional() }),
  background: z.strictObject({
    ask: z.enum(["deny", "upfront", "wait"]).optional(),
    mcp: z.boolean().optional(),
    default: z.boolean().optional(),
    waitMs: count.optional(),
  }),
  subagentModel: z.enum(["default", "override"]),
  flows: z.strictObject({ secondLooks: z.number().int().min(0).max(100).optional() }),
  verify: verifyShape(),
});

const verifyShape = () =>
  z.strictObject({
    runners: z
      .array(z.strictObject({ command: runnerCommand, subject: z.enum(runnerSubjects) }))
      .max(100)
      .optional(),
  });

/** Programs that run or print whatever they are given: alone they name nothing. */
const anyPrograms = new Set(
  (
    "sh bash zsh dash ksh fish env sudo exec eval xargs time timeout nice nohup node nodejs bun deno python " +
    "python3 ruby perl php java npx npm pnpm yarn make just task docker podman ssh git echo printf cat true " +
    "false test [ : sleep ls"
  ).split(" "),
);

const runnerCommand = z
  .string()
  .max(200)
  .regex(
    /^[\w@%+=:,./-]+(?: [\w@%+=:,./-]+)*$/,
    "a program and its first words, without anything that a shell would read",
  )
  .refine((command) => !anyPrograms.has(command.replace(/^.*\//, "")), {
    message: "this program runs or prints anything: name what it runs as well",
  });

type Shape = ReturnType<typeof buildShape>;

let shape: Shape | undefined;

export type RetinueGiven = { [Key in keyof Shape]?: z.infer<Shape[Key]> };

/**
 * Complete, with defaults. Limits of a single run are caps and appear only if somebody set them;
 * their defaults apply elsewhere.
 */
export type RetinueSettings = {
  limits: {
    maxConcurrent: number;
    maxTurns?: number;
    timeoutMs?: number;
    idleTimeoutMs: number;
    maxTokens?: number;
    maxUsd?: number;
  };
  aliases: Record<string, string>;
  providers: Record<
    string,
    { protocol: "anthropic" | "openai"; baseUrl: string; apiKeyEnv?: string }
  >;
  sandbox: { enabled: boolean; allowHosts: string[]; denyRead: string[] };
  contract: "report" | "handoff" | "none";
  transcripts: { fsync: "turn" | "end" | "never" };
  /** `restate`: sub-agents run on the workers behind this gateway. */
  executor:
    | "local"
    | "durable"
    | { restate: { url: string; tokenEnv: string; tenant?: string | undefined } };
  permissions: { readOnlyCommands: boolean };
  /**
   * What a run in the background does with a question: nobody is asked (`deny`), a person is asked
   * before it starts (`upfront`), or the run waits for an answer. `default`: sub-agents go to the
   * background unless their caller says otherwise.
   */
  background: { ask: "deny" | "upfront" | "wait"; mcp: boolean; default: boolean; waitMs: number };
  /** Whether CLAUDE_CODE_SUBAGENT_MODEL stands in where nothing else is named, or before all. */
  subagentModel: "default" | "override";
  flows: { secondLooks: number };
  /** Commands that show a result, beside those that are known anyway. */
  verify: { runners: { command: string; subject: RunnerSubject }[] };
};

export type SettingComplaint = { keys: string[]; message: string; suggestion?: string };

/** The parts that fit; every other part is a complaint and has no effect. */
export function readRetinueSettings(value: unknown): {
  given: RetinueGiven;
  complaints: SettingComplaint[];
} {
  const complaints: SettingComplaint[] = [];
  const given: Record<string, unknown> = {};
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return {
      given: {},
      complaints: [{ keys: ["retinue"], message: "`retinue` must be an object" }],
    };
  shape ??= buildShape();
  for (const [key, part] of Object.entries(value)) {
    const schema = Object.hasOwn(shape, key) ? shape[key as keyof Shape] : undefined;
    if (!schema) {
      complaints.push(unknownKey(["retinue", key], Object.keys(shape)));
      continue;
    }
    const parsed = schema.safeParse(part);
    if (parsed.success) given[key] = parsed.data;
    else
      complaints.push(...parsed.error.issues.flatMap((issue) => complaintsOf(key, issue, schema)));
  }
  return { given, complaints };
}

function unknownKey(keys: string[], known: string[]): SettingComplaint {
  const key = keys.at(-1)!;
  const near = suggest(key, known) ?? known.find((name) => name.startsWith(key));
  return {
    keys,
    message:
      "unknown key " +
      `\`${keys.join(".").slice(0, 120)}\`${near ? `: did you mean \`${near}\`?` : ` (known: ${known.join(", ")})`}`,
    ...(near && { suggestion: near }),
  };
}

function complaintsOf(key: string, issue: z.core.$ZodIssue, schema: z.ZodType): SettingComplaint[] {
  const keys = ["retinue", key, ...issue.path.map(String)];
  if (issue.code !== "unrecognized_keys")
    return [{ keys, message: `\`${keys.join(".").slice(0, 120)}\`: ${issue.message}` }];
  const inner =
    schema instanceof z.ZodRecord
      ? ["protocol", "baseUrl", "apiKeyEnv"]
      : schema instanceof z.ZodObject
        ? Object.keys(schema.shape)
        : [];
  return issue.keys.map((name) => unknownKey([...keys, name], inner));
}

/** The highest first: the first value for a key counts, lists are joined. */
export function mergeRetinueSettings(given: readonly RetinueGiven[]): RetinueSettings {
  const parts = <Key extends keyof RetinueGiven>(key: Key): NonNullable<RetinueGiven[Key]>[] =>
    given.map((one) => one[key]).filter((part) => part !== undefined);
  const lowestFirst = <Part extends object>(list: Part[]): Part =>
    Object.assign({}, ...[...list].reverse()) as Part;
  const { maxConcurrent, idleTimeoutMs } = limits.run;
  const sandbox = parts("sandbox");
  return {
    limits: { maxConcurrent, idleTimeoutMs, ...defined(lowestFirst(parts("limits"))) },
    aliases: lowestFirst(parts("aliases")),
    providers: lowestFirst(parts("providers")),
    sandbox: {
      enabled: sandbox.find((part) => part.enabled !== undefined)?.enabled ?? false,
      allowHosts: unique(sandbox.flatMap((part) => part.allowHosts ?? [])),
      denyRead: unique(sandbox.flatMap((part) => part.denyRead ?? [])),
    },
    contract: parts("contract")[0] ?? "report",
    transcripts: {
      fsync: parts("transcripts").find((part) => part.fsync !== undefined)?.fsync ?? "end",
    },
    executor: parts("executor")[0] ?? "local",
    // Whoever switches it off is stricter than the others, and is heard.
    permissions: {
      readOnlyCommands: parts("permissions").every((part) => part.readOnlyCommands !== false),
    },
    background: {
      ask: "upfront",
      mcp: false,
      default: false,
      waitMs: limits.ask.waitMs,
      ...defined(lowestFirst(parts("background"))),
    },
    subagentModel: parts("subagentModel")[0] ?? "default",
    flows: {
      secondLooks:
        parts("flows").find((part) => part.secondLooks !== undefined)?.secondLooks ??
        limits.flow.secondLooks,
    },
    verify: { runners: parts("verify").flatMap((part) => part.runners ?? []) },
  };
}

const unique = (items: string[]): string[] => [...new Set(items)];

function defined<Part extends object>(
  part: Part,
): { [Key in keyof Part]?: Exclude<Part[Key], undefined> } {
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Part]?: Exclude<Part[Key], undefined>;
  };
}
