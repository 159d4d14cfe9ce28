// Lists that are made from whole files: the files themselves, jobs and steps of a workflow, calls that assert.
import { parse as parseYaml } from "yaml";
import { isObject } from "../../../../base/data/json.ts";
import type { Repository } from "../../../../source/repository.ts";
import { isProse } from "../../runs/edit-after.ts";
import { isTest } from "../../tree/uses.ts";
import type { Element } from "../elements-in.ts";
import { isVendored } from "../referents.ts";

export type CountedItem = Pick<
  Element,
  "name" | "path" | "line" | "head" | "text" | "isShown" | "isDescribed"
>;

/** `paths`: the files that are spoken of; `owner`: the type whose members are. */
export type CountScope = { paths: readonly string[]; owner?: string; isWhole: boolean };

export type Listing = (scope: CountScope, repo: Repository) => CountedItem[][];

export const fileItem =
  (repo: Repository) =>
  (path: string): CountedItem => {
    const state = repo.open(path);
    const text = state.ok ? state.file.text : "";
    const first = text.replace(/^#!.*\n|^(?:"use \w+";?|<\?php)\s*/, "").trimStart();
    return {
      name: path,
      path,
      line: 1,
      head: first.split("\n", 1)[0]!,
      text,
      isShown: true,
      isDescribed: /^(?:\/\/|\/\*|#|"""|'''|--|<!--)/.test(first),
    };
  };

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);

/** All, those directly in the folder, without tests, and by their endings. */
export function listFiles({ paths, isWhole }: CountScope, repo: Repository): CountedItem[][] {
  const all = paths.filter((path) => !isVendored(path));
  const top = [...all].sort((a, b) => folderOf(a).length - folderOf(b).length)[0];
  const direct = isWhole ? all : all.filter((path) => folderOf(path) === folderOf(top ?? ""));
  const endings = new Set(all.map((path) => /\.\w+$/.exec(path)?.[0] ?? ""));
  const sources = (list: string[]): string[] =>
    list.filter((path) => !isProse(path) && !isTest(path));
  return [all, direct, sources(all), sources(direct)]
    .flatMap((list) => [
      list,
      ...[...endings].map((ending) => list.filter((path) => path.endsWith(ending))),
    ])
    .map((list) => list.map(fileItem(repo)));
}

export const workflow =
  (count: "jobs" | "steps"): Listing =>
  ({ paths, isWhole }, repo) => {
    const files = paths.filter(
      (path) =>
        /^\.github\/workflows\/.*\.ya?ml$|\.ya?ml$/.test(path) &&
        (!isWhole || path.startsWith(".github/")),
    );
    const lists = files.map((path): CountedItem[] => {
      const item = fileItem(repo)(path);
      const jobs = yamlOf(item.text)["jobs"];
      const all = isObject(jobs) ? Object.entries(jobs) : [];
      const steps = all.flatMap(([, job]) =>
        isObject(job) && Array.isArray(job["steps"]) ? job["steps"] : [],
      );
      return count === "jobs"
        ? all.map(([name]) => ({ ...item, name }))
        : steps.map((step, at) => ({ ...item, name: String(at), text: JSON.stringify(step) }));
    });
    return lists.length === 1 ? lists : [];
  };

function yamlOf(text: string): Record<string, unknown> {
  try {
    const data: unknown = parseYaml(text);
    return isObject(data) ? data : {};
  } catch {
    return {};
  }
}

const assertion = new RegExp(
  "(?<![\\w.])(?:assert\\w*[!.]?\\w*\\s*[(!]|assert\\s|" +
    "(?:expect\\w*|CHECK\\w*|REQUIRE\\w*|t\\.(?:Error|Fatal)f?)\\s*\\()|(?:->|\\bself\\.)assert\\w+\\(",
  "g",
);

/** Every call that asserts, in files of tests. */
export function listAssertions({ paths }: CountScope, repo: Repository): CountedItem[][] {
  const items = paths.filter(isTest).map(fileItem(repo));
  return [
    items.flatMap((item) =>
      item.text
        .split("\n")
        .filter((line) => !/^\s*(?:\/\/|\*|#|import\b|from\b|use\b)/.test(line))
        .flatMap((line) => [...line.matchAll(assertion)].map(() => ({ ...item, head: line }))),
    ),
  ];
}
