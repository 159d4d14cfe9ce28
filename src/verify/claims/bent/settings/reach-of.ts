// Paths as commands and configurations name them: a file, a folder, a glob, a part of a path.

export type Reach = (path: string) => boolean;

/** A pattern as a test of paths; undefined where it fits none of the files that are there. */
export function reachOf(word: string, files: readonly string[], folder = ""): Reach | undefined {
  const plain = word
    .replace(/^["'`]|["'`]$/g, "")
    .replace(/^(?:<rootDir>|\$\{?\w+\}?)?\/?(?:\.\/)?/, "")
    .replace(/\/$/, "");
  if (plain === "") return undefined;
  const whole = folder === "" ? plain : `${folder}/${plain}`.replace(/\/\.$/, "");
  if (whole === ".") return () => true;
  const ways: Reach[] = [
    (path) => path === whole || path.startsWith(`${whole}/`),
    fits(globOf(whole)),
    // Patterns of most runners need not say where the path begins.
    fits(globOf(`**/${plain}`)),
    ...(plain.includes("/") || plain.includes(".") ? [fits(partOf(plain))] : []),
  ];
  return ways.find((way) => files.some(way));
}

const fits =
  (pattern: RegExp | undefined): Reach =>
  (path) =>
    pattern?.test(path) ?? false;

const globOf = (glob: string): RegExp | undefined => {
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, "\\$&")
    .replace(/\\([()|])/g, glob.includes("{") ? "\\$1" : "$1")
    .replace(/\{([^{}]*)\}/g, (_, list: string) => `(?:${list.split(",").join("|")})`)
    .replace(/\*\*\/?/g, (stars) => (stars.endsWith("/") ? "¤" : "§"))
    .replace(/\*/g, "[^/]*")
    .replace(/\?(?!:)/g, "[^/]")
    .replaceAll("¤", "(?:.*/)?")
    .replaceAll("§", ".*");
  return compiled(`^${source}(?:/.*)?$`);
};

/** A regular expression, or a part of a path as it stands. */
const partOf = (word: string): RegExp | undefined =>
  compiled(word) ?? compiled(word.replace(/[^\w/]/g, "\\$&"));

function compiled(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}
