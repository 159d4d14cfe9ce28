// git: the subcommands that scripts and servers use.
import type { CommandSpec } from "../command-spec.ts";

export const gitPlumbing: Record<string, CommandSpec> = {
  "upload-pack": { asks: "git upload-pack is for servers." },
  "receive-pack": { asks: "git receive-pack is for servers." },
  "update-index": { operands: "unknown", runs: "--index-info --stdin" },
  "read-tree": {
    changesTree: true,
    clears: "-u --reset",
    operands: "none",
    writes: "--index-output --prefix",
  },
  "fast-export": {
    operands: "none",
    writes: "--export-marks",
    reads: "--import-marks --import-marks-if-exists",
  },
  "fast-import": {
    asks: "git fast-import writes objects, references and files as its input says.",
  },
  bugreport: { operands: "none", makes: "-o --output-directory" },
  diagnose: { operands: "none", makes: "-o --output-directory" },
  "hash-object": { operands: "read", valued: "-t --path", runs: "--stdin-paths" },
  "checkout-index": {
    changesTree: true,
    clears: "-f --force",
    operands: "unknown",
    writes: "--prefix",
    runs: "--stdin",
  },
  "pack-objects": { operands: "write" },
  "merge-file": { operands: "write", valued: "-L --marker-size" },
  mailsplit: { operands: "read", writes: "-o" },
  mailinfo: { operands: "write" },
  "interpret-trailers": { operands: "read", valued: "--trailer", edits: "--in-place" },
  credential: { asks: "git credential shows and stores passwords." },
  "credential-store": { asks: "git credential-store shows and stores passwords." },
  "credential-cache": { asks: "git credential-cache shows and stores passwords." },
};
