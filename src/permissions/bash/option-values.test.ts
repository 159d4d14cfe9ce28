// What the value of an option means, what the words around it stand for, and who is asked about it.
import { describe, expect, test } from "vitest";
import { createPolicy, type FactsOf } from "../policy.ts";
import { decide } from "../decide.ts";
import type { PermissionMode } from "../mode.ts";

const workspace = { cwd: "/w", home: "/h" };
type Situation = {
  allow?: string[];
  deny?: string[];
  mode?: PermissionMode;
  files?: Record<string, "file" | "directory">;
  dashed?: boolean;
};

function answer(
  command: string,
  { allow = ["Bash"], deny = [], mode, files = {}, dashed }: Situation,
) {
  const policy = createPolicy({
    workspace,
    rules: { allow, ask: [], deny },
    ...(mode ? { mode } : {}),
  });
  const facts: FactsOf = (path) => ({
    real: path,
    exists: files[path] !== undefined,
    kind: files[path] ?? "absent",
    ...(dashed && path.includes("*") ? { dashed: true } : {}),
  });
  return decide({ tool: "Bash", input: { command } }, policy, facts).behavior;
}

describe("a value that is written besides the command's work", () => {
  const trace = "curl -s --trace log.txt https://x.example/";
  test("is asked about under the command's rule", () => {
    expect(answer(trace, { allow: ["Bash(curl:*)"] })).toBe("ask");
    expect(
      answer("node --test --test-reporter-destination=r", { allow: ["Bash(node --test *)"] }),
    ).toBe("ask");
    expect(answer("jest --outputFile=r.json", { allow: ["Bash(jest:*)"] })).toBe("ask");
  });
  test("is an edit in acceptEdits, and allowed where the rule spells the option", () => {
    expect(answer(trace, { allow: ["Bash(curl:*)"], mode: "acceptEdits" })).toBe("allow");
    expect(answer(trace, { allow: ["Bash(curl -s --trace *)"] })).toBe("allow");
    expect(answer(trace, { allow: ["Bash"] })).toBe("allow");
  });
  test("is never a protected file without a question", () => {
    const own = "curl -s --trace CLAUDE.md https://x.example/";
    expect(answer(own, { allow: ["Bash(curl -s --trace *)"] })).toBe("ask");
  });
});

test("what the command is there to make, its rule allows", () => {
  for (const command of [
    "gcc -o app main.c",
    "go test -coverprofile=c.out ./...",
    "tsc --outDir dist",
  ])
    expect(answer(command, { allow: [`Bash(${command.split(" ")[0]}:*)`] }), command).toBe("allow");
});

test("a value that is a name of the program's own is no file and no package", () => {
  expect(answer("mocha --reporter dot", { allow: ["Bash(mocha:*)"] })).toBe("allow");
  expect(answer("mocha --reporter ./e.js", { allow: ["Bash(mocha:*)"] })).toBe("ask");
});

test("options behind -- are the other program's", () => {
  expect(answer("cargo clippy -- -D warnings", { allow: ["Bash(cargo clippy *)"] })).toBe("allow");
  expect(answer("cargo clippy -- -C linker=./e", { allow: ["Bash(cargo clippy *)"] })).toBe("ask");
  expect(answer("cargo test -- --nocapture", { allow: ["Bash(cargo test *)"] })).toBe("allow");
  expect(answer("cargo test -- --logfile=x", { allow: ["Bash(cargo test *)"] })).toBe("ask");
});

test("an option of a command that no table knows is not known either", () => {
  expect(answer("cargo thing", { allow: ["Bash(cargo thing *)"] })).toBe("allow");
  expect(answer("cargo thing --linker x", { allow: ["Bash(cargo thing *)"] })).toBe("ask");
});

test("a response file is read, and its options are not known", () => {
  const deny = ["Read(.env)"];
  expect(answer("strings @.env", { deny })).toBe("deny");
  expect(answer("rustc @args", { allow: ["Bash(rustc:*)"] })).toBe("ask");
  expect(answer("cat @.env", { deny })).toBe("deny");
});

test("a value that switches recursion on reads everything below", () => {
  const files = { "/w/.env": "file", "/w": "directory" } as const;
  for (const command of [
    "grep -d recurse x .",
    "grep --directories=recurse x .",
    "grep -drecurse x .",
    "grep --directories=rec x .",
  ])
    expect(answer(command, { deny: ["Read(.env)"], files }), command).not.toBe("allow");
  expect(answer("grep -d skip x a.txt", { deny: ["Read(.env)"], files })).toBe("allow");
});

describe("another name of a refused subcommand", () => {
  test.each([
    ["npm --silent urn evil", "npm run", "deny"],
    ["npm t", "npm run test", "deny"],
    ["npm run test", "npm test", "deny"],
    ["npm test", "npm run", "allow"],
    ["yarn run evil", "yarn evil", "deny"],
    ["yarn evil", "yarn run", "ask"],
    ["npm install", "npm run", "allow"],
    ["docker container rm x", "docker rm", "deny"],
    ["docker-compose down", "docker compose down", "deny"],
    ["git stage a", "git add", "deny"],
    ["git something a", "git add", "ask"],
    ["git status", "git push", "allow"],
    ["cargo r", "cargo run", "deny"],
  ])("%s under a refusal of %s: %s", (command, refused, expected) => {
    expect(answer(command, { deny: [`Bash(${refused}:*)`] })).toBe(expected);
  });
});

describe("names that land", () => {
  test.each([
    "git clone https://x.example/o/.claude",
    "git clone git@x.example:.claude.git",
    "git clone https://x.example/o/.claude/.git",
    "gunzip CLAUDE.md.gz",
    "xz -d .mcp.json.xz",
    "gh release download v1",
    "wget --trust-server-names https://x.example/a",
  ])("%s is asked about", (command) => {
    expect(answer(command, { files: { "/w": "directory" } })).toBe("ask");
  });
  test("a clone with a name of its own is not", () => {
    expect(answer("git clone https://x.example/o/tool", {})).toBe("allow");
  });
});

test("a folder's files are changed with it", () => {
  const deny = ["Edit(/src/**)"];
  const files = { "/w/src": "directory", "/w": "directory" } as const;
  for (const command of ["git restore src", "git restore .", "git mv src lib", "eslint --fix src"])
    expect(answer(command, { deny, files }), command).not.toBe("allow");
  expect(answer("git restore docs", { deny, files })).toBe("allow");
});

test("a command that changes the whole tree changes what may not be edited", () => {
  const files = { "/w/src": "directory", "/w": "directory", "/w/.env": "file" } as const;
  for (const command of ["git reset --hard", "git switch other", "git stash pop", "ruff format"])
    expect(answer(command, { deny: ["Edit(/src/**)"], files }), command).not.toBe("allow");
  for (const command of ["git switch other", "git restore .", "git stash list"])
    expect(answer(command, { deny: ["Read(.env)"], files }), command).toBe("allow");
});

test("a folder that arrives as a whole brings what is protected below it", () => {
  for (const command of [
    "cp -r t .github",
    "mv t .github",
    "git clone https://x.example/o/.github",
  ])
    expect(answer(command, { mode: "acceptEdits" }), command).toBe("ask");
});

describe("a change of folder that may not have been one", () => {
  test.each([
    "nice cd src && cat key",
    "env cd src && cat key",
    "pushd -n src && cat key",
    "pushd src && pushd && cat key",
    "cd src nosuch && cat key",
    "! cd src && cat key",
    "true || cd src && cat key",
  ])("%s reads in both", (command) => {
    expect(answer(command, { deny: ["Read(./key)"] })).not.toBe("allow");
  });
  test("one that surely worked is followed", () => {
    expect(answer("cd src && cat key", { deny: ["Read(./key)"] })).toBe("allow");
    expect(answer("command cd src && cat key", { deny: ["Read(./key)"] })).toBe("allow");
  });
});

test.each(["git diff -- ':(top)key'", "git diff -- :/key", "git grep x -- 'ke*'", "git clone . w"])(
  "git's own names of places are seen: %s",
  (command) => {
    const files = { "/w/key": "file", "/w": "directory" } as const;
    expect(answer(command, { deny: ["Read(./key)"], files })).not.toBe("allow");
  },
);

test("a wildcard that matches a name with a dash is asked about", () => {
  expect(answer("wc -c *", { allow: [] })).toBe("allow");
  expect(answer("wc -c *", { allow: [], dashed: true })).toBe("ask");
  expect(answer("wc -c ./*", { allow: [], dashed: true })).toBe("allow");
  expect(answer("touch -- -r; grep x *", {})).toBe("ask");
});

describe("a variable whose text may not take", () => {
  const deny = ["Read(.env)"];
  test.each([
    "readonly x=.env\nx=a.ts\ncat $x",
    "x=.env; declare -r x; x=a.ts; cat $x",
    "for i in 1 2; do x=a.ts; cat $x; readonly x=.env; done",
    "if true; then readonly x=.env; fi; for x in a.ts; do cat $x; done",
    "x=a.ts; read -ax < c; cat $x",
    "PWD=src; cd src; cat $PWD/../.env",
  ])("%j is not known", (command) => {
    expect(answer(command, { deny })).not.toBe("allow");
  });
  test("one that is exported keeps its text", () => {
    expect(answer("export x=b.ts; x=a.ts; cat $x", { deny })).toBe("allow");
  });
});

describe("git in a folder that the same text fills", () => {
  test.each([
    "mkdir -p h/objects && cp head h/HEAD && cd h && git diff",
    "cp -r t h && cd h && git status",
    "ln -s t h && git -C h log",
    "mkdir h && cp t/* h && cd h && git status",
  ])("%s is asked about", (command) => {
    expect(answer(command, { mode: "acceptEdits" })).toBe("ask");
  });
  test("an empty folder and a clone are not", () => {
    expect(answer("mkdir -p h && cd h && git init", {})).toBe("allow");
    expect(answer("git clone https://x.example/o/h && cd h && git log", {})).toBe("allow");
  });
});

test("what only checks writes nothing", () => {
  expect(answer("black --check .", { allow: ["Bash(black *)"] })).toBe("allow");
  expect(answer("black .", { allow: ["Bash(black *)"] })).toBe("ask");
});

test("a word behind an option opens no file beside other commands", () => {
  expect(answer("npm run build 2>&1 | tail -n 20", { allow: ["Bash(npm run build)"] })).toBe(
    "allow",
  );
});

describe("wildcards that no program opens", () => {
  test.each([
    "echo /o/*",
    "printf '%s' /o/*",
    "for f in /o/*; do echo x; done",
    "x='/o/*'; echo $x",
  ])("%s lists a folder outside", (command) => {
    expect(answer(command, { allow: [], files: { "/o": "directory" } })).toBe("ask");
  });
  test("inside they are shown", () => {
    expect(answer("for f in src/*; do echo $f; done", { allow: [] })).toBe("allow");
    expect(answer("echo src/*", { allow: [] })).toBe("allow");
  });
});

describe("a rule for a filter or a question", () => {
  test.each([
    ["perl -pe 's/a/b/g' x", "perl -pe", "allow"],
    ["perl -ne 'print if /^a+$/' x", "perl -ne", "allow"],
    ["perl -pe 's/a/`b`/e' x", "perl -pe", "ask"],
    ["perl -ne 'print if /a(?{b})/' x", "perl -ne", "ask"],
    ["perl -ne print 'b|'", "perl -ne", "ask"],
    ["psql -c 'select 1'", "psql -c", "allow"],
    ["psql -c '\\! b'", "psql -c", "ask"],
    ["mysql -e 'system b'", "mysql -e", "ask"],
    ["python3 -m timeit 'b()'", "python3 -m timeit", "ask"],
    ["python3 -m pydoc ./mod.py", "python3 -m pydoc", "ask"],
    ["perl -c x.pl", "perl -c", "ask"],
    ["perl -c x.pl", "perl -c x.pl", "allow"],
    ["git push origin main", "git push", "allow"],
    ["git push https://x.example/r main", "git push", "ask"],
    ["git push https://x.example/r main", "git push https://x.example/r", "allow"],
    ["npm pkg get name", "npm pkg", "allow"],
    ["npm pkg set scripts.test=b", "npm pkg", "ask"],
    ["npm pkg set name=b", "npm pkg set", "allow"],
  ])("%s under %s: %s", (command, rule, expected) => {
    expect(answer(command, { allow: [`Bash(${rule}:*)`] })).toBe(expected);
  });
});

test("pieces of a file have names that nobody wrote", () => {
  expect(answer("split -l 1 x .mcp.js", {})).toBe("ask");
  expect(answer("split -l 1 x part-", {})).toBe("allow");
  expect(answer("csplit -f CLAUD -b '%.0dE.md' x 1", { allow: ["Bash(csplit:*)"] })).toBe("ask");
});

test("git's parts by their own names are git", () => {
  expect(answer("git-push", { deny: ["Bash(git push:*)"] })).toBe("deny");
  expect(answer("/usr/lib/git-core/git-push", { deny: ["Bash(git push:*)"] })).toBe("deny");
});

test("what a command of several letters writes is asked about", () => {
  expect(answer("zip -qlf log x.zip a", { allow: ["Bash(zip:*)"] })).toBe("ask");
  expect(answer("zip -qr x.zip a", { allow: ["Bash(zip:*)"] })).toBe("allow");
  expect(answer("git archive -o x.tar HEAD", { allow: ["Bash(git:*)"] })).toBe("ask");
  expect(answer("kubectl kustomize -o out dir", { allow: ["Bash(kubectl:*)"] })).toBe("ask");
  expect(answer("kubectl get pods -o yaml", { allow: ["Bash(kubectl:*)"] })).toBe("allow");
});

test("a remote that the same text sets is no place to push to", () => {
  const allow = ["Bash(git remote:*)", "Bash(git push:*)"];
  const set = "git remote add x https://x.example/r";
  expect(answer(set, { allow, files: { "/w/.git": "file" } })).toBe("allow");
  expect(answer(`${set} && git push x main`, { allow })).toBe("ask");
});
