// Twins from real packages: one fact, said rightly and wrongly in the same words. A parser, the lock file and git
// know the fact; the code under test had no part in it.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readPackage } from "./package-facts.mjs";
import { wordings } from "./wordings.mjs";

const packages = [
  "commander",
  "diff",
  "express",
  "fs-extra",
  "fast-uri",
  "istanbul-reports",
  "koa",
  "logform",
  "postcss",
  "qs",
  "semver",
  "winston",
];

/** [{class, wording, tree, true, false}]: `tree` is a map of files, or null for the project itself. */
export function generateTwins(count, home) {
  const trees = packages
    .filter((name) => existsSync(join(home, "node_modules", name)))
    .map((name) => readPackage(join(home, "node_modules", name)));
  const sources = {
    ...codeFacts(trees),
    ...manifestFacts(home, trees),
    ...historyFacts(home),
  };
  const classes = Object.keys(wordings);
  const twins = [];
  for (let at = 0; twins.length < count && at < 10_000; at++) {
    const name = classes[at % classes.length];
    const facts = sources[name];
    const round = Math.floor(at / classes.length);
    const fact = facts[(round * 7) % Math.max(1, facts.length)];
    if (!fact || round >= facts.length) continue;
    const wording = wordings[name][round % wordings[name].length];
    const say = (values) => wording.replace(/\{(\w)\}/g, (_, key) => String(values[key]));
    twins.push({
      class: name,
      wording,
      tree: fact.tree ?? null,
      true: say(fact.right),
      false: say(fact.wrong),
    });
  }
  return twins;
}

/** Lines of a function as they are, and with one token that another line of the file has. */
function quotedLines({ name: a, path: b, lines, line: first, end }, parsed) {
  const names = [...new Set(lines.join("\n").match(/\b[a-z]\w{3,}\b/g))];
  const own = lines.slice(first, end - 1).map((one) => one.trim());
  return own.flatMap((q, at) => {
    const tokens = q.match(/(?<=[.(=,!] ?)\b[a-z]\w{3,}\b|\b\d+\b/g) ?? [];
    if (q.length < 30 || q.length > 100 || /^[/*]|`/.test(q) || tokens.length === 0) return [];
    const token = tokens[at % tokens.length];
    const other = /\d/.test(token) ? String(Number(token) + 2) : names[(at * 7) % names.length];
    const made = q.replace(new RegExp(`\\b${token}\\b`), other);
    const isMade = made !== q && parsed.every(({ text }) => !text.includes(made));
    return isMade ? [{ right: { a, b, q }, wrong: { a, b, q: made } }] : [];
  });
}

const folderOf = (path) => path.slice(0, Math.max(0, path.lastIndexOf("/")));

/** Each item of the first list with one of the second, in turn. */
const pairUp = (right, wrong, make) =>
  wrong.length === 0 ? [] : right.map((one, at) => make(one, wrong[(at * 5) % wrong.length]));

function codeFacts(trees) {
  const all = Object.fromEntries(Object.keys(wordings).map((name) => [name, []]));
  for (const { files, parsed } of trees) {
    const add = (name, list) =>
      all[name].push(...list.slice(0, 8).map((fact) => ({ tree: files, ...fact })));
    const defined = new Map();
    for (const { functions } of parsed)
      for (const { name } of functions) defined.set(name, (defined.get(name) ?? 0) + 1);
    const definitions = (name) => {
      const defines = new RegExp(
        `(?:function|const|let|var|class)\\s+${name.replaceAll("$", "\\$")}\\b|^\\s*${name.replaceAll("$", "\\$")}\\s*\\(`,
        "m",
      );
      return parsed.filter(({ text }) => defines.test(text)).length;
    };
    const once = [...defined]
      .filter(([name, times]) => times === 1 && name.length > 4 && definitions(name) === 1)
      .map(([name]) => name);
    const sees = (file, name) => new RegExp(`\\b${name.replaceAll("$", "\\$")}\\b`).test(file.text);
    const callers = (name) => parsed.filter(({ calls }) => calls.includes(name));
    const called = once.filter((name) => callers(name).length > 0);
    add(
      "absence: a name in a place",
      called.flatMap((a) => {
        const not = parsed.find((file) => !sees(file, a));
        const home = (file) => file.functions.some(({ name }) => name === a);
        const does = callers(a).find((file) => !home(file));
        return not && does ? [{ right: { a, b: not.path }, wrong: { a, b: does.path } }] : [];
      }),
    );
    add(
      "totality: the only place",
      pairUp(
        called.filter(
          (name) =>
            callers(name).length === 1 &&
            parsed.filter(
              (file) => sees(file, name) && !file.functions.some((one) => one.name === name),
            ).length <= 1,
        ),
        called.filter((name) => callers(name).length > 1),
        (right, wrong) => ({
          right: { a: right, b: callers(right)[0].path },
          wrong: { a: wrong, b: callers(wrong)[0].path },
        }),
      ),
    );
    const folders = [...new Set(parsed.map(({ path }) => folderOf(path)))].filter(Boolean);
    const inside = (folder) => parsed.filter(({ path }) => path.startsWith(`${folder}/`));
    const imported = [...new Set(parsed.flatMap(({ imports }) => imports))].filter(
      (name) => /^[\w@/-]+$/.test(name) && name.length > 2,
    );
    for (const b of folders) {
      const own = inside(b);
      const share = (a) => own.filter(({ imports }) => imports.includes(a)).length;
      const nowhere = imported.filter((a) => own.every(({ text }) => !text.includes(a)));
      add(
        "absence: an import",
        pairUp(
          nowhere.slice(0, 2),
          imported.filter((a) => share(a) > 0),
          (right, wrong) => ({ right: { a: right, b }, wrong: { a: wrong, b } }),
        ),
      );
      const listed = Object.keys(files).filter((path) => path.startsWith(`${b}/`));
      if (listed.length === own.length && own.length > 1)
        add(
          "totality: all files import",
          pairUp(
            imported.filter((a) => share(a) === own.length),
            imported.filter((a) => share(a) > 0 && share(a) < own.length),
            (right, wrong) => ({ right: { a: right, b }, wrong: { a: wrong, b } }),
          ),
        );
      if (
        listed.every((path) => folderOf(path) === b) &&
        new Set(listed.map((path) => path.split(".").at(-1))).size === 1
      )
        add("count: files", [
          { right: { b, n: listed.length }, wrong: { b, n: listed.length + 3 } },
        ]);
    }
    const flat = parsed.filter(
      ({ functions, classes }) =>
        functions.length > 1 && classes.length === 0 && functions.every(({ isTop }) => isTop),
    );
    add(
      "totality: all are described",
      pairUp(
        flat.filter(({ functions }) => functions.every(({ isDescribed }) => isDescribed)),
        flat.filter(({ functions }) => functions.some(({ isDescribed }) => !isDescribed)),
        (right, wrong) => ({ right: { b: right.path }, wrong: { b: wrong.path } }),
      ),
    );
    add(
      "count: functions",
      flat.map(({ path, functions }) => ({
        right: { b: path, n: functions.length },
        wrong: { b: path, n: functions.length + 4 },
      })),
    );
    add(
      "count: imports",
      parsed
        .filter(
          ({ imports }) => new Set(imports).size > 1 && new Set(imports).size === imports.length,
        )
        .map(({ path, imports }) => ({
          right: { b: path, n: imports.length },
          wrong: { b: path, n: imports.length + 3 },
        })),
    );
    const bodies = flat.flatMap(({ path, text, functions }) =>
      functions
        .filter(({ name, end, line }) => end - line > 1 && once.includes(name))
        .map((one) => ({ ...one, path, lines: text.split("\n") })),
    );
    add(
      "place",
      bodies
        .filter(({ lines, end }) => lines.length > end + 20)
        .map(({ name: a, path: b, line, end }) => ({
          right: { a, b, n: line },
          wrong: { a, b, n: end + 15 },
        })),
    );
    add(
      "quotation",
      bodies.flatMap((body) => quotedLines(body, parsed).slice(0, 1)),
    );
    add(
      "count: lines",
      parsed.map(({ path, text }) => ({
        right: { b: path, n: text.split("\n").length - 1 },
        wrong: { b: path, n: text.split("\n").length + 40 },
      })),
    );
  }
  return all;
}

function manifestFacts(home, trees) {
  const read = (path) => JSON.parse(readFileSync(join(home, path), "utf8"));
  const [manifest, lock] = [read("package.json"), read("package-lock.json")];
  const runtime = Object.keys(manifest.dependencies ?? {});
  const dev = Object.keys(manifest.devDependencies ?? {});
  const known = new Set(
    Object.keys(lock.packages).map((path) => path.split("node_modules/").at(-1)),
  );
  const absent =
    "lodash.merge left-pad moment request underscore jquery bluebird axios webpack mocha jest eslint prettier rollup redux"
      .split(" ")
      .filter((name) => !known.has(name));
  const scripts = trees.flatMap(({ files }) => {
    const own = JSON.parse(files["package.json"] ?? "{}").scripts ?? {};
    return Object.entries(own)
      .filter(([, text]) => !/[`|]/.test(text))
      .map(([name, text], at, all) => ({ files, name, text, other: all[(at + 1) % all.length] }));
  });
  return {
    "package: version": [...runtime, ...dev].map((a) => {
      const b = lock.packages[`node_modules/${a}`].version;
      const [major, minor] = b.split(".");
      return { right: { a, b }, wrong: { a, b: `${major}.${Number(minor) + 2}.1` } };
    }),
    "package: kind": [
      ...runtime.map((a) => ({ right: { a, b: "runtime" }, wrong: { a, b: "dev" } })),
      ...dev.map((a) => ({ right: { a, b: "dev" }, wrong: { a, b: "runtime" } })),
    ],
    "package: not there": pairUp(absent, [...runtime, ...dev], (right, wrong) => ({
      right: { a: right },
      wrong: { a: wrong },
    })),
    "script: what it runs": scripts
      .filter(
        ({ text, other }) => other[1] !== text && !text.includes(other[1]) && /\s/.test(other[1]),
      )
      .map(({ files, name, text, other }) => ({
        tree: files,
        right: { a: name, b: text },
        wrong: { a: name, b: other[1] },
      })),
    "script: it is there": scripts.map(({ files, name }) => ({
      tree: files,
      right: { a: name },
      wrong: { a: `${name}-all` },
    })),
  };
}

function historyFacts(home) {
  const git = (...args) =>
    spawnSync("git", ["-C", home, ...args], { encoding: "utf8", maxBuffer: 1 << 26 }).stdout;
  const commits = git("log", "--no-merges", "--name-only", "--format=%x1e%s%x1f", "-n400")
    .split("\x1e")
    .slice(1)
    .map((row) => ({
      subject: row.split("\x1f")[0],
      files: row.split("\x1f")[1].split("\n").filter(Boolean),
    }))
    .filter(
      ({ subject, files }, _, all) =>
        !/["`]/.test(subject) &&
        files.length > 0 &&
        all.filter((one) => one.subject === subject).length === 1,
    );
  const listed = git("ls-files")
    .split("\n")
    .filter((path) => /\.(?:ts|md|mjs)$/.test(path));
  const inTree = new Set(listed);
  const numbers = listed
    .slice(0, 400)
    .filter((_, at) => at % 9 === 0)
    .map((path) => ({
      path,
      n: git("log", "--all", "--format=%H", "--", path).split("\n").filter(Boolean).length,
    }));
  const changed = commits.flatMap(({ subject, files }, at) => {
    const right = files.find((path) => inTree.has(path));
    const wrong = commits[(at + 11) % commits.length].files.find(
      (path) => inTree.has(path) && !files.includes(path),
    );
    return right && wrong
      ? [{ right: { a: subject, b: right }, wrong: { a: subject, b: wrong } }]
      : [];
  });
  return {
    "commit: a file": changed,
    "commit: the order": commits.slice(0, -9).map(({ subject }, at) => ({
      right: { a: commits[at + 9].subject, b: subject },
      wrong: { a: subject, b: commits[at + 9].subject },
    })),
    "commit: the number of a file's": numbers
      .filter(({ n }) => n > 1)
      .map(({ path, n }) => ({ right: { b: path, n }, wrong: { b: path, n: n + 3 } })),
  };
}
