// Looks up every entry of a report that was given as data: quotations in their files, deeds in the
// trees, results in the record, absence in a search. What cannot be found is a problem with its cure.
import { createHash } from "node:crypto";
import { posix } from "node:path";
import { maskSecrets } from "../../base/secrets/secret-scan.ts";
import type { Placed } from "../../contract/report-tool/finding-sections.ts";
import type {
  ReportFinding,
  ReportInput,
  ReportProblem,
  ReportReference,
} from "../../contract/report-tool/report-input.ts";
import { judgeFileClaim, type FileEvidence } from "../evidence/judge-files.ts";
import type { Ledger } from "../evidence/ledger.ts";
import type { Repository } from "../repository.ts";
import { SourceFile } from "../source-file.ts";
import type { Grade, Verdict } from "../verdict.ts";
import { judgeAbsence } from "./judge-absence.ts";
import { judgeRun } from "./judge-run.ts";
import { placeQuote } from "./place-quote.ts";

/** What an entry is compared with. */
export type ReportEvidence = {
  repo: Repository;
  /** What the agent saw and did; undefined where there is no record of it. */
  ledger: Ledger | undefined;
  files: FileEvidence;
};

/** An entry that was looked up. */
export type LookedUp = {
  placed: Placed;
  lines: [number, number] | null;
  /** Of the quoted lines as they stand, SHA-256 in hexadecimal. */
  hash: string | null;
  verdict: Verdict;
  grade: Grade;
  reason: string;
};

/** `doubt`: asked back once; sent again as it is, it stays and is marked. `isArgued`: it says why. */
export type LookupProblem = ReportProblem & { doubt?: LookedUp; isArgued?: boolean };

export type Lookup = LookedUp | { problem: LookupProblem };

export const isLookedUp = (lookup: Lookup): lookup is LookedUp => !("problem" in lookup);

export function placeFindings(
  { findings }: Pick<ReportInput, "findings">,
  evidence: ReportEvidence,
): Lookup[] {
  return findings.map((finding, index) => lookUp(finding, `findings[${index}]`, evidence));
}

export function placeReferences(
  { key_references }: Pick<ReportInput, "key_references">,
  evidence: ReportEvidence,
): Lookup[] {
  return key_references.map((reference, index) =>
    placePresent(reference, { at: `key_references[${index}]`, names: [reference.item] }, evidence),
  );
}

function lookUp(finding: ReportFinding, at: string, evidence: ReportEvidence): Lookup {
  const { kind, title, statement, path = "", quote } = finding;
  if (kind === "absent") return judgeAbsence(finding, at, evidence);
  if (kind === "plan") return placePlan(path, at, evidence);
  if (kind === "result" || (kind === "did" && finding.path === undefined))
    return judgeRun(finding, at, evidence);
  const entry = { path, quote: quote ?? "", near: finding.near };
  if (kind === "present")
    return placePresent(entry, { at, names: namesIn(`${title} ${statement}`) }, evidence);
  return placeDeed(finding, at, evidence);
}

/** Identifiers of a sentence: a name that defines the lines around one of several places picks it. */
const namesIn = (text: string): string[] => [
  ...new Set(text.match(/[A-Za-z_$][\w$]{2,79}/g)?.slice(0, 60)),
];

type Quoted = Pick<ReportReference, "path" | "quote" | "near">;
type Asked = { at: string; names: readonly string[] };

function placePresent(entry: Quoted, { at, names }: Asked, evidence: ReportEvidence): Lookup {
  const file = fileOf(entry.path, at, evidence);
  if ("problem" in file) return file;
  if (!file.source)
    return {
      placed: placedAt(file.path, { label: file.path, isFound: true }),
      lines: null,
      hash: null,
      verdict: "exists_only",
      grade: "E1",
      reason: `${file.path} exists; ${file.why}, so the quotation was not compared`,
    };
  const found = placeQuote(file.source, entry.quote, { near: entry.near, names });
  if (found.found === "one") return quotedAt(file.source, found, evidence);
  return { problem: { at: `${at}.quote`, message: whyNot(found, entry, file.path, evidence) } };
}

const shownLines = 12;

function quotedAt(
  file: SourceFile,
  { line, endLine }: { line: number; endLine: number },
  { ledger }: ReportEvidence,
): LookedUp {
  const rows = Array.from({ length: endLine - line + 1 }, (_, index) => file.line(line + index));
  const seen =
    ledger !== undefined &&
    rows.filter((row) => row.trim() !== "").every((row) => ledger.showed(file.path, row));
  const shown =
    rows.length <= shownLines ? rows : [...rows.slice(0, shownLines - 4), "…", ...rows.slice(-3)];
  return {
    placed: placedAt(file.path, {
      label: `${file.path}:${line}${endLine === line ? "" : `-${endLine}`}`,
      excerpt: maskSecrets(shown.join("\n")),
      isFound: true,
      isQuoted: true,
    }),
    lines: [line, endLine],
    hash: createHash("sha256").update(rows.join("\n")).digest("hex"),
    verdict: "verified",
    grade: seen ? "E3" : "E2",
    reason: seen
      ? "the quotation stands there, and the agent saw it"
      : "the quotation stands there",
  };
}

function placedAt(path: string, rest: Partial<Placed> & Pick<Placed, "label">): Placed {
  return {
    path,
    excerpt: null,
    action: null,
    isFound: false,
    isQuoted: false,
    isProven: true,
    ...rest,
  };
}

type FoundFile =
  | { path: string; source: SourceFile }
  | { path: string; source: null; why: string }
  | { problem: LookupProblem };

const reasons: Readonly<Record<string, string>> = {
  secret: "files of this name are never opened",
  binary: "it is no text",
  too_large: "it is too large",
};

/** The file of that path; one that ends so and is the only one is meant as well. */
function fileOf(given: string, at: string, { repo }: ReportEvidence): FoundFile {
  const path = relativePath(given, repo);
  const kind = repo.kindOf(path);
  const tails = kind === "none" ? repo.endingIn(path) : [];
  const meant = tails.length === 1 ? tails[0]! : path;
  if (kind !== "file" && tails.length !== 1)
    return { problem: { at: `${at}.path`, message: noFile(path, kind, { repo, tails }) } };
  const state = repo.open(meant);
  if (state.ok) return { path: meant, source: state.file };
  const why = reasons[state.why];
  return why === undefined
    ? { problem: { at: `${at}.path`, message: `${meant} cannot be read (${state.why})` } }
    : { path: meant, source: null, why };
}

function noFile(
  path: string,
  kind: string,
  { repo, tails }: { repo: Repository; tails: readonly string[] },
): string {
  if (kind === "directory") return `${path} is a folder: name the file`;
  if (kind === "outside") return `${path} leads out of the project`;
  if (tails.length > 1)
    return `${path} may be ${tails.slice(0, 5).join(", ")}: give the whole path`;
  const near = repo.near(path).slice(0, 3);
  return `there is no file ${path}${near.length > 0 ? `; nearest: ${near.join(", ")}` : ""}`;
}

function relativePath(given: string, { reader: { root } }: Repository): string {
  const bare = given
    .trim()
    .replace(/^`|`$/g, "")
    .replace(/(?::\d+(?:[-:]\d+)?|#L\d.*)$/, "");
  const inside =
    root !== undefined && bare.startsWith(`${root}/`) ? bare.slice(root.length + 1) : bare;
  return posix
    .normalize(inside.replaceAll("\\", "/"))
    .replace(/^\.\/|\/$/g, "")
    .normalize("NFC");
}

type NotOne = Exclude<ReturnType<typeof placeQuote>, { found: "one" }>;

function whyNot(
  found: NotOne,
  { quote, near }: Quoted,
  path: string,
  { ledger }: ReportEvidence,
): string {
  if (found.found === "too_short")
    return "is too short to tell one place from another: quote the whole line";
  if (found.found === "several") {
    const places = found.places
      .slice(0, 6)
      .map(({ line, symbol }) => `line ${line}${symbol === null ? "" : ` (in ${symbol})`}`);
    const more = found.places.length > 6 ? " and more" : "";
    return `stands in ${path} ${found.places.length} times: ${places.join(", ")}${more}; ${near === undefined ? "say in `near`" : "`near` does not tell"} which one is meant`;
  }
  const then = seenBefore(quote, path, ledger);
  if (then !== undefined)
    return `stood at line ${then} of ${path} when you read it, and the file has changed since: read it again and quote what stands there now`;
  return found.nearest === null
    ? `does not stand in ${path}, and no line there is like it: quote a line that you have read, or take the finding back`
    : `does not stand in ${path}; nearest is line ${found.nearest.line}: \`${maskSecrets(found.nearest.text)}\``;
}

function seenBefore(quote: string, path: string, ledger: Ledger | undefined): number | undefined {
  if (!ledger?.seenPaths.includes(path)) return undefined;
  const state = ledger.reader().read(path);
  if (!state.ok) return undefined;
  const then = placeQuote(new SourceFile(path, state.text), quote);
  return then.found === "one" ? then.line : undefined;
}

/** A plan names a file that is there, or one that is yet to come. */
function placePlan(given: string, at: string, { repo }: ReportEvidence): Lookup {
  const path = relativePath(given, repo);
  const kind = repo.kindOf(path);
  if (kind === "outside")
    return { problem: { at: `${at}.path`, message: `${path} leads out of the project` } };
  const isThere = kind !== "none";
  return {
    placed: placedAt(path, {
      label: path,
      action: isThere ? "modify" : "create",
      isFound: true,
    }),
    lines: null,
    hash: null,
    verdict: isThere ? "exists_only" : "unverifiable",
    grade: isThere ? "E1" : "E0",
    reason: isThere ? `${path} exists` : `${path} is planned`,
  };
}

/** What happened to the file is read off the trees, not off the words. */
function placeDeed(
  { path: given = "", quote, near, title }: ReportFinding,
  at: string,
  evidence: ReportEvidence,
): Lookup {
  const path = relativePath(given, evidence.repo);
  const { files } = evidence;
  const action = actionOf(path, files);
  const judged = judgeFileClaim({ path, action, purpose: "", isDone: true }, path, files);
  if (judged?.grade === "X")
    return {
      problem: {
        at: `${at}.path`,
        message: `${judged.reason}: say \`present\` for what was there before, or take the finding back`,
      },
    };
  const place =
    quote === undefined || action === "delete"
      ? undefined
      : placePresent({ path, quote, near }, { at, names: namesIn(title) }, evidence);
  if (place && "problem" in place) return place;
  return {
    placed: placedAt(path, {
      label: place?.placed.label ?? path,
      action,
      isFound: true,
      isQuoted: place?.placed.isQuoted ?? false,
      isProven: judged?.verdict === "verified",
    }),
    lines: place?.lines ?? null,
    hash: place?.hash ?? null,
    verdict: judged?.verdict ?? "exists_only",
    grade: judged?.grade ?? "E1",
    reason: judged?.reason ?? `${path} exists; nothing tells whether this run changed it`,
  };
}

function actionOf(path: string, { diff, ledger }: FileEvidence): "create" | "modify" | "delete" {
  if (diff?.created.includes(path)) return "create";
  if (diff?.deleted.includes(path)) return "delete";
  if (diff) return "modify";
  return ledger?.edits.find((edit) => edit.path === path)?.action ?? "modify";
}
