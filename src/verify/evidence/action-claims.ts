// What a report says its agent did: tests that pass, commands that ran. Plans, wishes and denials are not among them.
import { reportLines, type Line } from "../../contract/report/report-lines.ts";
import { isProgram } from "./command-runs.ts";
import { readTestOutput } from "./test-output.ts";

/** All three numbers null: "tests pass". `whole`: it speaks of every test there is. */
export type TestClaim = {
  kind: "test";
  span: [number, number];
  passed: number | null;
  failed: number | null;
  total: number | null;
  whole?: boolean;
};
/** `succeeded`: the words say that it went well; otherwise only that it ran. */
export type CommandClaim = {
  kind: "command";
  span: [number, number];
  command: string;
  succeeded: boolean;
  failed: boolean;
};
export type ActionClaim = TestClaim | CommandClaim;

const maxClaims = 200;
/** What is still to do, was tried in vain, or is uncertain claims no action. */
export const noClaims =
  /next steps?|recover|recommend|trade-?offs?|uncertain|blockers?|questions?|build sequence|attempted|suggest|todo|plan\b|fix(?:es)?$/i;

export function findActionClaims(report: string): ActionClaim[] {
  const found: ActionClaim[] = [];
  let skipped = false;
  let columns = "";
  let fence: { mark: string; start: number; body: string[] } | null = null;
  for (const line of reportLines(report)) {
    const mark = /^\s{0,3}(`{3,}|~{3,})(.*)$/.exec(line.text);
    if (fence) {
      if (mark && mark[1]!.startsWith(fence.mark) && mark[2]!.trim() === "") {
        if (!skipped) found.push(...printedTests(fence.body.join("\n"), [fence.start, line.end]));
        fence = null;
      } else if (fence.body.length < 10_000) fence.body.push(line.text);
      continue;
    }
    if (mark) fence = { mark: mark[1]!, start: line.start, body: [] };
    else if (/^\s{0,3}#{1,6}\s/.test(line.text)) skipped = noClaims.test(line.text);
    else if (!skipped) found.push(...claimsIn(line, columns));
    columns = line.text.trimStart().startsWith("|") ? columns || line.text : "";
    if (found.length >= maxClaims) return found.slice(0, maxClaims);
  }
  return found;
}

function printedTests(body: string, span: [number, number]): TestClaim[] {
  const counts = readTestOutput(body);
  return counts
    ? [{ kind: "test", span, passed: counts.passed, failed: counts.failed, total: counts.total }]
    : [];
}

export const open =
  /\b(?:not|n't|never|should|must|needs?|ensure|make sure|until|once|when|if|whether|would|will|to|before|expect(?:ed)?|unless|verify that|check that|confirm that|could|cannot|can)\s+(?:[\w`'-]+\s+){0,3}$/i;
const passes =
  "(?:(?:have|has|are|were|is|all|now|still|currently|successfully)\\s+)*(?:pass(?:ed|es|ing)?|green|succeed(?:ed|s)?)\\b";
const numbered = new RegExp(
  [
    `\\b(\\d{1,6})\\s*(?:/|of|out of)\\s*(\\d{1,6})\\s+(?:[a-z]+\\s+)?(?:tests?\\s+)?${passes}`,
    `\\b(\\d{1,6})\\s+(?:[a-z]+\\s+)?tests?,?\\s+${passes}(?:\\s*[,;(|]\\s*(\\d{1,6})\\s+fail(?:ed|ing|ures?))?`,
    "\\b(\\d{1,6})\\s+pass(?:ed|ing)\\b\\s*[,;/|]\\s*(\\d{1,6})\\s+(?:fail(?:ed|ing|ures?)|total)\\b",
  ].join("|"),
  "gi",
);
/** "The test passes `null` to it" speaks of a call. */
const handsOver =
  "(?!(?<=pass|passes|passed|passing)\\s+(?:an?|the|its?|their|each|every|some|this|that|null|undefined|true|false|through|along|around|down|data|values?|props?|arguments?|parameters?|objects?|`|\"|'|\\d)(?:\\b|(?<=[`\"'\\d])))";
const all = new RegExp(
  [
    `\\b(?:(?:all|every)\\s+(?:of\\s+the\\s+)?(?:existing\\s+|unit\\s+|integration\\s+|the\\s+|new\\s+|our\\s+)*tests?|tests?|(?:test\\s+)suite)\\s+${passes}${handsOver}`,
    "\\btest\\s+suite\\s+(?:ran|runs|completed|finished)\\s+(?:through\\s+)?without\\s+(?:(?:a|any|one|single)\\s+)*(?:failures?|errors?)\\b",
    "\\bran\\s+(?:all\\s+)?(?:the\\s+)?(?:[a-z]+\\s+)?tests?(?:\\s+suite)?\\s+and\\s+(?:they|it|all(?:\\s+of\\s+them)?|everything)\\s+(?:all\\s+)?(?:pass(?:ed|es)?|succeed(?:ed|s)?|(?:is|was|were|are)\\s+green)\\b",
    "(?<![\\p{L}\\d])tests?[*_]{0,2}\\s*[:|]\\s*[*_]{0,2}(?:✅\\s*)?(?:all\\s+|alle\\s+)?(?:pass|passing|passed|green|grün)(?=[*_]{0,2}\\s*(?:$|[.,;|)(]))",
    "\\balle\\s+(?:\\d{1,6}\\s+)?Tests\\s+(?:(?:sind|laufen|liefen|wurden)\\s+)?(?:jetzt\\s+|weiterhin\\s+|erfolgreich\\s+|fehlerfrei\\s+|wieder\\s+)*(?:durch|grün|bestanden|erfolgreich)(?!\\p{L})",
  ].join("|"),
  "giu",
);

function claimsIn({ text, start }: Line, columns: string): ActionClaim[] {
  const line = text.slice(0, 4_000);
  return [...testClaims(line, start), ...commandClaims(line, start, columns)];
}

function testClaims(line: string, start: number): TestClaim[] {
  const isSaid = ({ index }: RegExpExecArray): boolean =>
    !open.test(line.slice(0, index)) &&
    !/`[^`]*$/.test(line.slice(0, index).replace(/`[^`]*`/g, ""));
  const match = [...line.matchAll(numbered)].find(isSaid) ?? [...line.matchAll(all)].find(isSaid);
  if (!match) return [];
  const span: [number, number] = [start + match.index, start + match.index + match[0].length];
  const [, share, of, count, failed, listed, rest] = match.map((value) =>
    value === undefined || !/^\d+$/.test(value) ? null : Number(value),
  );
  if (share != null && of != null)
    return [{ kind: "test", span, passed: share, failed: null, total: of }];
  if (count != null)
    return [{ kind: "test", span, passed: count, failed: failed ?? null, total: null }];
  if (listed != null)
    return [
      {
        kind: "test",
        span,
        passed: listed,
        ...(/total/i.test(match[0])
          ? { failed: null, total: rest ?? null }
          : { failed: rest ?? null, total: null }),
      },
    ];
  return [
    {
      kind: "test",
      span,
      passed: null,
      failed: null,
      total: null,
      whole: /\b(?:all|alle|every|whole|full|entire|existing)\b|suite/i.test(
        line.slice(Math.max(0, match.index - 24), match.index + match[0].length),
      ),
    },
  ];
}

const ranBefore =
  /\b(?:ran|executed|verified (?:with|by running|via)|confirmed (?:with|by running|via)|checked with|after running|by running|output of|result of)\s*:?\s*$/i;
const wentWell =
  /^\s*(?:\([^)]{0,40}\)\s*)?(?:→|->|=>|:|-|–|—)?\s*(?:now\s+|also\s+|still\s+|both\s+)?(?:pass(?:es|ed|ing)?|succeed(?:s|ed)|exit(?:s|ed)?\s+(?:with\s+)?(?:code\s+)?0|is\s+clean|clean|ok|green|works|completed\s+successfully|reports?\s+no\s+(?:errors|problems|issues))\b/i;
/** A row that says how a command ended, and a box that was ticked behind it. */
const endColumns = /exit|result|status|outcome|passed|ergebnis/i;
const goodCell =
  /\|\s*(?:✅|✓|✔|🟢)?\s*(?:pass(?:ed|es|ing)?|ok|success(?:ful)?|succeeded|green|clean|(?:exit\s+)?(?:code\s+)?0|✅|✓|✔|🟢)\s*(?=\||$)/i;
const ticked = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\[[xX]\]\s+$/;

function commandClaims(line: string, start: number, columns: string): CommandClaim[] {
  return [...line.matchAll(/`([^`]{2,400})`/g)].flatMap((match): CommandClaim[] => {
    const command = match[1]!.trim().replace(/^\$\s+/, "");
    if (!isProgram(command)) return [];
    const before = line.slice(0, match.index);
    const after = line.slice(match.index + match[0].length);
    const alone = /^\s*(?:\||$)/.test(after);
    const succeeded =
      wentWell.test(after) ||
      (alone &&
        (ticked.test(before) ||
          (/^\s*\|(?:.*\|)?\s*$/.test(before) &&
            endColumns.test(columns) &&
            goodCell.test(after))));
    const ran = ranBefore.test(before);
    if ((!ran && !succeeded) || open.test(before)) return [];
    return [
      {
        kind: "command",
        span: [start + match.index, start + match.index + match[0].length],
        command,
        succeeded,
        failed:
          /\b(?:fail(?:s|ed|ing|ures?)?|errors?|exit(?:s|ed)?\s+(?:with\s+)?(?:code\s+)?[1-9])\b/i.test(
            after.slice(0, 160),
          ) && !succeeded,
      },
    ];
  });
}
