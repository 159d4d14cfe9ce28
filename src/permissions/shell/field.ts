// One word of a command after expansion, as far as it can be known without running anything.

export type Field = {
  /** The exact word, or `null` when it is not known or bash would expand a glob in it. */
  value: string | null;
  /**
   * Every value it can have, when that is known (`for f in a b`). With `value` set, just that one.
   */
  values: string[] | null;
  /** `values` still hold glob patterns. */
  glob: boolean;
  /** It may turn out to be an option. */
  open: boolean;
  /** It may turn out to be several words or none at all. */
  splits: boolean;
  /** A descriptor that bash makes itself (`<(…)`), no file. */
  descriptor: boolean;
  /** It stands for anything below `values` (`{}` of find). */
  tree?: true;
  /** It stands for one word that is no option and no file (a commit, a number). */
  word?: true;
  /** Its text comes from a list that a rule may wave through by these words (`xargs grep`). */
  spelled?: string[];
  /** An option whose value holds wildcards: a file of such a name would take its place. */
  pattern?: true;
  /** As written, for messages and for matching where the value is unknown. */
  raw: string;
  /** Known text without quotes that holds wildcards among several words. */
  loose?: true;
};

export function known(value: string, raw = value): Field {
  return {
    value,
    values: [value],
    glob: false,
    open: false,
    splits: false,
    descriptor: false,
    raw,
  };
}

export function unknown(raw: string, open: boolean): Field {
  return { value: null, values: null, glob: false, open, splits: false, descriptor: false, raw };
}

/** Any number of words. */
export function splitting(raw: string): Field {
  return { ...unknown(raw, true), splits: true };
}

const plain = /^(?![~#])[\w@%+=:,./~^{}[\]!#-]+$/;

/** The word as rules see it: quoted only where a bare word would read differently. */
export function fieldText(field: Field): string {
  if (field.value === null) return field.raw.replace(/\s+/g, " ");
  return quoteWord(field.value);
}

export function quoteWord(word: string): string {
  return plain.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
