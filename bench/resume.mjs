// `npm run bench -- resume [MB]`: what a resume reads of a large transcript, against reading the file once; goal under 3 × and 300 MB.
import { run as measure } from "./transcripts.mjs";

export const summary =
  "resuming from a large transcript: time against reading it once, memory ([MB], 100)";

export const run = (args) => measure(args, { only: "resume" });
