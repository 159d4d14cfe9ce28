// What of a project its runs leave aside: packages that none of them looked at, files that none of
// them names.
import { posix } from "node:path";
import { isTestFile } from "../proof-command.ts";
import { languages } from "../edit-after.ts";
import type { Project } from "../script-of.ts";
import type { ResultSubject } from "../../result-subject.ts";
import type { RecordedRun } from "../recorded-runs.ts";

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

export const isAbove = (upper: string, lower: string): boolean =>
  upper === "." || upper === lower || lower.startsWith(`${upper}/`);

type Scope = Pick<RecordedRun, "folder" | "parts" | "ecosystem">;

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
  return rest.length === 0 ? null : leftWords(subject, rest.length);
}

const leftWords = (subject: ResultSubject, count: number): string =>
  `${count} other ${subject === "tests" ? "test " : ""}${count === 1 ? "file was" : "files were"} not run`;

/** `test/cart.js` and the like, helpers aside. */
const inTestFolder = new RegExp(
  "(?:^|/)(?:tests?|specs?|__tests__)/" +
    "(?!(?:\\w*(?:helper|setup|fixture|util|support|conftest)\\w*|index)\\.)" +
    "[\\w.-]+\\.(?:[cm]?[jt]sx?|rb|php|exs?)$",
);

function isOfKind(subject: ResultSubject, { ecosystem }: Scope, path: string): boolean {
  if (/(?:^|\/)(?:node_modules|vendor|dist|build|target)\//.test(path)) return false;
  if (subject === "tests") return isTestFile(path) || inTestFolder.test(path);
  return languages[ecosystem]?.test(path) ?? false;
}

function covers({ folder, parts }: Scope, path: string): boolean {
  if (!isAbove(folder, path)) return false;
  if (parts.length === 0) return true;
  return parts.some((part) => {
    // One package of Go is one folder.
    if (/^\.\/?$/.test(part)) return posix.dirname(path) === (folder === "" ? "." : folder);
    const value = posix.join(
      folder,
      valueIn(part)
        .replace(/::.*$/, "")
        .replace(/\/?(?:\.\.\.)?$/, ""),
    );
    return path === value || path.startsWith(`${value}/`) || path.includes(posix.basename(value));
  });
}
