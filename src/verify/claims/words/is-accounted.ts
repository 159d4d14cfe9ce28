// Whether a reading accounts for all that a clause says: a word that it did not understand may narrow what is
// counted or looked for, and then nothing is decided.

/** Words that change nothing of what is counted or looked for, and where. */
const empty = new Set(
  (
    "a an the this that these those it its it's they them their there here we you i and or but so is are " +
    "was were be been being has have had do does did in on at of to from by as for exactly only just " +
    "precisely currently now today still already also total altogether overall together far yet left any " +
    "anywhere anymore longer either itself alone all all-in sum present remaining simply actually really " +
    "indeed however though right ever even again separate different individual distinct own entire whole " +
    "whatsoever therefore thus hence then note fact short answer quick yes no ones one else anything " +
    "anybody anyone now's there's that's what which hold holds contain contains list lists define defines " +
    "declare declares exist exists stand stands live lives sit sits come comes found defined declared " +
    "listed directly counted counting count find see folder directory file module code " +
    "codebase repo repository project tree source sources"
  ).split(" "),
);

const breaks =
  /[,;:!?()—–]|\.(?=\s|$)| - |\b(?:so|because|since|but|while|whereas|although|though|and|yet|which|hence)\b/i;

/** The part of `text` up to where the next clause begins. */
export const clauseAhead = (text: string): string => {
  const end = text.search(breaks);
  return end < 0 ? text : text.slice(0, end);
};

/** The part of `text` from where its last clause begins. */
export const clauseBehind = (text: string): string => text.split(breaks).at(-1) ?? "";

/** Nothing is left that names, does or narrows anything. */
export const isAccounted = (rest: string): boolean =>
  (rest.match(/[\p{L}\p{N}§¶¤¢][\p{L}\p{N}'’-]*/gu) ?? []).every((word) =>
    empty.has(word.toLowerCase().replace("’", "'")),
  );
