// Whether a text says what is, or what shall be, should be, was, or is not. Only what is can be wrong.
import type { MarkdownBlock } from "../../markdown/markdown-block.ts";

/**
 * `advised`: something is wished for of a place that is there; `negated`: the words deny or ask something, but
 * not whether the place is there.
 */
export type Modality = "said" | "advised" | "planned" | "negated" | "denied";

type WordList = { test(text: string): boolean };

const letter = /\p{L}/u;
const underscore = 95;
/** A letter beside it would make it another word. */
function isLetter(code: number): boolean {
  // `push_split_hole` is one word.
  if (code < 128) return ((code | 32) >= 97 && (code | 32) <= 122) || code === underscore;
  return letter.test(String.fromCharCode(code));
}

/** Any of these words, in any case; stems end in `*`. One pass over the text, whatever their number. */
function anyOf(...lists: string[]): WordList {
  const byLetter = new Map<number, ListedWord[]>();
  for (const word of lists.flatMap((list) => list.split(" "))) {
    const text = word.replaceAll("_", " ").replace("*", "");
    const isIdeograph = /[\u3040-\u9fff]/.test(word);
    const same = byLetter.get(text.charCodeAt(0));
    const listed = { text, isIdeograph, isStem: isIdeograph || word.endsWith("*") };
    if (same) same.push(listed);
    else byLetter.set(text.charCodeAt(0), [listed]);
  }
  return { test: (given) => holdsAny(given.toLowerCase(), byLetter) };
}

type ListedWord = { text: string; isStem: boolean; isIdeograph: boolean };

function holdsAny(text: string, byLetter: ReadonlyMap<number, readonly ListedWord[]>): boolean {
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const words = isInside && code < 128 ? undefined : byLetter.get(code);
    if (words)
      for (const { text: word, isStem, isIdeograph } of words)
        if (
          (isIdeograph || !isInside) &&
          text.startsWith(word, at) &&
          (isStem || !isLetter(text.charCodeAt(at + word.length)))
        )
          return true;
    isInside = isLetter(code);
  }
  return false;
}

/** Headings and labels under which code and files are wished for, not reported. */
const planned = anyOf(
  "propos* plan plans planned planning implement implementation implementing create creating",
  "add adding change changes",
  "changing new replac* refactor* fix fixes fixing solution solutions suggest* recommend* target",
  "after desired future todo",
  "next_step next_steps migrat* renam* move moving task tasks example examples usage option options alternative",
  "alternatives roadmap draft mock* update updates updating extend step phase should remove",
  "removing delete deliverable",
  "deliverables milestone milestones acceptance improve* expected write design approach",
  "template modify modification*",
  "insert vorschlag neu neue neuer neues nachher änderung* correção correções corrigir solução",
  "adicionar criar propuest*",
  "исправлени* добавить изменить заменить удалить создать новый новая план",
  "nuevo nueva añadir ajouter nouveau* 修正 新規 建议 新增 修改 方案 対応 提案 新建 修复 改为",
);
const current = anyOf(
  "current existing actual before today now found evidence problem root_cause offending buggy",
  "vulnerable vorher atual",
  "actuel 当前 現在 现有 現状",
);
/** What they say of a place may only come about, or be made up. */
const future =
  "i_will we_will it_will they_will this_will that_will will_be will_add will_hold will_have will_become " +
  "shall going_to to_be planned plan plan's example such_as";
/** What is advised of a place with lines is said of one that is there. */
const advice =
  "should would could must will_need need_to needs_to propos* suggest* recommend* consider* might let's " +
  "want wants want_to ideally instead deve* adicionar soll* muss devrait könnte* 应该 需要 将";
const coming = anyOf(future);
const wish = anyOf(future, advice);
/** Before a place they order a change of it; behind it, and in the third person, they tell what the code there does. */
const change = anyOf(
  "create creating add adding new replace replacing rename renaming move moving extract extracting",
  "split splitting become",
);
/** Titles of what is gone. */
const gone = anyOf(
  "deleted removed obsolete not_doing not_changing out_of_scope non-goals 已删除 已移除",
);
const settled = /[[(]\W*(?:partially\s)?(?:[Ff]ixed|[Rr]esolved)\W*[\])]|\b(?:FIXED|RESOLVED)\b/;
const orderWord =
  "add|append|change|create|extend|implement|insert|modify|move|put|register|remove|rename|replace|update|" +
  "wrap|write|добавить|и добавить";
/** "Register it in …, after the existing one:" */
const orders = new RegExp(String.raw`^[\s*_\x60\d.)-]*(?:${orderWord})\b`, "i");
/** "At line 83, after the existing imports, add:" */
const ordersLast = new RegExp(String.raw`[,)]\s(?:${orderWord})[*_\x60\s]*:\s*$`, "i");
/** What is spoken of is not there any more, or never was. */
const past = anyOf(
  "no_longer absent removed deleted upstream formerly previously used_to instead_of 不存在",
);
const negation = anyOf(
  "missing lack lacks there_is_no there_are_no",
  "there_was_no is_not are_not was_not were_not has_not have_not does_not do_not did_not isn't aren't wasn't doesn't",
  "don't didn't hasn't not_found not_defined not_present not_in not_there never",
  "won't_find will_not_find can't_find cannot_find",
  "fehlt nicht não falta ohne sans sem sin без нет 没有 缺少 ない",
);
const question = /\?\s*[*_)"]*$/;
/** Before a place they put it into another time or tree; behind it, they tell what the code there does. */
const elsewhen = anyOf("no_longer absent upstream formerly previously used_to instead_of 不存在");
/** "there is no `x.ts:5`", "removes `x.ts`". */
const deniesNext = new RegExp(
  String.raw`\b(?:no|without|missing|lacks?|remov(?:es?|ed|ing)|delet(?:es?|ed|ing))\s` +
    String.raw`(?:such\s|files?\s|an?\s|the\s)*[\x60*_("']*$`,
  "i",
);
/** "`x.ts:5` does not exist", "`x.ts` is missing." */
const notThere = new RegExp(
  String.raw`^[\x60*_)"'\s]{0,6}(?:\w+\s){0,2}(?:` +
    String.raw`(?:is|was|are|were|does|do|did|has|have)(?:n't|\snot)\s(?:yet\s|even\s|been\s)?` +
    String.raw`(?:exist|found|present|there|here)|(?:is|was|are|were)\s(?:missing|gone)[*_]*(?:[.,;)]|$|\sfrom))`,
  "i",
);
/** "`x.ts` (deleted)", "`x.ts:5` was removed", "`x.ts` no longer exists". */
const goneNext = new RegExp(
  String.raw`^[\x60*_)"'\s,:(—–-]{0,8}(?:\w+\s){0,2}?(?:` +
    String.raw`(?:(?:is|was|are|were|been|got|now|since)\s){0,3}(?:removed|deleted|absent|gone)\b|` +
    String.raw`no longer\b|(?:formerly|previously|upstream|不存在))`,
  "i",
);

const noted = new WeakMap<MarkdownBlock, Modality>();

/** What a heading or an item says is asked by all that stands under it. */
function notedModality(block: MarkdownBlock): Modality {
  const known = noted.get(block);
  if (known) return known;
  const found = sectionModality(block);
  noted.set(block, found);
  return found;
}

/** By the headings and list items that a block stands under, the nearest that says anything first. */
export function sectionModality(block: MarkdownBlock): Modality {
  // The title of a whole document says too little of each part.
  const own = block.kind === "heading" && block.level > 1 ? spoken(block.text) : undefined;
  const above = block.parent ?? block.heading;
  const label =
    block.kind === "item" || block.kind === "text" ? spoken(labelOf(block.text)) : undefined;
  return own ?? label ?? (above ? notedModality(above) : "said");
}

/** "**Fix:** …", "Before:" alone. */
const labelOf = (text: string): string => {
  const label = /^[\s[\]xX✅❌🔴🟡🟢]*[*_`]*([\p{L}\p{N} ()'&+-]{2,40})[*_`]*:(?:[*_`\s]|$)/u.exec(
    text.slice(0, 80),
  );
  if (label && (countWords(label[1]!) < 5 || text.length < label[0].length + 3)) return label[1]!;
  return text.length < 60 && text.trimEnd().endsWith(":") ? text : "";
};

const countWords = (text: string): number => text.trim().split(/\s+/).length;

function spoken(title: string): Modality | undefined {
  const text = title.replace(/`[^`]*`/g, " ");
  if (gone.test(text)) return "denied";
  if (settled.test(text) || orders.test(text)) return "planned";
  if (isCurrent(text)) return "said";
  return planned.test(text) ? "planned" : undefined;
}

/** "Before" alone is a label; in a sentence it is a place. */
const isCurrent = (text: string): boolean =>
  current.test(text.replace(/\bbefore\b(?!\W*$)/gi, " "));

/** A column of what shall be done. */
export const isPlannedColumn = (header: string): boolean => spoken(header) === "planned";

/** "*Fix:* …": whether the last label of a text puts what follows under what shall be done. */
export function isUnderPlan(text: string): boolean {
  if (!text.includes(":")) return false;
  const label = [...text.matchAll(inlineLabel)].at(-1);
  return label !== undefined && isPlannedColumn(label[1]!);
}

const inlineLabel = /(?:^|\n|[.;!?|]\s+|[*_]{1,3})(\p{L}[\p{L} ]{1,30}?)[*_]{0,3}:[*_]{0,3}\s/gu;

/** By the words of a sentence that names a place, wherever they stand. */
export function sentenceModality(sentence: string): Modality {
  if (past.test(sentence) || negation.test(sentence) || question.test(sentence)) return "denied";
  return wish.test(sentence) || change.test(sentence) ? "planned" : "said";
}

const clauseEnd = /[.!?;|]["'”’)*_]*\s|\n\n| [—–-] /g;

/** Behind it another clause begins, which may wish for something of the place. */
const nextClause = new RegExp(
  "[,)]\\s+(?:and|but|so|because|which|since|as|while|though|und|aber|et|mais|y|pero|mas)\\s",
  "i",
);

/** The words of its own clause before a place of the text. */
function clauseBefore(text: string, start: number): string {
  const before = text.slice(Math.max(0, start - 200), start);
  let from = 0;
  clauseEnd.lastIndex = 0;
  while (clauseEnd.test(before)) from = clauseEnd.lastIndex;
  return before.slice(from);
}

/**
 * By the clause around a place. What is denied of a place behind it, as in "`login` (a.ts:5) does not check
 * the owner", leaves the place and what stands before it as they are said.
 */
export function clauseModality(
  text: string,
  { start, end }: { start: number; end: number },
): Modality {
  const before = clauseBefore(text, start);
  // Behind a second colon stands what was printed, not what is said.
  const rest = /^:\S/.test(text.slice(end, end + 2)) ? "" : text.slice(end, end + 160);
  const stop = rest.search(clauseEnd);
  const after = stop < 0 ? rest : rest.slice(0, stop + 1);
  const next = after.search(nextClause);
  const own = withoutCode(`${before} ${next < 0 ? after : after.slice(0, next)}`);
  const ahead = withoutCode(before);
  if (elsewhen.test(ahead) || isAsked(before, after)) return "denied";
  if (deniesNext.test(before) || notThere.test(after) || goneNext.test(after)) return "denied";
  if (change.test(ahead) || coming.test(own)) return "planned";
  if (wish.test(own)) return "advised";
  // What a compiler warns of may be mended by now.
  const isDiagnostic = /^:\s*(?:warning|error|note|info)\b/i.test(after);
  return question.test(own) || negation.test(isDiagnostic ? own : ahead) ? "negated" : "said";
}

/** "Is it `x.ts:5`?" asks whether the place is it; "is `x.ts:5` in scope?" says that it is there. */
const isAsked = (before: string, after: string): boolean =>
  /^[`*_)"']*\?/.test(after) && !/\b(?:in|at|of)\s[`*_(]*$/.test(before);

const withoutCode = (text: string): string =>
  text.includes("`") ? text.replace(/`[^`]*`/g, " ") : text;

/** Whether something is denied in the clause of a name before it. */
export const isBehindNegation = (text: string, start: number): boolean =>
  negation.test(withoutCode(clauseBefore(text, start)));

const longestTitle = 6;

/** The last words before a fence tell what it shows; a wish in them leaves open whether that is there. */
export function leadModality(text: string): Modality | undefined {
  const clause = text
    .slice(-200)
    .split(/(?<=[.!?;]["'”’)*_]*)\s+/)
    .at(-1)!;
  const label = spoken(labelOf(text.slice(text.lastIndexOf("\n") + 1)));
  if (label) return label;
  if (orders.test(clause) || ordersLast.test(clause)) return "planned";
  if (isCurrent(clause)) return "said";
  const isTitle = countWords(clause) <= longestTitle && planned.test(clause);
  const isWish = isTitle || wish.test(clause) || change.test(clause);
  return isWish ? "advised" : undefined;
}
