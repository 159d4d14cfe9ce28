// Finds the checks that a project already has: its package scripts, its Makefile, the usual tools
// of Python, Go and Rust. Nothing is run here.
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isObject } from "../base/data/json.ts";

export const checkKinds = ["types", "lint", "tests", "security"] as const;
export type CheckKind = (typeof checkKinds)[number];

/** `from` says in words where the command comes from. */
export type DetectedCheck = { kind: CheckKind; argv: string[]; from: string };

type Finder = (root: string, env: NodeJS.ProcessEnv) => DetectedCheck[];

const scriptNames: Record<CheckKind, readonly string[]> = {
  types: ["typecheck", "type-check", "types", "check:types", "check-types", "tsc"],
  lint: ["lint", "check:lint", "lint:check", "check", "eslint"],
  tests: ["test:run", "test:ci", "test", "tests", "unit", "test:unit"],
  security: ["security", "audit", "security:scan", "scan"],
};

const makeTargets: Record<CheckKind, readonly string[]> = {
  types: ["typecheck", "types", "check-types"],
  lint: ["lint", "check-lint", "style"],
  tests: ["test", "tests", "check"],
  security: ["security", "audit"],
};

/** At most one command a kind: the first finder that knows one. */
export function detectChecks(root: string, env: NodeJS.ProcessEnv = process.env): DetectedCheck[] {
  const found = finders.flatMap((find) => find(root, env));
  return checkKinds.flatMap((kind) => found.find((check) => check.kind === kind) ?? []);
}

const packageScripts: Finder = (root) => {
  const data = readJsonFile(join(root, "package.json"));
  const scripts = isObject(data) && isObject(data["scripts"]) ? data["scripts"] : {};
  const runner = packageManager(root);
  return checkKinds.flatMap((kind) => {
    const name = scriptNames[kind].find((candidate) => isRealScript(scripts[candidate]));
    return name === undefined
      ? []
      : [
          {
            kind,
            argv: [runner, "run", ...(runner === "npm" ? ["--silent"] : []), name],
            from: `the script "${name}" of package.json`,
          },
        ];
  });
};

/** What `npm init` writes is no test. */
const isRealScript = (script: unknown): script is string =>
  typeof script === "string" && script.trim() !== "" && !/no test specified/.test(script);

function packageManager(root: string): string {
  if (existsSync(join(root, "pnpm-lock.yaml"))) return "pnpm";
  if (existsSync(join(root, "yarn.lock"))) return "yarn";
  return existsSync(join(root, "bun.lock")) || existsSync(join(root, "bun.lockb")) ? "bun" : "npm";
}

const makefile: Finder = (root) => {
  const name = ["GNUmakefile", "makefile", "Makefile"].find((candidate) =>
    existsSync(join(root, candidate)),
  );
  const targets = new Set(
    name === undefined
      ? []
      : [...readText(join(root, name)).matchAll(/^([A-Za-z][\w-]*)\s*:(?!=)/gm)].map(
          (match) => match[1]!,
        ),
  );
  return checkKinds.flatMap((kind) => {
    const target = makeTargets[kind].find((candidate) => targets.has(candidate));
    return target === undefined
      ? []
      : [{ kind, argv: ["make", target], from: `the target "${target}" of ${name}` }];
  });
};

const python: Finder = (root, env) => {
  const config = ["pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "mypy.ini", "ruff.toml"]
    .map((name) => readText(join(root, name)))
    .join("\n");
  const files = listNames(root);
  if (config === "" && !files.some((name) => name.endsWith(".py")) && !files.includes("tests"))
    return [];
  const hasTests =
    files.includes("tests") ||
    files.includes("test") ||
    files.some((name) => /^test_.*\.py$|_test\.py$/.test(name));
  const pytest =
    /\[tool\.pytest|\[pytest\]|\[tool:pytest\]|pytest/.test(config) && onPath("pytest", env);
  return [
    ...(/mypy/.test(config) && onPath("mypy", env)
      ? [{ kind: "types" as const, argv: ["mypy", "."], from: "mypy's configuration" }]
      : []),
    ...(/ruff/.test(config) && onPath("ruff", env)
      ? [{ kind: "lint" as const, argv: ["ruff", "check", "."], from: "ruff's configuration" }]
      : []),
    ...(hasTests
      ? [
          {
            kind: "tests" as const,
            argv: pytest
              ? ["pytest", "-q"]
              : [
                  "python3",
                  "-m",
                  "unittest",
                  "discover",
                  ...(files.includes("tests") ? ["-s", "tests"] : []),
                ],
            from: pytest ? "pytest's configuration" : "the test files of a Python project",
          },
        ]
      : []),
  ];
};

const go: Finder = (root) =>
  existsSync(join(root, "go.mod"))
    ? [
        { kind: "types", argv: ["go", "build", "./..."], from: "go.mod" },
        { kind: "lint", argv: ["go", "vet", "./..."], from: "go.mod" },
        { kind: "tests", argv: ["go", "test", "./..."], from: "go.mod" },
      ]
    : [];

const cargo: Finder = (root, env) => {
  if (!existsSync(join(root, "Cargo.toml"))) return [];
  const lint: DetectedCheck[] = onPath("cargo-clippy", env)
    ? [
        {
          kind: "lint",
          argv: ["cargo", "clippy", "--quiet", "--", "-D", "warnings"],
          from: "Cargo.toml",
        },
      ]
    : [];
  return [
    { kind: "types", argv: ["cargo", "check", "--quiet"], from: "Cargo.toml" },
    ...lint,
    { kind: "tests", argv: ["cargo", "test", "--quiet"], from: "Cargo.toml" },
  ];
};

const finders: Finder[] = [packageScripts, makefile, python, go, cargo];

export function onPath(name: string, env: NodeJS.ProcessEnv): boolean {
  return (env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return folder !== "";
    } catch {
      return false;
    }
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, 1_000_000);
  } catch {
    return "";
  }
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch {
    return undefined;
  }
}

function listNames(root: string): string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
