// The usual flows as data: which phases, which agents, what each is told.
import type { Phase } from "../patterns/flow.ts";

const research: Phase = {
  name: "research",
  agent: "researcher",
  required: true,
  expected_output: "structured_findings",
  instructions:
    "Find what already exists for this feature, what would conflict with it, and which " +
    "patterns to follow. Say STOP when it exists already or cannot be reconciled, " +
    "CLARIFY when the wish can be read in two ways.",
};
const design: Phase = {
  name: "design",
  agent: "code-architect",
  required: true,
  expected_output: "structured_findings",
  instructions:
    "Choose one approach that fits what was found, and give the files to create and to " +
    "change, in the order in which to build them.",
};
const write: Phase = {
  name: "write",
  agent: "writer",
  required: true,
  expected_output: "files_changed",
  instructions:
    "Implement the feature along what was found. Write tests first. Name every file you changed.",
};
const validate: Phase = {
  name: "validate",
  agent: "validator",
  required: true,
  expected_output: "validation_result",
  repairs: "write",
  instructions: "Run the project's own checks on the change and report what they say.",
};

export const sequencePhases: readonly Phase[] = [research, write, validate];

export const analyzerPhase: Phase = {
  name: "analyze",
  agent: "analyzer",
  required: true,
  expected_output: "structured_findings",
  instructions:
    "Judge how large this task is. Put the key complexity into findings: simple or complex.",
};

export const branchPaths: Readonly<Record<"simple" | "complex", readonly Phase[]>> = {
  simple: [
    {
      ...write,
      agent: "quick-writer",
      instructions: "Make this small change. Name every file you changed.",
    },
    validate,
  ],
  complex: [research, design, write, validate],
};

const check = (name: string, agent: string, instructions: string): Phase => ({
  name,
  agent,
  instructions,
  required: true,
  expected_output: "validation_result",
});

export const parallelPhases: readonly Phase[] = [
  check("types", "type-checker", "Check the types of the project."),
  check("lint", "lint-checker", "Run the project's linters in checking mode."),
  check("tests", "test-runner", "Run the project's tests."),
  check("security", "security-scan", "Look at the code for what an attacker would look for."),
];

/** `--task AGENT=PROMPT`, repeated. */
export const taskPhase = (agent: string, prompt: string, index: number): Phase =>
  check(`task-${index + 1}`, agent, prompt);
