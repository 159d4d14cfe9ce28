// A provider on loopback whose answers follow from the conversation alone, so that any worker may
// ask: a prompt names a story, the story answers by the number of the turn.
import { startMockProvider, type MockAnswer } from "../../../src/testing/mock-provider.ts";

export type Seen = {
  /** Counts from 1. */
  turn: number;
  prompt: string;
  /** The text of the last message, results of tools included. */
  last: string;
};

export type Story = (seen: Seen) => MockAnswer;

export type Thinker = {
  readonly model: string;
  readonly env: Record<string, string>;
  /** For prompts that begin with this word, or name it as `story:word`. */
  tell(word: string, story: Story): void;
  /** How often a story was asked for a turn. */
  asked(word: string): number[];
  close(): Promise<void>;
};

type Block = { type?: string; text?: string; content?: unknown };

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return (content as Block[]).map((block) => block.text ?? textOf(block.content)).join("\n");
}

export async function startThinker(): Promise<Thinker> {
  const stories = new Map<string, Story>();
  const asked = new Map<string, number[]>();
  const provider = await startMockProvider({
    reply({ body }) {
      const messages = body["messages"] as { role: string; content: unknown }[];
      const prompt = textOf(messages[0]?.content);
      const first = /^[\w-]+/.exec(prompt)?.[0] ?? "";
      const word = stories.has(first)
        ? first
        : ([...stories.keys()].find((name) => prompt.includes(`story:${name}`)) ?? "");
      const turn = 1 + messages.filter(({ role }) => role === "assistant").length;
      const story = stories.get(word);
      if (!story) throw new Error(`no story begins with ${JSON.stringify(prompt.slice(0, 60))}`);
      asked.set(word, [...(asked.get(word) ?? []), turn]);
      return story({ turn, prompt, last: textOf(messages.at(-1)?.content) });
    },
  });
  return {
    model: "anthropic:claude-sonnet-4-5",
    env: { ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: "sk-ant-test-0000-worker-key" },
    tell: (word, story) => void stories.set(word, story),
    asked: (word) => asked.get(word) ?? [],
    close: () => provider.close(),
  };
}
