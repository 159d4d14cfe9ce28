// What speaks for a reading, in points, and what it takes to accuse. The only numbers of the engine.

export const weights = {
  /** That a number is a line. */
  number: { glued: 5, word: 5, column: 4, hash: 4, colon: 4, apart: 3 },
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

/**
 * What speaks against a flag of a document, in points: the weights of a logistic fit over flags that were
 * judged by hand, in halves. One that speaks for it is negative.
 */
export const doubtPoints = {
  /** The document defines an agent, a skill or a command: its places are patterns. */
  pattern: 2,
  /** The words around the place fit what stands there. */
  fits: 1,
  /** A quotation of a few letters stands anywhere. */
  short: 1,
  /** An address with a commit speaks of that commit. */
  dated: 1,
  /** A name without a folder may be that of another file. */
  bareName: 0.5,
  /** Nothing of that name holds in a document that holds otherwise: it is a file of another project. */
  stranger: 1,
  /** Other places near those lines hold: the document knows the file as it is. */
  amongHeld: 0.5,
  /** The file does not have the name at all. */
  strange: 0.5,
  /** A name that is nowhere in the tree may be a rule's, a planned test's or another project's. */
  unknown: 1,
  /** Another name or quotation speaks of the place. */
  rivals: 0.5,
  /** Three places or more in one text. */
  crowd: 0.5,
  /** The cells of a row say several things of its subject. */
  row: 0.5,
  /** A quotation that differs may be shortened or reworded. */
  altered: 0.5,
  /** Its part is about a plan. */
  planned: 0.5,
  /** No line is given. */
  bare: 0.5,
  /** Something else of the file moved by as much: the file changed since. */
  drift: -0.5,
} as const;

/** From so many points on a flag of each kind is taken back. */
export const mostDoubt = { path: 1.5, range: 1.5, name: 1.5, strange: 1.5, altered: 1.5, quote: 1 };
