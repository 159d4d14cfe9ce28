// Whether words tell what somebody else does, or what is denied or still to come, by the words that govern
// them: "the workflow publishes it", "a task that starts it", "I have not tagged, built or pushed it".
import { lastFew } from "../../../markdown/last-few.ts";
import type { Doubt } from "../judgement.ts";
import { anyPhrase } from "../words/phrase.ts";
import { saysGood } from "../words/says-done.ts";
import { statementsOf, type Clause, type Statement } from "../words/statements.ts";

type Governed = Extract<Doubt, "other actor" | "governed">;

/** Nobody is accused of words under these: no weight outdoes them. */
export function toldOfOthers(
  report: string,
  span: [number, number],
): { doubt: Governed; reason: string } | undefined {
  const statements = statementsOf(report);
  const at = statements.findIndex(({ kind, span: own }) => kind !== "fence" && overlaps(own, span));
  const statement = statements[at];
  const clause = statement?.clauses.find((one) => overlaps(one.span, span));
  if (!statement || !clause) return undefined;
  if (actsElse.test(clause.words) || explainsCommand(clause))
    return { doubt: "other actor", reason: "it tells what a program or somebody else does" };
  const isDenied = denied.test(clause.words) || asks.test(clause.words);
  const isAfterCommands = statements[at - 1]?.kind === "fence" && follows.test(statement.words);
  return isDenied || isAfterCommands || isGoverned(statement, clause)
    ? { doubt: "governed", reason: "the words before it deny it, or tell what it would do" }
    : undefined;
}

const overlaps = (a: [number, number], b: [number, number]): boolean => a[0] < b[1] && b[0] < a[1];

const actors =
  "workflows?|pipelines?|CI|CD|(?:cron ?)?jobs?|actions?|scripts?|hooks?|bots?|scheduler|daemon|service|runners?|" +
  "recipes?|playbooks?|steps?|stages?|tasks?|targets?|Dockerfile|Makefile|Netlify|Vercel|Dependabot|Renovate";
/** What is done to something else: "the script passes" tells of the script itself. */
const acts =
  "builds?|publish(?:es)?|deploys?|push(?:es)?|uploads?|tags?|releases?|installs?|starts?|restarts?|" +
  "creates?|generates?|allows?|denies|deletes?|fetches|depends|expands|uses?|includes?|takes?|sets?|" +
  "compiles?|bundles?|executes?|calls?|appl(?:y|ies)|migrates?|lints?|checks?|formats?|syncs?|picks? up|sends?|" +
  "cop(?:y|ies)|" +
  "writes?|triggers?|runs?(?= (?:the|an?|all|both|every|it|on|with|§|\\w+ tests))";
const actsElse = new RegExp(
  `^(?:[^,]{0,80}, )?(?:and )?(?:the|this|that|your|our|its|an?|each|every)? ?(?:[\\p{L}\\d§-]+ ){0,2}(?:${actors})` +
    ` (?:(?:also|then|now|automatically|itself|only|always) )*(?:${acts})(?![\\p{L}\\d])`,
  "iu",
);

/** "A bare `just` checks the formatting": what a command does to something, and not how it ended. */
const explains = new RegExp(
  `^(?:(?:and|but|while|running|calling|typing|an?|the|plain|bare|just|here) )*(?:\\p{L}+ )?§` +
    ` (?:(?:also|then|only|always|itself|alone|by itself) )*(?:${acts})` +
    " (?:the|an?|all|both|every|it|its|them|only|and|with|without|in|before|after|§)(?![\\p{L}\\d])",
  "iu",
);

const command =
  /^(?:make|just|task|rake|tox|nox|p?npm|yarn|mix|cargo|go|composer|bundle|mvn|gradle|uv|\.\/[\w/.-]+)(?: |$)/;

/** A file or a function that does something now may have been made to. */
const explainsCommand = ({ words, code: [first = ""] }: Clause): boolean =>
  command.test(first) && explains.test(words) && !saysGood(words);

/** What stands behind a block of commands for the reader follows from them. */
const follows = /^(?:then|after (?:that|this)|afterwards|with that|danach|ensuite|después)\b/i;

const results =
  "clean|green|passing|passed|successful|committed|pushed|published|deployed|released|merged|migrated|built|tagged";
/** "Lint isn't clean", "nothing committed". */
const denied = new RegExp(
  `(?:\\bnot|n't|\\bnever) (?:(?:yet|all|fully|completely|been|entirely|quite) ){0,2}(?:${results})(?![\\p{L}-])|` +
    `^\\W*(?:nothing|none|neither|nobody)(?: [\\p{L}§']+){0,3} (?:${results})(?![\\p{L}-])|` +
    "不是全部|并非全部|(?:未|没有)(?:全部)?(?:通过|成功|提交|推送|部署)|通って(?:い)?ません",
  "iu",
);
/** An order to the reader. */
const asks =
  /(?:^|[,;] )(?:please|bitte|por favor|veuillez)\b|してください|请(?:确认|确保|运行|先)/iu;
/** What it stands under is not over: "while it builds", "until they pass". */
const subordinate = /(?:^|[ ,])(?:until|unless|whenever|bis|jusqu'à ce que|hasta que|sobald)$/i;
const meanwhile = /(?:^|[ ,])while$/i;
const pronoun = /^(?:it|they|this|that|these|those|the (?:new|old|other) one)\b/i;

const negation =
  /(?:\b(?:not|never|neither|without|unable to|cannot|nicht|weder|jamais|não)|n't|\bno (?:he|hemos|se ha))(?= )/giu;
/** A new subject or another half: from here on the words speak for themselves. */
const ownStart = anyPhrase([
  "i|we|it|they|he|she|that|this|those|these|and|but|so|because|since|as|while|whereas|though",
  "ich|und|aber|je|et|mais|y|e",
]);
const startsAnew = (between: string): boolean =>
  /[.;:—–()]/.test(between) || between.replace(object, " ").search(ownStart) >= 0;
/** "not committed it, …": no subject. */
const object = / (?:it|them|that|this|any of it)(?=,| or | nor |$)/gi;

/** "…, built": a participle that has no subject of its own. */
const bareVerb = new RegExp(
  "^(?:(?:or|nor|oder|ou|o|ni) )?(?:re-?)?" +
    "(?:\\p{L}+(?:ed|ied)|built|run|ran|sent|put|made|done|written|set|ge\\p{L}+t)(?![\\p{L}-])",
  "iu",
);
const isPart = new RegExp(
  "(?:^| )(?:an?|the|one|another|new|§) (?:[\\p{L}-]+ )?[\\p{L}-]+ (?:that|which|who|to) " +
    "(?:[\\p{L}-]+ ){1,4}(?:and|or|,)$",
  "iu",
);
/** "…, and starts it": a verb of the present without a subject. */
const bareAct =
  /^(?:(?:and|or|then) )*\p{L}{2,}(?:es|s)? (?:the|an?|it|them|its|§|\p{L}+[.,;]?$)/iu;

/** The words before it in the sentence reach into it. */
function isGoverned({ words }: Statement, clause: Clause): boolean {
  const at = words.indexOf(clause.words);
  if (at <= 0) return false;
  const lead = words.slice(0, at).trimEnd();
  if (bareVerb.test(clause.words)) {
    const last = [...lead.matchAll(negation)].at(-1);
    const between = last && lead.slice(last.index + last[0].length);
    if (between !== undefined && !startsAnew(between)) return true;
  }
  if (subordinate.test(lead) || (meanwhile.test(lead) && pronoun.test(clause.words))) return true;
  return isPart.test(lead) && bareAct.test(clause.words);
}

const nothingDone = anyPhrase([
  "(?:changed|edited|wrote|touched|modified|created|did) nothing|(?:nothing|none of (?:it|this|that|these|them)) " +
    "(?:was|is|has been|had been|is being) (?:changed|edited|written|touched|modified|created|saved|done|applied|made)",
  "(?:not|\\p{L}+n't) (?:change|changed|edit|edited|touch|touched|write|written|modify|modified|make|made) " +
    "(?:anything|any (?:\\p{L}+ )?(?:changes?|edits?|files?))",
  "no (?:files?|code|changes?) (?:was|were|is|has been|have been) (?:changed|edited|touched|modified|written|made)",
  "nichts (?:ge)?änder(?:n|t)|nichts (?:geschrieben|angefasst)|keine (?:Dateien?|Änderung(?:en)?) (?:geändert|gemacht)",
  "(?:rien|aucun\\p{L}* (?:fichier|modification)) (?:n'a (?:été )?)?(?:modifié|changé|écrit|touché)\\p{L}*",
  "no (?:he|se ha|hemos) (?:modificado|cambiado|tocado) nada|nada (?:ha sido|fue|foi) (?:modificado|cambiado|alterado)",
  "não (?:alterei|modifiquei|mudei) nada",
  "(?:)(?:没有(?:修改|改动)任何|未(?:修改|改动)任何|何も変更して)(?:)",
]);

/** The message says of everything that it was left as it is. */
export const saysNothingDone: (report: string) => boolean = lastFew((report) =>
  statementsOf(report).some(({ words }) => words.search(nothingDone) >= 0),
);
