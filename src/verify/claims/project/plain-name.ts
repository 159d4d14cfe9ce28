// How the names of packages are compared, which words are none of them, and what stands for something else in
// the files that name them.

/** One spelling for a package: Python's names know no difference between `-`, `_` and `.`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[_.]/g, "-");

/** A language's own version is no package's. */
export const languageNames = new Set("python node go ruby php java rust npm".split(" "));

/** Packages have such names, and sentences such words. */
export const ordinaryWords = new Set(
  (
    "test tests build only once commander debug color colors next glob send vary async core path url http " +
    "events router version lock file package project runtime range pins requires the and for with uses locked " +
    "state types yaml json log logs server client common utils sync time context errors files source config which"
  ).split(" "),
);

const parameters = new RegExp(
  "^(@?[\\w-]+)[ \\t]+((?:[$*+]*\\w+(?:=(?:\"[^\"\\n]*\"|'[^'\\n]*'|[^\\s:]+))?[ \\t]*)+):(?!=)(.*)$",
  "gm",
);

/** A recipe's parameters become the first line of what it runs, a property what it is set to. */
export function writtenOut(text: string, path: string): string {
  if (/justfile$/i.test(path)) return text.replace(parameters, "$1:$3\n    # $2");
  if (!path.endsWith("pom.xml")) return text;
  const properties = new Map(
    [...text.matchAll(/<([\w.-]+)>([^<>\s]+)<\/\1>/g)].map(([, name, value]) => [name, value!]),
  );
  return text.replace(/\$\{([\w.-]+)\}/g, (found, name: string) => properties.get(name) ?? found);
}

/** Of what kind a list of names is: by its table, or by its own name. */
export function kindOfList(table: string, key: string): string | undefined {
  if (key === "dependencies") return "runtime";
  if (/^(?:dev|test|docs|lint)\w*$/.test(key) || table === "dependency-groups") return "dev";
  return table === "project.optional-dependencies" ? "optional" : undefined;
}
