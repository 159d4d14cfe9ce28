// Matchers: everything (`*` or empty), exact names joined by `|` or `,`, else a regular expression
// that matches the whole name in linear time. A pattern with its own anchors, such as `^mcp__`, is
// matched as written.
import { limits } from "../../base/limits.ts";
import { RE2JS } from "re2js";
import { errorText, RetinueError } from "../../base/errors.ts";
import { toolNameVariants } from "../../base/tool-names.ts";

export type Matcher = (subject: string | undefined) => boolean;

const exactNames = /^[\w\-|, ]+$/;
const maxPatternCharacters = limits.hook.matcherCharacters;

/**
 * Throws `RetinueError("config")` for a pattern that RE2 refuses (look-around, back-references,
 * unbalanced brackets).
 */
export function compileMatcher(matcher: string): Matcher {
  const text = matcher.trim();
  if (text === "" || text === "*") return () => true;
  const test = exactNames.test(text) ? exactTest(text) : patternTest(text);
  return (subject) => subject === undefined || toolNameVariants(subject).some(test);
}

/** The names of a list of names; undefined for other matchers. */
export function namesIn(matcher: string): string[] | undefined {
  const text = matcher.trim();
  return text !== "*" && exactNames.test(text)
    ? text
        .split(/[|,]/)
        .map((name) => name.trim())
        .filter(Boolean)
    : undefined;
}

const hasAnchor = (pattern: string): boolean =>
  /[\^$]/.test(pattern.replace(/\\.|\[\^?\]?[^\]]*\]/gs, ""));

function exactTest(text: string): (name: string) => boolean {
  const names = new Set(namesIn(text));
  return (name) => names.has(name);
}

function patternTest(text: string): (name: string) => boolean {
  if (text.length > maxPatternCharacters) {
    throw new RetinueError(
      "config",
      `hook matcher of ${text.length} characters: at most ${maxPatternCharacters} are ` +
        "read; shorten it or use several entries",
    );
  }
  try {
    const pattern = RE2JS.compile(text);
    return hasAnchor(text)
      ? (name) => pattern.matcher(name).find()
      : (name) => pattern.matches(name);
  } catch (error) {
    throw new RetinueError(
      "config",
      `hook matcher "${text}": ${errorText(error)}; write tool names joined by | or a regular expression in RE2 syntax`,
    );
  }
}
