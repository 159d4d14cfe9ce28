// What a program gives to the verifier, checked before it counts: a path where a reader belongs is the usual slip.
import { RetinueError } from "../base/errors.ts";
import { isObject } from "../base/data/json.ts";

/** Throws `RetinueError("usage")`; `by` is the function that was called. */
export function checkGiven(by: string, report: unknown, options: unknown): void {
  if (typeof report !== "string")
    throw new RetinueError(
      "usage",
      `${by}: the report must be a text, got ${report === null ? "null" : typeof report}`,
    );
  const { reader, base, contract } = isObject(options) ? options : {};
  for (const [name, given] of [
    ["reader", reader],
    ["base", base],
  ] as const) {
    if (name === "base" && given === undefined) continue;
    const isReader =
      isObject(given) && (typeof given["list"] === "function" || isObject(given["reader"]));
    if (!isReader)
      throw new RetinueError(
        "usage",
        `${by}: ${name} must say what to check against: treeReader(folder), ` +
          "commitReader(folder, revision) or memoryReader(files)" +
          (typeof given === "string"
            ? `; for a folder write treeReader(${JSON.stringify(given)})`
            : ""),
      );
  }
  if (contract !== undefined && !["report", "handoff", "none", "auto"].includes(contract as string))
    throw new RetinueError(
      "usage",
      `${by}: contract must be "report", "handoff", "none" or "auto", got ${JSON.stringify(contract)}`,
    );
}
