// What is said of every item of a list, or of none: that it is described, shown, tested, marked with a word, or
// that its text has a name or a piece of code.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import type { Repository } from "../../../source/repository.ts";
import { isTest } from "../tree/uses.ts";
import type { CountedItem } from "./counting/file-lists.ts";
import type { Quantified } from "./read-quantified.ts";
import type { SentenceReading, Referent } from "./referents.ts";

/** `isDefinite`: no other place could do it for the items. */
export type Predicate = {
  holds: (item: CountedItem) => boolean;
  isDenied: boolean;
  isDefinite: boolean;
  /** What the clause says besides. */
  rest: string;
};

const lead =
  "^(?:, [^,]{1,30},)? ?(?:(?:also|already|currently|always|all|each|both|do|does|indeed|first) )*";
const denied =
  "(?:(?:is|are) not|isn't|aren't|(?:does|do) not|doesn't|don't|never|lacks?|neither) ?(?:an?y? )?";
const described = new RegExp(
  `${lead}(?:has|have|carry|carries|come with|comes with|opens? with|starts? with|begins? with|` +
    `(?:is|are) preceded by|lacks?)` +
    "(?: a| an| its own| their own| no)?(?: \\w+)? ?(?:docstrings?|doc comments?|JSDoc(?: comments?|" +
    " blocks?)?|doc ?blocks?|documentation|comments?|rustdoc)\\b",
  "i",
);
const isWord = new RegExp(
  `${lead}(?:(?:is|are) )(?:not )?(?:marked |declared )?(async|static|final|abstract|readonly|` +
    `sealed|exported|public|private|documented|described)\\b`,
  "i",
);
const tested = new RegExp(
  `${lead}(?:(?:is|are)|(?:has|have))(?: not)? (?:(?:directly|fully|also|well|at least once) )?` +
    "(?:(?:tested|covered|exercised|called|used|asserted)\\b|(?:an? |at least one |its own |" +
    "a matching |a corresponding |no )?(?:unit )?(?:tests?|specs?)(?: file)?\\b)",
  "i",
);
const verbs =
  "calls?|uses?|imports?|takes?|pass(?:es)?|contains?|declares?|throws?|raises?|returns?|awaits?|" +
  "go(?:es)? through|sets?|" +
  "includes?|accepts?|extends?|implements?|has|have|logs?|mentions?|references?|refers? to|" +
  "requires?|reads?|writes?|" +
  "starts? with|begins? with|opens? with|ends? in|ends? with|defines?|(?:is|are)|serves?|handles?|" +
  "(?:is|are) wrapped in|wraps?|exports?|touch(?:es)?|halts? with|depends? on|relies on|rely on";
const does = new RegExp(
  `${lead}(?:${denied})?(${verbs})\\b(?! (?:tested|covered))([^§¶]{0,24})[§¶]`,
  "i",
);

/** Undefined where the words say something that no text shows. */
export function predicateOf(
  { tail, first, quantity }: Quantified,
  { referents }: SentenceReading,
  repo: Repository,
): Predicate | undefined {
  const isDenied = new RegExp(`${lead}${denied}`, "i").test(tail);
  const definite = (holds: (item: CountedItem) => boolean, found: string): Predicate => ({
    holds,
    isDenied,
    isDefinite: true,
    rest: tail.slice(found.length),
  });
  if (/^,? (?:that|which|whose|where|who|when|if|except|other than|besides|apart|but)\b/.test(tail))
    return undefined;
  const comment = described.exec(tail);
  if (comment) return definite(({ isDescribed }) => isDescribed, comment[0]);
  const word = isWord.exec(tail);
  if (word) return definite((item) => isMarked(item, word[1]!.toLowerCase()), word[0]);
  const test = tested.exec(tail);
  if (test && !/^[^§¶]*\b(?:with|using)\b/.test(tail))
    return definite(
      testedIn(tail, referents[first], repo),
      `${test[0]}${/^[^§¶]{0,16}[§¶]/.exec(tail.slice(test[0].length))?.[0] ?? ""}`,
    );
  const found = does.exec(tail);
  if (!found || /^ ?(?:and|or|but)\b/.test(tail)) return undefined;
  const list = /^(?:,? (?:and |or )?[§¶])*/.exec(tail.slice(found[0].length))![0];
  const count = 1 + (list.match(/[§¶]/g) ?? []).length;
  const terms = referents.slice(first, first + count);
  if (terms.some(({ isWhole }) => isWhole)) return undefined;
  const has = (item: CountedItem): boolean =>
    quantity === "none" || isDenied
      ? terms.some((term) => shows(item, found[1]!.toLowerCase(), term))
      : terms.every((term) => shows(item, found[1]!.toLowerCase(), term));
  const rest = `${found[2]!} ${tail.slice(found[0].length + list.length)}`;
  return { holds: has, isDenied, isDefinite: /^(?:is|are)$/i.test(found[1]!), rest };
}

function isMarked({ head, isShown, isDescribed }: CountedItem, word: string): boolean {
  if (word === "exported") return isShown;
  if (/^(?:documented|described)$/.test(word)) return isDescribed;
  if (word === "public") return isShown || /\bpublic\b/.test(head);
  return new RegExp(`\\b${word}\\b`).test(head);
}

/** Its name stands in a test, or in the file that is named. */
function testedIn(
  tail: string,
  told: Referent | undefined,
  repo: Repository,
): (item: CountedItem) => boolean {
  const given = /[§¶]/.test(tail) ? told?.paths : undefined;
  const files = given ?? repo.reader.list().paths.filter(isTest);
  const texts = files.flatMap((path) => {
    const state = repo.open(path);
    return state.ok ? [state.file.text] : [];
  });
  return ({ name, path }) => {
    const stem =
      name === path
        ? path
            .split("/")
            .at(-1)!
            .replace(/\.\w+$/, "")
        : name;
    const whole = wordOf(stem);
    return (
      texts.some((text) => whole.test(text)) ||
      files.some((file) => name === path && file.includes(stem))
    );
  };
}

export const wordOf = (text: string): RegExp =>
  new RegExp(
    `${/^[\w$]/.test(text) ? "(?<![\\w$])" : ""}${escapeRegExp(text)}${/[\w$]$/.test(text) ? "(?![\\w$])" : ""}`,
  );
const squeezed = (text: string): string => text.replace(/\s+/g, " ");

function shows(item: CountedItem, verb: string, { text, paths }: Referent): boolean {
  // A file is imported under its name without an ending.
  const term =
    paths === null
      ? text.replace(/\(\)$/, "")
      : text
          .split("/")
          .at(-1)!
          .replace(/\.\w+$/, "");
  if (/^(?:is|are)$/.test(verb)) return squeezed(item.head).includes(term);
  if (/^ends?/.test(verb))
    return [item.name, item.path, item.text.trimEnd()].some((one) => one.endsWith(term));
  if (/^(?:starts?|begins?|opens?) with/.test(verb))
    return `${item.head}\n${item.text.slice(0, 400)}`.includes(term);
  if (verb.startsWith("import") || verb.startsWith("require"))
    return item.text
      .split("\n")
      .some((line) => /import|require|from|use|include/.test(line) && wordOf(term).test(line));
  return wordOf(squeezed(term)).test(squeezed(item.text));
}
