// What a project says it depends on and can run: names, ranges and versions from its manifests and lock
// files, scripts and targets from its task files. Nothing is fetched and nothing is run.
import { taskReaders } from "../runs/tables/task-readers.ts";
import { isObject } from "../../../base/data/json.ts";
import type { Repository } from "../../../source/repository.ts";
import { kindOfList, plainName, writtenOut } from "./plain-name.ts";

/** `ranges`: as a manifest asks for it; `versions`: as a lock file or an installed package has it. */
export type Dependency = {
  ranges: Set<string>;
  versions: Set<string>;
  kinds: Set<string>;
  place: string;
};

/** `needs`: the tasks that run before it. */
export type ProjectTask = { text: string; place: string; needs: readonly string[] };

/** Manifests that nobody reads here. */
const unreadFiles = new RegExp(
  "(?:^|/)(?:build\\.sbt|Package\\.swift|pubspec\\.yaml|deps\\.edn|project\\.clj|" +
    "setup\\.(?:py|cfg)|[\\w.-]+\\.cabal)$",
);

export type Manifests = {
  /** Manifests that were read; without any nothing is known to be absent. */
  files: string[];
  /** There are manifests of a kind that is not read. */
  others: boolean;
  dependencies: Map<string, Dependency>;
  /** Task by the program that runs it: `npm`, `make`, `just` … */
  tasks: Map<string, Map<string, ProjectTask>>;
};

const known = new WeakMap<Repository, Manifests>();
const maxFiles = 60;

export function manifestsOf(repo: Repository): Manifests {
  const found = known.get(repo);
  if (found) return found;
  const paths = repo.reader
    .list()
    .paths.filter(
      (path) =>
        isManifest().test(path) &&
        !/(?:^|\/)(?:node_modules|vendor|fixtures?|testdata|examples?)\//.test(path),
    );
  const manifests: Manifests = {
    files: [],
    others: paths.some((path) => unreadFiles.test(path)),
    dependencies: new Map(),
    tasks: new Map(),
  };
  for (const row of rows)
    for (const path of paths.filter((one) => row.files.test(one)).slice(0, maxFiles)) {
      const text = repo.reader.read(path);
      if (!text.ok) continue;
      manifests.files.push(path);
      row.read(writtenOut(text.text, path), path, manifests);
    }
  known.set(repo, manifests);
  return manifests;
}

let anyManifest: RegExp | undefined;

/** One look at each of very many paths, before the rows look at the few that are left. */
function isManifest(): RegExp {
  anyManifest ??= new RegExp(rows.map(({ files }) => files.source).join("|"));
  return anyManifest;
}

type Fact = { name: string; range?: string; version?: string; kind?: string };

function take(manifests: Manifests, place: string, { name, range, version, kind }: Fact): void {
  const key = plainName(name);
  const own = manifests.dependencies.get(key) ?? {
    ranges: new Set(),
    versions: new Set(),
    kinds: new Set(),
    place,
  };
  if (range !== undefined && range !== "") own.ranges.add(range);
  if (version !== undefined) own.versions.add(version);
  if (kind !== undefined) own.kinds.add(kind);
  manifests.dependencies.set(key, own);
}

type ToldTask = { name: string; text: string; place: string; needs?: readonly string[] };

function takeTask(
  manifests: Manifests,
  runner: string,
  { name, text, place, needs = [] }: ToldTask,
): void {
  const own = manifests.tasks.get(runner) ?? new Map<string, ProjectTask>();
  own.set(name, { text, place, needs });
  manifests.tasks.set(runner, own);
}

type Read = (text: string, path: string, manifests: Manifests) => void;

const json = (text: string): Record<string, unknown> => {
  try {
    const data: unknown = JSON.parse(text);
    return isObject(data) ? data : {};
  } catch {
    return {};
  }
};
const entries = (value: unknown): [string, unknown][] =>
  isObject(value) ? Object.entries(value) : [];

const kinds: readonly [field: string, kind: string][] = [
  ["dependencies", "runtime"],
  ["devDependencies", "dev"],
  ["peerDependencies", "peer"],
  ["optionalDependencies", "optional"],
  ["require", "runtime"],
  ["require-dev", "dev"],
];

const readPackage: Read = (text, path, manifests) => {
  const data = json(text);
  for (const [field, kind] of kinds)
    for (const [name, range] of entries(data[field]))
      take(manifests, path, { name, range: String(range), kind });
  const runner = path.endsWith("composer.json") ? "composer" : "npm";
  for (const [name, script] of entries(data["scripts"]))
    takeTask(manifests, runner, { name, text: String(script), place: path });
};

const readPackageLock: Read = (text, path, manifests) => {
  const data = json(text);
  for (const [at, one] of [...entries(data["packages"]), ...entries(data["dependencies"])]) {
    const name = at.slice(
      at.lastIndexOf("node_modules/") + (at.includes("node_modules/") ? 13 : 0),
    );
    const version = isObject(one) ? one["version"] : undefined;
    if (name !== "" && typeof version === "string") take(manifests, path, { name, version });
  }
};

/** A range of one version is a version. */
const versionIn = ({
  version,
  range,
}: Record<string, string | undefined>): { version?: string } => {
  const exact = version ?? /^\s*===?\s*([\w.+-]+)\s*$/.exec(range ?? "")?.[1];
  return exact === undefined ? {} : { version: exact };
};

/** Name and version, wherever a line form has them. */
const byLines =
  (pattern: RegExp, kind?: string): Read =>
  (text, path, manifests) => {
    for (const { groups = {} } of text.matchAll(pattern))
      take(manifests, path, {
        name: groups["name"]!,
        ...(groups["range"] === undefined ? {} : { range: groups["range"].trim() }),
        ...versionIn(groups),
        ...(kind === undefined ? {} : { kind }),
      });
  };

const tomlTables =
  /^\[(?:[\w.-]*\.)?((?:dev-|build-)?dependencies|dev|group\.\w+\.dependencies)\]\s*\n((?:(?!^\[).*\n?)*)/gm;

const requirement = /["']([A-Za-z][\w.-]*)(?:\[[\w,-]*\])?\s*([<>=!~^][^"';]*)?["';]/g;

const readToml: Read = (text, path, manifests) => {
  for (const [, table, body] of text.matchAll(tomlTables))
    for (const [, name, range] of body!.matchAll(
      /^"?([\w.-]+)"?\s*=\s*(?:\{[^}]*?version\s*=\s*)?["']([^"']*)["']/gm,
    ))
      take(manifests, path, {
        name: name!,
        range: range!,
        kind: /dev|group/.test(table!) ? "dev" : "runtime",
      });
  for (const part of text.split(/^(?=\[)/m))
    for (const [, key, list] of part.matchAll(
      /^([\w-]+)\s*=\s*\[([^\]]*(?:\[[^\]]*\][^\]]*)*)\]/gm,
    )) {
      const kind = kindOfList(/^\[([\w.-]+)\]/.exec(part)?.[1] ?? "", key!);
      for (const [, name, range] of kind === undefined ? [] : list!.matchAll(requirement))
        take(manifests, path, { name: name!, kind: kind!, ...(range ? { range } : {}) });
    }
  for (const [, body] of text.matchAll(
    /^\[(?:project\.|tool\.[\w.]+\.)?(?:scripts|tasks)\]\s*\n((?:(?!^\[).*\n?)*)/gm,
  ))
    for (const [, name, script] of body!.matchAll(/^"?([\w.:-]+)"?\s*=\s*["'](.*)["']/gm))
      takeTask(manifests, "python", { name: name!, text: script!, place: path });
};

/** Gems with the groups that they stand in. */
const readGemfile: Read = (text, path, manifests) => {
  let group = "runtime";
  for (const line of text.split("\n")) {
    if (/^end\b/.test(line)) group = "runtime";
    group = /^group :(\w+)/.exec(line)?.[1] ?? group;
    const [, name, range, own] =
      /^\s*gem ["']([\w-]+)["'](?:, *["']([^"']+)["'])?(?:.*\bgroup: :(\w+))?/.exec(line) ?? [];
    if (name !== undefined)
      take(manifests, path, {
        name,
        kind: own ?? group,
        ...(range === undefined ? {} : { range }),
      });
  }
};

const rows: readonly { files: RegExp; read: Read }[] = [
  { files: /(?:^|\/)(?:package|composer)\.json$/, read: readPackage },
  { files: /(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/, read: readPackageLock },
  {
    files: /(?:^|\/)yarn\.lock$/,
    read: byLines(/^"?(?<name>@?[^@\n"]+)@[^\n]*:\n\s+version:? "?(?<version>[^"\n]+)"?/gm),
  },
  {
    files: /(?:^|\/)pnpm-lock\.yaml$/,
    read: byLines(/^\s+'?\/?(?<name>@?[\w./-]+)[@/](?<version>\d[\w.-]*)(?:\([^)]*\))?'?:/gm),
  },
  {
    files: /(?:^|\/)requirements[\w-]*\.(?:txt|in|lock)$/,
    read: byLines(/^(?<name>[A-Za-z][\w.-]*)(?:\[[\w,-]*\])?\s*(?<range>[<>=!~][^#;\n]*)?/gm),
  },
  { files: /(?:^|\/)(?:pyproject|Cargo|Pipfile)(?:\.toml)?$/, read: readToml },
  {
    files: /(?:^|\/)(?:Cargo|poetry|uv|pdm)\.lock$/,
    read: byLines(/^name = "(?<name>[^"]+)"\nversion = "(?<version>[^"]+)"/gm),
  },
  {
    files: /(?:^|\/)go\.mod$/,
    read: byLines(
      /^(?:require\s+)?\s*(?<name>[\w.-]+\.[\w.-]+\/[\w./-]+)\s+(?<version>v\d[\w.+-]*)(?!.*\/\/ indirect)/gm,
      "runtime",
    ),
  },
  {
    files: /(?:^|\/)go\.mod$/,
    read: byLines(
      /^\s*(?:require\s+)?(?<name>[\w.-]+\.[\w.-]+\/[\w./-]+)\s+(?<version>v\d[\w.+-]*)\s+\/\/ indirect/gm,
      "indirect",
    ),
  },
  { files: /(?:^|\/)Gemfile$/, read: readGemfile },
  {
    files: /(?:^|\/)Gemfile\.lock$/,
    read: byLines(/^ {4}(?<name>[\w-]+) \((?<version>\d[^)]*)\)/gm),
  },
  {
    files: /(?:^|\/)composer\.lock$/,
    read: byLines(/"name": "(?<name>[\w./-]+)",\s*"version": "v?(?<version>[^"]+)"/g),
  },
  {
    files: /(?:^|\/)pom\.xml$/,
    read: byLines(
      /<artifactId>(?<name>[\w.-]+)<\/artifactId>\s*(?:<version>(?<version>[^<]+)<\/version>)?/g,
    ),
  },
  {
    files: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    read: byLines(/["'][\w.-]+:(?<name>[\w.-]+):(?<version>[\w.-]+)["']/g),
  },
  {
    files: /\.(?:cs|fs|vb)proj$|(?:^|\/)Directory\.Packages\.props$/,
    read: byLines(
      /<Package(?:Reference|Version)\s+Include="(?<name>[\w.-]+)"\s+Version="(?<version>[^"]+)"/g,
      "runtime",
    ),
  },
  {
    files: /(?:^|\/)(?:[\w.-]*(?:compose|Dockerfile)[\w.-]*)$/,
    read: byLines(
      /^(?:\s*image:|FROM)\s+["']?(?:[\w.-]+\/)*(?<name>[\w-]+):(?<version>\d[\w.-]*)/gm,
    ),
  },
  { files: /(?:^|\/)mix\.exs$/, read: byLines(/\{:(?<name>\w+),\s*"(?<range>[^"]+)"/g) },
  {
    files: /\.gemspec$/,
    read: byLines(
      /add_(?:runtime_)?dependency\s*\(?["'](?<name>[\w-]+)["'](?:,\s*["'](?<range>[^"']+)["'])?/g,
      "runtime",
    ),
  },
  {
    files: /(?:^|\/)libs\.versions\.toml$/,
    read: byLines(/^(?<name>[\w-]+)\s*=\s*"(?<version>\d[^"]*)"/gm),
  },
  ...taskReaders.map(({ files, runner, read }) => ({
    files,
    read: (text: string, place: string, manifests: Manifests): void => {
      for (const task of read(text))
        if (task.text !== "" || !manifests.tasks.get(runner)?.has(task.name))
          takeTask(manifests, runner, { ...task, place });
    },
  })),
];
