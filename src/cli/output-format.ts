// How the commands that watch a run tell of it: for people, as one JSON object, or as a stream of
// JSON lines.
import { Option, type Command } from "commander";

const outputFormats = ["text", "json", "stream-json"] as const;
export type OutputFormat = (typeof outputFormats)[number];

export const addOutputFormat = (command: Command): Command =>
  command
    .addOption(
      new Option("--output-format <format>", "text for people, json or stream-json for programs")
        .choices(outputFormats)
        .default("text"),
    )
    .addOption(
      new Option("--json", "the same as --output-format json").implies({ outputFormat: "json" }),
    );
