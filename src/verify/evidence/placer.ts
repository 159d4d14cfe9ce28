// Paths of a record relative to the root. A transcript of another checkout is read as if its first
// working directory were the root.
import { escapeRegExp } from "../../base/text/escape-reg-exp.ts";
import { realpathSync } from "node:fs";
import { isAbsolute, join, normalize, relative, resolve } from "node:path";
import type { ToolCall } from "./tool-calls.ts";

/** It has a part that says nothing, or one that leads back. */
const isUneven = (path: string): boolean =>
  path.includes("//") || path.includes("/.") || path.endsWith("/");

/** The real path, or the absolute one where nothing exists. */
function realRoot(root: string): string {
  try {
    return realpathSync.native(root);
  } catch {
    return resolve(root);
  }
}

function inside(base: string, path: string): string | undefined {
  if (path.startsWith(base) && path[base.length] === "/" && !path.endsWith("/"))
    return path.slice(base.length + 1);
  const rest = relative(base, path);
  return rest === "" || rest === ".." || rest.startsWith("../") || isAbsolute(rest)
    ? undefined
    : rest;
}

const isRelated = (one: string, other: string): boolean =>
  one === other || inside(one, other) !== undefined || inside(other, one) !== undefined;

export function placer(root: string): {
  notice(line: Record<string, unknown>): void;
  of(path: string, cwd: string | null): string;
  rebased(call: ToolCall): ToolCall;
} {
  const plain = normalize(root);
  let known: string | undefined;
  // Asked for where the path as it was given does not tell.
  const real = (): string => (known ??= realRoot(root));
  let home: string | undefined;
  /** The first working directory, where it is neither in the root nor around it. */
  let there: string | undefined;
  const fullOf = (path: string, cwd: string | null): string =>
    isAbsolute(path) ? (isUneven(path) ? normalize(path) : path) : join(cwd ?? real(), path);
  return {
    notice(line) {
      if (home !== undefined || typeof line["cwd"] !== "string") return;
      home = line["cwd"];
      if (!isRelated(plain, home) && !isRelated(real(), home)) there = home;
    },
    of(path, cwd) {
      const full = fullOf(path, cwd);
      return (
        inside(plain, full) ??
        inside(real(), full) ??
        (there === undefined ? undefined : inside(there, full)) ??
        full
      );
    },
    /** A command of another checkout, as if it had run in this one. */
    rebased(call) {
      const command = call.input["command"];
      if (there === undefined || typeof command !== "string") return call;
      const checkout = there;
      const here = (text: string): string =>
        text
          .replaceAll(`${checkout}/`, `${real()}/`)
          .replaceAll(new RegExp(`${escapeRegExp(checkout)}(?![\\w.-])`, "g"), real());
      return {
        ...call,
        input: { ...call.input, command: here(command) },
        facts: {
          ...call.facts,
          ...(typeof call.facts["command"] === "string"
            ? { command: here(call.facts["command"]) }
            : {}),
        },
        cwd: call.cwd === null ? null : here(call.cwd),
      };
    },
  };
}
