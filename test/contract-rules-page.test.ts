// docs/contract-rules.md is made from the contract's rules (test/data/contract-rules.json) and the table
// below: what becomes of each rule, and the test that shows it. Fails for a rule without a row, for a
// row without its test, and for a page that is stale.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lintRules } from "../src/contract/lint/lint-report.ts";
import { expectGenerated } from "./generated-doc.ts";

type Rule = { who: string; level: string; rule: string };
type Kind = "enforced" | "measured" | "asked for";
/** The beginning of the rule; what is done; the file and the name of the test. */
type Row = [begins: string, kind: Kind, how: string, file: string, name: string];

const guard = "test/orchestrator-guard.test.ts";
const denied = "src/permissions/orchestrator/orchestrator-rules.test.ts";
const measure = "src/flows/measuring/measure-flow.test.ts";
const patterns = "src/patterns/patterns.test.ts";
const lint = "src/contract/lint/lint-report.test.ts";
const brief = "src/manager/run/settle/contract-in-brief.test.ts";
const verified = "test/verified-reports.test.ts";
const assess = "src/verify/assess-report.test.ts";
const aggregate = "src/contract/aggregate/aggregate-reports.test.ts";
const threeBad = "with three bad references goes back once: two are fixed, one is withdrawn";

const rows: Row[] = [
  ["MUST delegate bulk", "enforced", "`bulk-search` denies the call", denied, "may not make: %s"],
  [
    "NEVER read more",
    "enforced",
    "`max-files` denies the fourth file",
    guard,
    "the fourth file, an Edit, a Write, a Bash and a bulk Grep are denied, each with its rule and with whom to delegate to; all of it is on record",
  ],
  [
    "NEVER implement",
    "enforced",
    "`no-implementation` denies the call",
    denied,
    "may not make: %s",
  ],
  ["NEVER write tests", "enforced", "`no-tests` denies the call", denied, "may not make: %s"],
  [
    "NEVER do security",
    "enforced",
    "`no-security-analysis` denies the way to the material; what a model thinks is not seen",
    denied,
    "may not make: %s",
  ],
  ["NEVER edit spec", "enforced", "`no-spec-edits` denies the call", denied, "may not make: %s"],
  [
    "ALWAYS wait",
    "enforced",
    "`wait-for-agents` holds the answer back",
    guard,
    "an answer while an agent is at work is held back, told by rule, and given anew with the report",
  ],
  [
    "ALWAYS use subagent",
    "enforced",
    "`use-agent-output` denies a second reading",
    guard,
    "a delegation begins a new count; what the agent has read is not read again, its key references aside",
  ],
  ["Launch parallel", "measured", "`parallel-agents`", measure, "%s does not hold"],
  [
    "Use appropriate model",
    "measured",
    "`model-per-task` tells which agent ran on which model",
    guard,
    "nothing is put together while a required agent is at work; that, and what else can be measured, is in the result",
  ],
  ["Present subagent", "measured", "`results-presented`", measure, "%s does not hold"],
  ["Update progress", "measured", "`progress-updated`", measure, "%s does not hold"],
  [
    "Consider splitting",
    "measured",
    "`split-work` counts the delegations",
    guard,
    "nothing is put together while a required agent is at work; that, and what else can be measured, is in the result",
  ],
  [
    "Prefer asking",
    "enforced",
    "CLARIFY asks a person, with or without questions of its own",
    patterns,
    "CLARIFY without questions asks with its reason, or with what blocks it",
  ],
  [
    "Document agent failures",
    "measured",
    "`failures-documented`",
    measure,
    "a failure that is on record holds",
  ],
  [
    "ALWAYS use the standardized",
    "enforced",
    "one repair, then INVALID; `standard-format` and `sections` name what is missing",
    assess,
    "nothing that could be read as a report is INVALID",
  ],
  [
    "NEVER exceed",
    "enforced",
    "sent back once, then shortened to whole sentences with the full text in a file",
    "test/flow-sequence.test.ts",
    "a summary that stays too long keeps its first sentences, and its full text a file",
  ],
  [
    "ALWAYS report blockers",
    "measured",
    "`blockers`; they travel to the person as data",
    lint,
    "names %s",
  ],
  [
    "ALWAYS complete Pre",
    "enforced",
    "the runtime computes the four ticks itself; a false tick is named",
    assess,
    "a contradicted critical finding caps at 20 and lowers the outcome; it overrides PROCEED once its class binds",
  ],
  [
    "ALWAYS verify file:line",
    "enforced",
    "every reference is compared with the files; what fails goes back once",
    verified,
    threeBad,
  ],
  [
    "NEVER submit",
    "enforced",
    "what still fails is marked where it stands, graded X, and lowers the outcome",
    assess,
    "what still fails is X and makes it PARTIAL",
  ],
  [
    "MUST include confidence",
    "measured",
    "`confidence-breakdown`",
    lint,
    "the contract's own example %s breaks the contract's own L1 rules",
  ],
  ["Include file:line", "measured", "`locations`", lint, "names %s"],
  ["Provide confidence scores", "measured", "`confidence`, `confidence-reason`", lint, "names %s"],
  ["Summarize exploration", "measured", "`raw-output`, `report-budget`", lint, "names %s"],
  ["Categorize issues", "measured", "`severity`", lint, "names %s"],
  ["Include next steps", "measured", "`next-steps`", lint, "names %s"],
  ["Suggest recovery", "measured", "`recovery-options`", lint, "names %s"],
  ["Note trade-offs", "measured", "`trade-offs`", lint, "names %s"],
  ["Reference patterns", "measured", "`patterns`", lint, "names %s"],
  [
    "Check partial output",
    "enforced",
    "the partial output stays in the record and is shown to the person",
    patterns,
    "a second loss ends the flow with what there is",
  ],
  [
    "Retry once",
    "enforced",
    "every failure of a required agent, unless it says that this is of no use",
    patterns,
    "a required agent whose outcome is %s is tried once more with a smaller task",
  ],
  [
    "Proceed with available",
    "enforced",
    "a warning, and the flow goes on",
    patterns,
    "an optional agent's failure is a warning and the flow goes on",
  ],
  [
    "Escalate to user",
    "enforced",
    "a person is asked with what there is",
    patterns,
    "after two failed repairs a person is asked with what there is, and a hint makes one more",
  ],
  ["File References Valid", "enforced", "computed by the runtime", verified, threeBad],
  [
    "Code Snippets Accurate",
    "enforced",
    "computed by the runtime",
    verified,
    "an agent that quotes what it never read is capped at 84",
  ],
  ["No Hallucinated Paths", "enforced", "computed by the runtime", verified, threeBad],
  [
    "Evidence Documented",
    "enforced",
    "computed by the runtime; a critical finding without a quotation is worth its place",
    assess,
    "a critical finding without the words that it accuses is as good as its place",
  ],
  [
    "Report verified_confidence",
    "measured",
    "`confidence-breakdown`; the runtime computes its own number as a cap",
    assess,
    "the computed confidence is never above the agent's own number",
  ],
  ["Provide an explicit", "measured", "`confidence-justification`", lint, "names %s"],
  [
    "Single source",
    "enforced",
    "a second agent looks at it",
    "test/flow-second-looks.test.ts",
    "a security finding that only names a place is looked at by a second agent, and both are folded into one",
  ],
  [
    "Conflicting findings",
    "enforced",
    "the source decides, else a person",
    aggregate,
    "severities two steps apart need a person and hold everything up",
  ],
  ["Confidence < 70", "measured", "`uncertainty`", lint, "names %s"],
  [
    "Security-related",
    "enforced",
    "below E2 it is an unverified security claim",
    aggregate,
    "a single source, an unverified security claim and low confidence are triggers",
  ],
  ["Never invent", "enforced", "by the verifier", verified, threeBad],
  [
    "Never quote code",
    "enforced",
    "a quotation that the agent never saw is capped",
    verified,
    "an agent that quotes what it never read is capped at 84",
  ],
  [
    "Never assume",
    "asked for",
    "the brief asks to say what was not verified; statements that nothing was compared with are counted",
    brief,
    "the brief asks for exactly what the lint demands",
  ],
  [
    "Flag uncertainty",
    "enforced",
    "what is called uncertain counts as inferred, never as contradicted",
    assess,
    "a claim that the report itself calls uncertain is inferred, never contradicted",
  ],
];

const rules = JSON.parse(readFileSync("test/data/contract-rules.json", "utf8")) as Rule[];

function page(): string {
  const groups = [...new Set(rules.map(({ who }) => who))];
  const count = (kind: Kind): number => rows.filter(([, one]) => one === kind).length;
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const tables = groups.flatMap((who) => [
    `## ${who}`,
    "",
    "| level | rule | here it is | how | shown by |",
    "|---|---|---|---|---|",
    ...rules
      .filter((rule) => rule.who === who)
      .map((rule) => {
        const [, kind, how, file, name] = rowOf(rule)!;
        return `| ${rule.level} | ${cell(rule.rule)} | ${kind} | ${cell(how)} | \`${file}\`: ${cell(name)} |`;
      }),
    "",
  ]);
  return [
    "# The contract's rules",
    "",
    "Every rule of the contract between orchestrators and sub-agents, and what becomes of it here. **Enforced**: the runtime sees to it. **Measured**: it is checked and told, and nothing is stopped by it. **Asked for**: the agent is asked for it, and no program can see whether it did it. This page is made from the tests that it names.",
    "",
    `${rows.length} rules: ${count("enforced")} enforced, ${count("measured")} measured, ${count("asked for")} asked for.`,
    "",
    ...tables,
    "## Rules that the lint knows",
    "",
    "`measures` of a flow and `lint` of a verification name them.",
    "",
    "| level | rules |",
    "|---|---|",
    ...["L1", "L2", "L3"].map(
      (level) =>
        `| ${level} | ${lintRules
          .filter((rule) => rule.level === level)
          .map(({ rule }) => `\`${rule}\``)
          .join(", ")} |`,
    ),
    "",
  ].join("\n");
}

const rowOf = ({ rule }: Rule): Row | undefined => rows.find(([begins]) => rule.startsWith(begins));

test("every rule of the contract has exactly one row, and every row a rule", () => {
  for (const rule of rules)
    expect(
      rows.filter(([begins]) => rule.rule.startsWith(begins)),
      rule.rule,
    ).toHaveLength(1);
  expect(rows).toHaveLength(rules.length);
});

test("every row names a test that exists, and every rule that it quotes is one of the lint, the guard or the measures", () => {
  const known = [
    ...lintRules.map(({ rule }) => rule),
    ...[...readFileSync("docs/flows.md", "utf8").matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(
      ([, rule]) => rule!,
    ),
  ];
  for (const [, , how, file, name] of rows) {
    const text = readFileSync(file, "utf8");
    expect(text.includes(JSON.stringify(name)), `${file} has no test ${name}`).toBe(true);
    for (const [, rule] of how.matchAll(/`([a-z-]+)`/g)) expect(known).toContain(rule);
  }
});

test("the page is what the table says", () => {
  expectGenerated("docs/contract-rules.md", page());
});
