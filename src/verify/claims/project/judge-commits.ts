// What a sentence says of the commits that it names: their messages, their order, the files that they changed, and
// how many there are of a file.
import type { Repository } from "../../../source/repository.ts";
import { counteredBy, held } from "../tree/countered.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { gitText, type Commit } from "./history-of.ts";
import { deniesTests, judgeFiles } from "./commits/judge-files.ts";
import { judgePatches } from "./commits/judge-patches.ts";
import { commitAbout, type ToldCommits } from "./read-commits.ts";

const countOf = (text: string, mark: string): number => text.split(mark).length - 1;

export function judgeCommits(
  told: ToldCommits,
  history: readonly Commit[],
  repo: Repository,
): ClaimJudgement | undefined {
  const all = [
    judgeSame(told),
    judgeOrder(told, history),
    judgeTopics(told, history),
    judgePatches(told, repo),
    judgeFileCount(told, repo),
    ...judgeTouched(told, repo),
  ];
  return all.find((one) => one?.verdict === "countered") ?? all.find((one) => one !== undefined);
}

const shown = ({ id, subject }: Commit): string => `${id.slice(0, 7)} "${subject.slice(0, 60)}"`;
const taken = /\b(?:should|would|could|might|must|if|unless|whether)\b/i;

/** "The latest commit is “x”", "HEAD (“x”)". */
function judgeSame({ words, commits }: ToldCommits): ClaimJudgement | undefined {
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
  { words, commits }: ToldCommits,
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

/** "Searching was added before the escaping": two commits by what they are about. */
function judgeTopics(
  { words, commits }: ToldCommits,
  history: readonly Commit[],
): ClaimJudgement | undefined {
  const match = new RegExp(
    `([^,;:.]{4,80}) (?:(?:was|were|is|had been|got) )?(?:${arrived})(?: in)? (?:right |just |only )?` +
      "(before|after|later than|earlier than) ([^,;.]{4,60})",
    "i",
  ).exec(words);
  if (!match || commits.length > 1 || taken.test(words) || /¢/.test(match[0])) return undefined;
  const [a, b] = [commitAbout(match[1]!, history), commitAbout(match[3]!, history)];
  if (!a || !b || a === b) return undefined;
  const isOlder = history.indexOf(a) > history.indexOf(b);
  return isOlder === /before|earlier/i.test(match[2]!)
    ? held("git has them in this order")
    : counteredBy(`"${match[0].slice(0, 80)}", but git has ${shown(isOlder ? a : b)} first`);
}

export const arrived = "added|came|introduced|arrived|landed|written|merged|made|committed|done";

const touches = "(?:touch|chang|modif|edit|updat|bump|appear|list|know|histor|log)\\w*";

/** "`a` was changed by 3 commits": with and without merges and earlier names of the file. */
function judgeFileCount(
  { words, commits, referents }: ToldCommits,
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
  "(?:touch|chang|modif|edit|updat|add|introduc|remov|delet|brought|bring|bump|wrote|creat|arriv|came|adapt|" +
  "files? of)\\w*";
const cuts = new RegExp(
  "[;()]|, (?=(?:the|that) [^,;¢]{0,60}¢)| but (?=(?:did|does|left|leaves|not)\\b)|" +
    ", (?:and|while|whereas|but) (?=(?:the|that|its|¢)(?! (?:tests?|specs?)))|" +
    "(?<=[^,]) (?:while|whereas) ",
);

/** "but did not touch the tests": the commit that was named last. */
const isEllipsis = /^(?:it |which )?(?:did|does|left|leaves|not)\b/i;
/** "Apart from ¢", "since ¢": of the other commits. */
const isBeside =
  /\b(?:apart from|except(?: for| in)?|besides|other than|since|after|before|until) ¢|\bsince(?=[.,;]|$)/i;

/** Each part of the sentence that speaks of one commit and of files. */
function judgeTouched(
  { words, commits, referents }: ToldCommits,
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
  let last: Commit | undefined;
  // A commit in brackets is the one that stands before them.
  return once
    .replace(/\((¢+)\)/g, "$1")
    .split(cuts)
    .map((part) => {
      const own = commits.slice(commitAt, (commitAt += countOf(part, "¢")));
      const places = referents
        .slice(placeAt, (placeAt += (part.match(/[§¶]/g) ?? []).length))
        .filter(({ paths }) => paths !== null);
      const commit = own[0] ?? (isEllipsis.test(part) ? last : undefined);
      last = commit;
      const isTold =
        (new RegExp(`\\b${touchVerb}`, "i").test(part) || deniesTests.test(part)) &&
        !taken.test(part) &&
        !isBeside.test(part);
      // "bumped the version in `a`" speaks of what stands in it.
      const isInside = /\bin ¶/.test(part.slice(part.indexOf("¢")));
      if (!commit || own.some((one) => one !== commit) || !isTold) return undefined;
      return judgeFiles(part, { commit, places, isInside }, repo);
    });
}
