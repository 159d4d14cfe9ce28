// The first spawn line of a transcript, which stands right after the header: what was run, without reading the rest.
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { isObject } from "../base/json.ts";
import { limits } from "../base/limits.ts";
import { parseLine } from "./parse-line.ts";

/** The spec as it was recorded (long texts may stand in a side file); undefined when the file does not begin with one. */
export function readSpawn(path: string): Record<string, unknown> | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, limits.transcript.lineBytes + 64 * 1024));
    const text = buffer.toString("utf8", 0, readSync(fd, buffer, 0, buffer.length, 0));
    const [, second] = text.split("\n", 3);
    const line = second === undefined ? undefined : parseLine(second);
    return line?.["subtype"] === "spawn" && isObject(line["spec"]) ? line["spec"] : undefined;
  } finally {
    closeSync(fd);
  }
}
