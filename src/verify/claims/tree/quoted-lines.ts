// Whether code that stands nowhere is said to be a line of a file: the message names the file or the function around
// the line that it was made of, or says that a line is shown, and the code begins and ends where that line does.
import type { Repository } from "../../../source/repository.ts";
import { isProse } from "../runs/edit-after.ts";
import { editedFrom } from "./edited-from.ts";

/** `lead`: the words before it. */
export type ShownText = { text: string; lead: string; behind: string };
type Line = { path: string; line: number; text: string };

export const program = new RegExp(
  "^(?:\\$ )?(?:sudo |[A-Z_]+=\\S+ )*(?:npm|npx|pnpm|yarn|bun|" +
    "node|deno|git|make|just|task|rake|bundle|cargo|go|python\\d?|pip|" +
    "poetry|uv|mix|prisma|aws|tmux|uvicorn|composer|php|mvn|gradle|\\./[\\w/.-]+|docker|" +
    "kubectl|curl|bash|sh|cd|ls|cat|grep|rg|sed|dotnet|tsc|pytest|ruff|" +
    "eslint|vitest|jest|ssh|rm|cp|mv|export|brew|apt|apt-get|gh|terraform|helm|psql|sqlite3)\\b",
);

/** It is told as it stands there: no wish, no example, no past, no other's words. */
const unsaid = new RegExp(
  "\\b(?:should|would|could|might|may|must|instead|rather|consider|suggest\\w*|recommend\\w*|propos\\w*|" +
    "prefer|try|replace|change|switch to|wrap|extract|introduce|e\\.g|for example|such as|like|i'd|let's|want|" +
    "need\\w*|please|was|were|had|old|previous\\w*|before|formerly|used to|no longer|removed|renamed|" +
    "replaced|chang\\w+|deleted|dropped|fixed|new|added|updated|introduced|rewrote|became|turned|" +
    "switched|will|plan\\w*|not|never|nothing|without|nowhere|missing|lacks?|you|your|asked|issue|ticket)\\b|n't\\b",
  "i",
);

/** Words for a piece of code, right before it. */
const shows = new RegExp(
  "\\b(?:(?:line|body|head|header|test|guard|check|condition|branch|clause|formula|definition|signature|pattern|" +
    "declaration|statement|expression|command|call|query|rule|case|split|loop|return|dump|struct|class|record|" +
    "constructor|function|method|macro|type|itself)\\b[^.;]{0,40}\\b(?:is|are|reads|says|has|in question is|goes)|" +
    "(?:reads|says|tests|checks|computes|defines|declares|written|built|declared|defined|computed|cut|starts?|" +
    "begins?|created|made)(?: it| them)?(?: as| with| by| in| from)?|see §|there|the line|namely|that is)[\\s:,(]*$",
  "i",
);

const leads = /\b(?:the|it|its|is|are|this|that)\b[^.]*:\s*$/i;

export function quotedLine<Found extends Line>(
  { text, lead, behind }: ShownText,
  lines: readonly Found[],
  { before }: { report: string; repo: Repository; before: string },
): Found | undefined {
  // What stands on a line of its own is said in the sentence before it.
  const isAlone = lead.trim() === "" || lead === before;
  const said = isAlone ? before : lead;
  if (unsaid.test(`${said} ${behind.split(/[.;]/)[0]!}`) || /<\w+>|…/.test(text)) return undefined;
  const coded = lines.filter(({ path }) => !isProse(path));
  const named = coded;
  const isSaid = shows.test(said);
  const isLed = isSaid || (isAlone && leads.test(said) && !program.test(text));
  // What nothing leads to, or words of another language, may be a proposal.
  if (isAlone && !isLed) return undefined;
  return (
    editedFrom(text, isLed ? coded : named, { isWhole: true, isSaid }) ??
    (isSaid ? editedFrom(text, named) : undefined)
  );
}
