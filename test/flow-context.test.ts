// The savings table, measured: the same chain of agents on the bundled project and on two real packages, each phase beside one conversation that would have done all of it.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { countTokens } from "../src/base/text/tokens.ts";
import type { ContextReport } from "../src/flows/context-report.ts";
import { readRunContext } from "../src/flows/run-context.ts";
import { startMockProvider, type MockAnswer, type MockLine } from "../src/testing/mock-provider.ts";
import { tempProject } from "../src/testing/temp-project.ts";
import { answer, flowStory, type FlowStory } from "./support/flow-story.ts";
import { retinue } from "./retinue-process.ts";

const home = join(import.meta.dirname, "..");

function filesOf(folder: string, only: RegExp): Record<string, string> {
  const names = (readdirSync(join(home, folder), { recursive: true }) as string[]).filter(
    (name) => only.test(name) && !name.includes("node_modules"),
  );
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(home, folder, name), "utf8")]),
  );
}

type Project = {
  name: string;
  files: Record<string, string>;
  /** What the researcher looks for and reads. */ pattern: string;
  reads: string[];
  edit: { file: string; from: string; to: string };
  summary: string;
};

const checked = (script: string): Record<string, string> => ({
  "package.json": JSON.stringify({ type: "module", scripts: { test: script } }),
});

const projects: Project[] = [
  {
    name: "the bundled project",
    files: filesOf("assets/demo-project", /\.(?:js|json|md)$/),
    pattern: "discount",
    reads: ["src/discounts.js", "src/cart.js", "src/money.js", "test/cart.test.js"],
    edit: { file: "src/discounts.js", from: "net > candidate.from", to: "net >= candidate.from" },
    summary:
      "`volumeDiscount` (`src/discounts.js:11`) compares with `>`, so a sum that has just reached a step gets nothing; `test/cart.test.js` wants it to. `src/cart.js` calls `bestDiscount`, and `percentOf` (`src/money.js:18`) rounds. Only the comparison has to change; nothing else uses the steps.",
  },
  {
    name: "turndown",
    files: {
      ...filesOf(
        "node_modules/turndown",
        /^(?:lib\/turndown\.(?:cjs|es|browser\.cjs)\.js|README\.md)$/,
      ),
      ...checked("node --check lib/turndown.es.js"),
    },
    pattern: "bulletListMarker",
    reads: ["lib/turndown.es.js", "README.md"],
    edit: {
      file: "lib/turndown.es.js",
      from: "bulletListMarker: '*'",
      to: "bulletListMarker: '-'",
    },
    summary:
      "The default marker stands among the options in the constructor `TurndownService` (`lib/turndown.es.js`, `bulletListMarker`), is read by the rule `listItem` and documented in README.md under Options. The three builds carry the same text; `lib/turndown.es.js` is the source for this change. The marker's width decides the indent of nested lists, which stays as it is.",
  },
  {
    name: "publint",
    files: {
      ...filesOf("node_modules/publint", /^src\/.*\.js$/),
      ...checked("node --check src/shared/constants.js"),
    },
    pattern: "lintableFileExtensions",
    reads: [
      "src/shared/core.js",
      "src/shared/utils.js",
      "src/shared/constants.js",
      "src/index-node.js",
    ],
    edit: {
      file: "src/shared/constants.js",
      from: "['.js', '.mjs', '.cjs']",
      to: "['.js', '.mjs', '.cjs', '.es']",
    },
    summary:
      "The list `lintableFileExtensions` (`src/shared/constants.js:3`) is read by `isFilePathLintable` in `src/shared/utils.js` and through it by the crawl in `src/shared/core.js`; `src/index-node.js` only starts it. Adding an extension to the list is enough; `invalidJsxExtensions` beside it has another meaning and stays.",
  },
];

const call = (name: string, input: Record<string, unknown>) => ({ name, input });

function chain({ pattern, reads, edit, summary }: Project): Record<string, MockLine[]> {
  return {
    research: [
      { tools: [call("Grep", { pattern, output_mode: "content", "-C": 2 })] },
      { tools: reads.map((path) => call("Read", { file_path: path })) },
      answer({ context_summary: summary, findings: { existing_implementations: reads } }),
    ],
    write: [
      { tools: [call("Read", { file_path: edit.file })] },
      {
        tools: [call("Edit", { file_path: edit.file, old_string: edit.from, new_string: edit.to })],
      },
      answer({
        context_summary: `Changed ${edit.file}: ${edit.from} became ${edit.to}.`,
        findings: { files_changed: [edit.file] },
      }),
    ],
  };
}

const story = (project: Project): Promise<FlowStory> =>
  flowStory({ files: project.files, script: () => chain(project) });

const shown = ({ rows, total }: ContextReport): string =>
  [
    ...rows.map(
      (row) =>
        `${row.phase} ${row.sub_agent} of ${row.single_context} (saved ${row.saved_percent} %), orchestrator +${row.orchestrator}`,
    ),
    `largest ${total.largest}, all ${total.sub_agents}, one context ${total.single_context}`,
  ].join("\n  ");

describe("context by phase", () => {
  test.each(projects)(
    "$name: the same for research, less for every later phase, and at most 750 tokens a phase for the orchestrator",
    async (project) => {
      await using flow = await story(project);
      const { decision, context, measures } = await flow.start("sequence");
      expect(decision).toBe("PROCEED");
      console.log(`${project.name}\n  ${shown(context)}`);
      const [research, write, validate] = context.rows;
      expect(context.rows.map(({ phase }) => phase)).toEqual(["research", "write", "validate"]);
      expect(research).toMatchObject({ saved_percent: 0, sub_agent: research!.single_context });
      expect(write!.sub_agent).toBeLessThan(write!.single_context);
      expect(validate!.sub_agent).toBeLessThan(write!.sub_agent);
      expect(validate!.saved_percent).toBeGreaterThan(write!.saved_percent);
      expect(context.total.largest).toBeLessThan(context.total.single_context);
      for (const row of context.rows) expect(row.orchestrator).toBeLessThanOrEqual(750);
      expect(context.limit).toEqual({ orchestrator_per_phase: 750, holds: true });
      expect(measures.filter(({ level, holds }) => level === "L1" && !holds)).toEqual([]);
    },
  );

  test("is what the model was sent and said, counted with the one counter", async () => {
    await using flow = await story(projects[1]!);
    const { context, phases } = await flow.start("sequence");
    const sent = flow.server.requests
      .filter(({ body }) => JSON.stringify(body).includes("phase research"))
      .at(-1)!.body as { system: unknown; messages: { content: unknown }[] };
    const system = Array.isArray(sent.system)
      ? sent.system.map(({ text }: { text: string }) => text).join("\n")
      : String(sent.system);
    const parts = sent.messages.flatMap(({ content }) =>
      typeof content === "string"
        ? [content]
        : (content as Record<string, unknown>[]).map(({ cache_control: _mark, ...block }) =>
            block["type"] === "text" ? String(block["text"]) : JSON.stringify(block),
          ),
    );
    const final = JSON.stringify({ type: "text", text: chain(projects[1]!)["research"]!.at(-1) });
    const counted = [system, ...parts, final].reduce((sum, part) => sum + countTokens(part), 0);
    expect(phases[0]!.run_ids).toHaveLength(1);
    expect(context.rows[0]!.sub_agent).toBe(counted);
  });

  test("what two phases look at alike is in one conversation once", async () => {
    const project = projects[0]!;
    await using flow = await story({ ...project, reads: [project.edit.file] });
    const alike = (await flow.start("sequence")).context.rows;
    await using other = await story({ ...project, reads: ["src/cart.js"] });
    const apart = (await other.start("sequence")).context.rows;
    expect(alike[1]!.single_context - alike[0]!.single_context).toBeLessThan(
      apart[1]!.single_context - apart[0]!.single_context - 200,
    );
  });

  test("--report context prints the table, and is in the JSON; without it there is none", async () => {
    const printed = async (...args: string[]): Promise<{ stdout: string; stderr: string }> => {
      await using flow = await story(projects[0]!);
      return await retinue(
        [
          "flow",
          "sequence",
          "--permission-mode",
          "acceptEdits",
          "--allowedTools",
          "Bash(npm run:*)",
          ...args,
          "--",
          "make the test pass",
        ],
        { project: flow.project, env: flow.env },
      );
    };
    const text = await printed("--report", "context");
    expect(text.stdout).toMatch(
      /^PROCEED\nContext tokens, measured from the transcripts\n {2}phase +sub-agent +one context +saved +orchestrator\n {2}research +[\d,]+ +[\d,]+ +0 % +\+\d+\n {2}write +[\d,]+ +[\d,]+ +\d+ % +\+\d+\n {2}validate +[\d,]+ +[\d,]+ +\d+ % +\+\d+\n {2}total/,
    );
    expect(text.stderr).toMatch(
      /\d+ of \d+ measured rules hold: L1 wait-for-agents 0, L1 orchestrator-context \d+/,
    );
    const json = JSON.parse(
      (await printed("--output-format", "json", "--report", "context")).stdout,
    ) as { context: ContextReport; measures: unknown[] };
    expect(json.context.rows.map(({ phase }) => phase)).toEqual(["research", "write", "validate"]);
    expect(json.measures).toContainEqual(
      expect.objectContaining({ level: "L1", rule: "summary-budget", limit: 500, holds: true }),
    );
    const plain = await printed("--output-format", "json");
    expect(JSON.parse(plain.stdout)).not.toHaveProperty("context");
  });

  test("a transcript that is not there counts as nothing", async () => {
    expect(await readRunContext("/nowhere/at/all.jsonl")).toMatchObject({ tokens: 0, pieces: [] });
  });

  test("an orchestrator that is a model itself grows by at most 750 tokens a phase too, whatever its agents have read", async () => {
    const project = projects[2]!;
    const script = chain(project);
    const prompts = {
      researcher: "Find where extensions are listed.",
      writer: `Add an extension. ${project.summary}`,
      "test-runner": `Run the checks after the change in ${project.edit.file}.`,
    };
    const place = tempProject(project.files);
    const left: Record<string, MockLine[]> = {
      researcher: [...script["research"]!],
      writer: [...script["write"]!],
      "test-runner": [
        { tools: [call("Bash", { command: "npm test" })] },
        answer({
          context_summary: "The check passes.",
          findings: { checks: { tests: { passed: true, errors: [] } } },
        }),
      ],
    };
    const sizes: number[] = [];
    const server = await startMockProvider({
      reply: ({ body }) => {
        const messages = body["messages"] as { role: string; content: unknown }[];
        const first = JSON.stringify(messages[0]);
        const agent = Object.entries(prompts).find(([, prompt]) =>
          first.includes(JSON.stringify(prompt).slice(1, -1)),
        )?.[0];
        if (agent !== undefined) return left[agent]!.shift() as MockAnswer;
        sizes.push(
          messages.reduce((sum, message) => sum + countTokens(JSON.stringify(message)), 0),
        );
        const next = Object.entries(prompts)[sizes.length - 1];
        return next
          ? {
              tools: [
                call("Agent", { description: next[0], prompt: next[1], subagent_type: next[0] }),
              ],
            }
          : "All three phases are done.";
      },
    });
    try {
      const finished = await retinue(
        [
          "run",
          "--model",
          "sonnet",
          "--permission-mode",
          "delegate",
          "--output-format",
          "json",
          "--",
          "LEAD: add an extension",
        ],
        {
          project: place,
          env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url },
        },
      );
      const { result, agents } = JSON.parse(finished.stdout) as {
        result: string;
        agents: { agent_type: string; transcript: string }[];
      };
      expect(result).toBe("All three phases are done.");
      const grown = sizes.slice(1).map((size, index) => size - sizes[index]!);
      const read = await Promise.all(
        agents.slice(1).map(async ({ transcript }) => (await readRunContext(transcript)).tokens),
      );
      console.log(
        `an orchestrator on publint grew by ${grown.join(", ")} tokens; its agents had up to ${Math.max(...read)}`,
      );
      expect(grown).toHaveLength(3);
      for (const tokens of grown) expect(tokens).toBeLessThanOrEqual(750);
      expect(Math.max(...read)).toBeGreaterThan(20_000);
    } finally {
      await server.close();
      place.remove();
    }
  });
});
