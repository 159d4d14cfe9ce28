// The program that runs a host.
import { realpathSync } from "node:fs";

/** This one, by its real path. */
export const hostProgram = (): string[] => [
  process.execPath,
  realpathSync(process.argv[1]!),
  "host",
];
