// Finds what an entry quotes: its file, then its lines. What is not found is told with the nearest.
import { hash } from "node:crypto";
import { posix } from "node:path";
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import type { ReportReference } from "../../contract/report-tool/report-input.ts";
import type { Ledger } from "../evidence/ledger.ts";
import type { Repository } from "../../source/repository.ts";
import { SourceFile } from "../../source/source-file.ts";
import {
  placedAt,
  type LookedUp,
  type Lookup,
  type LookupProblem,
  type ReportEvidence,
} from "./lookup.ts";
import { placeQuote } from "./place-quote.ts";

type Quoted = Pick<ReportReference, "path" | "quote" | "near">;
type Asked = { at: string; names: readonly string[] };

export function placePresent(
  entry: Quoted,
  { at, names }: Asked,
  evidence: ReportEvidence,
): Lookup {
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
  const message = whyNot(found, entry, { path: file.path, ledger: evidence.ledger });
  return { problem: { at: `${at}.quote`, message } };
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
    hash: hash("sha256", rows.join("\n")),
    verdict: "verified",
    grade: seen ? "E3" : "E2",
    reason: seen
      ? "the quotation stands there, and the agent saw it"
      : "the quotation stands there",
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

export function relativePath(given: string, { reader: { root } }: Repository): string {
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
  { path, ledger }: { path: string; ledger: Ledger | undefined },
): string {
  if (found.found === "too_short")
    return "is too short to tell one place from another: quote the whole line";
  if (found.found === "several") {
    const places = found.places
      .slice(0, 6)
      .map(({ line, symbol }) => `line ${line}${symbol === null ? "" : ` (in ${symbol})`}`);
    const more = found.places.length > 6 ? " and more" : "";
    const ask = near === undefined ? "say in `near`" : "`near` does not tell";
    return `stands in ${path} ${found.places.length} times: ${places.join(", ")}${more}; ${ask} which one is meant`;
  }
  const then = seenBefore(quote, path, ledger);
  if (then !== undefined)
    return (
      `stood at line ${then} of ${path} when you read it, and the file has changed since: ` +
      "read it again and quote what stands there now"
    );
  return found.nearest === null
    ? `does not stand in ${path}, and no line there is like it: quote what you have read`
    : `does not stand in ${path}; nearest is line ${found.nearest.line}: \`${maskSecrets(found.nearest.text)}\``;
}

function seenBefore(quote: string, path: string, ledger: Ledger | undefined): number | undefined {
  if (!ledger?.seenPaths.includes(path)) return undefined;
  const state = ledger.reader().read(path);
  if (!state.ok) return undefined;
  const then = placeQuote(new SourceFile(path, state.text), quote);
  return then.found === "one" ? then.line : undefined;
}

/** Identifiers of a sentence: a name that defines the lines around one of several places picks it. */
export const namesInSentence = (text: string): string[] => [
  ...new Set(text.match(/[A-Za-z_$][\w$]{2,79}/g)?.slice(0, 60)),
];
