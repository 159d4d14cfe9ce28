// Transcripts for tests, in both dialects: calls and results written the way the two runtimes write them.

export type Step =
  | {
      tool: string;
      input: Record<string, unknown>;
      output: string;
      isError?: boolean;
      facts?: Record<string, unknown>;
    }
  | { say: string };

type Dialect = "retinue" | "claude-code";

/** The lines of a run; `cwd` is what the runtime notes on every line. */
export function transcriptLines(
  steps: readonly Step[],
  { cwd, dialect = "retinue" }: { cwd: string; dialect?: Dialect },
): Record<string, unknown>[] {
  const envelope = {
    isSidechain: true,
    agentId: "a0123456789abcdef",
    cwd,
    sessionId: "00000000-0000-4000-8000-000000000000",
  };
  return steps.flatMap((step, index): Record<string, unknown>[] => {
    const id = `toolu_${index}`;
    const assistant = (content: unknown[]): Record<string, unknown> => ({
      type: "assistant",
      ...envelope,
      uuid: `u${index}`,
      message: {
        id: `msg_${index}`,
        role: "assistant",
        model: "claude-test",
        content,
        usage: { input_tokens: 10, output_tokens: 5 },
      },
    });
    if ("say" in step) return [assistant([{ type: "text", text: step.say }])];
    const result = {
      type: "tool_result",
      tool_use_id: id,
      content: step.output,
      ...(step.isError ? { is_error: true } : {}),
    };
    const noted =
      step.facts === undefined
        ? {}
        : dialect === "retinue"
          ? { toolFacts: { [id]: step.facts } }
          : { toolUseResult: step.facts };
    return [
      assistant([{ type: "tool_use", id, name: step.tool, input: step.input }]),
      {
        type: "user",
        ...envelope,
        uuid: `r${index}`,
        message: { role: "user", content: [result] },
        ...noted,
      },
    ];
  });
}

/** What Read returns for a file's text. */
export const numbered = (text: string, from = 1): string =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line, index) => `${String(from + index).padStart(6)}\t${line}`)
    .join("\n");

export const toJsonLines = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");
