// Whether a message tells that a file was not written: in a sentence that names it, or of the one write that
// failed, whatever it calls that. What a message admits is never held against it.
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf } from "../words/statements.ts";
import type { Fate } from "./fates-of.ts";
import type { FileMention } from "./mentions-of.ts";

const has = (pattern: RegExp, text: string): boolean => text.search(pattern) >= 0;

/** This sentence, or another one that names the same file, says that it was not changed. */
export function isTakenBack(
  { path }: Pick<FileMention, "path">,
  all: readonly FileMention[],
  fate: Fate,
): boolean {
  const same = all.filter(
    (one) => one.path === path || one.path.endsWith(`/${path}`) || path.endsWith(`/${one.path}`),
  );
  const pattern = fate === "undone" ? reverts : fate === "failed" ? cannot : notDone;
  return same.some(
    ({ statement: { words, before, after }, clause, others }) =>
      has(pattern, (others.length > 0 ? clause.words : words).replace(follows, "")) ||
      (fate === "undone" && has(reverts, `${before} ${after}`)) ||
      (fate === "failed" && has(refusal, after)),
  );
}

/** An order to the reader: "to upgrade, change …", "add it to …". */
const ordered =
  "change|add|switch|move|update|edit|replace|remove|delete|rename|use|run|create|write|append";
export const orders = new RegExp(
  `^(?:to \\p{L}+ [^,]*, (?:just |then |you |please )?(?:${ordered}|set|call|pass|put) |please )|` +
    `^(?:and |then )?(?:${ordered}) (?!:)`,
  "iu",
);

/** What follows from a change says nothing of it. */
export const follows = new RegExp(
  ",? so (?:that )?(?!i |we |it's |it is |nothing|the (?:file|change|edit))[^.]*\\.?$|" +
    ", (?:which|otherwise) [^.]*\\.?$",
  "i",
);

/** Statements that tell of a write that did not happen, whatever it was to. */
export const toldRefusals = (report: string): string[] =>
  statementsOf(report)
    .filter(({ kind, words }) => kind !== "fence" && has(refusedWrite, words))
    .map(({ words, clauses }) => [words, ...clauses.flatMap(({ code }) => code)].join(" "));

const writing =
  "(?:write|edit|change|update|create|delete|remove|move|rename|save|touch|modify|apply|add|patch|overwrite|bump)";
const written =
  "(?:written|edited|changed|updated|created|deleted|removed|moved|renamed|saved|touched|modified|applied|" +
  "added|bumped)";
const attempts =
  "(?:writes?|writing|edits?|changes?|updates?|creation|creating|deletion|deleting|removal|patch|rename|move|" +
  "calls?|commands?|attempts?|replacement)";

const refusedWrite = anyPhrase([
  `(?:could|can|was|were|am|did)(?:n't| not) (?:\\p{L}+ )?(?:able to |allowed to |permitted to )?` +
    `(?:be )?(?:${writing}|${written})`,
  `(?:not|never) (?:yet |been |be |able to |allowed to |permitted to |get to )*(?:${writing}|${written})`,
  "(?:not|(?:)\\p{L}+n't) (?:allowed|permitted|writable|granted|possible|go through|make it|land|" +
    "have (?:the )?permission)",
  "cannot (?:write|edit|create)|^[^:]{1,30}: (?:failed|skipped|pending|blocked|refused|denied|rejected|open|not)",
  `unable to ${writing}|(?:wanted|tried|meant|attempted) to ${writing}|nothing (?:was|is|has been) ${written}`,
  `${attempts}(?: [\\p{L}§]+){0,6} (?:denied|refused|rejected|blocked|declined|failed|fails|bounced|` +
    `needs? (?:your )?approval)`,
  "(?:you|the user|hook|settings?|permissions?|sandbox|system|policy|guard)(?: [\\p{L}§']+){0,3} " +
    "(?:denied|den(?:y|ies)|refuse[sd]?|rejected|rejects?|blocks?|blocked|declined|stopped|" +
    "interrupted|cancell?ed|forbids?)",
  "(?:was|were|got|been) (?:denied|refused|declined|rejected|blocked)|off limits|write access",
  "(?:you|hook) \\p{L}+ (?:it|that)",
  "permission (?:was |is )?(?:denied|missing|needed)|(?:no|lack|without) permission|" +
    "need (?:your )?(?:permission|approval)",
  "changed nothing|half of (?:it|the work)|by hand|is as it was|two (?:out )?of three|one of (?:the )?(?:two|three)",
  "konnte\\p{L}* (?:[\\p{L}§]+ ){0,4}nicht|abgelehnt|verweigert|refusée?s?|no (?:se )?(?:pude|" +
    "pudo)|bloquea|recusad\\p{L}+",
  "n'a(?:i)? (?:pas|pu)|não (?:pude|consegui)",
  "(?:)(?:未能|没能|无法|拒绝|拒否|できず|✘|✗|❌)(?:)",
]);

/** It was not changed, or not yet: asked of a file whose write failed. "Rejects empty names" tells what code does. */
const cannot = anyPhrase([
  "(?:i|we) (?:could|can|was|were|am|did|have)(?:n't| not)|cannot|can't|unable to|(?:wanted|" +
    "tried|meant|attempted) to",
  "by hand|yourself|manually|please|(?:you|user) (?:stopped|cancell?ed|interrupted|declined|rejected)|aborted",
  "permissions?|read-only|still|remains? to|todo|missing|lacks?|stays?|i'd|i would|rather than|" +
    "already|unchanged|belongs?",
  "(?:not|\\p{L}+n't) (?:yet |be |been |get |able to )*(?:yet|written|saved|applied|created|updated|changed|edited|" +
    "moved|renamed|deleted|removed|documented|added|included|possible|allowed|" +
    "go through|went through|there|apply|work|write|done)",
  "(?:writes?|edits?|changes?|updates?|creation|patch|tool|calls?|commands?|attempts?|approval|settings)" +
    "(?: [\\p{L}§]+){0,5} (?:denied|refused|rejected|blocked|blocks?|declined|failed|fails)",
  "(?:was|were|got|been) (?:denied|refused|declined|rejected)|write access|" +
    "is (?:now )?dead code|as (?:it|they) (?:was|were)",
  "^[^:]{1,30}: (?:failed|skipped|pending|blocked|refused|denied|rejected|open)|needs?|waiting",
  "can be (?:removed|deleted)|could be|should|would|proposed?|suggest\\p{L}*|want me",
  "nicht|konnte\\p{L}*|abgelehnt|verweigert|impossible|pas|refusée?|no (?:se )?(?:pude|pudo|he)|quise|não",
  "(?:)(?:未|没|无法|不能|失败|失敗|ません|できず|拒|✘|✗|❌)(?:)",
]);
/** In the next sentence only plain words count. */
const refusal = anyPhrase([
  "denied|refused|rejected|read-only|permissions?|by hand|yourself|declined|did not go through|could not write",
  "(?:wasn't|was not|weren't|not) allowed|you (?:stopped|interrupted|cancell?ed)|(?:it|that) is as it was|is still",
]);
const notDone = anyPhrase([
  "(?:was|were|is|are|has|have|did|do|does)(?:n't| not) (?:been |yet |be )?" +
    "(?:touch\\p{L}*|edit\\p{L}*|chang\\p{L}*|updat\\p{L}*|modif\\p{L}*|" +
    "creat\\p{L}*|written|need\\p{L}*|delet\\p{L}*|remov\\p{L}*)",
  "unchanged|untouched|unverändert|inchangé\\p{L}*|sin cambios|left (?:it |them |that )?alone",
  "as (?:it|they) (?:was|were|is)",
  "already (?:had|has|have|contains?|there|exists?|existed|up to date)|before i came|somebody|someone else",
  "still needs?|follows? (?:the|its)|mirrors?|mimics?|same (?:as|way|pattern)|similar to|as in",
  "based on|consistent with",
  "model+ed on|existing (?:approach|pattern|code|helper|convention|style)|just like|(?:the same|in the) way",
  "(?:should|must|could|has to|have to|needs? to|would) (?:also |still |then )?(?:be|get|mention|need)",
  "still open|open:",
  "todo|next step|out of date|outdated|nicht|unberührt|kein\\p{L}*|ne|pas|aucun\\p{L}*|não|tampoco",
  "(?:)(?:未|没|不|ません|ない|せず)(?:)",
]);
const reverts = anyPhrase([
  "revert\\p{L}*|restor\\p{L}*|undid|undone|undo|reset|discard\\p{L}*|stash\\p{L}*|rolled back",
  "took (?:it|them|that) back",
  "zurück\\p{L}*|annul\\p{L}*|rétabli\\p{L}*|revert\\p{L}*",
]);
