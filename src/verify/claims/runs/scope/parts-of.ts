// The words of a command that make its run a part of everything: files, names, modules. Empty for all.
import { argumentsOf } from "../arguments-of.ts";
import type { KnownTool } from "../tables/known-tools.ts";

type Words = readonly (string | null)[];

/** Options whose value makes a run a part of everything, by name. */
const nameOptions = new RegExp(
  `^(?:${[
    "-t|-k|-g|-m|-e|-R|-run|-Dtest|-Dit\\.test|--run|--test|--tests|--only|--example|--grep|--fgrep|--filter",
    "--test-name-pattern|--testNamePattern|--testPathPattern\\w*|--related|--onlyChanged|--changed",
    "--lf|--last-failed|--testsuite|--group|--name",
  ].join("|")})(?:=|$)`,
);
/** Options that pick modules, by the program that knows them: their value is a part. */
const moduleOptions: readonly [program: RegExp, option: RegExp][] = [
  [/^cargo$/, /^(?:-p|--package)(?:=|$)/],
  [/^mvn$/, /^(?:-pl|--projects)(?:=|$)/],
  [/^(?:turbo|lerna|nx)$/, /^(?:--filter|-F|--scope|-p|--projects|--since|--affected)(?:=|$)/],
];

/** Programs whose plain words are tasks; a task of one module has the module's name before it. */
const taskPrograms = new Set([
  "gradle",
  "mvn",
  "rake",
  "make",
  "sbt",
  "ant",
  "ninja",
  "turbo",
  "lerna",
]);

/** `--filter=ui`: the modules that a run was told to keep to. */
export const modulesOf = (argv: Words): string[] =>
  argv.flatMap((word, index) =>
    word !== null &&
    moduleOptions.some(([one, option]) => one.test(argv[0] ?? "") && option.test(word))
      ? [word.includes("=") ? word : `${word}=${argv[index + 1] ?? ""}`]
      : [],
  );

/** Words that make a run a part; empty where it looks at everything. */
export function partsOf({ calls, subjects }: KnownTool, argv: Words): string[] {
  const program = argv[0] ?? "";
  const words = argv.filter((word): word is string => word !== null).slice(1);
  const called = new Set(calls.flatMap((call) => call.split(" ").slice(1)));
  const isTask = taskPrograms.has(program);
  const plain = argumentsOf(words).filter(
    (word) => !called.has(word) && word !== "run" && !/^\d+$/.test(word),
  );
  const named = isTask
    ? plain.filter((word) => /^:?[\w-]+:[\w:-]+$/.test(word) && program === "gradle")
    : plain.filter((word) => !isEverything(word) || (program === "go" && /^\.\/?$/.test(word)));
  const picked = words.flatMap((word, index) => {
    const isName = subjects[0] === "tests" && nameOptions.test(word);
    const isModule = moduleOptions.some(([one, option]) => one.test(program) && option.test(word));
    // `cargo test --lib`: one kind of targets out of several.
    if (program === "cargo" && /^--(?:lib|doc|bins|examples|tests|benches)$/.test(word))
      return [word];
    if (!isName && !isModule) return [];
    if (program === "node" && word === "--test") return [];
    return word.includes("=") ? [word] : [`${word}=${words[index + 1] ?? ""}`];
  });
  return [...named, ...picked];
}

/** Words that name all there is: `go test ./...`, `eslint .`, `pytest tests/`. */
const isEverything = (word: string): boolean =>
  new RegExp(
    "^(?:\\.{1,2}/?|\\./\\.\\.\\.|//\\.\\.\\.|all|src/?|lib/?|app/?|t/?|tests?/?|\\./tests?/?|specs?/?|packages/?|" +
      "clean|test|build|:all|\\./?src/?)$",
  ).test(word) || /\*\*|\{.*\}|\.sln[xf]?$|\.xcworkspace$/.test(word);
