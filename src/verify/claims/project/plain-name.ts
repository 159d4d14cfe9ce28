// How the names of packages are compared, and which words are none of them.

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
