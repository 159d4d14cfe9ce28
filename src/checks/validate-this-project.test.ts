// The validator on this project itself: a copy of the whole repository with its own check and test scripts, narrowed so that it neither runs itself nor takes long, and one room of it against the same checks by hand.
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { checkKinds } from "./detect-checks.ts";
import { validateProject } from "./validate-project.ts";

const home = join(import.meta.dirname, "..", "..");
const scripts = {
  typecheck: "node scripts/check.mjs types",
  lint: "node scripts/check.mjs format",
  test: "node_modules/.bin/vitest run",
};
const commands = {
  types: "npm run --silent typecheck",
  lint: "npm run --silent lint",
  tests: "npm run --silent test",
};

function copy(): TempProject {
  const project = tempProject();
  for (const name of ["src/base", "scripts", "tsconfig.json", "vitest.config.ts", ".oxfmtrc.json"])
    cpSync(join(home, name), project.path(name), {
      recursive: true,
      filter: (path) => !path.includes(".test.") || path.endsWith("suggest.test.ts"),
    });
  symlinkSync(join(home, "node_modules"), project.path("node_modules"));
  const own = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
    scripts: Record<string, string>;
  };
  project.write(
    "package.json",
    JSON.stringify({ ...own, scripts: { ...own.scripts, ...scripts } }),
  );
  return project;
}

const byHand = (command: string, { root }: TempProject): boolean =>
  spawnSync("sh", ["-c", command], {
    cwd: root,
    stdio: "ignore",
    env: { ...process.env, CI: "true" },
  }).status === 0;

test("gives the same verdict as running this project's own checks by hand, when they pass and when they fail", async () => {
  using project = copy();
  const compare = async (): Promise<Record<string, boolean>> => {
    const { decision, checks } = await validateProject({ root: project.root });
    const validated = Object.fromEntries(checkKinds.map((kind) => [kind, checks[kind].passed]));
    expect(validated).toEqual({
      ...Object.fromEntries(
        Object.entries(commands).map(([kind, command]) => [kind, byHand(command, project)]),
      ),
      security: true,
    });
    expect(decision).toBe(Object.values(validated).every(Boolean) ? "PROCEED" : "STOP");
    return validated;
  };
  expect(await compare()).toEqual({ types: true, lint: true, tests: true, security: true });
  // A wrong answer, a type that does not fit, and lines that the formatter would write otherwise.
  writeFileSync(
    project.path("src/base/text/suggest.ts"),
    `// Says nothing.\nexport const suggest = ( ) : number =>\n\n"x"\n`,
  );
  expect(await compare()).toEqual({ types: false, lint: false, tests: false, security: true });
}, 120_000);

const madeAnew = new Set(["node_modules", "dist", "coverage", ".git"]);

/** The whole repository but for what is made anew in it; what `npm install` brings is borrowed. */
function wholeCopy(narrowed: Record<string, string>): TempProject {
  const project = tempProject();
  cpSync(home, project.root, { recursive: true, filter: (path) => !madeAnew.has(basename(path)) });
  symlinkSync(join(home, "node_modules"), project.path("node_modules"));
  const own = JSON.parse(project.read("package.json")) as { scripts: Record<string, string> };
  // The project's own words, with one room and one of the four checks named.
  const scripts = Object.fromEntries(
    Object.entries(narrowed).map(([name, only]) => [name, `${own.scripts[name]} ${only}`]),
  );
  project.write(
    "package.json",
    JSON.stringify({ ...own, scripts: { ...own.scripts, ...scripts } }),
  );
  return project;
}

test("on a copy of this repository its own scripts pass, and a function that was broken is found by the tests of its room alone", async () => {
  using project = wholeCopy({ check: "house", test: "src/patterns" });
  const started: string[] = [];
  // The audit asks a registry: that is not what is shown here.
  const mayRun = async (command: string): Promise<{ ok: true } | { ok: false; reason: string }> =>
    command.startsWith("npm audit") ? { ok: false, reason: "no network" } : { ok: true };
  const validate = () =>
    validateProject({
      root: project.root,
      mayRun,
      onStart: (_kind, command) => void started.push(command),
    });
  expect(await validate()).toMatchObject({
    decision: "PROCEED",
    issues: [],
    checks: {
      lint: { passed: true, evidence: { grade: "E4", exit_code: 0 } },
      tests: { passed: true, evidence: { grade: "E4", exit_code: 0 } },
      security: { passed: true },
    },
  });
  expect(started.sort()).toEqual(["npm run --silent check", "npm run --silent test"]);
  const whole = project.read("src/patterns/deliver.ts");
  const broken = whole.replace("losses < policy.lossRetries", "losses > policy.lossRetries");
  expect(broken).not.toBe(whole);
  project.write("src/patterns/deliver.ts", broken);
  const { decision, checks, issues } = await validate();
  expect([
    decision,
    checks.lint.passed,
    checks.tests.passed,
    checks.tests.evidence?.exit_code,
  ]).toEqual(["STOP", true, false, 1]);
  expect(issues.join("\n")).toMatch(
    /^tests: .*a required agent that ends by timeout is tried once more/m,
  );
}, 120_000);

test("on the repository as it stands it finds the scripts that people run", async () => {
  const asked: string[] = [];
  const mayRun = async (command: string): Promise<{ ok: false; reason: string }> => {
    asked.push(command);
    return { ok: false, reason: "only asked" };
  };
  expect(await validateProject({ root: home, mayRun })).toMatchObject({
    decision: "CLARIFY",
    checks: {
      security: {
        passed: true,
        reason: expect.stringContaining("files were searched for secrets"),
      },
    },
  });
  expect(asked.sort()).toEqual([
    expect.stringMatching(/^npm audit /),
    "npm run --silent check",
    "npm run --silent test",
  ]);
});
