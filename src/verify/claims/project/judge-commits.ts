// Commits that a sentence speaks of by their message, their id or their place in the history, and what it says of
// them: the files that they changed, their order, and how many there are of a file.
import type { Repository } from "../../../source/repository.ts";
import { isTest } from "../tree/uses.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { readReferents, type Referent } from "../facts/referents.ts";
import type { Statement } from "../words/statements.ts";
import { gitText, type Commit } from "./history-of.ts";

/** `words`: commits as `¢`, places as `¶`. */
type Told = { words: string; commits: Commit[]; referents: readonly Referent[] };

const quotation = /["“„«]([^"”“»]{4,160})["”»]/g;
const idOf = /^(?=[a-f]*\d)[0-9a-f]{7,40}$/;
const ordinals = ["first", "second", "third", "fourth", "fifth"];
const placed = new RegExp(
  "\\b(?:the )?(?:(?<last>last|latest|most recent|newest)|(?<nth>first|initial|oldest|earliest|" +
    "second|third|fourth|fifth))" +
    '(?: one| of them)?(?: commit\\b(?! (?:that|which|to)\\b)| (?=being |is ["“¢]|was ["“¢]))|' +
    "(?<head>\\bHEAD\\b)",
  "gi",
);

export const says = ({ subject, body }: Commit, quoted: string): boolean =>
  `${subject}\n${body}`.toLowerCase().includes(quoted.toLowerCase().replace(/\.$/, ""));

/** The one commit that has this message. */
function titled(text: string, history: readonly Commit[]): Commit | undefined {
  const exact = history.filter(({ subject }) => subject === text);
  const found = exact.length > 0 ? exact : history.filter((one) => says(one, text));
  return found.length === 1 ? found[0] : undefined;
}

/** `before`: what "that commit" means. */
export function readCommits(
  statement: Statement,
  {
    history,
    before,
    repo,
  }: { history: readonly Commit[]; before: Commit | undefined; repo: Repository },
): Told {
  const code = statement.clauses.flatMap((clause) => clause.code);
  const commits: Commit[] = [];
  const kept: string[] = [];
  const byPlace = (match: RegExpMatchArray): Commit | undefined => {
    const nth = match.groups?.["nth"]?.toLowerCase();
    if (nth === undefined) return history[0];
    const index = ordinals.indexOf(nth);
    return history.at(index < 0 ? -1 : -1 - index);
  };
  let at = 0;
  const all = new RegExp(
    `${quotation.source}|[§¤]|${placed.source}|^(?:That|This|The same) commit\\b`,
    "gi",
  );
  const words = statement.words.replace(all, (found, ...rest) => {
    const groups = rest.at(-1) as Record<string, string | undefined>;
    const isCode = found === "§" || found === "¤";
    const text = isCode ? (code[at++] ?? "") : "";
    const commit = isCode
      ? idOf.test(text)
        ? history.find(({ id }) => id.startsWith(text))
        : /\s/.test(text)
          ? titled(text, history)
          : undefined
      : typeof rest[0] === "string"
        ? titled(rest[0], history)
        : /^(?:that|this|the same)\b/i.test(found)
          ? before
          : byPlace({ groups } as unknown as RegExpMatchArray);
    if (isCode && !commit) kept.push(text);
    if (!commit) return found;
    commits.push(commit);
    return "¢";
  });
  const clauses = [{ words, code: kept, span: statement.span }];
  const reading = readReferents(
    { ...statement, words: words.replace(/[§¤]/g, "§"), clauses },
    repo,
  );
  return { words: reading.words, commits, referents: reading.referents };
}

const countOf = (text: string, mark: string): number => text.split(mark).length - 1;

export function judgeCommits(
  told: Told,
  history: readonly Commit[],
  repo: Repository,
): ClaimJudgement | undefined {
  const all = [
    judgeSame(told),
    judgeOrder(told, history),
    judgeFileCount(told, repo),
    ...judgeTouched(told, repo),
  ];
  return all.find((one) => one?.verdict === "countered") ?? all.find((one) => one !== undefined);
}

const shown = ({ id, subject }: Commit): string => `${id.slice(0, 7)} "${subject.slice(0, 60)}"`;
const taken = /\b(?:should|would|could|might|must|if|unless|whether)\b/i;

/** "The latest commit is “x”", "HEAD (“x”)". */
function judgeSame({ words, commits }: Told): ClaimJudgement | undefined {
  const match = /¢(?:,| is| was| being|:)? ?\(?¢/.exec(words);
  if (!match || taken.test(words)) return undefined;
  const first = countOf(words.slice(0, match.index), "¢");
  const [a, b] = [commits[first]!, commits[first + 1]!];
  return a === b
    ? held(`git has ${shown(a)}`)
    : counteredBy(`"${b.subject.slice(0, 60)}", but that commit is ${shown(a)}`);
}

const older =
  "(?:before|older than|precede[sd]?|prior to|earlier than|ahead of|predates|(?:is|was) followed by)";
const newer =
  "(?:after|newer than|follow(?:s|ed)|later than|on top of|more recent than|(?:is|was) preceded by)";

function judgeOrder(
  { words, commits }: Told,
  history: readonly Commit[],
): ClaimJudgement | undefined {
  const match = new RegExp(
    `¢([^¢¶;]{0,40}\\b(?:(?<older>${older})|(?<newer>${newer})))\\b[^¢;]{0,20}¢|` +
      `\\bfirst\\b[^¢]{0,20}¢[^¢;]{0,20}\\bthen\\b[^¢;]{0,20}¢`,
    "i",
  ).exec(words);
  if (!match || taken.test(words) || /\b(?:not|n't)\b/.test(match[0])) return undefined;
  const first = countOf(words.slice(0, match.index), "¢");
  const [a, b] = [commits[first]!, commits[first + 1]!];
  const distance = history.indexOf(a) - history.indexOf(b);
  const isRight = match.groups?.["newer"] === undefined ? distance > 0 : distance < 0;
  const isNext = /\b(?:right|directly|immediately)\b/i.test(match[0]);
  if (distance === 0) return undefined;
  return isRight && (!isNext || Math.abs(distance) === 1)
    ? held(`git has them in this order`)
    : counteredBy(
        `"${a.subject.slice(0, 40)}" and "${b.subject.slice(0, 40)}", but git has ${shown(distance > 0 ? a : b)} first`,
      );
}

const touches = "(?:touch|chang|modif|edit|updat|bump|appear|list|know|histor|log)\\w*";

/** "`a` was changed by 3 commits": with and without merges and earlier names of the file. */
function judgeFileCount(
  { words, commits, referents }: Told,
  { reader }: Repository,
): ClaimJudgement | undefined {
  const match = new RegExp(
    `¶[^¢;.]{0,40}?\\b(\\d+|one)(?: of the \\d+)? commits?\\b|\\b(\\d+|one) commits? [^¢;.]{0,30}¶`,
    "i",
  ).exec(words);
  if (
    !match ||
    !new RegExp(`\\b${touches}`, "i").test(words) ||
    reader.root === undefined ||
    /\b(?:last|since|ago|about|over|more|than|least)\b/i.test(words)
  )
    return undefined;
  const { paths } =
    referents[
      countOf(words.slice(0, match.index + match[0].indexOf("¶")), "¶") +
        countOf(words.slice(0, match.index + match[0].indexOf("¶")), "§")
    ] ?? {};
  if (paths?.length !== 1) return undefined;
  const root = reader.root;
  const count = (...args: string[]): number =>
    (gitText(root, ["log", "--format=%H", ...args, "--", paths[0]!]) ?? "")
      .split("\n")
      .filter(Boolean).length;
  const counts = [...new Set([count("--all"), count(), count("--follow"), count("--no-merges")])];
  const said = (match[1] ?? match[2])!.toLowerCase() === "one" ? 1 : Number(match[1] ?? match[2]);
  if (counts[0] === 0) return undefined;
  const own = (gitText(root, ["log", "--all", "--format=%H", "--", paths[0]!]) ?? "").split("\n");
  const strange = listedIn(words, commits).find(({ id }) => !own.includes(id));
  if (strange) return counteredBy(`${shown(strange)} did not change ${paths[0]}`);
  return counts.includes(said)
    ? held(`${said} commits changed ${paths[0]}`)
    : counteredBy(`${said} commits, but ${counts.join(" or ")} changed ${paths[0]}`);
}

/** "2 commits: “x” and “y”" */
function listedIn(words: string, commits: readonly Commit[]): Commit[] {
  const match = /\bcommits?[:,(]? ?(¢(?:(?:,| and|, and) ¢)*)/.exec(words);
  const first = match ? countOf(words.slice(0, match.index), "¢") : 0;
  return match ? commits.slice(first, first + countOf(match[1]!, "¢")) : [];
}

const touchVerb =
  "(?:touch|chang|modif|edit|updat|add|introduc|remov|delet|brought|bring|bump|wrote|creat|files? of)\\w*";
const cuts =
  /[;()]|, (?:and|while|whereas|but) (?:the|that|its|¢)(?! (?:tests?|specs?))|(?<=[^,]) (?:while|whereas) /;

/** Each part of the sentence that speaks of one commit and of files. */
function judgeTouched(
  { words, commits, referents }: Told,
  repo: Repository,
): (ClaimJudgement | undefined)[] {
  let commitAt = 0;
  let placeAt = 0;
  // "the last commit, “x”, touched": one commit by two names.
  let named = -1;
  const once = words.replace(
    /¢((?:,| is| was| being|:)? ?\(?¢\)?,?)?/g,
    (found, second: string | undefined) => {
      named += second === undefined ? 1 : 2;
      return second !== undefined && commits[named] === commits[named - 1] ? "¢¢" : found;
    },
  );
  return once.split(cuts).map((part) => {
    const own = commits.slice(commitAt, (commitAt += countOf(part, "¢")));
    const places = referents
      .slice(placeAt, (placeAt += (part.match(/[§¶]/g) ?? []).length))
      .filter(({ paths }) => paths !== null);
    const commit = own[0];
    const isTold = new RegExp(`\\b${touchVerb}`, "i").test(part) && !taken.test(part);
    // "bumped the version in `a`" speaks of what stands in it.
    const isInside = /\bin ¶/.test(part.slice(part.indexOf("¢")));
    if (!commit || own.some((one) => one !== commit) || !isTold || isInside) return undefined;
    return judgeFiles(part, { commit, places }, repo);
  });
}

type Touched = { commit: Commit; places: readonly Referent[] };

function judgeFiles(
  part: string,
  { commit, places }: Touched,
  { reader }: Repository,
): ClaimJudgement | undefined {
  const tests = /\b(?:the|its|a) (?:\w+ )?(?:tests?|specs?)\b/i.test(part);
  if (reader.root === undefined || (places.length === 0 && !tests)) return undefined;
  const files = (gitText(reader.root, ["show", "--name-only", "--format=", commit.id]) ?? "")
    .split("\n")
    .filter(Boolean);
  if (files.length === 0) return undefined;
  const isOf = (file: string, { paths, text }: Referent): boolean =>
    paths!.includes(file) || file.endsWith(text);
  const has = (place: Referent): boolean => files.some((file) => isOf(file, place));
  const isMeant = (file: string): boolean =>
    places.some((place) => isOf(file, place)) || (tests && isTest(file));
  const isDenied = /\b(?:not|never|n't|no|nor)\b/i.test(part);
  const isOnly = /\b(?:only|alone|nothing (?:else|but)|solely|just)\b/i.test(part);
  if (isDenied && (isOnly || tests)) return undefined;
  const lacks = !places.every(has) || (tests && !files.some(isTest));
  const wrong = isDenied ? places.some(has) : lacks || (isOnly && !files.every(isMeant));
  return wrong
    ? counteredBy(`"${commit.subject.slice(0, 60)}" changed ${files.slice(0, 3).join(", ")}`)
    : held(`${commit.id.slice(0, 7)} changed ${files.slice(0, 3).join(", ")}`);
}
