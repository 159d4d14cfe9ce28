// "It stands nowhere": searches for the words in the tree. What is found goes back as a question,
// and stays beside the statement where the agent keeps it.
import { maskSecrets } from "../../base/secrets/find-secrets.ts";
import type { ReportFinding } from "../../contract/report-tool/report-input.ts";
import { definitionStrength } from "../../source/definitions.ts";
import { wordsOf } from "../../source/normalise.ts";
import type { Repository } from "../../source/repository.ts";
import type { SourceFile } from "../../source/source-file.ts";
import type { Place } from "../verdict.ts";
import type { Lookup, ReportEvidence } from "./lookup.ts";
import { findTokens } from "./place-quote.ts";

const shownHits = 6;
const maxHits = 200;

export function judgeAbsence(
  { quote = "", path: given, evidence: why }: ReportFinding,
  at: string,
  { repo, ledger }: ReportEvidence,
): Lookup {
  const words = quote.trim();
  const folder = (given ?? "").replace(/^\.?\/|\/$|^\.$/g, "");
  if (searchWords(words).length === 0)
    return { problem: { at: `${at}.quote`, message: "has no name in it to search for" } };
  if (folder !== "" && repo.kindOf(folder) === "none")
    return { problem: { at: `${at}.path`, message: `there is no ${folder} to search` } };
  const hits = search(repo, words, folder);
  const where = folder === "" ? "the whole tree" : folder;
  const shownWords = maskSecrets(words)
    .replace(/[`\s]+/g, " ")
    .slice(0, 80);
  const label = `${hits.length === 0 ? "no hit" : hitCount(hits)} for ${shownWords} in ${where}`;
  const lookedUp = {
    placed: {
      label,
      path: folder === "" ? null : folder,
      excerpt: null,
      action: null,
      isFound: true,
      isQuoted: false,
      isProven: hits.length === 0,
    },
    lines: null,
    hash: null,
  };
  if (hits.length === 0)
    return {
      ...lookedUp,
      verdict: "verified",
      grade: ledger?.searched(words) ? "E3" : "E2",
      reason: `searched: ${label}`,
    };
  const shown = hits.slice(0, shownHits).map(({ path, line }) => `${path}:${line}`);
  const found = `${hitCount(hits)}: ${shown.join(", ")}${hits.length > shownHits ? " …" : ""}`;
  return {
    problem: {
      at,
      isArgued: why !== undefined,
      message:
        `${found}; keep the statement? Then send it again and say in \`evidence\` why they do not count; ` +
        "else put it right or take it back",
      doubt: {
        ...lookedUp,
        verdict: "unverifiable",
        grade: "E0",
        reason: `${found}${why === undefined ? "" : `; the agent keeps it: ${why.slice(0, 200)}`}`,
      },
    },
  };
}

const hitCount = (hits: readonly Place[]): string =>
  `${hits.length === maxHits ? "at least " : ""}${hits.length} ${hits.length === 1 ? "hit" : "hits"}`;

/** Names that an index of the tree holds. */
const searchWords = (words: string): string[] =>
  wordsOf(words).filter((word) => /^[A-Za-z_\u0080-\uffff].{1,78}$/.test(word));

/** Word by word; a line that only defines a single name is no use of it. */
function search(repo: Repository, words: string, folder: string): Place[] {
  const [rarest = ""] = searchWords(words).sort((a, b) => repo.spread(a) - repo.spread(b));
  const files = repo.filesWith(rarest, 256);
  const isName = /^[\w$]+$/.test(words);
  const hits: Place[] = [];
  for (const file of files) {
    if (!isBelow(file, folder)) continue;
    for (const { line } of findTokens(file, words, maxHits)) {
      if (isName && definitionStrength(file.line(line), words) > 1) continue;
      hits.push({ path: file.path, line });
      if (hits.length === maxHits) return hits;
    }
  }
  return hits;
}

const isBelow = ({ path }: SourceFile, folder: string): boolean =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);
