// Texts that a message shows in quotation marks or as code, and that stand neither in the tree nor on record: what is
// most like them there, and how they are said. Which of them are held against a message, their score decides.
import type { Ledger } from "../../evidence/ledger.ts";
import type { Repository } from "../../../source/repository.ts";
import type { SourceFile } from "../../../source/source-file.ts";
import { historyOf } from "../project/history-of.ts";
import { isAside } from "../words/is-asserted.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import { editedFrom, mayBecome, plain, wholesOf } from "./edited-from.ts";
import { program, quotedLine, type ShownText } from "./quoted-lines.ts";

export type TextMarks = Record<string, number>;
export type StrangeText = {
  span: [number, number];
  text: string;
  near: NearLine | undefined;
  /** The line that it was made of, where it is said to be one. */
  line: NearLine | undefined;
  marks: TextMarks;
};

/** `share`: of its words; `alike`: of the words of both, the line's or those of a text in it. */
type NearLine = { path: string; line: number; share: number; alike: number };
/** `lead`: the words of the statement before it; `behind`: those after it. `block`: code that names no language. */
type Shown = ShownText & { kind: "quote" | "code" | "fence" | "block" };

const most = 60;

export function strangeTexts(
  report: string,
  repo: Repository,
  ledger: Ledger | undefined,
): StrangeText[] {
  if (!/["“„«`]|\n(?: {4}|\t)/.test(report)) return [];
  const found: StrangeText[] = [];
  let asked = 0;
  for (const statement of statementsOf(report)) {
    if (isAside(statement)) continue;
    for (const shown of shownIn(report, statement)) {
      if (!isTelling(shown) || elsewhere.test(shown.lead) || ++asked > most) continue;
      const own = wordsOf(shown.text);
      const texts = textsWith(own, repo);
      if (texts.some((file) => standsIn(file, shown))) continue;
      if (isRecorded(shown.text, ledger) || isCommitted(shown.text, repo)) continue;
      const lines = nearLines(own, repo);
      const isThere = ({ text }: { text: string }): boolean =>
        (!isCoded(shown) && holds(plain(text), shown.text)) || mayBecome(text, shown.text);
      if (lines.some(isThere)) continue;
      const edited = mayBeEdited(shown) ? editedFrom(shown.text, lines) : undefined;
      const near = edited ?? lines.toSorted((a, b) => b.alike - a.alike)[0];
      const marks = marksOf(shown, { statement, near, repo, own });
      const line =
        shown.kind === "quote"
          ? undefined
          : quotedLine(shown, lines, { report, repo, before: statement.before });
      found.push({ span: statement.span, text: shown.text, near, line, marks });
    }
  }
  return found;
}

const quoted = /["“„«]([^"”»“\n]{2,300})["”»]|(?<!`)`([^`\n]{2,300})`(?!`)/g;

/** So many letters are read on both sides of a quotation. */
const besideQuotation = 2_000;

/** A quotation may hold the end of its sentence and go on behind it. */
function shownIn(report: string, statement: Statement): Shown[] {
  const { kind, parts, before } = statement;
  const [from, to] = statement.span;
  const near = report.slice(from, Math.max(from, to - 1) + besideQuotation);
  const end = near.indexOf("\n", Math.max(0, to - 1 - from));
  const line = end < 0 ? near : near.slice(0, end);
  if (kind === "fence" || isIndented(report, statement)) {
    const own = kind === "fence" ? parts : [line];
    const isKnown = kind === "fence" && isCode.test(report.slice(from, from + 20));
    const shown = {
      lead: before,
      behind: "",
      kind: isKnown ? "fence" : "block",
    } as const;
    // A longer one is laid out anew.
    return own.length > 3 ? [] : own.map((text) => ({ ...shown, text: text.trim() }));
  }
  return (
    [...line.matchAll(quoted)]
      // Between two pieces of code stand words, not code.
      .filter(({ index, 2: code = "x" }) => index < to - from && code.trim() === code)
      .map(({ index, 0: whole, 1: quote, 2: code }) => {
        const behind = index + whole.length;
        return {
          text: (quote ?? code!).trim(),
          lead: unmarked(line.slice(Math.max(0, index - besideQuotation), index)),
          behind: unmarked(line.slice(behind, behind + besideQuotation)).slice(0, 120),
          kind: quote === undefined ? "code" : "quote",
        };
      })
  );
}

/** Such a line is code, whatever its words say. */
const isIndented = (report: string, { span: [from] }: Statement): boolean =>
  /(?:^|\n)\s*\n(?: {4}|\t)\s*$/.test(report.slice(Math.max(0, from - 40), from));

const isCode = new RegExp(
  "^\\s*(?:`{3,}|~{3,})(?:ts|tsx|js|jsx|py|python|go|rust|rs|ruby|rb|java|php|cs|csharp|c|" +
    "cpp|sql|toml|ya?ml|json|kotlin|typescript|javascript|dockerfile|html|css|swift|xml|" +
    "ini)\\b",
  "i",
);

const unmarked = (text: string): string =>
  text
    .replace(/`[^`]*`/g, "§")
    .replace(/["“„«][^"”»“\n]*["”»]/g, "¤")
    .replace(/[*_]{2}/g, "");

/** As they are written: files are searched for them. */
const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Parts that dots leave out may stand apart. */
const holds = (own: string, text: string): boolean =>
  text
    .split(/…|\.{3}(?![\w([])|\[…\]|<[\w -]+>/)
    .every((part) => plain(part).trim() === "" || own.includes(plain(part)));

/** Of code the marks count as well. */
const isCoded = ({ text, kind }: Shown): boolean => kind !== "quote" && /[()[\]{}=<>]/.test(text);

/** The lines are joined: a quotation may be laid out otherwise. */
const standsIn = ({ text }: SourceFile, shown: Shown): boolean =>
  holds(plain(text), shown.text) &&
  (!isCoded(shown) || bare(text).includes(bare(shown.text.replace(/[\s;,{]+$/, ""))));
const bare = (text: string): string => text.replace(/[\s"'`]+/g, "");

/** It is told as it stands there: no wish, no example, no past. */
const mayBeEdited = ({ text, lead, behind, kind }: Shown): boolean =>
  (kind === "code" || kind === "quote") &&
  !wishes.test(`${lead} ${behind.split(/[.;]/)[0]!}`) &&
  !past.test(lead) &&
  !others.test(lead) &&
  !denies.test(lead) &&
  !/<\w+>|…/.test(text);

/** More than a name, a path, a number or a command. */
function isTelling({ text, kind }: Shown): boolean {
  const words = wordsOf(text);
  if (words.length < 2 || text.length < 6) return false;
  if (kind !== "block" && program.test(text)) return false;
  if (
    /^(?:https?:|[-@#.~/*]|\w+:\/\/|(?:GET|PUT|POST|PATCH|DELETE) )/.test(text) ||
    /^[\w@./\\:#-]+$/.test(text)
  )
    return false;
  if (/^[\w$.:#>-]+\([\w$, ]*\)$/.test(text) || /…|\.{3}(?![\w([])/.test(text)) return false;
  if (kind === "quote") return words.length >= 2;
  return words.length >= 3 || /["'(=[<]/.test(text);
}

/** Files that have all of the longer words. */
function textsWith(words: readonly string[], repo: Repository): SourceFile[] {
  const long = words.filter((word) => word.length > 2);
  return repo.pathsWithAll(long.length > 0 ? long : words).flatMap((path) => {
    const state = repo.open(path);
    return state.ok ? [state.file] : [];
  });
}

function isRecorded(text: string, ledger: Ledger | undefined): boolean {
  if (!ledger) return false;
  const own = plain(text);
  const has = (given: string | undefined): boolean =>
    given !== undefined && plain(given).includes(own);
  return (
    ledger.commands.some(({ command, output }) => has(command) || has(output)) ||
    ledger.toolRuns.some(({ output }) => has(output)) ||
    ledger.edits.some(({ change }) => has(change?.from) || has(change?.to)) ||
    ledger.wasTold(has)
  );
}

const isCommitted = (text: string, repo: Repository): boolean =>
  historyOf(repo).some(({ subject, body }) => plain(`${subject} ${body}`).includes(plain(text)));

const rarest = 4;

/** The lines that share most words with it. */
function nearLines(words: readonly string[], repo: Repository): (NearLine & { text: string })[] {
  const own = new Set(words);
  const asked = [...own]
    .filter((word) => word.length > 2)
    .map((word) => ({ word, files: repo.filesWith(word, 24) }))
    .filter(({ files }) => files.length > 0)
    .toSorted((a, b) => a.files.length - b.files.length || b.word.length - a.word.length)
    .slice(0, rarest);
  const seen = new Set<string>();
  const found: (NearLine & { text: string })[] = [];
  for (const { word, files } of asked)
    for (const file of files)
      for (const line of file.linesWith(word).slice(0, 40)) {
        if (seen.has(`${file.path}:${line}`)) continue;
        seen.add(`${file.path}:${line}`);
        const text = file.line(line).slice(0, 400);
        const alike = Math.max(...wholesOf(text).map((whole) => alikeness(own, whole)));
        const share = shareIn(own, new Set(wordsOf(text)));
        found.push({ path: file.path, line, share, alike, text });
      }
  return found;
}

const shareIn = (own: ReadonlySet<string>, there: ReadonlySet<string>): number =>
  [...own].filter((one) => there.has(one)).length / own.size;
const alikeness = (own: ReadonlySet<string>, text: string): number => {
  const there = new Set(wordsOf(text));
  return (2 * shareIn(own, there) * own.size) / (own.size + there.size);
};

const tells = new RegExp(
  "\\b(?:says?|reads?|states?|notes?|warns?|answers?(?: with)?|prints?|shows?|message|text|" +
    "error|errors?|returns?|raises?|throws?|declared(?: as)?|defined as|is|are|it's|" +
    "comes from|starts? with|begins? with|ends? (?:in|with)|ended with|with|gives?|gets?|got|" +
    "sees?|produces?|carries|reading|description|comment|line|reply|replies|responds?|called|uses?|" +
    "via|by|sets?|set to|at|as)\\b[^\\p{L}]*(?:the |a |an )?$",
  "iu",
);
const wishes = new RegExp(
  "\\b(?:should|would|could|might|may|must|can|if|instead|rather|consider|suggest\\w*|" +
    "recommend\\w*|propos\\w*|prefer|try|use|add(?:ing)?|replace|change|switch|wrap|extract|" +
    "introduce|better|e\\.g|for example|such as|like|i'd|let's|want|need\\w*|please|run|set)\\b",
  "i",
);
const past = new RegExp(
  "\\b(?:was|were|had|old|previous\\w*|before|formerly|used to|no longer|removed|renamed|" +
    "replaced|chang\\w+|deleted|dropped|fixed|now|new|added|updated|introduced|rewrote|moved|" +
    "made|became|turned|switched)\\b",
  "i",
);
const others = new RegExp(
  "\\b(?:you|your|asked|task|issue|ticket|request|user|commit\\w*|pull|pr|branch|upstream|" +
    "docs?|documentation|standard|spec|rfc)\\b",
  "i",
);
const denies =
  /\b(?:not|no|never|nothing|none|without|n't|nowhere|missing|lacks?|absent|neither)\b|n't\b/i;

/** What is wished for, or what somebody else wrote, stands in no file. */
const elsewhere = new RegExp(
  "\\b(?:should|would|could|might|suggest\\w*|recommend\\w*|propos\\w*|consider|instead|rather|" +
    "tickets?|issues?|bug reports?|pull request|PR|e-?mail|RFC)\\b",
  "i",
);

type Around = {
  statement: Statement;
  near: NearLine | undefined;
  repo: Repository;
  own: readonly string[];
};

function marksOf({ text, lead, behind, kind }: Shown, around: Around): TextMarks {
  const { statement, near, repo, own } = around;
  const { share = 0, alike = 0 } = near ?? {};
  const sentence = `${lead} ${behind}`;
  const isUnknown = (word: string): boolean =>
    /^[\p{L}_]{3,}/u.test(word) && repo.filesWith(word, 1).length === 0;
  if (kind === "block") return { always: 1 };
  const marks: Record<string, boolean> = {
    always: true,
    [kind]: true,
    row: statement.kind === "row",
    share3: share >= 0.3,
    share7: share >= 0.7,
    alike3: alike >= 0.3,
    alike5: alike >= 0.5,
    alike7: alike >= 0.7,
    words3: own.length >= 3,
    words5: own.length >= 5,
    words8: own.length >= 8,
    unknown: own.some(isUnknown),
    symbols: /[{}()[\]=<>;$|\\+*]/.test(text),
    tells: tells.test(lead),
    label: /[:(—–-]\s*$/.test(lead),
    bare: lead.trim() === "",
    named: /§/.test(lead + behind),
    wishes: wishes.test(sentence),
    past: past.test(sentence),
    others: others.test(sentence),
    denies: denies.test(sentence),
    output: /\b(?:prints?|printed|output|ended|logs?|logged|exits?|stderr|stdout|console)\b/i.test(
      lead,
    ),
    under: statement.under.length > 0,
  };
  return Object.fromEntries(Object.entries(marks).flatMap(([name, is]) => (is ? [[name, 1]] : [])));
}
