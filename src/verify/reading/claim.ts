// A claim: one written reference to a place, the readings it allows, and the evidence given for it.
import { emptyList } from "../../markdown/empty-list.ts";
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import type { Evidence } from "./find-evidence.ts";
import type { Mention } from "./paths/find-mentions.ts";
import type { NumberedLines } from "./spelled-numbers.ts";
import type { Modality } from "./modality.ts";
import { weights } from "./weights.ts";

export type Claim = {
  /** The block of the document that it stands in. */
  block: MarkdownBlock;
  /** Offsets in the document. */
  start: number;
  end: number;
  mention: Mention;
  range: NumberedLines | null;
  /** Of a claim without a number: one that stands beside it or is given for its file, and may be meant. */
  maybe: NumberedLines | null;
  /** How surely the number belongs to the file. */
  binding: number;
  /** Other files that the number may belong to. */
  rivals: readonly Mention[];
  /** Files that the document names elsewhere: where the evidence stands in one of them, nobody is accused. */
  doubts: readonly Mention[];
  evidence: Evidence[];
  /** The path of the document that makes the claim: what it says itself proves nothing. */
  document: string | undefined;
  /** The claims of the same text, itself among them; a few at most. */
  beside: readonly Claim[];
  modality: Modality;
  /** Other places stand right beside it, as in "(`a.ts:5`, `b.ts:9`)": what is said may be of any of them. */
  isGrouped: boolean;
  /** The only file, number and name or quotation of its part of the text: they can be said of nothing else. */
  isSole: boolean;
  /** Its own clause wishes for it, not only its section. */
  isWished: boolean;
  /** The words say that the name is defined there. */
  defines: boolean;
  /** The words say that something is in that file: a label such as "Location:", or "`foo` in x.ts". */
  isLocated: boolean;
};

const nothing: readonly never[] = emptyList();

/** A file named at a place of a block, before anything is read of the words around it. */
export const plainClaim = (block: MarkdownBlock, mention: Mention, start: number): Claim => ({
  block,
  start,
  end: start,
  mention,
  range: null,
  maybe: null,
  binding: weights.binding.glued,
  rivals: nothing,
  doubts: nothing,
  evidence: [],
  document: undefined,
  beside: nothing,
  modality: "said",
  isGrouped: false,
  isSole: false,
  isWished: false,
  defines: false,
  isLocated: false,
});

/** The same with the lines that are written onto it, where `at` is the start of its text. */
export function placedClaim(block: MarkdownBlock, mention: Mention, at: number): Claim {
  const claim = plainClaim(block, mention, at + mention.start);
  claim.end = at + mention.end;
  claim.range = mention.ranges[0] ?? null;
  return claim;
}

/** The same claim for other lines; assigned, because a spread copy has another shape than its original. */
export const withRange = (claim: Claim, range: NumberedLines | null): Claim =>
  Object.assign(plainClaim(claim.block, claim.mention, claim.start), claim, { range });

/** A plan of a document gives lines of any time; what a message advises of a place, it says of one that is there. */
export const mayComeAbout = ({ isWished, modality, document }: Claim): boolean =>
  isWished && (modality === "planned" || document !== undefined);
