// A sentence that denies something says more than that a name stands in a file: that it does stand there shows that
// the place exists, and nothing of what is said. Nor does a name show it that another sentence says of all or none.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";

export const namedOnly = (judged: readonly JudgedClaim[]): readonly JudgedClaim[] =>
  judged.map((one) =>
    one.judged.verdict === "verified" && one.judged.kind === "symbol" && saysMore(one)
      ? { ...one, judged: { ...one.judged, verdict: "exists_only" } }
      : one,
  );

function saysMore({ claim, judged: { reason } }: JudgedClaim): boolean {
  const named = /`([^`]+)`/.exec(reason)?.[1];
  const evidence = claim.evidence.find(({ name }) => name !== "" && name === named);
  if (!evidence) return false;
  const own = sentenceAt(claim.block, claim.start - claim.block.start);
  const its = sentenceAt(claim.block, evidence.start);
  return own === its
    ? claim.range === null && denies.test(own)
    : denies.test(its) || counts.test(its);
}

const denies =
  /\b(?:no|not|never|none|nothing|nobody|neither|nor|nowhere|without|lacks?|unused|\w+n['’]t)\b/i;
const counts = /\b(?:only|sole|solely|lone|all|every|each|both|(?:two|three|four|five|\d+) of)\b/i;

/** What is written as code says nothing by its words. */
function sentenceAt({ text }: MarkdownBlock, at: number): string {
  const from = Math.max(...[...text.slice(0, at).matchAll(end)].map(({ index }) => index + 1), 0);
  const to = text.slice(at).search(end);
  return text.slice(from, to < 0 ? text.length : at + to).replace(/`[^`]*`/g, " ");
}

const end = /[.!?;](?=\s)|\n/g;
