// How much of a project a run looked at: the files, names and modules that its words pick out, and
// what of the project they leave aside.
import { posix } from "node:path";
import { argumentsOf } from "./arguments-of.ts";
import { isTestFile } from "./proof-command.ts";
import { languages } from "./edit-after.ts";
import type { Project } from "./script-of.ts";
import type { KnownTool } from "./tables/known-tools.ts";
import type { ResultSubject } from "../words/subject-words.ts";
import type { Recognised } from "./recognise.ts";

type Words = readonly (string | null)[];

/** Options whose value makes a run a part of everything, by name. */
const nameOptions = new RegExp(
  `^(?:${[
    "-t|-k|-g|-m|-e|-R|-run|-Dtest|-Dit\\.test|--run|--test|--tests|--only|--example|--grep|--fgrep|--filter",
    "--test-name-pattern|--testNamePattern|--testPathPattern\\w*|--related|--onlyChanged|--changed",
    "--lf|--last-failed|--testsuite|--group|--name|--scope|--since|--affected",
  ].join("|")})(?:=|$)`,
);
/** Options that pick modules: their value is a part. */
const moduleOptions = /^(?:-pl|--projects|--package|--scope|--filter|-F|-w|--workspace|-p)(?:=|$)/;

/** Programs whose plain words are tasks; a task of one module has the module's name before it. */
const taskPrograms = new Set([
  "gradle",
  "mvn",
  "rake",
  "make",
  "sbt",
  "ant",
  "ninja",
  "mix",
  "turbo",
  "nx",
  "lerna",
]);

/** Words that make a run a part; empty where it looks at everything. */
export function partsOf({ calls }: KnownTool, argv: Words): string[] {
  const program = argv[0] ?? "";
  const words = argv.filter((word): word is string => word !== null).slice(1);
  const called = new Set(calls.flatMap((call) => call.split(" ").slice(1)));
  const isTask = taskPrograms.has(program);
  const plain = argumentsOf(words).filter(
    (word) => !called.has(word) && word !== "run" && !/^\d+$/.test(word),
  );
  const named = isTask
    ? plain.filter((word) => /^:?[\w-]+:[\w:-]+$/.test(word) && program === "gradle")
    : plain.filter((word) => !isEverything(word));
  const picked = words.flatMap((word, index) => {
    if (program === "node" && word === "--test") return [];
    if (program === "pytest" && word === "-p") return [];
    if (!nameOptions.test(word) && !moduleOptions.test(word)) return [];
    return word.includes("=") ? [word] : [`${word}=${words[index + 1] ?? ""}`];
  });
  return [...named, ...picked];
}

/** Words that name all there is: `go test ./...`, `eslint .`, `pytest tests/`. */
const isEverything = (word: string): boolean =>
  new RegExp(
    "^(?:\\.{1,2}/?|\\./\\.\\.\\.|//\\.\\.\\.|all|src/?|lib/?|app/?|tests?/?|\\./tests?/?|specs?/?|packages/?|" +
      "clean|test|build|:all|\\./?src/?)$",
  ).test(word) || /\*\*|\{.*\}|\.sln[xf]?$|\.xcworkspace$/.test(word);

/** The value of an option that picks by name: `-k timeout`, `-Dtest=A`. */
const valueIn = (part: string): string =>
  part.replace(/^-{1,2}[\w.]+=/, "").replace(/^["']|["']$/g, "");

/** Whether a part is about this: a file, a folder, a package, a name. */
export function isAbout(part: string, name: string): boolean {
  const value = valueIn(part);
  const short = posix.basename(name.replace(/^@/, ""));
  if (value === "" || short === "") return false;
  if (value.includes(name) || name.includes(value)) return true;
  return value.split(/[\s:/.,|]+/).some((word) => word === short);
}

const manifest = new RegExp(
  "(?:^|/)(?:package\\.json|Cargo\\.toml|go\\.mod|pyproject\\.toml|setup\\.py|build\\.gradle(?:\\.kts)?|" +
    "pom\\.xml|[^/]+\\.(?:cs|fs)proj|composer\\.json|mix\\.exs|Package\\.swift)$",
);

/** Folders of the project's packages and modules, the root aside. */
export const packagesOf = (project: Project): string[] => [
  ...new Set(
    project
      .paths()
      .filter(
        (path) =>
          manifest.test(path) &&
          !/(?:^|\/)(?:node_modules|vendor|fixtures?|examples?)\//.test(path),
      )
      .map((path) => posix.dirname(path))
      .filter((folder) => folder !== "."),
  ),
];

const isAbove = (upper: string, lower: string): boolean =>
  upper === "." || upper === lower || lower.startsWith(`${upper}/`);

type Scope = Pick<Recognised, "folder" | "parts" | "ecosystem">;

/**
 * What a claim about everything leaves open, in words; null: nothing. Undefined: a part was run, and
 * what else there is cannot be told.
 */
export function leftAside(
  subject: ResultSubject,
  runs: readonly Scope[],
  project: Project,
): string | null | undefined {
  if (runs.some(({ folder, parts }) => folder === "." && parts.length === 0)) return null;
  const packages = packagesOf(project);
  const missing = packages.find(
    (one) =>
      !runs.some(
        ({ folder, parts }) =>
          isAbove(folder, one) && (parts.length === 0 || parts.some((part) => isAbout(part, one))),
      ),
  );
  if (missing !== undefined && packages.length > 1) return `${missing} was not among it`;
  if (packages.length > 1) return null;
  const files = project.paths().filter((path) => isOfKind(subject, runs[0]!, path));
  const rest = files.filter((path) => !runs.some((run) => covers(run, path)));
  if (rest.length === files.length) return undefined;
  return rest.length === 0
    ? null
    : `${rest.length} other ${subject === "tests" ? "test " : ""}${rest.length === 1 ? "file was" : "files were"} not run`;
}

/** `test/cart.js` and the like, helpers aside. */
const inTestFolder =
  /(?:^|\/)(?:tests?|specs?|__tests__)\/(?!(?:\w*(?:helper|setup|fixture|util|support|conftest)\w*|index)\.)[\w.-]+\.(?:[cm]?[jt]sx?|rb|php|exs?)$/;

function isOfKind(subject: ResultSubject, { ecosystem }: Scope, path: string): boolean {
  if (/(?:^|\/)(?:node_modules|vendor|dist|build|target)\//.test(path)) return false;
  if (subject === "tests") return isTestFile(path) || inTestFolder.test(path);
  return languages[ecosystem]?.test(path) ?? false;
}

function covers({ folder, parts }: Scope, path: string): boolean {
  if (!isAbove(folder, path)) return false;
  if (parts.length === 0) return true;
  return parts.some((part) => {
    const value = posix.join(
      folder,
      valueIn(part)
        .replace(/::.*$/, "")
        .replace(/\/?(?:\.\.\.)?$/, ""),
    );
    return path === value || path.startsWith(`${value}/`) || path.includes(posix.basename(value));
  });
}
