// Reads the first spawn line of a transcript, which follows the header: the spec of the run without
// the rest of the file.
import { isObject } from "../../base/data/json.ts";
import { limits } from "../../base/limits.ts";
import { parseLine } from "./parse-line.ts";
import { readHead } from "./read-head.ts";

/**
 * The recorded spec (long texts may be in a side file); undefined if the file does not begin with
 * one.
 */
export function readSpawn(path: string): Record<string, unknown> | undefined {
  const [, second] =
    readHead(path, limits.transcript.lineBytes + 64 * 1024)
      ?.head.toString("utf8")
      .split("\n", 3) ?? [];
  const line = second === undefined ? undefined : parseLine(second);
  return line?.["subtype"] === "spawn" && isObject(line["spec"]) ? line["spec"] : undefined;
}
