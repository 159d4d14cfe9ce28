// The offline model's answer in the contract: what was found, each with its place and its line, and what this is and is not.
import type { RankedHit } from "./rank-hits.ts";

export type Found = { about: string; hits: RankedHit[]; seen: ReadonlySet<string> };

const shownHits = 3;

export const whatItIs =
  "This answer comes from Retinue's offline model, which is no language model: it searched for what the prompt names, and read the best places.";

export function reportAnswer(found: readonly Found[], searched: readonly string[]): string {
  const some = found.filter(({ hits }) => hits.length > 0);
  if (some.length === 0) return nothingFound(searched);
  const rows = some.flatMap(({ about, hits }) =>
    hits.slice(0, shownHits).map((hit, index) => ({ about, hit, isFirst: index === 0 })),
  );
  const verified = some.every(({ hits, seen }) => seen.has(`${hits[0]!.path}:${hits[0]!.line}`))
    ? 85
    : 70;
  return [
    "## Offline Explorer Result",
    "### Status\nSUCCESS",
    `### Summary\n${some.map(({ about, hits }) => `${about}: ${hits[0]!.isDefinition ? "defined" : "named"} at \`${place(hits[0]!)}\`.`).join(" ")} ${whatItIs}`,
    ["### Findings", ...some.map(findingsOf)].join("\n\n"),
    [
      "### Key References",
      "| Item | Location | Relevance |",
      "|---|---|---|",
      ...rows.map(
        ({ about, hit, isFirst }) =>
          `| ${cell(about)} | \`${place(hit)}\` | ${hit.isDefinition ? (isFirst ? "definition" : "another definition") : "use"} |`,
      ),
    ].join("\n"),
    `### Confidence\n70 - found by search, not by understanding\n- verified_confidence: ${verified}\n- inferred_confidence: 50`,
    "### Next Steps\n1. Read the first reference\n2. Ask a language model where judgement is needed: set a key, or name another model",
    [
      "### Verification Completed",
      "- [x] File References Valid: every line was read or shown by a search in this run",
      "- [x] Code Snippets Accurate: lines are copied from the results",
    ].join("\n"),
  ].join("\n\n");
}

function findingsOf({ about, hits }: Found): string {
  const definitions = hits.filter((hit) => hit.isDefinition).slice(0, shownHits);
  const shown = definitions.length > 0 ? definitions : hits.slice(0, shownHits);
  return [
    `#### ${about}`,
    ...shown.map(
      (hit) => `- \`${place(hit)}\`: \`${hit.text.trim().replaceAll("`", "'").slice(0, 160)}\``,
    ),
  ].join("\n");
}

function nothingFound(searched: readonly string[]): string {
  return [
    "## Offline Explorer Result",
    "### Status\nPARTIAL",
    `### Summary\nNothing was found. Searched for: ${searched.join(", ") || "nothing that could be searched for"}. ${whatItIs}`,
    "### Findings\nNone.",
    "### Confidence\n40 - no hit",
    "### Uncertainty\nIt may be there under another name.",
    "### Questions\n- Which symbol, file or text is meant? Name it exactly, for example `parseDate`.",
    "### Blockers\n- nothing to go by | Resolution: name a symbol, a file or a text",
  ].join("\n\n");
}

export function handoffAnswer(found: readonly Found[], searched: readonly string[]): string {
  const some = found.filter(({ hits }) => hits.length > 0);
  const places = some.flatMap(({ about, hits }) =>
    hits
      .slice(0, shownHits)
      .map((hit) => `${about}: ${place(hit)} ${hit.text.trim().slice(0, 120)}`),
  );
  const response =
    some.length === 0
      ? {
          status: "blocked",
          decision: "CLARIFY",
          questions: ["Which symbol, file or text is meant?"],
          findings: { existing_implementations: [] },
          context_summary: `Nothing was found for ${searched.join(", ")}. ${whatItIs}`,
          issues: ["nothing was found"],
        }
      : {
          status: "complete",
          decision: "PROCEED",
          findings: {
            existing_implementations: places,
            conflicts: [],
            patterns_found: [],
            recommendations: [],
          },
          context_summary: `${some.map(({ about, hits }) => `${about} is at ${place(hits[0]!)}`).join("; ")}. ${whatItIs}`,
          issues: [],
        };
  return JSON.stringify(response, null, 2);
}

const place = ({ path, line }: RankedHit): string => `${path}:${line}`;
const cell = (text: string): string => text.replaceAll("|", "\\|");
