// Words with which builders, checkers, linters and delivery tools tell how a run went.
import type { ResultSubject } from "../result-subject.ts";

const longestRead = 200_000;

/** Words of an output, by what they say about which claims. */
type Tell = {
  says: "good" | "bad";
  of: readonly ResultSubject[] | "all";
  words: readonly RegExp[];
};

/** A runner that found no test to run, whatever its exit code says of that. */
const noTests: readonly RegExp[] = [
  /\/ 0 selected\b|^=* ?\d+ deselected in\b|\bNo tasks were run\b/im,
  /\bno tests? (?:files? )?(?:were )?(?:found|ran|executed|to run|collected|specified|matched)\b/i,
  /\b(?:collected|ran|executed|running) 0 (?:items|tests)\b(?!.*\n[\s\S]*running [1-9])/i,
  /\[no tests? (?:files|to run)\]\s*$(?![\s\S]*^ok)/im,
];

const tells: readonly Tell[] = [
  {
    says: "bad",
    of: ["tests"],
    words: [
      ...noTests,
      /^(?:FAIL|FAILED)\b(?!:?\s+0\b)|\bTests? failed\b|\b[1-9]\d* (?:tests? )?fail(?:ed|ing|ures?)\b/im,
      /^npm (?:ERR!|error) (?:Test failed|Missing script)/im,
      /\bINTERNALERROR\b|^E {3}\w+Error|^ERROR collecting/im,
    ],
  },
  {
    says: "bad",
    of: ["build", "types"],
    words: [
      /\berror TS\d+|^error(?:\[E\d+\])?: |\bcompil(?:ed|ation) (?:with|failed)(?: \d+)? ?errors?\b/im,
      /\bFailed to compile\b|\bBUILD FAIL(?:ED|URE)\b|\bBuild failed\b|\bcompilation failed\b/i,
      /\bFound [1-9]\d* errors?\b|^\S+:\d+:\d+: (?:fatal )?error\b|\bSyntaxError\b|undefined: \w+/m,
      /^make(?:\[\d+\])?: \*\*\*|^npm (?:ERR!|error) |\b[1-9]\d* errors? generated\b|\bBuild FAILED\b/m,
      /\b[1-9]\d* Error\(s\)|\berror CS\d+|error: could not compile/,
      /^\[ERROR\](?![\s\S]*BUILD SUCCESS)|^[\w./-]+:\d+(?::\d+)?: syntax error\b/m,
    ],
  },
  {
    says: "bad",
    of: ["lint", "format"],
    words: [
      // `gofmt -l` and its like name the files that are not as they should be.
      /^[\w./-]+\.go$|^Diff in \S|clang-format-violations\b/m,
      /[✖✗] [1-9]\d* problems? \((?!0 errors)|\bFound [1-9]\d* (?:errors?|issues?|problems?)\b/i,
      /\b([1-9]\d*) offenses? detected\b(?!, \1 offenses? (?:auto)?corrected)/i,
      /^[1-9]\d* issues?[.:]|\bCode style issues (?:found|in)\b/im,
      /\b[1-9]\d* errors? and \d+ warnings?\b|^error(?:\[\w+\])?: |would reformat\b|\bFound [1-9]\d* file/im,
      /could not compile|\bUnformatted files?\b|^Failed$|\.{3}Failed$/im,
    ],
  },
  {
    says: "bad",
    of: ["deploy", "publish", "commit", "push", "merge", "migration"],
    words: [
      /^(?:remote: )?(?:error|fatal|denied|unauthorized|forbidden)[:!]/im,
      /\[(?:remote )?rejected\]|\bpermission(?: to .*)? denied\b|\baccess denied\b|\bE4\d\d\b|\bEPUBLISHCONFLICT\b/i,
      /\bdeploy(?:ment)? (?:has )?fail(?:ed|ure)\b|\bBUILD FAIL(?:ED|URE)\b|\brollback\b|\bUPGRADE FAILED\b/i,
      /nothing to commit|no changes added to commit|\bAborting commit\b|\bdry[- ]run\b|pre-commit hook failed/i,
      /\bnpm (?:ERR!|error)|^Error: |\bmigration failed\b|\bApply failed\b|^ERROR:/im,
    ],
  },
  {
    says: "good",
    of: ["build", "types"],
    words: [
      /\bcompiled successfully\b|\bBUILD SUCCESS(?:FUL)?\b|\bBuild succeeded\b|\bbuilt in [\d.]+|\bCompiled in\b/i,
      /^\s*Finished (?:`?\w+`? )|\bSuccess: no issues found\b|\b0 errors\b|\bFound 0 errors\b|✓ (?:built|Compiled)/im,
      /\bwebpack [\d.]+ compiled(?: successfully)? in\b|\bBuild complete\b|\bDone in [\d.]+ ?m?s|⚡|\bnaming to\b/i,
    ],
  },
  {
    says: "good",
    of: ["lint", "format"],
    words: [
      /\bAll checks passed\b|\bno issues found\b|^0 issues\b|\bno offenses detected\b|\b0 problems\b/im,
      /\bFound 0 (?:warnings|errors|issues)\b|\bleft unchanged\b|\bAll matched files use Prettier\b/i,
      /\[OK\] No errors|\b10\.00\/10\b|^\s*Finished (?:`?\w+`? )|\bNo (?:lint |ESLint )?(?:errors|warnings|issues)\b/im,
      /\bChecked \d+ files? in [^\n]*\. No fixes|\b0 errors?,? (?:and )?0 warnings?\b|\.{3}Passed$/im,
    ],
  },
  {
    says: "good",
    of: ["deploy", "publish", "commit", "push", "merge", "migration"],
    words: [
      /^\[[\w/.# -]+ (?:\(root-commit\) )?[0-9a-f]{7,}\]|-> \S+$|\bEverything up-to-date\b|^\+ \S+@\d/im,
      /https:\/\/\S+\/(?:pull|merge_requests)\/\d+|\bdeployed\b|\bProduction: https|\bpublished\b|\bapplied\b/i,
      /\bdigest: sha256|\bsuccessfully\b|\bapply complete\b|\bSTATUS: deployed\b|\brolled out\b/i,
    ],
  },
];

/** What the output says about a claim, null for nothing; `own`: in words of that claim alone. */
export function outputSays(
  subject: ResultSubject,
  output: string,
  { own }: { own: boolean } = { own: false },
): "good" | "bad" | null {
  const text = plainText(output.slice(-longestRead));
  if (!own && troubled.test(endOf(text))) return "bad";
  const of = (says: Tell["says"]): boolean =>
    tells.some(
      (tell) =>
        tell.says === says &&
        (tell.of === "all" || tell.of.includes(subject)) &&
        tell.words.some((pattern) => pattern.test(text)),
    );
  return of("bad") ? "bad" : of("good") ? "good" : null;
}

/** Lines that no program prints when all went well, whatever its exit code: a crash, a dead container. */
const gaveUp: readonly RegExp[] = [
  /^(?:HTTP\/[\d.]+ )?50\d\b(?: [A-Z]|$)/m,
  /\b50[0234] (?:Bad Gateway|Internal Server Error|Service Unavailable|Gateway Time)/,
  /\bExited \([1-9]\d*\)|\bexited with (?:code|status) [1-9]|\b(?:CrashLoopBackOff|ImagePullBackOff|ErrImagePull)\b/,
  /^Traceback \(most recent call|^(?:[\w]+\.)*[A-Z]\w*(?:Error|Exception): |^(?:panic|FATAL|fatal): /m,
  /^make(?:\[\d+\])?: \*\*\* |^not ok\b(?!.*# TODO)|\bSegmentation fault\b|\bcore dumped\b/m,
];
export const showsEnd = (output: string): boolean => {
  const text = endOf(plainText(output.slice(-longestRead)));
  return gaveUp.some((pattern) => pattern.test(text));
};

export function saysNoTests(output: string): boolean {
  const text = plainText(output.slice(-longestRead));
  return noTests.some((pattern) => pattern.test(text));
}

/** What any program says at its end when it found something or gave up. */
const troubled = new RegExp(
  "(?<![\\d.,:/-])[1-9]\\d* (?:\\w+ )?(?:errors?|failures?|failed|offen[cs]es?|violations?)\\b" +
    "(?! (?:fixed|corrected|autocorrected|ignored|expected|baselined|suppressed|attempts?))|" +
    "\\bbecause of errors\\b|\\bRun Aborted\\b|\\bBUILD FAIL(?:ED|URE)\\b",
  "i",
);
const endOf = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(-6)
    .join("\n");

const plainText = (output: string): string => output.replace(/\u001b\[[0-9;]*m/g, "");

/** A place with a complaint: `src/a.c:7:13: …`, `src/a.ts(3,4): …`. */
const diagnostic = /^(?:[\w@.~-]*[\\/])*[\w.@-]+\.\w{1,8}[:(]\d+(?:[:,]\d+)?\)?:? (.*)$/gm;
const isWarning = /^\s*(?:\w+ )?(?:warning|warn|note|info|hint|W\d|In file)\b/i;

/** Complaints that name their place, warnings and notes aside. */
export const complaintsIn = (output: string): number =>
  [...plainText(output).slice(-longestRead).matchAll(diagnostic)].filter(
    ([, said]) => !isWarning.test(said!),
  ).length;

/** Warnings in the summary of a linter or compiler, or else those that name their place. */
export function warningsIn(output: string): number {
  const text = plainText(output);
  const told = Number(/\b([1-9]\d*) warnings?\b/i.exec(text)?.[1] ?? 0);
  if (told > 0) return told;
  const placed = text.match(/^(?:\S+[:(]\d+\S*\s+)?(?:warning|WARN(?:ING)?)(?:\[\S+\])?:? \S/gim);
  return placed?.length ?? 0;
}
