// What would prove a claim in this project, and which files hold tests.
import { isObject } from "../../../base/data/json.ts";
import type { ResultSubject } from "../result-subject.ts";
import { scriptNames } from "./tables/script-names.ts";
import type { Project } from "./script-of.ts";

/** By the file that a project of that kind has. */
const usual: readonly [file: string, commands: Partial<{ [subject in ResultSubject]: string }>][] =
  [
    [
      "Cargo.toml",
      { tests: "cargo test", build: "cargo build", types: "cargo check", lint: "cargo clippy" },
    ],
    [
      "go.mod",
      {
        tests: "go test ./...",
        build: "go build ./...",
        types: "go vet ./...",
        lint: "go vet ./...",
      },
    ],
    ["pyproject.toml", { tests: "pytest", types: "mypy .", lint: "ruff check ." }],
    ["setup.py", { tests: "pytest" }],
    ["pom.xml", { tests: "mvn test", build: "mvn package" }],
    ["build.gradle", { tests: "./gradlew test", build: "./gradlew build" }],
    ["build.gradle.kts", { tests: "./gradlew test", build: "./gradlew build" }],
    ["Gemfile", { tests: "bundle exec rake test" }],
    ["mix.exs", { tests: "mix test", build: "mix compile" }],
    ["Package.swift", { tests: "swift test", build: "swift build" }],
    ["tsconfig.json", { types: "npx tsc --noEmit" }],
  ];

/** The command that would show it; undefined where the project names none. */
export function proofCommand(subject: ResultSubject, project: Project): string | undefined {
  const names = Object.keys(scriptsOf(project));
  const pattern = scriptNames.find(([, one]) => one === subject)?.[0];
  const script =
    pattern && (names.find((name) => pattern.test(name) && !/fix|watch/.test(name)) ?? undefined);
  if (script !== undefined) return script === "test" ? "npm test" : `npm run ${script}`;
  const files = new Set(project.paths());
  return usual.find(([file, commands]) => files.has(file) && commands[subject] !== undefined)?.[1][
    subject
  ];
}

function scriptsOf(project: Project): Record<string, unknown> {
  try {
    const data: unknown = JSON.parse(project.read("package.json") ?? "{}");
    return isObject(data) && isObject(data["scripts"]) ? data["scripts"] : {};
  } catch {
    return {};
  }
}

export const isTestFile = (path: string): boolean =>
  new RegExp(
    "(?:[._-](?:test|spec|tests)\\.\\w+|(?:^|/)test_[^/]+\\.py|_test\\.(?:go|py|rb|exs|cc|" +
      "cpp|dart)|Tests?\\.(?:java|kt|cs|php|swift)|_spec\\.rb|\\.bats)$",
  ).test(path);
