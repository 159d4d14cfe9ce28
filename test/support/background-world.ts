// A project, a provider and the built command, for stories about runs that nobody watches.
import { readdirSync, readFileSync } from "node:fs";
import {
  startMockProvider,
  type MockProvider,
  type MockProviderOptions,
} from "../../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../../src/testing/temp-project.ts";
import { retinue, type CallOptions, type Finished } from "../retinue-process.ts";

export type Status = {
  agent_id: string;
  agent_type: string;
  name: string | null;
  state: string;
  reason?: string;
  started_at: string;
  background: boolean;
  host_pid: number | null;
  metrics: { turns: number; tool_uses: number; tokens_used: number };
};
export type Output = {
  agent_id: string;
  state: string;
  reason?: string;
  content: string;
  metrics: { tool_uses: number; tokens_used: number };
  permission_denials: { tool_name: string }[];
  output_file?: string;
  transcript: string;
  timed_out?: true;
};
export type Started = { agent_id: string; session_id: string; output_file: string };

export type BackgroundWorld = {
  project: TempProject;
  provider: MockProvider;
  env: Record<string, string>;
  call(args: string[], options?: Partial<CallOptions>): Promise<Finished>;
  json<T>(args: string[]): Promise<T>;
  /** Starts a run in the background; every tool is allowed. */
  start(args?: string[]): Promise<Started>;
  close(): Promise<void>;
};

export async function backgroundWorld(
  script: MockProviderOptions["script"] | NonNullable<MockProviderOptions["reply"]>,
  files: Record<string, string> = {},
): Promise<BackgroundWorld> {
  const project = tempProject(files);
  const provider = await startMockProvider(
    typeof script === "function" ? { reply: script } : { script: script ?? [] },
  );
  const env = { ANTHROPIC_API_KEY: "sk-ant-test-0123456789", ANTHROPIC_BASE_URL: provider.url };
  const call: BackgroundWorld["call"] = (args, options = {}) =>
    retinue(args, { project, env, ...options });
  const json = async <T>(args: string[]): Promise<T> =>
    JSON.parse((await call([...args, "--json"])).stdout) as T;
  return {
    project,
    provider,
    env,
    call,
    json,
    async start(args = []) {
      const { code, stdout, stderr } = await call([
        "run",
        "--background",
        "--model",
        "sonnet",
        "--allowedTools=Bash",
        "--output-format",
        "json",
        ...args,
        "do it",
      ]);
      if (code !== 0) throw new Error(`run --background: ${code} ${stderr}`);
      return JSON.parse(stdout) as Started;
    },
    async close() {
      // Whatever a failed test left running.
      for (const { host_pid } of await json<Status[]>(["ps"]))
        if (host_pid !== null) process.kill(host_pid, "SIGKILL");
      await provider.close();
      project.remove();
    },
  };
}

/** A number that no other process has on its command line. */
export const rareWord = (): string => `${3_000_000 + Math.floor(Math.random() * 1_000_000)}`;

/** Five processes: in the group, in sessions of their own, forked twice, and deaf to SIGTERM. */
export const stubbornCommand = (word: string): string =>
  `sleep ${word} & setsid sleep ${word} & (setsid sleep ${word} &) ; (trap '' TERM HUP; setsid sleep ${word}) & sleep ${word}`;

export function sleepers(word: string): string[] {
  const commandOf = (pid: string): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  return readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && commandOf(name).startsWith(`sleep\0${word}`),
  );
}
