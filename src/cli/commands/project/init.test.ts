import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { planInit, writeInit } from "../../../app/project/plan-init.ts";
import { projectFolders } from "../../../base/files/project-folders.ts";
import { checkRequest, checkResponse } from "../../../contract/handoff/check-response.ts";
import { handoffResponseSchema } from "../../../contract/handoff/handoff.ts";
import { builtInDefinitions } from "../../../definitions/built-in-definitions.ts";
import { loadDefinitions } from "../../../definitions/load-definitions.ts";
import { builtInProfiles } from "../../../permissions/profile.ts";
import { loadProfiles } from "../../../settings/profiles.ts";
import { loadSkills } from "../../../skills/load-skills.ts";
import { tempProject, type TempProject } from "../../../testing/temp-project.ts";
import { runCommand, type CommandModule } from "../../command.ts";
import type { Io } from "../../io.ts";
import * as agents from "./agents.ts";
import * as init from "./init.ts";

let project: TempProject;
beforeEach(() => {
  project = tempProject({ ".git/HEAD": "ref: refs/heads/main\n" });
});
afterEach(() => project.remove());

const people =
  "analyzer backend-specialist code-architect code-explorer frontend-specialist lint-checker parallel-executor product-manager qa-engineer quick-writer researcher security-auditor security-scan system-architect test-runner type-checker validator writer".split(
    " ",
  );
const assets = fileURLToPath(new URL("../../../../assets/init", import.meta.url));
const configDir = (): string => join(project.home, ".claude");

async function run(
  module: CommandModule,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io: Io = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    stdin: Readable.from([]) as unknown as Io["stdin"],
    cwd: project.root,
    env: { HOME: project.home },
    interactive: false,
    paint: (_style, text) => text,
    width: () => undefined,
    paintErr: (_style, text) => text,
    signal: new AbortController().signal,
    interrupt: () => undefined,
  };
  return {
    code: await runCommand(args, io, { module, all: [] }),
    out: out.join("\n"),
    err: err.join("\n"),
  };
}
const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
const actions = (out: string): Record<string, string> =>
  Object.fromEntries(
    (JSON.parse(out) as { files: { path: string; action: string }[] }).files.map(
      ({ path, action }) => [path, action],
    ),
  );

describe("in an empty folder", () => {
  test("every person of the seeds is there, loads without a problem and names a contract and a profile that exists", async () => {
    expect((await run(init)).code).toBe(0);
    const { all, problems } = loadDefinitions({ cwd: project.root, configDir: configDir() });
    const written = all
      .map(({ definition }) => definition)
      .filter(({ source }) => source === "project");
    expect(problems).toEqual([]);
    expect(written.map(({ name }) => name).sort()).toEqual(people);
    for (const { profile, contract, tools } of written) {
      expect(builtInProfiles.map(({ name }) => name)).toContain(profile);
      expect(["report", "handoff"]).toContain(contract);
      expect(tools?.length).toBeGreaterThan(0);
    }
    expect(Object.fromEntries(written.map(({ name, model }) => [name, model]))).toMatchObject({
      researcher: "sonnet",
      writer: "sonnet",
      validator: "haiku",
      "parallel-executor": "haiku",
      "type-checker": "haiku",
      "lint-checker": "haiku",
      "test-runner": "haiku",
      "security-scan": "haiku",
      "product-manager": "opus",
    });
    const validation = await run(agents, "validate", "--json");
    expect(validation.code).toBe(0);
    expect(JSON.parse(validation.out)).toEqual({ checked: 18, loaded: 18, problems: [] });
  });

  test("a written built-in is the built-in: same prompt, same profile, tools that are the profile's", async () => {
    await run(init);
    const { all } = loadDefinitions({ cwd: project.root, configDir: configDir() });
    for (const builtIn of builtInDefinitions.filter(({ profile }) => profile !== undefined)) {
      const written = all.find(
        ({ definition }) => definition.source === "project" && definition.name === builtIn.name,
      )!.definition;
      expect(written).toMatchObject({
        description: builtIn.description,
        profile: builtIn.profile,
        contract: builtIn.contract,
        tools: builtInProfiles.find(({ name }) => name === builtIn.profile)!.tools,
      });
      expect(written.prompt.trim()).toBe(builtIn.prompt.trim());
    }
  });

  test("the profiles load as the built-in ones, the skill loads, and the handoffs in the protocol are valid", async () => {
    await run(init);
    const { profiles, problems } = loadProfiles(projectFolders(project.root), configDir());
    expect(problems).toEqual([]);
    const toolsByName = (list: readonly { name: string; tools: string[] }[]) =>
      Object.fromEntries(list.map(({ name, tools }) => [name, tools]));
    expect(toolsByName(profiles)).toEqual(toolsByName(builtInProfiles));
    const skills = loadSkills({
      cwd: project.root,
      configDir: configDir(),
      managedDir: join(project.home, "managed"),
    });
    expect(skills.problems).toEqual([]);
    expect(skills.skills.get("subagent-contract")).toMatchObject({
      allowedTools: ["Read"],
      userInvocable: false,
      modelInvocable: true,
    });
    const [request, response] = [
      ...project
        .read(".claude/sub-agents/protocols/handoff.md")
        .matchAll(/```json\n([\s\S]*?)```/g),
    ].map((fence) => JSON.parse(fence[1]!) as Record<string, unknown>);
    expect(checkRequest(request).ok).toBe(true);
    expect(
      checkResponse(response!, {
        task_id: "research-login-limit",
        phase: "research",
        tokens_used: 0,
      }).ok,
    ).toBe(true);
    expect(handoffResponseSchema.safeParse(response).success).toBe(true);
  });

  test("each template has Role, Profile, Input, Output and Behavior, with text below each", async () => {
    await run(init);
    for (const name of ["researcher", "writer", "validator", "parallel-executor"]) {
      const parts = project.read(`.claude/sub-agents/templates/${name}.md`).split(/^## /m).slice(1);
      expect(parts.map((part) => part.split("\n")[0])).toEqual([
        "Role",
        "Profile",
        "Input",
        "Output",
        "Behavior",
      ]);
      for (const part of parts)
        expect(part.split("\n").slice(1).join("").length).toBeGreaterThan(10);
      expect(parts.join("")).not.toContain("undefined");
    }
    expect(project.read(".claude/sub-agents/templates/writer.md")).toMatch(
      /test first[\s\S]*under 30 lines/,
    );
  });

  test("--dry-run lists what would be written and writes nothing", async () => {
    const { out, code } = await run(init, "--dry-run", "--claude-md");
    expect(code).toBe(0);
    expect(existsSync(project.path(".claude"))).toBe(false);
    const listed = out.split("\n").map((line) => line.replace(/^create\s+/, ""));
    await run(init, "--claude-md");
    expect(
      filesBelow(project.root)
        .filter((path) => !path.includes("/.git/"))
        .sort(),
    ).toEqual(listed.map((path) => project.path(path)).sort());
  });

  test("a second run changes nothing", async () => {
    await run(init, "--claude-md");
    const times = filesBelow(project.root).map((path) => statSync(path).mtimeMs);
    const { out } = await run(init, "--claude-md", "--force", "--json");
    expect(new Set(Object.values(actions(out)))).toEqual(new Set(["unchanged"]));
    expect(filesBelow(project.root).map((path) => statSync(path).mtimeMs)).toEqual(times);
  });
});

describe("in a repository with its own agents", () => {
  const own = (name: string): string => `---\nname: ${name}\ndescription: ours\n---\nOur words.\n`;

  test("nothing of theirs is touched, and their definitions stay the ones in use", async () => {
    project.write(".claude/agents/writer.md", own("writer"));
    project.write(".claude/agents/team/research.md", own("researcher"));
    project.write(".claude/agents/poet.md", own("poet"));
    project.write(
      ".claude/sub-agents/profiles/ours.yaml",
      "name: read-only\ndescription: ours\ntools: [Read]\n",
    );
    const { code, out } = await run(init, "--json");
    expect(code).toBe(0);
    expect(actions(out)).toMatchObject({
      ".claude/agents/writer.md": "keep",
      ".claude/agents/researcher.md": "keep",
      ".claude/sub-agents/profiles/read-only.md": "keep",
      ".claude/agents/validator.md": "create",
    });
    expect(project.read(".claude/agents/writer.md")).toBe(own("writer"));
    const { definitions, problems } = loadDefinitions({
      cwd: project.root,
      configDir: configDir(),
    });
    expect(problems).toEqual([]);
    for (const name of ["writer", "researcher", "poet"])
      expect(definitions.get(name)?.description).toBe("ours");
    expect(
      loadProfiles(projectFolders(project.root), configDir()).profiles.find(
        ({ name }) => name === "read-only",
      )?.tools,
    ).toEqual(["Read"]);
  });

  test("--force overwrites a file at the same place, but not a definition in another file", async () => {
    project.write(".claude/agents/writer.md", own("writer"));
    project.write(".claude/agents/team/research.md", own("researcher"));
    chmodSync(project.path(".claude/agents/writer.md"), 0o600);
    const { out } = await run(init, "--force");
    expect(out).toMatch(/^overwrite \.claude\/agents\/writer\.md$/m);
    expect(out).toMatch(
      /^keep {6}\.claude\/agents\/researcher\.md \(defined in \.claude\/agents\/team\/research\.md\)$/m,
    );
    expect(project.read(".claude/agents/writer.md")).not.toContain("Our words.");
    expect(statSync(project.path(".claude/agents/writer.md")).mode & 0o777).toBe(0o600);
    expect(existsSync(project.path(".claude/agents/researcher.md"))).toBe(false);
  });

  test("CLAUDE.md is only touched when asked for, then once, and never its other text", async () => {
    project.write("CLAUDE.md", "# House rules\n\nTabs.\n");
    await run(init);
    expect(project.read("CLAUDE.md")).toBe("# House rules\n\nTabs.\n");
    await run(init, "--claude-md");
    await run(init, "--claude-md");
    const text = project.read("CLAUDE.md");
    expect(text.startsWith("# House rules\n\nTabs.\n\n<!-- retinue:begin -->\n## Sub-agents")).toBe(
      true,
    );
    expect(text.match(/## Sub-agents/g)).toHaveLength(1);
    project.write("CLAUDE.md", `${text.replace("Hand over", "Give")}\nMore of theirs.\n`);
    expect(actions((await run(init, "--claude-md", "--json")).out)["CLAUDE.md"]).toBe("keep");
    await run(init, "--claude-md", "--force");
    expect(project.read("CLAUDE.md")).toBe(`${text}\nMore of theirs.\n`);
  });
});

describe("where it cannot write", () => {
  const before = (): string[] =>
    filesBelow(project.root).map((path) => `${path} ${readFileSync(path, "utf8")}`);

  test("a failure half-way is undone as a whole, overwritten files included", async () => {
    project.write(".claude/agents/writer.md", "mine\n");
    mkdirSync(project.path(".claude/sub-agents/protocols/orchestration.md"), { recursive: true });
    const state = before();
    const { code, err } = await run(init, "--force");
    expect(code).toBe(1);
    expect(err).toMatch(/nothing was written to .*Make the folder writable/);
    expect(before()).toEqual(state);
    expect(readdirSync(project.path(".claude"), { recursive: true }).map(String).sort()).toEqual([
      "agents",
      "agents/writer.md",
      "sub-agents",
      "sub-agents/protocols",
      "sub-agents/protocols/orchestration.md",
    ]);
  });

  test("a file where a folder belongs is named, and nothing is written", async () => {
    project.write(".claude/sub-agents", "notes\n");
    const state = before();
    expect(await run(init)).toMatchObject({
      code: 2,
      err: expect.stringContaining("is a file where init needs a folder"),
    });
    expect(before()).toEqual(state);
  });

  test("a read-only folder gives a clear error and stays as it is", () => {
    const plan = planInit({ root: project.root, assets, configDir: configDir() });
    chmodSync(project.root, 0o555);
    const asRoot = process.geteuid?.() === 0;
    if (asRoot) process.seteuid!(65_534);
    try {
      expect(() => writeInit(plan)).toThrow(
        /nothing was written to .*(?:permission denied|read-only)/i,
      );
    } finally {
      if (asRoot) process.seteuid!(0);
      chmodSync(project.root, 0o755);
    }
    expect(readdirSync(project.root)).toEqual([".git"]);
  });

  test("a link that leads out of the project is refused before anything is written", async () => {
    mkdirSync(join(project.home, "elsewhere"));
    symlinkSync(join(project.home, "elsewhere"), project.path(".claude"));
    const { code, err } = await run(init);
    expect(code).toBe(2);
    expect(err).toContain("outside of");
    expect(readdirSync(join(project.home, "elsewhere"))).toEqual([]);
  });

  test("a folder that is not there is a mistake with a sentence", async () => {
    expect(await run(init, "nowhere")).toMatchObject({
      code: 2,
      err: expect.stringContaining("there is no folder"),
    });
  });
});
