// "3 tests in `a`", "every exported function of `b` has a doc comment", "no file under `c` imports `d`", "the
// only route": how many of what, where, and what is said of them. Wordings of the rest do not matter.
import { clauseBehind } from "../words/is-accounted.ts";
import { nounWords } from "./counting/noun-of.ts";
import { referentsBefore, type SentenceReading, type Referent } from "./referents.ts";

/** `part`: so many of all of them. */
export type Quantity = "every" | "none" | "only" | number | { part: number; of: number };

/** `tail`: what is said of them; `first`: the number of the first referent in it. */
export type Quantified = {
  quantity: Quantity;
  noun: string;
  modifiers: string[];
  /** Undefined: the sentence names no place. */
  places: readonly Referent[] | undefined;
  /** The place is right beside the words. */
  isBound: boolean;
  tail: string;
  first: number;
  whole: string;
  /** What the clause says before the quantity, without a place that is right beside it. */
  lead: string;
};

const quantifiers =
  "\\d{1,3} of (?:the|its) \\d{1,3}|" +
  "every(?: single)?|each(?: of (?:the|its))?|all(?: of)?(?: the| its)?(?: \\d+)?|both(?: of)?(?: the| its)?|" +
  "none of (?:the|its)(?: \\d+)?|neither of the|no|not (?:a single|one)(?: of the)?|the only|\\d{1,4}|one|a single";
const modifierWords =
  "public|exported|private|async|static|abstract|relative|GET|POST|PUT|PATCH|DELETE|TypeScript|JavaScript|" +
  "Python|Java|Go|Rust|PHP|Ruby|existing|current|individual|different|separate|single|top-level|non-test|other";
const phrase = new RegExp(
  `(?<![\\w.§¶/-])(${quantifiers}) ((?:(?:${modifierWords}) )*)(${nounWords})(?![\\w-])`,
  "gi",
);
const list = "[§¶](?:(?:,| and| or|, and|, or) [§¶])*";
const kinds =
  "(?: (?:files?|folder|directory|class|interface|struct|enum|trait|type|module|package|model))?";
const placeBehind = new RegExp(
  "^(?:,? (?:defined|declared|exported|registered|mounted|found|written|imported|are|is|live|sit|" +
    "in total|altogether))*,? " +
    `(?:in|under|inside|within|of|from|on|below|across|at|by)(?: the| each of)? (${list})${kinds}`,
  "i",
);
const placeLead =
  `(${list})${kinds}(?: (?:now|currently|alone|together|itself|file|already))*` +
  "(?: (?:has|have|contains?|exports?|defines?|declares?|holds?|exposes?|includes?|lists?|provides?|ships?|mounts?|" +
  "registers?|imports?|requires?|pulls in|with|starts with|opens with|consists? of|comes? with)|" +
  "\\s?[–—:(-])(?: (?:exactly|only|just|a total of|in total|precisely|exports?))*(?: |(?<=\\())";
const placeBefore = new RegExp(`${placeLead}$`, "i");
const furtherNumber = new RegExp(
  `${placeLead}\\d+ [\\w ]{3,24}(?:,| and|,? with|, and)(?: \\d+)? $`,
  "i",
);
const label = /^(?:[^:.¶§]{0,40}¶ ?[:–—-]|In ¶,?) /;

/** "The number of functions in `a` is 3". */
const numberOf = new RegExp(
  `\\bthe number of ((?:${nounWords})(?: in| of| under)(?: the)? [§¶]) is (\\d+)`,
  "i",
);

/** "Runtime dependencies: 2." */
const labelled = new RegExp(`^(${nounWords}): (\\d+)(?=[.,;]|$)`, "i");

export function readQuantified(given: SentenceReading, before: readonly Referent[]): Quantified[] {
  const told = given.words.replace(numberOf, "$2 $1").replace(labelled, "$2 $1");
  const reading = { ...given, words: told };
  const { words } = reading;
  // matchAll makes a copy of the pattern; most sentences hold nothing of it.
  if (words.search(phrase) < 0) return [];
  return [...words.matchAll(phrase)].flatMap(
    ({ index, 0: whole, 1: quantifier, 2: mods, 3: noun }) => {
      const ahead = words.slice(0, index);
      if (isTaken.test(ahead)) return [];
      const rest = words.slice(index + whole.length);
      const behind = placeBehind.exec(rest);
      const start = index + whole.length + (behind?.[0].length ?? 0);
      const quantity = quantityOf(quantifier!.toLowerCase());
      const led = behind ? undefined : placeAhead(reading, ahead);
      const beside = behind ? meantIn(reading, index + whole.length, behind[0]) : led?.places;
      const places = beside ?? placesAround(reading, { ahead, before });
      return [
        {
          quantity,
          // "imports 3 modules"
          noun:
            /\b(?:imports?|requires?|pulls in)(?: \w+)? $/i.test(ahead) ||
            /^ (?:are|is) imported by/.test(rest)
              ? "imports"
              : noun!,
          modifiers: mods!.trim().split(" ").filter(Boolean),
          places,
          isBound: beside !== undefined,
          tail: clauseAt(words.slice(start)),
          first: referentsBefore(words, start),
          whole: `${whole}${behind?.[0] ?? ""}`,
          lead: isSummed.test(words)
            ? ""
            : withoutNumbers(
                clauseBehind(ahead.slice(0, led?.at ?? ahead.length).replace(leavesAside, ""))
                  .replace(isOfBoth, "")
                  .replace(isTotal, ""),
              ),
        },
      ];
    },
  );
}

/** However it is put, it is the sum. */
const isSummed = /^There (?:are|is)\b.*\b(?:in total|altogether|in all)\b/i;

const furtherPhrase = new RegExp(
  `(?:\\b(?:in|over|across|from|with) )?(?:the )?(?<![\\w.])(?:\\d{1,4}|one|a single) (?:(?:${modifierWords}) )*` +
    `(?:${nounWords})(?![\\w-])`,
  "gi",
);

/** "8 tests in 2 files": a number of other things is read for itself. */
export const withoutNumbers = (words: string): string => words.replace(furtherPhrase, "");

/** What is doubted, wished for, past, or true of most only. */
const isTaken = new RegExp(
  "\\b(?:not|nearly|almost|about|around|roughly|approximately|some|over|at least|at most|more than|up to|if|should|" +
    "would|could|might|may|must|will|whether|unless|added|wrote|add|adding|new|another|other|these|" +
    "those|before|previously|" +
    "until|todo|per|than|first|last|next|between|like|in|across|over|into|by)(?: the)? $|" +
    "\\b(?:should|would|could|might|must|unless|whether|if|I added|added|wrote|created)\\b[^,;.]*$|[~≈]$",
  "i",
);

function quantityOf(text: string): Quantity {
  if (/^(?:every|each|all|both)/.test(text)) return "every";
  if (/^(?:no|none|neither|not)\b/.test(text)) return "none";
  if (text === "the only") return "only";
  const [, part, of] = /^(\d+) of \w+ (\d+)$/.exec(text) ?? [];
  if (part !== undefined) return { part: Number(part), of: Number(of) };
  return /^\d/.test(text) ? Number(text) : 1;
}

const meantIn = ({ words, referents }: SentenceReading, at: number, part: string): Referent[] => {
  const from = referentsBefore(words, at);
  return referents.slice(from, from + referentsBefore(part, part.length));
};

/** "`a` has 3 tests"; and its further numbers: "`a` has 3 tests and 2 helpers". */
function placeAhead(
  reading: SentenceReading,
  ahead: string,
): { places: Referent[]; at: number } | undefined {
  const found = placeBefore.exec(ahead) ?? furtherNumber.exec(ahead);
  return found ? { places: meantIn(reading, found.index, found[1]!), at: found.index } : undefined;
}

/** "Besides the constructor": what is not counted. */
const apart =
  "(?:besides|apart from|aside from|not counting|leaving aside) (?:the |its )?(?:§|\\w+)";
export const leavesAside = new RegExp(`\\b${apart}`, "i");

const isTotal = new RegExp(
  "\\b(?:CI (?:runs|has)|that makes|(?:\\w+ )?collects|altogether|in total|in all|overall|total|" +
    "there (?:are|is)(?: now)?|inventory|at present|together (?:they )?(?:hold|have|contain|define)|" +
    "(?:across|in) (?:both|all|the)(?: \\d+)? test files(?: there are(?: now)?)?|" +
    "the (?:\\w+ )?(?:API|project|" +
    "repo(?:sitory)?|package|module|service|app|CI|specs|suite) (?:\\w+ )?(?:has|have|runs?|hold|" +
    "mounts?|defines?|contains?|consists))\\b",
  "i",
);

const isList = new RegExp(
  `^(?:[\\w ]{1,40}: )?(?:(?:\\d+|one) (?:${nounWords})(?:, and|,| and) )*$`,
  "i",
);
const isOfBoth = /^(?:Between them|(?:Taken )?together),? (?:they|the two)\b/i;
const isOfIt = new RegExp(`^(?:${apart},? )?(?:It|They|The file|That file|Its)\\b`, "i");

/** The label of the sentence, the sentence before where this one says "it", or the whole project. */
function placesAround(
  { words, referents }: SentenceReading,
  { ahead, before }: { ahead: string; before: readonly Referent[] },
): readonly Referent[] | undefined {
  if (label.test(words) && referents[0]?.paths) return [referents[0]];
  if (isOfBoth.test(words) && before.length > 0) return before;
  if (isOfIt.test(words)) return before.length === 1 ? before : undefined;
  const isSum = isList.test(ahead);
  return isSum || isTotal.test(words) ? [] : undefined;
}

const ends =
  /[.;:](?:\s|$)| [—–-] |, (?:so|which|but|while|hence|yet|thus)\b|,? and (?:the|it|that|no|every|all|each)\b/;

/** What stands in brackets or between commas is told besides. */
function clauseAt(tail: string): string {
  const end = tail.search(ends);
  return end < 0 ? tail : tail.slice(0, end);
}

const anyNoun = new RegExp(`\\b(?:${nounWords})(?![\\w-])`, "i");

/** "4 of them": of what the sentence before speaks. */
export function withNoun(
  reading: SentenceReading,
  before: { words: string } | undefined,
): SentenceReading {
  const noun =
    /\b\d+ of them\b(?! (?:is |are )?(?:public|private|static|skipped|disabled|pending)\b)/.test(
      reading.words,
    ) && before
      ? anyNoun.exec(before.words)?.[0]
      : undefined;
  return noun === undefined
    ? reading
    : { ...reading, words: reading.words.replace(/\b(\d+) of them\b/, `$1 ${noun}`) };
}

/** "Both", "all three": of another number something else is spoken of. */
export function isOfOthers({ whole }: Quantified, count: number): boolean {
  const said = /^both\b/i.test(whole) ? "2" : /^all\D{0,10}?(\d+)/i.exec(whole)?.[1];
  return said !== undefined && count !== Number(said);
}
