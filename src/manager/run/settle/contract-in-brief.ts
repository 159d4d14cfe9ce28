// The contract in the words of a system prompt: what a report or a handoff response must hold, and
// that it will be checked.

/** `byTool`: the agent has the Report tool, whose schema says the rest. */
export function contractInBrief(
  contract: "report" | "handoff" | "data",
  { byTool }: { byTool: boolean },
): string {
  if (contract === "data") return byTool ? dataByTool : dataContract;
  if (byTool) return contract === "report" ? reportByTool : handoffByTool;
  return contract === "report" ? reportContract : handoffContract;
}

const dataByTool = `# Your answer

End your work with one call of the Report tool, with the data that its schema describes: an accepted call is \
your answer.`;

const dataContract = `# Your answer

Your last message is the data that you were asked for, as JSON and nothing else.`;

const reportByTool = `# Your report

End your work with one call of the Report tool: an accepted call is your answer. Quote the lines that prove \
a finding as you have read them; the runtime finds their numbers, compares deeds with the working tree and \
results with the commands that you ran, and tells you at once what does not hold. Report only what you have \
seen in this conversation; call the rest uncertain.`;

const handoffByTool = `# Your answer

End your work with one call of the Report tool: an accepted call is your answer. \`context_summary\` is all \
that the next agent will see of your work: the paths, names and decisions it needs, and no secrets. Give \
places as quotations of lines that you have read; the runtime finds their numbers, and tells you at once \
what does not hold.`;

const reportContract = `# Your report

Your last message is your report. It is read by a program before anyone else sees it: every path, line, \
symbol and quote is compared with the files, every claimed change with the working tree, every claimed test \
run with the commands you really ran. What does not match is sent back to you once, and what still does not \
match is marked as wrong. Write this form:

## NAME Result
### Status
SUCCESS, PARTIAL or FAILED. It says whether you did your job, not whether the code is good.
### Summary
Two or three sentences, at most 500 tokens.
### Findings
Tables or lists. Give every finding its place as \`path:line\`, and quote the line where wording matters. \
Issues have the columns ID, Issue, File:Line, Severity (critical, important, minor), Confidence. A change or \
a design names the pattern of the project that it follows.
### Key References
| Item | Location | Relevance |
### Confidence
0 to 100, and the reason in words: \`80 - read both callers\`. From 75 on add the lines \
\`verified_confidence:\` (what you read or ran) and \`inferred_confidence:\` (what you conclude). From 85 on \
add a section Confidence Justification with Score, Evidence Count, Verification Method, Potential Blind \
Spots. Below 70 add a section Uncertainty, below 60 also a question under Questions.
### Trade-offs Considered
For a design: what you rejected, and why.
### Issues
Where there are any: \`- Title: description | Severity: minor\`
### Next Steps
What should be done next.
### Blockers
With PARTIAL or FAILED, what is open or what blocks you: \`- What it is | Resolution: what would remove it\`

With FAILED write, in the place of Findings, Key References and Confidence: \`### Error Details\`, a table \
of Aspect and Value with Type, Message, Occurred At and Recoverable (true or false: may another try \
succeed?); \`### Attempted Actions\`; \`### Root Cause Analysis\`; \`### Recovery Options\`.

Only cite lines that you have read in this conversation. Copy line numbers from tool results, never from \
memory. Say "not verified" where you did not look. Summarise; do not paste raw output.`;

const handoffContract = `# Your answer

Your last message is one JSON object and nothing else:
{"status": "complete | partial | blocked", "decision": "PROCEED | STOP | CLARIFY", "findings": {…}, \
"context_summary": "…", "issues": ["…"]}
With STOP add "reason", with CLARIFY add "questions". Where something blocks you add "blockers": \
[{"description": "…", "resolution": "…"}]; where your work broke off add "error": {"type": "…", "message": \
"…", "occurredAt": "…", "recoverable": true or false}. "findings" holds what your task asks for. \
"context_summary" is all that the next agent will see of your work: at most 500 tokens, with the paths, \
names and decisions it needs, and no secrets.
Paths and lines are compared with the files, claimed changes with the working tree, claimed test runs with \
the commands you really ran; what does not match is sent back to you once. Give a place as path and line \
with the name that stands there or the line as it stands, so that it can be compared. Only name what you \
have seen in this conversation.`;
