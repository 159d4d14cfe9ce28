// What speaks for a reading, in points, and what it takes to accuse. The only numbers of the engine.

export const weights = {
  /** That a number is a line; `amount`: it may as well say how many lines there are. */
  number: { glued: 5, word: 5, column: 4, hash: 4, colon: 4, apart: 3, amount: 3 },
  /** That the number belongs to the file: written onto it, a word or a cell away, the only one around, under it. */
  binding: {
    glued: 6,
    tight: 5,
    alone: 4,
    nearest: 2,
    parent: 3,
    heading: 3,
    before: 2,
    context: 1,
  },
  /** That a name or quotation speaks of the place. */
  evidence: {
    told: 5,
    touching: 5,
    tight: 4,
    cell: 5,
    near: 3,
    parent: 3,
    child: 3,
    same: 2,
    far: 1,
    /** Named by the title of the section. */
    title: 0.5,
    /** It touches another place of the same text. */
    other: 0.25,
  },
} as const;

/** The least weight of the weakest part of a reading with which each verdict may accuse. */
export const thresholds = {
  out_of_range: 4,
  wrong_symbol: 4,
  missing_symbol: 4,
  /** A name that is used, not defined, in the file. */
  unmoved_name: 5,
  relocated: 4,
  altered: 4,
  missing_quote: 4,
  missing_path: 3,
} as const;
