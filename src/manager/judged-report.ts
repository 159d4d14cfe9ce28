// A checked report, as the verifier leaves it for whoever makes the run's result.
import type { Assessment } from "../verify/assessment.ts";
import type { Repair } from "../verify/repair.ts";

export type JudgedReport = { assessment: Assessment; repair: Repair | null };
