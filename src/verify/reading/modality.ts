// Whether a text says what is, or what shall be, should be, was, or is not. Only what is can be wrong.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";

export type Modality = "said" | "planned" | "denied";

/** Headings and labels under which code and files are wished for, not reported. */
const planned = new RegExp(
  String.raw`\b(?:propos\w*|plan(?:s|ned|ning)?|implement(?:ation|ing)?|creat(?:e|ing)|add(?:ing)?|chang(?:e|es|ing)|new|replac\w*|refactor\w*|` +
    String.raw`fix(?:es|ing)?|solutions?|suggest\w*|recommend\w*|target|after|desired|future|todo|next steps?|migrat\w*|renam\w*|mov(?:e|ing)|` +
    String.raw`tasks?|examples?|usage|options?|alternatives?|roadmap|draft|mock\w*|updat(?:e|es|ing)|extend|step|phase|should|remov(?:e|ing)|delete|` +
    String.raw`deliverables?|milestones?|acceptance|improve\w*|expected|write|design|approach|template|modif(?:y|ication)\w*|insert|` +
    String.raw`vorschlag|neue?r?s?|nachher|änderung\w*|corre[cç]\w*|solu[cç][aã]o|adicionar|criar|propuest\w*|nuev[oa]s?|añadir|ajouter|nouveau\w*|修正|新規|建议|新增|修改|方案|対応|提案)\b|新建|建议|方案|修复|改为`,
  "iu",
);
const current =
  /\b(?:current|existing|actual|before|today|now|found|evidence|problem|root cause|offending|buggy|vulnerable|vorher|atual|actuel|当前|現在|现有)\b|当前|現状|现有/iu;
const wish =
  /\b(?:(?:we|I|it|they|this) will|will be|shall|should|would|could|must|needs? to|going to|to be|planned|propos\w+|suggest\w*|recommend\w*|instead|create[sd]?|creating|add(?:s|ing)?|new|replace[sd]?|replacing|rename\w*|move[sd]?|becomes?|e\.g\.|example|such as|deve\w*|adicionar|soll\w*|muss|devrait)\b|应该|需要|将/i;
const denial =
  /\b(?:no longer|missing|lacks?|absent|removed|deleted|formerly|previously|used to|instead of|there (?:is|are|was|were) no|(?:is|are|was|were|has|have|does|do|did)(?: not|n't)|not (?:found|defined|present|in|there)|never|fehlt|nicht|ne \w+ pas|não|falta)\b|没有|缺少|ない|不存在/i;

const noted = new WeakMap<MarkdownBlock, Modality>();

/** By the headings and list items that a block stands under, the nearest that says anything first. */
export function sectionModality(block: MarkdownBlock): Modality {
  const known = noted.get(block);
  if (known) return known;
  // The title of a whole document says too little of each part.
  const own = block.kind === "heading" && block.level > 1 ? spoken(block.text) : undefined;
  const above = block.parent ?? block.heading;
  const label =
    block.kind === "item" || block.kind === "text" ? spoken(labelOf(block.text)) : undefined;
  const found = own ?? label ?? (above ? sectionModality(above) : "said");
  noted.set(block, found);
  return found;
}

/** "**Fix:** …", "Before:" alone. */
const labelOf = (text: string): string => {
  const label = /^[\s[\]xX✅❌🔴🟡🟢]*[*_`]*([\p{L}\p{N} ()'&+-]{2,40})[*_`]*:(?:[*_`\s]|$)/u.exec(
    text.slice(0, 80),
  );
  return label?.[1] ?? (text.length < 60 && text.trimEnd().endsWith(":") ? text : "");
};

function spoken(text: string): Modality | undefined {
  if (current.test(text)) return "said";
  return planned.test(text) ? "planned" : undefined;
}

/** By the words of the sentence around a place. */
export function sentenceModality(sentence: string): Modality {
  if (denial.test(sentence) || /\?\s*[*_)"]*$/.test(sentence)) return "denied";
  return wish.test(sentence) ? "planned" : "said";
}

/** The last words before a fence tell what it shows. */
export function leadModality(text: string): Modality | undefined {
  const clause = text
    .slice(-200)
    .split(/(?<=[.!?;])\s+/)
    .at(-1)!;
  if (current.test(clause)) return "said";
  return planned.test(clause) || wish.test(clause) ? "planned" : undefined;
}
