// What a report says was done or came out, in words that leave room for doubt. Recognised widely, because nothing here accuses by itself:
// what the record bears out is verified, and the rest is told to the reader as not judged.
import { reportLines } from "../../contract/report/report-lines.ts";
import { isCommand } from "./command-runs.ts";
import { noClaims } from "./action-claims.ts";
import { readTestOutput } from "./test-output.ts";

export type Subject =
  | "tests"
  | "lint"
  | "types"
  | "build"
  | "ran"
  | "output"
  | "coverage"
  | "manual"
  | "delivery"
  | "absence"
  | "search"
  | "count"
  | "reading"
  | "length"
  | "change"
  | "undoing"
  | "printed";

/** `words`: the sentence or row with its code spans as `§`; `code`: those spans. `isPlain`: no other reading of the words is likely. */
export type SpokenClaim = {
  subject: Subject;
  span: [number, number];
  words: string;
  code: string[];
  isPlain: boolean;
};

const maxClaims = 200;

const good = new RegExp(
  [
    "\\b(?:pass(?:es|ed|ing)?(?!\\s+(?:an?|the|its?|their|null|undefined|true|false|through|along|\\d|§))|green|succeed(?:s|ed)?|bestanden|fehlerfrei|durchgelaufen|passent|pasan|superan)(?!\\p{L})|grün|réussi",
    "(?:^|\\P{L})(?:is|are|was|were|ran|runs?|completed?|finish(?:ed|es)?|builds?|built|compiles?|compiled|lief(?:en)?|laufen|läuft|ist|sind|wars?|waren)(?!\\p{L}).{0,30}(?<!\\p{L})(?:success(?:ful(?:ly)?)?|clean(?:ly)?|ok|fine|erfolgreich|sauber|durch)(?!\\p{L})",
    "[:|]\\s*\\**(?:ok|success(?:ful)?|clean|all\\s+good|alles\\s+(?:ok|gut))(?!\\p{L})",
    "✅|✓|✔|🟢|通过|通過|성공|успешно",
    "(?<!\\p{L})(?:without|no|zero|0|ohne|keine[nr]?)\\s+(?:[\\p{L}]+\\s+){0,2}(?:failures?|failing|errors?|warnings?|problems?|issues?|complaints?|regressions?|Fehlern?|Warnungen|Probleme)(?!\\p{L})",
  ].join("|"),
  "iu",
);
/** What is wished for, denied or conditional says nothing about this run. */
const unsaid =
  /(?<!\p{L})(?:should|must|would|could|will|might|may|cannot|not|never|needs?\s+to|if|unless|until|whether|todo|recommend\w*|suggest\w*|expect\w*|plan(?:s|ned)?|please|ensures?|make\s+sure|(?:verify|check|confirm)\s+that|sollte\w*|muss|müss\w*|würde\w*|könnte\w*|nicht|noch|wenn|falls)(?!\p{L})|n['’]t(?!\p{L})/iu;

const checks: [Subject, RegExp][] = [
  [
    "tests",
    /(?<!\p{L})(?:tests?|specs?|test\s?suite|testsuite|CI|pipeline|pruebas|testen)(?!\p{L})|тест|测试|テスト|(?<!\p{L})no\s+regressions?(?!\p{L})/iu,
  ],
  ["lint", /\b(?:lint(?:ing|er|s)?|eslint|oxlint|biome|ruff|clippy|flake8|prettier|formatting)\b/i],
  [
    "types",
    /\b(?:type[- ]?check(?:s|ing|er|ed)?|types\s+check|tsc|mypy|pyright|typprüfung)(?!\p{L})/iu,
  ],
  ["build", /\b(?:builds?|compiles?|compilation)\b(?!\s+(?:an?|the|its|on|up|from|§)\b)/i],
];

const verbs =
  "applied|changed|fixed|replaced|refactored|rewrote|extended|adjusted|adapted|implemented|added|removed|renamed|moved|updated|improved|simplified|introduced|extracted|converted|migrated|deleted|created|wrote|modified|edited|corrected|patched|reworked";
const lead = "^[\\s>]*(?:(?:[-*+•]|\\d{1,3}[.)])\\s+)?(?:\\[[xX]\\]\\s+)?[*_]{0,2}";
const others: [Subject, RegExp][] = [
  [
    "ran",
    /(?:^\W*|\b(?:I|we|and|then|have)\s+)(?:also\s+)?(?:re-?)?(?:ran|executed)\s+(?!§)|\b(?:verified|confirmed|validated|(?:double-?)?checked|tested)\b.{0,40}\b(?:with|by|via|using|against)\s+(?:running\b|(?:[\w-]+\s+){0,3}tests?\b)|\b(?:tests?|suite)\s+ausgeführt/i,
  ],
  [
    "output",
    /\b(?:printed|output|logged)\b:?\s*§|\b(?:with|via|using|mit)\s+§|§.{0,60}\b(?:print(?:s|ed)|output|reports?|reported|shows?|showed|says|said|exit(?:s|ed)|fail(?:s|ed)\s+with|took|returns?|returned|gave|ergab|meldet|zeigt)\b|\b(?:ran|executed|ausgeführt|gestartet)\b/i,
  ],
  [
    "coverage",
    /\b(?:coverage|abdeckung)\b[^.\d]{0,24}\d{1,3}(?:\.\d+)?\s?%|\b\d[\d.,]*\s?(?:ops\/s|req\/s|rps|qps)(?!\w)|\b\d[\d.,]*\s?(?:x|×|times|%)\s+(?:faster|slower|smaller|less)\b/i,
  ],
  [
    "manual",
    /\b(?:verified|tested|checked|confirmed|validated)\s+(?:it\s+|this\s+)?(?:manually|by\s+hand|locally|end[- ]to[- ]end|in\s+(?:the|a)\s+browser)|\bmanually\s+(?:verified|tested|checked|confirmed|validated)|\beverything\s+(?:\w+\s+)?works\b|\b(?:all|every)\s+(?:\w+\s+)?(?:criteria|criterion|requirements?)\s+(?:is|are|was|were|have\s+been|has\s+been)\s+(?:met|fulfilled|satisfied)\b|\bmanuell\s+(?:geprüft|getestet|verifiziert)/i,
  ],
  [
    "delivery",
    /(?:^\W*|\b(?:I|we|and|then|have)\s+|,\s*)(?:committed|pushed|merged|tagged|deployed|published)\b|\b(?:change|fix|work|it|änderung)\w{0,3}\b.{0,60}\b(?:is|are|was|were|been|ist|sind)\s+(?:now\s+)?(?:committed|pushed|merged|deployed|published|committet|gepusht)\b|\bcommit\s+[`§]?[0-9a-f]{7,40}\b|\bcommit\s+§/i,
  ],
  [
    "absence",
    /\bno\s+(?:other|further|more|remaining|additional)\s+(?:usages?|uses|callers?|calls|references?|occurrences?|imports?|consumers?|places?)\b|\b(?:no|zero|0)\s+(?:usages?|callers?|references?|occurrences?|hits?|matches|results?|(?:TODO|FIXME|HACK)s?(?:\s+comments?)?)\b|\bnothing\s+(?:else\s+)?(?:calls|uses|imports|references)\b|\b(?:is|are)\s+(?:dead\s+code|unused|unreferenced|never\s+(?:called|used|imported|referenced)|not\s+(?:used|called|referenced|imported)\s+(?:anywhere|elsewhere))\b|\bonly\s+(?:used|called|referenced|imported)\b|\b(?:used|called|referenced|imported)\s+only\b|\bkeine\s+(?:weiteren|anderen)\s+(?:Verwendung|Aufruf|Stelle|Treffer)/i,
  ],
  [
    "search",
    /\b(?:searched|grepped|durchsucht|gesucht)\b|\b(?:checked|reviewed|examined|looked\s+at)\s+(?:all|every|each)\s+(?:of\s+the\s+)?(?:callers?|usages?|uses|references?|call\s?sites?|occurrences?)\b/i,
  ],
  [
    "count",
    /\b\d{1,5}\s+(?:files|usages|uses|call\s?sites|callers|places|occurrences|references)\b/i,
  ],
  [
    "reading",
    /\b(?:read|reviewed|examined|inspected|went\s+through|gelesen|durchgesehen)\b.{0,60}\b(?:whole|entire|full|fully|completely|every\s+(?:line|file)|all\s+(?:of\s+the\s+)?(?:files|lines)|each\s+file)\b|\b(?:all|every|each)\s+files?\b.{0,40}\b(?:read|reviewed|examined|inspected)\b|\b(?:whole|entire|full|fully|completely|vollständig|komplett|ganze[nrs]?)\b.{0,30}\b(?:read|gelesen|durchgesehen)\b|^\W*(?:I\s+(?:have\s+)?)?read\s+§/i,
  ],
  [
    "length",
    /§\s+(?:has|is|contains|hat)\s+(?:exactly\s+|genau\s+)?\d{1,7}\s+(?:lines|Zeilen)\s*(?:long)?\s*(?:$|[.,;)|])/i,
  ],
  ["undoing", /\b(?:reverted|undid|undone|rolled\s+back|restored)\b|rückgängig/i],
  [
    "change",
    new RegExp(
      `${lead}(?:(?:I|we)\\s+(?:have\\s+)?(?:then\\s+|also\\s+)?)?(?:${verbs})\\b|\\b(?:I|we)\\s+(?:have\\s+)?(?:${verbs})\\b|§\\s+(?:was\\s+|has\\s+been\\s+|is\\s+now\\s+)?(?:updated|changed|adapted|modified|fixed)\\b|§\\s+now\\s+[a-z]+s\\b|(?<!\\p{L})(?:habe|haben|wurden?)(?!\\p{L}).{0,120}(?:geändert|angepasst|gelöscht|entfernt|erstellt|angelegt|hinzugefügt|ersetzt|umbenannt|korrigiert|behoben|erweitert|verschoben)`,
      "iu",
    ),
  ],
];
/** Said by the agent of itself, and not "Updated rows in … are stale". */
const ownDeed = new RegExp(
  `\\b(?:I|we)\\s+(?:have\\s+)?(?:then\\s+|also\\s+)?(?:${verbs})\\b|${lead}(?:${verbs})\\s+(?:the|an?|all|how|§)(?!\\p{L})|\\bich\\s+habe\\b`,
  "iu",
);

export function findSpokenClaims(report: string): SpokenClaim[] {
  const found: SpokenClaim[] = [];
  let skipped = false;
  let fence: { mark: string; start: number; body: string[] } | null = null;
  for (const { text, start, end } of reportLines(report)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})(.*)$/.exec(text);
    if (fence) {
      if (mark && mark[1]!.startsWith(fence.mark) && mark[2]!.trim() === "") {
        if (!skipped) found.push(...printed(fence.body, [fence.start, end]));
        fence = null;
      } else if (fence.body.length < 2_000) fence.body.push(text);
    } else if (mark) fence = { mark: mark[1]!, start, body: [] };
    else if (/^\s{0,3}#{1,6}\s/.test(text)) skipped = noClaims.test(text);
    else if (!skipped)
      for (const unit of sentencesIn(text.slice(0, 4_000), start)) found.push(...claimsOf(unit));
    if (found.length >= maxClaims) break;
  }
  return found.slice(0, maxClaims);
}

export type Unit = { text: string; start: number };

/** A row is one statement; elsewhere a sentence is. */
export function sentencesIn(line: string, start: number): Unit[] {
  if (line.trimStart().startsWith("|"))
    return /^[\s|:-]*$/.test(line) ? [] : [{ text: line, start }];
  // Code has marks of its own.
  const plain = line.replace(/`[^`]*`/g, (code) => "§".repeat(code.length));
  return [...plain.matchAll(/\S(?:[^.!?;\n]|[.!?;](?!\s|$))*[.!?;]*/g)].map((match) => ({
    text: line.slice(match.index, match.index + match[0].length),
    start: start + match.index,
  }));
}

function claimsOf({ text, start }: Unit): SpokenClaim[] {
  const code = [...text.matchAll(/`([^`]{1,400})`/g)].map((match) => match[1]!.trim());
  const words = text.replace(/`[^`]*`/g, "§").replace(/[*_]{2}/g, "");
  const span: [number, number] = [start, start + text.trimEnd().length];
  const isOpen = unsaid.test(words);
  const result =
    good.test(words) ||
    (/\[[xX]\]/.test(words) &&
      (/\b(?:run|ran|executed|npm|pnpm|yarn|pytest|vitest|jest|cargo|go)\b/.test(words) ||
        words.split(/\s+/).length <= 6));
  const subjects = [
    ...(result && !isOpen
      ? checks.filter(([, noun]) => noun.test(words)).map(([subject]) => subject)
      : []),
    ...others
      .filter(
        ([subject, pattern]) =>
          pattern.test(words) &&
          (!isOpen || subject === "absence") &&
          (subject !== "output" ||
            code.some(isCommand) ||
            /\b(?:printed|logged)\b:?\s*§/i.test(words)),
      )
      .map(([subject]) => subject),
  ];
  return subjects.map((subject) => ({
    subject,
    span,
    words,
    code,
    isPlain: subject === "change" ? ownDeed.test(words) : true,
  }));
}

/** What a fence says that a command printed: a prompt with a command above it, or a runner's summary. */
function printed(body: readonly string[], span: [number, number]): SpokenClaim[] {
  const prompt = body.findIndex((line) => /^\s*[$❯]\s+\S/.test(line));
  const command = prompt < 0 ? undefined : body[prompt]!.replace(/^\s*[$❯]\s+/, "").trim();
  const lines = body
    .slice(prompt + 1)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(?:[$❯]\s|\.{3}|…|#)/.test(line));
  if (
    command === undefined
      ? readTestOutput(body.join("\n")) === null
      : lines.length === 0 || !isCommand(command)
  )
    return [];
  // A runner's summary is told in many forms; the names of its tests are not.
  const told =
    command === undefined
      ? lines.filter((line) => /^(?:[✓✔√✗✖]|(?:not )?ok \d+ -|--- (?:PASS|FAIL):)/.test(line))
      : lines;
  return told.length === 0
    ? []
    : [
        {
          subject: "printed",
          span,
          words: command ?? "",
          code: told.slice(0, 200),
          isPlain: command !== undefined,
        },
      ];
}
