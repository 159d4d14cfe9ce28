// Statements about the versions of languages and of CI actions that a project asks for, against its
// manifests and workflows. A version that several files tell differently is left alone.
import type { Repository } from "../../../source/repository.ts";
import { isAside } from "../words/is-asserted.ts";
import { anyPhrase } from "../words/phrase.ts";
import { statementsOf, type Statement } from "../words/statements.ts";
import type { ClaimJudgement } from "../judgement.ts";
import { counteredBy, held } from "../tree/countered.ts";
import { historyOf } from "./history-of.ts";
import type { ProjectClaim } from "./package-claims.ts";

/** `told`: the version in a statement; `files` and `has`: where the project tells its own. */
type Platform = { name: string; told: RegExp; files: RegExp; has: RegExp };

const asks =
  "(?:minimum|engines?|requires?|required|asks? for|needs?|at least|or newer|or later|declares?)";
const near = (name: string): RegExp =>
  new RegExp(
    `(?:${asks}|>=|≥)[^.;:,]{0,30}\\b${name}(?: versions?)?(?: (?:of|is|to))? ?v?(\\d+(?:\\.\\d+)*)|` +
      `\\b${name} ?(?:>=|≥)? ?v?(\\d+(?:\\.\\d+)*)\\+?[^.;:,]{0,24}\\b${asks}`,
    "i",
  );

const platforms: readonly Platform[] = [
  {
    name: "Node",
    told: near("Node(?:\\.js)?"),
    files: /^package\.json$/,
    has: /"engines"\s*:\s*\{[^}]*"node"\s*:\s*"[^\d"]*(\d+(?:\.\d+)*)[^"|]*"/,
  },
  {
    name: "Python",
    told: near("Python"),
    files: /^pyproject\.toml$/,
    has: /^(?:requires-python|python)\s*=\s*"[^\d"]*(\d+(?:\.\d+)*)[^"|]*"/m,
  },
  {
    name: "Rust",
    told: new RegExp(
      `\\b(?:MSRV|rust-version)(?: is| of|:)? ?v?(\\d+(?:\\.\\d+)*)|${near("Rust").source}`,
      "i",
    ),
    files: /^Cargo\.toml$/,
    has: /^rust-version\s*=\s*"(\d+(?:\.\d+)*)"/m,
  },
  {
    name: "edition",
    told: /\bedition(?: is)? (20\d\d)\b|\b(20\d\d) edition\b/i,
    files: /^Cargo\.toml$/,
    has: /^edition\s*=\s*"(\d+)"/m,
  },
  {
    name: "Go",
    told: /\b(?:module|go\.mod|directive)\b[^.;,]{0,30}\bGo (\d+\.\d+(?:\.\d+)?)/i,
    files: /^go\.mod$/,
    has: /^go (\d+(?:\.\d+)*)/m,
  },
  {
    name: "PHP",
    told: near("PHP"),
    files: /^composer\.json$/,
    has: /"php"\s*:\s*"[^\d"]*(\d+(?:\.\d+)*)[^"|]*"/,
  },
  {
    name: "Java",
    told: near("Java"),
    files: /^pom\.xml$/,
    has: /<(?:maven\.compiler\.(?:release|source|target)|java\.version|release)>(\d+(?:\.\d+)*)</,
  },
  {
    name: "Ruby",
    told: /\bGemfile\b[^.;,]{0,30}\bRuby (\d+(?:\.\d+)*)/i,
    files: /^Gemfile$/,
    has: /^ruby ["'][^\d"']*(\d+(?:\.\d+)*)["']/m,
  },
];

const unsaid = anyPhrase([
  "should|would|could|might|may|will|if|upgrad\\p{L}*|bump\\p{L}*|instead|latest|not|no",
  "was|were|before|previous\\p{L}*|chang\\p{L}*|from|newer version|other|(?:)\\w+n't",
]);

export function platformClaims(report: string, repo: Repository): ProjectClaim[] {
  return statementsOf(report)
    .filter(
      (one) =>
        one.kind !== "fence" && mayTell(one) && !isAside(one) && one.words.search(unsaid) < 0,
    )
    .flatMap((statement) => {
      const judged = judgePlatform(statement, repo) ?? judgeStrange(statement, repo);
      return judged ? [{ span: statement.span, judged }] : [];
    });
}

/** A platform with a number, a version that is set somewhere, or something in code that may be an action. */
const mayTell = ({ words, clauses }: Statement): boolean =>
  (dotted.test(words) && setsVersion.test(words)) ||
  (/\d/.test(words) && /\b(?:node|python|msrv|rust|edition|go|ruby|php|java)/i.test(words)) ||
  (words.includes("§") && clauses.some(({ code }) => code.some((one) => one.includes("@"))));

function judgePlatform(
  { words, clauses }: Statement,
  repo: Repository,
): ClaimJudgement | undefined {
  let right: ClaimJudgement | undefined;
  const code = clauses.flatMap((clause) => clause.code);
  for (const { name, told, files, has } of platforms) {
    const path = repo.reader.list().paths.find((one) => files.test(one));
    // Beside the file that tells it no other word is needed.
    const isNamed = path !== undefined && code.includes(path);
    const match =
      told.exec(words) ??
      (isNamed ? new RegExp(`\\b${name} ?v?(\\d+(?:\\.\\d+)*)\\b`).exec(words) : null);
    const version = match?.slice(1).find((group) => group !== undefined);
    if (version === undefined) continue;
    const text = textOf(path, repo);
    const own = has.exec(text)?.[1];
    // A setting beside it may fix another.
    if (own === undefined || text.includes(`"${version}"`)) continue;
    if (own !== version && !own.startsWith(`${version}.`) && version !== `${own}.0`)
      return counteredBy(`"${match![0]}", but ${path} has ${name} ${own}`);
    right = held(`${path} has ${name} ${own}`);
  }
  return right;
}

function textOf(path: string | undefined, repo: Repository): string {
  const state = path === undefined ? undefined : repo.open(path);
  return state?.ok ? state.file.text : "";
}

const dotted = /(?<![\w.-])v?\d+\.\d+\.\d+(?:-[\w.+]+)?(?![\w.]*\d)/;
const setsVersion = new RegExp(
  "\\b(?:pinned|pins|fixed|held|locked|required|requires|declared|declares|resolves|resolved|installed|reads|" +
    "property|set to|at|manifest|lock ?file|Dockerfile|dependenc(?:y|ies)|version)\\b",
  "i",
);
const mostFiles = 3_000;

/** "… is pinned at 1.20.1", where no file has such a version. */
function judgeStrange({ words, clauses }: Statement, repo: Repository): ClaimJudgement | undefined {
  const told = dotted.exec(words)?.[0];
  if (told === undefined || !setsVersion.test(words)) return undefined;
  const { paths } = repo.reader.list();
  const isOfSettings = clauses.some(({ code }) => code.some((one) => repo.isListed(one)));
  const isOne = words.match(new RegExp(dotted.source, "g"))?.length === 1;
  if (paths.length > mostFiles || !isOne || (!isOfSettings && !leadsTo.test(words)))
    return undefined;
  const bare = told.replace(/^v/, "");
  const isThere = (path: string): boolean => {
    const state = repo.open(path);
    return state.ok && state.file.text.includes(bare);
  };
  return paths.some(isThere) ||
    historyOf(repo).some(({ subject, body }) => `${subject} ${body}`.includes(bare))
    ? undefined
    : counteredBy(`"${told}", but no file has such a version`);
}

/** Right before a version: somebody set it. */
const leadsTo = new RegExp(
  "\\b(?:pinned|pins|fixed|held|locked|required|declared|resolves|resolved|installed|set|reads)\\b[^\\d.;]{0,40}v?\\d",
  "i",
);
