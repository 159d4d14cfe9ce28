// Stories of `.claude` folders that were written for Claude Code: what they forbid stays forbidden, what they say is read, and what has no effect here is named.
import { afterEach, describe, expect, test } from "vitest";
import { startMockProvider, type MockLine, type MockProvider } from "../src/testing/mock-provider.ts";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue, type Finished } from "./retinue-process.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Story = { project: TempProject; server: MockProvider; run: (...args: string[]) => Promise<Finished> };

async function story(files: Record<string, string>, script: MockLine[]): Promise<Story> {
  const project = tempProject(files);
  const server = await startMockProvider({ script });
  open.push(server, { close: () => project.remove() });
  const run = (...args: string[]): Promise<Finished> => retinue(args, { project, env: { ANTHROPIC_API_KEY: "sk-ant-test", ANTHROPIC_BASE_URL: server.url } });
  return { project, server, run };
}

const shown = (server: MockProvider, index: number): string => JSON.stringify(server.requests[index]!.body);
const settings = (value: object): Record<string, string> => ({ ".claude/settings.json": JSON.stringify(value) });

describe("a skill that a rule forbids", () => {
  const skill = { ".claude/skills/release/SKILL.md": "---\nname: ship-it\ndescription: releases\n---\nThe words of the skill." };

  test.each([["its name", "Skill(ship-it)"], ["its folder", "Skill(release *)"]])("by %s cannot be loaded by any other name", async (_what, rule) => {
    const names = ["ship-it", "/ship-it", "release", "/release"];
    const { server, run } = await story({ ...skill, ...settings({ permissions: { deny: [rule] } }) }, [{ tools: names.map((name) => ({ name: "Skill", input: { skill: name } })) }, "done"]);
    await run("run", "go");
    expect(shown(server, 1)).not.toContain("The words of the skill");
    expect(shown(server, 1).match(/is covered by Skill\(/g)).toHaveLength(4);
  });
});
