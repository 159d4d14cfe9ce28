// What the words around a name or a path of a message tell of how it is meant, as numbers: as a part of this
// code, or as a wish, advice, an example, another's or the past.
import { sectionModality, sentenceModality } from "../reading/modality.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";

type Span = { start: number; end: number };

/** The sentence around an item, with a sign for each piece of code: its letters are no words. */
type Around = { before: string; after: string };

const sign = "§";
const sentenceEnd = /(?<!\be\.g|\bi\.e|\bbzw|\bz\.B)[.!?;][)"'*_]*\s|[。！？；]|\n/u;
const unmarked = (text: string): string => text.replace(/`[^`]*`/g, sign).replace(/[*_]{1,3}/g, "");
const reach = 300;

function aroundOf({ text }: ReadingUnit, { start, end }: Span): Around {
  const before = unmarked(text.slice(Math.max(0, start - 4 * reach), start)).slice(-reach);
  const after = unmarked(text.slice(end, end + 4 * reach)).slice(0, reach);
  return {
    before: before.split(sentenceEnd).at(-1)!.trimStart(),
    after: after.split(sentenceEnd, 1)[0]!,
  };
}

const words = (...lists: string[]): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${lists.join(" ").replaceAll(" ", "|")})(?!\p{L})`, "iu");

/** What somebody would like, may do or might need. */
const wish = words(
  String.raw`should would could might may must shall can will i'd we'd let's suggest\p{L}* recommend\p{L}*`,
  String.raw`propos\p{L}* consider prefer try better nicer need\p{L}* want\p{L}* ought`,
  String.raw`soll\p{L}* wäre\p{L}* könnt\p{L}* müsst\p{L}* würd\p{L}* besser devrai\p{L}* pourrai\p{L}* serai\p{L}*`,
  String.raw`deber\p{L}* podr\p{L}* ser[ií]a\p{L}* mejor dever\p{L}* poder\p{L}* melhor sebaiknya saran следует можно`,
  String.raw`нужно лучше стоит zou kan moet`,
);
const wishSign = /建议|应该|可以|需要|提案|すべき|제안|좋/u;
/** What is not there yet, or is one of many. */
const fresh = words(
  String.raw`new add adds added adding creat\p{L}+ introduc\p{L}+`,
  String.raw`example for\sinstance such\sas say plus extract\p{L}*`,
  String.raw`split optional\p{L}* placed renam\p{L}+ e\.g i\.e z\.B`,
  String.raw`baru misalnya neu\p{L}* nuev\p{L}+ nouve\p{L}+ novo nova`,
  String.raw`nieuwe? добавить новый`,
);
const freshSign = /新|追加|추가|[(（][예例]/u;
const orders = words(
  String.raw`use add create extract introduce split switch wrap call set store put write export rename replace`,
  String.raw`return invoke move keep pass give check restrict key let make take read run log mind prefer`,
);
const others = words(
  String.raw`librar\p{L}+ framework standard built-in native browser packages? crates? dependency`,
  String.raw`external usual\p{L}* typical\p{L}* pattern like similar instead rather property settings? raise[sd]?`,
  String.raw`throw[sn]? header environment variable flag macro class\sname`,
);
const stands = words(
  String.raw`exists? there\sis there\sare lives? kept stored defined declared located registered covered handled done`,
  String.raw`used called found implemented built read set enforced happens? purged side counterpart`,
);

const before = {
  by: /(?:^|\s)(?:by|through|via|durch|über|por|par|mit|с|через|con|avec|met|door)\s(?:the\s|an?\s)?$/iu,
  in: /(?:^|\s)(?:in|from|into|at|on|under|aus|von|dans|en|w|в|из)\s(?:the\s)?$/iu,
  calls: /\s(?!is|as|this|was|has)\p{Ll}{2,}s\s(?:the\s|an?\s)?$/u,
  comma: /\p{L},\s$/u,
  noun: /(?:^|\s)(?:the|an?|its|this|that|other|another|second)\s(?:[\p{L}-]+\s){1,3}$/iu,
  indefinite: /(?:^|\s)an?\s(?:[\p{L}-]+\s)?$/iu,
  bracket: /[(（]$/u,
  nothing: /^[\s\d.)-]*$/u,
} as const;

const after = {
  which: /^[),]*\s(?:which|that|where|whose|die|der|qui|que|która|который)\s/u,
  acts: /^\s(?:is|are|has|does|already|ist|wird|\p{Ll}{2,}s)(?:\s|$)/u,
  of_code: /^\s(?:in|of|from|aus|von|de|dans|en|w|в|из)\s(?:the\ssame\s|that\s|this\s|§)/u,
  placed: /^\s?[([,–—-]\s?(?:§|lines?\s\d|L?\d|at\sline)/u,
  would: /^\s(?:would|could|might|should|may|can|will)\s/u,
} as const;

const denies =
  /(?:^|\s)(?:no|not|nobody|without|lacks?|kein\p{L}*|ohne|sans|sin|sem|нет|без)\s(?:\p{L}+\s){0,2}$/iu;
const alternative = /(?:^|\s|\()(?:or|oder|ou|o|или|of)\s(?:an?\s)?$/iu;
const praise = "usual|better|best|typical|common|option|enough|nicer|tidier|nearest|standard";
const praised = new RegExp(String.raw`^\s(?:is|are)\s(?:an?\s|the\s)?(?:${praise})`, "u");
const toCome = /^\s?[([–—:-]\s?(?:new|added|to\sbe|not\syet|does\snot)/iu;
const isGone =
  /^\s(?:[–—-]\s)?(?:is\s|was\s|were\s)?(?:renam|remov|delet|replac|dropp)ed(?!\p{L})/u;
/** "x.ts:18:1: warning: …": what a program printed. */
const printed = /(?:warning|error|note|hint)[^\s:]{0,12}:\s/iu;
/** Of another project, or of a text about what shall be. */
const anothers = words(String.raw`upstream standard\slibrary stdlib plans? uncommitted`);

/** The sentence tells that it was, is another's, or was only looked for. */
const elsewhere = words(
  String.raw`found\snothing nowhere vanished formerly previously expected\s§ asked\sabout\s§ looked\sfor searched\sfor`,
  String.raw`supposed\sto no\slonger used\sto not\sexist n't\sexist had\s§ (?:was|were)\sin`,
  String.raw`(?:old|other|another)\s(?:project|repo|app)\p{L}* e\.g`,
);
/** "(in the rack gem)", "in that repository". */
const isAnothers = new RegExp(
  String.raw`^[^.;§]{0,16}(?:in|from|of)\s(?:the|that|their|its)\s(?:[\p{L}\d_-]+\s)?` +
    String.raw`(?:gem|repo|repository|crate|library|framework|tree|upstream)(?!\p{L})`,
  "iu",
);
const missesIt = /^[^§]{0,24}(?<!\p{L})(?:gone|missing|absent)(?!\p{L})(?!\s\p{L})/u;

/** Whether the sentence around a place tells that it is not here. */
export function tellsAbsent(unit: ReadingUnit, span: Span): boolean {
  const { before: left, after: right } = aroundOf(unit, span);
  const isElsewhere = elsewhere.test(`${left}${sign}${right}`);
  return isElsewhere || missesIt.test(right) || isAnothers.test(right);
}

/** Undefined where one word is enough to know that no part of this code is meant. */
export function factFeatures(
  unit: ReadingUnit,
  span: Span,
  { leadOf, home }: MessageFrame,
): Record<string, number> | undefined {
  const around = aroundOf(unit, span);
  const lead = leadOf(unit);
  if (isMeantOtherwise(around, lead) || isLabel(around)) return undefined;
  const sentence = `${around.before}${sign}${around.after}`;
  const clause = clauseOf(around);
  const features: Record<string, number> = {
    wish: Number(wish.test(sentence) || wishSign.test(sentence)),
    fresh: Number(fresh.test(clause) || freshSign.test(clause)),
    fresh_far: Number(fresh.test(sentence)),
    others: Number(others.test(sentence)),
    stands: Number(stands.test(sentence)),
    denied: Number(sentenceModality(around.before) === "denied"),
    planned: Number(sectionModality(unit.block) !== "said"),
    home: home(),
    led: Number(wish.test(lead) || fresh.test(lead)),
  };
  for (const [name, form] of Object.entries(before))
    features[`before_${name}`] = Number(form.test(around.before));
  for (const [name, form] of Object.entries(after))
    features[`after_${name}`] = Number(form.test(around.after));
  return features;
}

/** One word is enough to know it. */
function isMeantOtherwise(around: Around, lead: string): boolean {
  const { before: left, after: right } = around;
  if (printed.test(left) || isOrder(left) || denies.test(left) || alternative.test(left))
    return true;
  if ([praised, toCome, isGone, missesIt, isAnothers].some((form) => form.test(right))) return true;
  const sentence = `${left}${sign}${right}`;
  return [anothers, elsewhere].some((form) => form.test(sentence)) || anothers.test(lead);
}

/** Nothing in its part of the sentence, or over it, says otherwise than that it is here. */
export function isPlainlySaid(unit: ReadingUnit, span: Span, { leadOf }: MessageFrame): boolean {
  const { before: left_, after: right_ } = aroundOf(unit, span);
  const around = { before: left_.replace(forExample, " "), after: right_.replace(forExample, " ") };
  const lead = leadOf(unit);
  if (isMeantOtherwise(around, lead) || sectionModality(unit.block) !== "said") return false;
  const left = around.before.split(partEnd).at(-1)!;
  const right = around.after.split(partEnd, 1)[0]!;
  const part = `${left}${sign}${right}`;
  if ([wish, wishSign, fresh, freshSign].some((form) => form.test(part))) return false;
  if (leaves.test(`${around.before}${sign}${around.after}`) || leaves.test(lead)) return false;
  return !wish.test(lead) && !fresh.test(lead) && sentenceModality(left) === "said";
}

/** It was here, or is where it came to. */
const leaves = words(
  String.raw`delet(?:e|es|ed|ing) remov(?:e|es|ed|ing) dropped renam(?:e|es|ed|ing) moved replaced merged`,
  String.raw`split inlined folded obsolete gelöscht entfernt supprimé\p{L}* eliminad\p{L}+`,
);
/** Of files that are here some are named as examples, too. */
const forExample = /(?<!\p{L})e\.g\.?|(?<!\p{L})for\sexample/giu;
const partEnd = /[,;:]\s|\s[–—-]\s/u;

/** What the rest of the message tells of a part: what stands over it, and how many of its files are here. */
export type MessageFrame = { leadOf: (unit: ReadingUnit) => string; home: () => number };

/**
 * Nobody reads the message for it before somebody asks. `home` is no getter: the engine makes a class
 * of each object with a getter of its own, and keeps what that getter reads for as long.
 */
export function frameOf(units: readonly ReadingUnit[]): MessageFrame {
  let known: ReturnType<typeof readFrame> | undefined;
  const read = (): ReturnType<typeof readFrame> => (known ??= readFrame(units));
  return { leadOf: (unit) => read().leadOf(unit), home: () => read().home };
}

function readFrame(units: readonly ReadingUnit[]) {
  const led = new Map<ReadingUnit, string>();
  const [here, strange] = [new Set<string>(), new Set<string>()];
  let last = "";
  for (const unit of units) {
    const { kind, text } = unit.block;
    if (kind === "text" || kind === "heading") last = text.slice(-reach);
    if (kind === "item") led.set(unit, last);
    for (const { kind: found, path } of unit.mentions)
      if (found === "file") here.add(path);
      else if (found === "unknown" || found === "foreign") strange.add(path);
  }
  const leadOf = (unit: ReadingUnit): string => {
    const over = [led.get(unit) ?? "", unit.block.heading?.text ?? ""];
    for (let up = unit.block.parent; up; up = up.parent) over.push(up.text.slice(0, reach));
    return unmarked(over.join("\n"));
  };
  return { leadOf, home: (here.size + 1) / (here.size + strange.size + 1) };
}

const clauseEnd = /,\s(?:and|but|which|so|where|while|since)\s|\s[–—]\s|:\s/u;

/** The part of the sentence that the item stands in. */
const clauseOf = ({ before: left, after: right }: Around): string =>
  `${left.split(clauseEnd).at(-1)!}${sign}${right.split(clauseEnd, 1)[0]!}`;

/** "- `show_badges` (draw badges)", "- `mode`: the mode": nothing says what it is a part of, or does. */
const isLabel = ({ before: left, after: right }: Around): boolean =>
  before.nothing.test(left) && !Object.values(after).some((form) => form.test(right));

/** "Fix: store it in", "if it is kept, call it": a part of the sentence that begins with an order. */
const isOrder = (text: string): boolean =>
  text
    .split(/[,:;]\s(?:and\s|then\s|or\s)?/u)
    .some((part) => orders.test(/^[\s\d.)>-]*(\p{L}+)\s/u.exec(part)?.[1] ?? ""));
