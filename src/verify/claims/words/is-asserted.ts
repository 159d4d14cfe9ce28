// Whether words say that something is so: not a plan, a wish, a doubt, a denial, a condition, a
// question, nor what a document, a person or the history says.
import { anyPhrase } from "./phrase.ts";
import type { Clause, Statement } from "./statements.ts";

/** What stands under such a heading is still to do, was tried in vain, or is somebody else's word. */
const openHeadings = anyPhrase([
  "next|todo|to (?:verify|test|run|do)|how to|follow-?ups?|remaining|pending|recover\\w*|recommend\\w*|suggest\\w*",
  "trade-?offs?|uncertain\\w*|blockers?|attempted|planned|roadmap|acceptance|criteria|not (?:done|run|tested|verified)",
  "caveats?|limitations?|risks?|future",
  // Features have such names too: here the heading must begin with them.
  "^(?:the |open |some |my |project )?(?:questions?|sequence|plans?|usage|baseline|before|background|history|expected)",
]);

/** Words that take back what follows them in the same clause. */
const notSaid = anyPhrase([
  "not",
  "never",
  "cannot",
  "(?:)\\w+n't",
  "without",
  "unable",
  "fail(?:s|ed)? to",
  "neither",
  "nor",
  "should",
  "would",
  "could",
  "might",
  "may",
  "must",
  "will",
  "can",
  "(?:)'(?:ll|d)",
  "(?:going|about|ready|needs?|ha(?:s|ve)|wants?|wanted|able|supposed|meant|intended|trying|yet) to",
  "in order to",
  "so that",
  "to be",
  "if",
  "unless",
  "until",
  "once",
  "whether",
  "when(?:ever)?",
  "as long as",
  "provided",
  "assum(?:ing|e|ed|es)",
  "before",
  "in case",
  "otherwise",
  "only after",
  "probably",
  "likely",
  "presumably",
  "perhaps",
  "maybe",
  "possibly",
  "hopefully",
  "seems?",
  "appears?",
  "believe",
  "think",
  "guess",
  "expect(?:s|ed|ing)?",
  "suspect",
  "in (?:theory|principle)",
  "supposedly",
  "unsure",
  "please",
  "let me know",
  "ensur(?:e|es|ing)",
  "makes? sure",
  "(?:verify|check|confirm) that",
  "to (?:verify|check|confirm|see|make|get|have|keep|prove)",
  "todo",
  "plan(?:s|ned|ning)? to",
  "recommend\\w*",
  "suggest\\w*",
  "propos\\w*",
  "consider\\w*",
  "next step",
  "remains? to",
  "pending",
  "await(?:s|ing)?",
  "waiting (?:for|on)",
  "want me",
  "sollte\\w*",
  "muss",
  "würde\\w*",
  "könnte\\w*",
  "nicht",
  "noch",
  "wenn",
  "falls",
  "(?:n'\\w+|ne|pas|jamais|devrait|não|nunca|не|если)",
  "(?:no|aún no) (?:he|se|hemos|pude|pudo)",
  "(?:)(?:未|尚未|没有(?:运行|执行|测试|验证)|无法|应该|如果)(?:)",
]);
/** Behind the words: "pass once the fix is in". */
const takenBack = anyPhrase([
  "^ ?(?:\\w+ ){0,3}?(?:if|unless|once|when|until|provided|assuming|as soon as)",
]);
/** It was not run, or not looked at. */
export const saysNotRun: RegExp = anyPhrase([
  "untested",
  "unverified",
  "un-?run",
  "(?:not|n't|never|(?:)\\p{L}+n't) (?:been |yet |actually )*(?:run|ran|tested|verified|executed|tried|checked)",
  "(?:)(?:ていません|できません|未実行)(?:)",
]);

/** Somebody else's word: a document, a person, another run, another time. */
const othersWords = anyPhrase(
  [
    "according to(?! (?:black|prettier|gofmt|rustfmt|psr|pep|the (?:style|project|formatter)))",
    "as (?:stated|documented|described|noted|reported|claimed|mentioned)",
    "per (?:the|its|your|their|§)",
    "{source} (?:also )?{tells}",
    "previously",
    "formerly",
    "originally",
    "historically",
    "last (?:week|month|release|time)",
    "at (?:the )?baseline",
    "in the past",
    "used to",
    "on (?:main|master)",
    "before (?:my|the|this|these|any) (?:changes?|edits?|fix|work)",
    "(?:previous|prior|earlier) (?:session|run|agent|commit|developer|report|work)s?",
    "for (?:example|instance)",
    // "Deploys go out after the build is green" tells an order of things.
    "(?:after|as soon as|whenever|only if) (?:(?:the|all|every|each) )?(?:\\w+ )?(?:builds?|tests?|suites?|lint\\w*|" +
      "checks?|pipelines?|CI) (?:is|are|pass|passes|succeeds?|turns?|goes)",
    "hypothetical\\w*",
  ],
  {
    source: [
      "readme",
      "changelog",
      "docs?",
      "documentation",
      "issue",
      "ticket",
      "pr description",
      "pull request",
      "commit message",
      "comment",
      "report",
      "spec(?:ification)?",
      "plan",
      "handoff",
      "notes?",
      "log",
      "history",
      "author",
      "reviewer",
      "user",
      "you",
      "they",
      "maintainers?",
      "[\\w-]+\\.md",
    ],
    tells: [
      "says?",
      "said",
      "stat(?:es|ed)",
      "claim(?:s|ed)",
      "report(?:s|ed)",
      "mention(?:s|ed)",
      "documents?",
      "not(?:es|ed)",
      "lists?",
      "describes?",
      "told",
    ],
  },
);

/** Every reader of claims asks it of every statement. */
const asides = new WeakMap<Statement, boolean>();

/** Nothing in this statement is said to be so. */
export function isAside(statement: Statement): boolean {
  let known = asides.get(statement);
  if (known === undefined) asides.set(statement, (known = standsAside(statement)));
  return known;
}

/** "To guard it I wrote a test" tells a deed. */
const opensAhead = new RegExp(
  "^(?:if|once|when|unless|until|should|please|let me|next|run|try|todo|" +
    "to(?! your)(?![^,]* (?:I|we) (?:\\p{L}+ed|wrote|put|made|built|set) ))\\b[^,]*$",
  "iu",
);

function standsAside({ words, under, box }: Statement): boolean {
  if (box === "open" || /\?["')*_\s]*$/.test(words)) return true;
  if (box !== "ticked" && under.some((heading) => has(openHeadings, heading))) return true;
  // "Before: 1 failed, 117 passed": the label speaks for the whole sentence.
  if (
    /^(?:before|previously|originally|initially|at first|baseline|earlier|vorher|avant|antes)\b[^.]{0,24}:/iu.test(
      words,
    )
  )
    return true;
  return opensAhead.test(words);
}

/** `at`: where in the clause's words the claim begins and ends. */
export function isAsserted(
  { words: whole }: Statement,
  { words }: Clause,
  [from, to]: [number, number],
): boolean {
  if (has(othersWords, words) || has(saysNotRun, words)) return false;
  // "For type checks use `make types`": an order to the reader.
  if (/^for [^,.:;]{2,40},? (?:please )?(?:use|run|call|try|see)\b/iu.test(whole)) return false;
  // "It compiles with `tsc` and then runs …": what a script does, whoever calls it.
  if (/\band then (?:runs|calls|copies|starts|executes|writes)\b/iu.test(whole)) return false;
  if (has(notSaid, withoutHarmless(words).slice(0, from))) return false;
  if (has(takenBack, words.slice(to))) return false;
  // "If the tests pass, merge it": the condition opens the sentence.
  return !/^(?:if|once|unless|until|whenever|assuming|provided)\b/iu.test(whole);
}

/** Words that look like a denial or a condition and are none here. */
const harmless = anyPhrase([
  "not only",
  "when (?:run|tested|i (?:re-?)?(?:run|ran|tried|started|called|executed))[^,]*,?",
  "without (?:any |a |further )?(?:single )?(?:errors?|failures?|issues?|warnings?|problems?|changes?)",
  "no longer",
  "(?:can|may|will) (?=confirm)",
]);

/** Lengths stay. */
const withoutHarmless = (text: string): string =>
  text.replace(harmless, (found) => " ".repeat(found.length));

/** The expressions are global: a test begins at the start. */
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;
