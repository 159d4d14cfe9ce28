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
  const spec = readSpawnLine(path)?.["spec"];
  return isObject(spec) ? spec : undefined;
}

/** Inside of a text its quotation marks would be escaped, so that it marks a line of ours. */
const beginning = '{"type":"system","subtype":"spawn"';

/** The whole line, found by its beginning: the header before it may be damaged, its end too. */
export function readSpawnLine(path: string): Record<string, unknown> | undefined {
  const head = readHead(path, limits.transcript.lineBytes + 64 * 1024)?.head.toString("utf8") ?? "";
  const start = head.indexOf(beginning);
  const end = head.indexOf("\n", start);
  const line = start < 0 || end < 0 ? undefined : parseLine(head.slice(start, end));
  return line?.["subtype"] === "spawn" ? line : undefined;
}
