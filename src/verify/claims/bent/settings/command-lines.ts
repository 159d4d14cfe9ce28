// The commands that a script, a recipe or a pipeline runs, with those of the scripts and recipes that it names.
import { posix } from "node:path";

export const isCommands = (path: string): boolean =>
  /(?:package\.json|composer\.json|Makefile|justfile|\.ya?ml|\.sh|tox\.ini|noxfile\.py|Jenkinsfile|bin\/ci)$/.test(
    path,
  ) && !path.endsWith(".mocharc.yml");

type Read = (path: string) => string | undefined;

export function commandLines(path: string, text: string, read: Read): string[] {
  const joined = text.replace(/\\\n\s*/g, " ").replace(/\{posargs:?([^}]*)\}/g, "$1");
  if (path.endsWith(".json")) return scriptLines(joined, testScripts(joined));
  const lines = /(?:Makefile|justfile)$/.test(path)
    ? recipeLines(filled(joined), testTargets(joined))
    : filled(joined).split("\n");
  const own = lines
    .filter((line) => !/^\s*#/.test(line) && !/^\s*-?\s*name:/.test(line))
    .map((line) =>
      line
        .replace(/^\s*(?:-\s+)?(?:run|script|commands?)\s*[:=]\s*\|?|^\s*[-@]+\s*/, "")
        .replace(/^\s*["'](.*)["']\s*$/, "$1"),
    );
  return [...own, ...own.flatMap((line) => namedLines(line, path, read))];
}

/** Variables of a recipe or a shell script, written out. */
function filled(text: string): string {
  const values = new Map(
    [...text.matchAll(/^[ \t]*(?:export )?(\w+)\s*(?::|\?|\+)?=\s*(.*)$/gm)].map(
      ([, name, value]) => [name!, value!],
    ),
  );
  return text.replace(/\$[({](\w+)[)}]/g, (all, name: string) => values.get(name) ?? all);
}

/** `npm run test:unit`, `make test`: what they run stands in another file. */
function namedLines(line: string, path: string, read: Read): string[] {
  const folder = /^(?:\.github\/|bin\/|scripts\/)/.test(path) ? "" : posix.dirname(path);
  const at = (name: string): string => read(posix.join(folder, name)) ?? "";
  const script = /\b(?:npm|pnpm|yarn|bun)\s+(run(?:-script)?\s+)?(?:-\S+\s+)*([\w:.-]+)/.exec(line);
  const isInstall =
    script?.[1] === undefined && /^(?:ci|install|add|i|exec)$/.test(script?.[2] ?? "");
  const target = /(?:^|[\s;&])make\s+(?:-\S+\s+)*([\w-]+)/.exec(line)?.[1];
  const composed = /\bcomposer\s+(?:run(?:-script)?\s+)?([\w:-]+)/.exec(line)?.[1];
  return [
    ...(script && !isInstall ? scriptLines(at("package.json"), [script[2]!]) : []),
    ...(target === undefined ? [] : recipeLines(filled(at("Makefile")), [target])),
    ...(composed === undefined ? [] : scriptLines(at("composer.json"), [composed])),
    ...(/\btox\b/.test(line) && !path.endsWith("tox.ini") ? at("tox.ini").split("\n") : []),
  ];
}

const scriptsIn = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/"([\w:.-]+)"\s*:\s*(?:\[\s*)?"((?:[^"\\]|\\.)*)"/g)].map(
      ([, name, value]) => [name!, value!.replaceAll('\\"', '"')],
    ),
  );

/** `test`; without one, all scripts that test. */
function testScripts(text: string): string[] {
  const names = [...scriptsIn(text).keys()];
  return names.includes("test")
    ? ["test"]
    : names.filter((name) => /^(?:test|ci|check|verify)/.test(name));
}

function scriptLines(text: string, names: readonly string[]): string[] {
  const scripts = scriptsIn(text);
  const follow = (name: string, seen: readonly string[]): string[] => {
    const value = scripts.get(name);
    if (value === undefined || seen.includes(name)) return [];
    const called = [...scripts.keys()].filter((other) =>
      new RegExp(
        `(?:\\b(?:run|npm|yarn|pnpm|bun|run-s|run-p|composer|npm-run-all)\\b[^&|;]*?\\s|@)${other}(?![\\w:.-])`,
      ).test(value),
    );
    return [value, ...called.flatMap((other) => follow(other, [...seen, name]))];
  };
  return names.flatMap((name) => follow(name, []));
}

type Target = { name: string; needs: string[]; lines: string[] };

const targetsIn = (text: string): Target[] =>
  [...text.matchAll(/^([\w-]+):([^\n=]*)\n((?:[ \t]+[^\n]*\n?)*)/gm)].map(
    ([, name, needs, recipe]) => ({
      name: name!,
      needs: [
        ...needs!.trim().split(/\s+/),
        ...[...recipe!.matchAll(/\$?\(?(?:MAKE|make)\)?\s+([\w-]+)/g)].map(([, one]) => one!),
      ],
      lines: recipe!.split("\n"),
    }),
  );

function testTargets(text: string): string[] {
  const names = targetsIn(text).map(({ name }) => name);
  return names.includes("test") ? ["test"] : names.filter((name) => /^(?:test|check)/.test(name));
}

/** Recipes with those that they depend on. */
function recipeLines(text: string, names: readonly string[]): string[] {
  const targets = targetsIn(text);
  const own = targets.filter(({ name }) => names.includes(name));
  const needed = own.flatMap(({ needs }) => needs);
  const others = targets.filter((one) => !own.includes(one) && needed.includes(one.name));
  return [...own, ...others].flatMap(({ lines }) => lines);
}
