// The least trust that lets an answer proceed: per phase, per spawn, per command line.
import type { Trust } from "../axes.ts";

export const requirements = ["VERIFIED", "MIXED", "UNVERIFIED"] as const;
export type Requirement = (typeof requirements)[number];

/** Best first. Nothing that could be checked ranks as UNVERIFIED. */
const order: readonly Trust[] = ["VERIFIED", "MIXED", "UNVERIFIED", "CONTRADICTED"];

export const isBelow = (trust: Trust | null, required: Requirement): boolean =>
  order.indexOf(trust ?? "UNVERIFIED") > order.indexOf(required);

export const belowWords = (trust: Trust | null, required: Requirement): string =>
  `${trust === null ? "nothing in it could be checked" : `its trust is ${trust}`}, ${required} is required`;

/** What a phase is asked for where its plan says nothing, by what it is to deliver. */
export const usualRequirements: Readonly<Record<string, Requirement>> = {
  structured_findings: "UNVERIFIED",
  files_changed: "MIXED",
  validation_result: "MIXED",
};
