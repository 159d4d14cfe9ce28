// Sentences in quotation marks that a message takes from a file, a document or a message of the program,
// against what stands there. Without a file that is surely meant, nothing is said.
import type { Ledger } from "../../evidence/ledger.ts";
import type { Repository } from "../../../source/repository.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { isAside } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf } from "../words/statements.ts";
import { counteredBy, held, pathOf } from "./countered.ts";
import { describedLines } from "./described-lines.ts";
import { strangeTexts, type StrangeText } from "./strange-texts.ts";
import learned from "./text-weights.json" with { type: "json" };

export type QuotationClaim = { span: [number, number]; judged: ClaimJudgement };

/** `lead`: the sentence up to the quotation, code spans in it as `§`. */
type Quotation = { text: string; lead: string; code: string[]; behind: string };

const quoted = /["“„«]([^"”»“\n]{1,300})["”»]|`([^`\n]{1,200})`/g;
const isSentence = (text: string): boolean =>
  text.trim().split(/\s+/).length >= 3 && !/[{}<>=;$|\\]|^[-./]|\(\)/.test(text);

export function quotationClaims(
  report: string,
  repo: Repository,
  ledger: Ledger | undefined,
): QuotationClaim[] {
  if (!/["“„«`]|\n(?: {4}|\t)/.test(report)) return [];
  const named = statementsOf(report)
    .filter((one) => one.kind === "sentence" && !isAside(one))
    .flatMap(({ span }): QuotationClaim[] => {
      const found = quotationAt(report, span);
      const judged = found && judgeQuotation(found, repo, ledger);
      return judged ? [{ span, judged }] : [];
    });
  const strange = strangeTexts(report, repo, ledger)
    .filter((one) => one.line !== undefined || scoreOf(one) >= learned.least)
    .filter((one) => !named.some(({ span }) => span === one.span))
    .map(({ span, text, near, line = near }) => ({
      span,
      judged: counteredBy(
        `"${text.slice(0, 80)}" stands nowhere${line ? `; the nearest is ${line.path}:${line.line}` : ""}`,
      ),
    }));
  return [...named, ...strange, ...describedLines(report, repo)].slice(0, 40);
}

const weights: Readonly<Record<string, number>> = learned.weights;
const scoreOf = ({ marks }: StrangeText): number =>
  Object.entries(marks).reduce((sum, [name, value]) => sum + (weights[name] ?? 0) * value, 0);

/** A quotation may hold the end of its sentence and go on behind it. */
function quotationAt(report: string, [from, to]: [number, number]): Quotation | undefined {
  const begin = report.lastIndexOf("\n", from) + 1;
  const end = report.indexOf("\n", from);
  const line = report.slice(begin, end < 0 ? report.length : end);
  if (line.includes("``")) return undefined;
  const match = [...line.matchAll(quoted)].find(
    ({ index, 1: marked, 2: coded }) =>
      begin + index >= from &&
      begin + index < to &&
      (isSentence(marked ?? coded ?? "") || (marked ?? "").split(/\s+/).length >= 5),
  );
  if (!match) return undefined;
  const code: string[] = [];
  const lead = line
    .slice(Math.max(0, from - begin), match.index)
    .replace(/[*_]{2}/g, "")
    .replace(/`([^`]*)`/g, (_, one: string) => {
      code.push(one);
      return "§";
    });
  const text = (match[1] ?? match[2]!).trim();
  return { text, lead, code, behind: line.slice(match.index + match[0].length) };
}

/** In such a sentence the words need not stand there, or no longer. */
const otherwise = anyPhrase([
  "should|would|could|must|if|instead|rather|not|never|no longer|used to|old|previous\\p{L}*|was|were|before",
  "(?:)\\w+n't|something like|similar|e\\.g\\.|example|pull request|rewr\\p{L}*|renam\\p{L}*|delet\\p{L}*",
  "remov\\p{L}*|replac\\p{L}*|chang(?:e|ed|es|ing)|add\\p{L}*|suggest\\p{L}*|propos\\p{L}*",
  "you|your|asked|the task|issue|ticket|commit\\p{L}*",
]);
const tells = anyPhrase([
  "says?|reads?|states?|notes?|warns?|mentions?|explains?|promises?|puts? it|explicit|line|stands?|sentence|heading",
  "allows?|claims?|demands?|requires?",
  "starts?|begins?|opens?|ends?|tells?|quot\\p{L}+|comment|on (?:the )?\\w+|in its own words|has",
]);
const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

function judgeQuotation(
  quotation: Quotation,
  repo: Repository,
  ledger: Ledger | undefined,
): ClaimJudgement | undefined {
  const { text, lead, behind } = quotation;
  const place = placeOf(quotation, repo);
  // What is said of other things stands in a clause before the place.
  const ahead = lead.slice(0, lead.length - (place?.between.length ?? 0));
  const clause = lead.slice(place ? ahead.search(/[,;] [^,;]*$/) + 1 : 0);
  if (has(otherwise, clause) || /^[^.!?]{0,30}\b(?:gone|removed|before|instead)\b/.test(behind))
    return undefined;
  if (place !== undefined) {
    if (!has(tells, place.between) && !/^[\s,:(]*$/.test(place.between)) return undefined;
    const own = sectionOf(place.path, lead, repo);
    if (own === undefined) return undefined;
    return text.split(/…|\.\.\.|\[…\]/).every((part) => own.includes(plain(part)))
      ? held(`it stands in ${place.path}`)
      : counteredBy(`"${text.slice(0, 80)}" does not stand in ${place.path}`);
  }
  const isMessage = /\b(?:message|text|error)(?: (?:is|reads|says))?:? ?$/;
  return isMessage.test(lead) ? judgeMessage(text, repo, ledger) : undefined;
}

const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

type QuotedPlace = { path: string; between: string };

/** The file or document that stands last before the quotation. */
function placeOf({ lead, code }: Quotation, repo: Repository): QuotedPlace | undefined {
  const { paths } = repo.reader.list();
  const named = /\b(readme|changelog)\b|\bthe (\w+) (?:page|document|docs?|guide|manual)\b/gi;
  const documents = [...lead.matchAll(named)].map(({ index, 0: words, 1: name, 2: topic }) => ({
    end: index + words.length,
    found: paths.filter((path) =>
      name === undefined
        ? /\.(?:md|rst|txt|adoc)$/.test(path) && isAbout(path, topic!, repo)
        : new RegExp(`^${name}(?:\\.\\w+)?$`, "i").test(path),
    ),
  }));
  const files = [...lead.matchAll(/§/g)].map(({ index }, at) => ({
    end: index + 1,
    found: fileOf(code[at] ?? "", { lead, index }, repo),
  }));
  const all = [...documents, ...files].filter(({ found }) => found.length > 0);
  const last = all.sort((a, b) => a.end - b.end).at(-1);
  return last?.found.length === 1
    ? { path: last.found[0]!, between: lead.slice(last.end) }
    : undefined;
}

/** A file by its path; above a function: the file that defines it. */
function fileOf(
  text: string,
  { lead, index }: { lead: string; index: number },
  repo: Repository,
): string[] {
  const path = pathOf(text);
  if (repo.isListed(path)) return [path];
  if (/\.\w{1,5}$/.test(path)) return repo.endingIn(path);
  const isAbove = /\b(?:above|over|before|comment (?:of|on|at)|docstring of) $/i;
  if (!isAbove.test(lead.slice(0, index)) || !/^\w+(?:\(\))?$/.test(path)) return [];
  return [...new Set(repo.definedAt(path.replace("()", "")).map((place) => place.path))];
}

function isAbout(path: string, topic: string, repo: Repository): boolean {
  const name = path.split("/").at(-1)!.toLowerCase();
  if (name.startsWith(topic.toLowerCase())) return true;
  const state = repo.open(path);
  const heading = state.ok ? (/^#\s+(.*)$/m.exec(state.file.text)?.[1] ?? "") : "";
  return heading.toLowerCase() === topic.toLowerCase();
}

/** The words of a file, or of the part of a changelog that the sentence names by its version. */
function sectionOf(path: string, lead: string, repo: Repository): string | undefined {
  const state = repo.open(path);
  if (!state.ok) return undefined;
  const version = /changelog/i.test(path) ? /\d+\.\d+(?:\.\d+)?/.exec(lead)?.[0] : undefined;
  const parts = version === undefined ? [] : state.file.text.split(/^(?=##? )/m);
  const own = parts.find((part) => part.split("\n")[0]!.includes(version!));
  return plain(own ?? state.file.text);
}

const literal = /"((?:[^"\\\n]|\\.){4,200})"|'((?:[^'\\\n]|\\.){4,200})'|`([^`\n]{4,200})`/g;
const hole = /[$#]?\{[^}]*\}|%[sdvqwx]/;

/** The text stands nowhere in the code, and one much like it does. */
function judgeMessage(
  text: string,
  repo: Repository,
  ledger: Ledger | undefined,
): ClaimJudgement | undefined {
  const words = plain(text).trim().split(" ");
  const files = new Map(
    words
      .filter((word) => word.length > 2 && repo.spread(word) > 0)
      .sort((a, b) => repo.spread(a) - repo.spread(b))
      .slice(0, 4)
      .flatMap((word) => repo.filesWith(word, 40).map((file) => [file.path, file] as const)),
  );
  const literals = [...files.values()].flatMap((file) =>
    [...file.text.matchAll(literal)].map((match) => ({
      path: file.path,
      text: match[1] ?? match[2] ?? match[3]!,
    })),
  );
  const own = literals.find((one) => plain(one.text).includes(plain(text)));
  if (own) return held(`it stands in ${own.path}`);
  const wasPrinted = ledger?.commands.some(({ output }) => output?.includes(text));
  const near = literals.filter(
    (one) => / \S+ /.test(one.text) && share(words, plain(one.text).trim().split(" ")) >= 0.5,
  );
  // A text that is put together when the program runs may come out as these words.
  if (wasPrinted || near.length === 0 || near.some((one) => hole.test(one.text))) return undefined;
  return counteredBy(
    `"${text.slice(0, 80)}" stands nowhere, but ${near[0]!.path} has "${near[0]!.text.slice(0, 80)}"`,
  );
}

const share = (a: readonly string[], b: readonly string[]): number => {
  const own = new Set(b);
  return a.filter((word) => own.has(word)).length / Math.max(a.length, b.length);
};
