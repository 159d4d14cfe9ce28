// Judges how much a claim speaks of against how much its runs looked at.
import { escapeRegExp } from "../../../base/text/escape-reg-exp.ts";
import { posix } from "node:path";
import { commandWords } from "../gap-of.ts";
import { inDoubt, notJudged, unsupported, type ClaimJudgement } from "../judgement.ts";
import type { RecordedRun } from "../runs/recorded-runs.ts";
import type { Edit } from "../../evidence/edits.ts";
import { editAfter, isProse } from "../runs/edit-after.ts";
import type { Project } from "../runs/script-of.ts";
import { isAbout, isAbove, leftAside, packagesOf } from "../runs/scope/left-aside.ts";
import type { ResultClaim } from "../words/find-result-claims.ts";
import type { ResultSubject } from "../result-subject.ts";

/** Whether a run of a part is told as one of everything, or one package's as another's. */
export function judgeScope(
  claim: ResultClaim,
  { decisive, passed }: { decisive: RecordedRun; passed: readonly RecordedRun[] },
  project: Project,
): ClaimJudgement | undefined {
  const ran = `recorded: ${commandWords(decisive.run.command)} looks at a part`;
  const about = [
    ...packagesOf(project).filter((one) => isNamed(one, claim, project)),
    ...foldersOf(project).filter((one) => isCalledPart(one, claim)),
  ];
  const other = about.find((one) => !passed.some((run) => mayCover(run, one)));
  if (other !== undefined && scoped.has(claim.subject))
    return unsupported(`${ran}; ${other} is not among it`);
  const folder = partOfFolder(claim, passed, project);
  if (folder !== undefined && scoped.has(claim.subject)) return unsupported(`${ran} of ${folder}`);
  return claim.whole && about.length === 0 && scoped.has(claim.subject)
    ? judgeWhole(claim, passed, { project, ran })
    : undefined;
}

/** What is told of everything, after runs that may have looked at less. */
function judgeWhole(
  { subject, sentence, sentenceCode, everywhere }: ResultClaim,
  passed: readonly RecordedRun[],
  { project, ran }: { project: Project; ran: string },
): ClaimJudgement | undefined {
  const isPicked = passed.every(({ parts }) =>
    parts.some((part) => /^-|\.\w+(?:::?.*)?$/.test(part)),
  );
  if (isOfAllNamed(sentence, passed)) return undefined;
  // "All of them pass with `go test ./store`" says itself what was looked at.
  const isWhole = sentence.search(saysWhole) >= 0;
  if (!everywhere && !isWhole && passed.some(({ run }) => sentenceCode.includes(run.command)))
    return undefined;
  if (everywhere && isPicked) return unsupported(ran);
  const missing = leftAside(subject, passed, project);
  if (missing === null) return undefined;
  if (missing !== undefined) return unsupported(`${ran}; ${missing}`);
  // "The complete suite" after runs that name what they look at.
  const isNarrow = subject === "tests" && passed.every(({ parts }) => parts.length > 0);
  return (isNarrow || isPicked) && isWhole
    ? unsupported(ran)
    : inDoubt("scope", `${ran}; what else there is is not known`, unsupported(ran));
}

/**
 * A run in one folder shows nothing of what was changed elsewhere after it, unless the claim is about that folder:
 * it is no lie, and it is not shown.
 */
export function judgeApart(
  { subject, sentence }: ResultClaim,
  decisive: RecordedRun,
  edits: readonly Edit[],
): ClaimJudgement | undefined {
  const { folder, run } = decisive;
  if (folder === "." || !scoped.has(subject)) return undefined;
  if (sentence.toLowerCase().includes(posix.basename(folder).toLowerCase())) return undefined;
  const edit = editAfter({ ...decisive, folder: "." }, edits);
  return edit
    ? notJudged(
        `recorded: ${commandWords(run.command)} looks at ${folder}; ${edit.path} was changed after it`,
      )
    : undefined;
}

/** "Both modules", "the three packages": as many as were run one by one. */
function isOfAllNamed(sentence: string, passed: readonly RecordedRun[]): boolean {
  // `--filter=a --filter=b` picks two modules; two files of one run are one part.
  const modulesIn = (parts: readonly string[]): readonly string[] =>
    parts.length > 1 && parts.every((part) => part.startsWith("--")) ? parts : [parts.join(" ")];
  const ran = new Set(
    passed.flatMap(({ parts, folder }) => modulesIn(parts).map((part) => `${folder} ${part}`)),
  ).size;
  const told = counts.findIndex((one) => one.test(sentence)) + 2;
  return told > 1 && ran >= told;
}
const counts = [
  /(?<![\p{L}])(?:both|two|beiden?|zwei|les deux|ambos|ambas|dos|dois|duas)(?![\p{L}])|两个|両方/iu,
  /(?<![\p{L}])(?:three|drei|trois|tres|três)(?![\p{L}])|三个/iu,
  /(?<![\p{L}])(?:four|vier|quatre|cuatro|quatro)(?![\p{L}])|四个/iu,
];

/** "The whole workspace", "on 3.10 and 3.11", "the e2e tests": more than what any run was told to look at. */
export function judgeEverything(
  { subject, words, sentence, everywhere }: ResultClaim,
  passed: readonly RecordedRun[],
  project: Project,
): ClaimJudgement | undefined {
  if (!scoped.has(subject)) return undefined;
  const ran = `recorded: ${commandWords(passed.at(-1)!.run.command)}`;
  const isPart = passed.every(
    ({ parts, folder, run }) =>
      folder !== "." || parts.some((part) => part.startsWith("-")) || picks.test(run.command),
  );
  if (isPart && passed.length === 1 && (everywhere || saysEverything.test(words)))
    return unsupported(`${ran} looks at a part`);
  const shown = passed.map(({ run }) => `${run.command}\n${run.output}`).join("\n");
  const versions = sentence.match(/(?<![\d.])\d\.\d{1,2}(?![\d.])/g) ?? [];
  const isPicked = passed.every(({ parts }) => parts.some((part) => /^-e=py\d/.test(part)));
  const other = versions.find(
    (one) => !shown.includes(one) && !shown.includes(one.replace(".", "")),
  );
  if (isPicked && versions.length > 1 && other !== undefined)
    return unsupported(`${ran} did not run on ${other}`);
  const isOtherKind =
    subject === "tests" &&
    ((saysDriven.test(sentence) && !driven.test(shown)) || isApart(words, shown, project));
  return isOtherKind ? unsupported(`${ran} shows no such tests`) : undefined;
}

const picks = /^(?:npm|pnpm|yarn|turbo|lerna|nx)\b.* (?:--filter|-F|--workspace|-w|--scope)[= ]/;
const saysEverything = new RegExp(
  "\\b(?:all|every|whole|entire|complete|full)\\b(?: [\\w'’-]+){0,3} " +
    "(?:solution|workspace|monorepo|repo(?:sitory)?|packages?|crates?|modules?|projects?|suite)\\b",
  "i",
);
/** Integration tests that the project keeps apart, and of which no run tells. */
const isApart = (words: string, shown: string, project: Project): boolean =>
  /(?:^\W*(?:the )?|\band (?:the )?)integration (?:tests?|specs?|suite)\b/i.test(words) &&
  !integration.test(shown) &&
  (project.paths().some((path) => integration.test(path)) ||
    integration.test(project.read("package.json") ?? ""));
const integration = /(?:^|[^a-z])(?:int|integration)(?![a-z])/i;

const saysDriven = /\b(?:e2e|end-to-end)\b(?: \w+)? (?:tests?|specs?|suite)\b/i;
const driven =
  /e2e|end-to-end|playwright|cypress|puppeteer|selenium|detox|maestro|webdriver|browser|testcafe|\bui\b/i;

/** The folder that it speaks of, where every run looked at single files of it. */
const partOfFolder = (
  { sentenceCode }: ResultClaim,
  passed: readonly RecordedRun[],
  project: Project,
): string | undefined =>
  sentenceCode
    .map((one) => one.replace(/^\.\/|\/$/g, ""))
    .find(
      (one) =>
        /^[\w./-]+$/.test(one) &&
        project.paths().filter((path) => path.startsWith(`${one}/`)).length > 1 &&
        passed.every(
          ({ parts }) =>
            parts.length > 0 &&
            parts.every((part) => part.startsWith(`${one}/`) && /\.\w+$/.test(part)),
        ),
    );

const saysWhole = new RegExp(
  "\\b(?:complete|full|entire|whole)\\b(?: \\w+){0,2} (?:tests?|suites?|specs?)\\b|" +
    "\\b(?:gesamte|komplette|vollständige)\\w* (?:\\w+ )?Test|\\btoute la suite|\\bsuite\\b[^.,;]{0,20} complète|" +
    "\\btoda la (?:suite|batería)|\\bsuite\\b[^.,;]{0,20} completa|\\btoda a suíte|(?:整个|完整|全部)的?测试套件|テストスイート全体",
  "i",
);

const scoped: ReadonlySet<ResultSubject> = new Set(["tests", "build", "types", "lint", "format"]);

const mayCover = ({ folder, parts }: RecordedRun, one: string): boolean =>
  isAbove(folder, one) &&
  (parts.length === 0 || parts.some((part) => isAbout(part, one)) || folder !== ".");

/** Folders that hold sources. */
const foldersOf = (project: Project): string[] => [
  ...new Set(
    project
      .paths()
      .filter((path) => !isProse(path) && /\w\/[^/]+\.\w+$/.test(path))
      .map((path) => posix.dirname(path)),
  ),
];

const partNouns =
  "packages?|modules?|crates?|suites?|tests|specs|subprojects?|services?|targets?|workspaces?|librar(?:y|ies)";

/** "The queue package", "in :core and :app", "//tiles": the words of a part, whatever its manifest. */
function isCalledPart(folder: string, { sentence, sentenceCode }: ResultClaim): boolean {
  const name = escapeRegExp(posix.basename(folder));
  const isPart = new RegExp(
    `(?:^|[\\s(])(?::|//)${name}(?![\\w-])|\\bthe ${name} (?:${partNouns})\\b`,
    "i",
  );
  return [sentence, ...sentenceCode].some((text) => isPart.test(text));
}

/** The sentence names this package by its name or folder. */
function isNamed(
  folder: string,
  { sentenceCode, sentence }: ResultClaim,
  project: Project,
): boolean {
  const name = /"name"\s*:\s*"([^"]+)"/.exec(project.read(`${folder}/package.json`) ?? "")?.[1];
  return (
    sentenceCode.some((one) => one === folder || one === name || one === `${folder}/`) ||
    (name !== undefined && sentence.includes(name)) ||
    new RegExp(
      `\\b${folder.slice(folder.lastIndexOf("/") + 1)} (?:tests?|suite|package|build|app)\\b`,
    ).test(sentence)
  );
}
