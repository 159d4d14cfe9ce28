// Deeds by their verb, and the commands that can do them: tagged, uploaded, installed, restarted. Where no
// command on record can have done it, nobody did.
import type { ResultSetting } from "../gap-of.ts";
import { unsupported } from "../judgement.ts";
import { noRun } from "../runs/no-run.ts";
import { programsOf } from "../runs/programs-of.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf } from "../words/statements.ts";
import { isOwnDeed, type UnmadeRun } from "./unmade-runs.ts";

/** The verb with what it acts on, and words of a command that may do it. */
const rows: readonly [verb: string, command: RegExp][] = [
  [
    "tagged (?:it|this|the \\p{L}+|[§¤]|v?\\d)|(?:created|cut|added|pushed) (?:a |the |an )?(?:\\p{L}+ )?tag|" +
      "(?:the )?tag(?: [§¤]| v?\\d\\S*)? (?:is|was|has been) (?:now )?(?:set|created|pushed|there|in place)",
    /\btag\b|gh release|(?:npm|yarn|pnpm) version|cargo release|semantic-release|changeset|bump/i,
  ],
  ["uploaded", /upload|\bcp\b|put|push|sync|scp|publish|curl|deploy|send/i],
  [
    "(?:re)?installed (?!by|in)",
    /install|\badd\b|\bci?\b|\bi\b|sync|get|restore|update|upgrade|require/i,
  ],
  [
    "restarted|rebooted|reloaded",
    /restart|start|reload|reboot|\bup\b|\brun\b|serve|rollout|kill|service/i,
  ],
  ["backed up|dumped", /dump|backup|\bcp\b|export|snapshot|copy|tar/i],
  ["seeded", /seed|load|import|insert|psql|sql/i],
  ["cherry-picked", /cherry-pick/i],
  ["rebased", /rebase|pull/i],
  ["stashed", /stash/i],
  [
    "closed (?:the |that )?(?:issue|ticket|pr)|commented on (?:the )?(?:issue|pr|ticket)",
    /\bgh\b|glab|curl|api/i,
  ],
];

const table = rows.map(([verb, command]) => ({
  said: anyPhrase([
    `(?:i|we|i've|we've|i have|we have|and|then|also|^)(?: (?:then|also|just|already|successfully))* ?(?:${verb})`,
  ]),
  command,
}));

export function unmadeDeeds(report: string, { ledger, record }: ResultSetting): UnmadeRun[] {
  if (ledger.delegations > 0 || ledger.truncated || ledger.isContinued) return [];
  if (ledger.toolRuns.length > 0) return [];
  // Who changed and ran nothing describes what others did.
  const isIdle = record.recognitions.every(({ recognition }) => !recognition.executes);
  if (ledger.edits.length === 0 && isIdle) return [];
  if (record.recognitions.some(({ recognition }) => recognition.isOpaque)) return [];
  // `git tag -l` names the verb and does not do it.
  const done = ledger.commands
    .filter(({ exitCode }) => exitCode === 0 || exitCode === null)
    .flatMap(({ command, cwd }) => programsOf(command, cwd ?? ledger.root))
    .filter(
      ({ argv }) =>
        !noRun(argv) || (argv[0] === "git" && !argv.some((word) => lists.has(word ?? ""))),
    )
    .map(({ argv }) => argv.filter((word) => word !== null).join(" "));
  return statementsOf(report)
    .filter(({ kind }) => kind !== "fence")
    .flatMap((statement) =>
      statement.clauses.flatMap((clause) => {
        const isTag = statement.box === "ticked" && /^tag [§¤]/i.test(clause.words);
        const row = isTag ? table[0] : table.find(({ said }) => clause.words.search(said) >= 0);
        if (!row || done.some((command) => row.command.test(command))) return [];
        const at = Math.max(0, clause.words.search(row.said));
        // A word of a list, cut off from its sentence, tells of nobody's deed.
        if (clause.words.split(/\s+/).length < 2 || !isOwnDeed(statement, clause, at)) return [];
        return [
          { span: clause.span, judged: unsupported("no command on record can have done it") },
        ];
      }),
    );
}

const lists = new Set(["-l", "--list", "-n", "--dry-run", "list", "show"]);
