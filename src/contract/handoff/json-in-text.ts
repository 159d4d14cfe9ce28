// Finds the JSON object in a model's answer: alone, in a fence, or in the middle of prose.

export type FoundJson =
  | { ok: true; value: Record<string, unknown> }
  | { ok: false; problem: string };

const fence = /^\s{0,3}(`{3,}|~{3,})\s*(?:json[c5]?|JSON)?\s*$/;

/**
 * The last fenced object, else the largest one in the text. Linear in the text's length, apart
 * from parsing the candidates.
 */
export function jsonInText(text: string): FoundJson {
  const whole = asObject(text.trim());
  if (whole) return { ok: true, value: whole };
  const candidates = [...fenced(text).reverse(), ...balanced(text)];
  for (const candidate of candidates.slice(0, maxCandidates)) {
    const value = asObject(candidate);
    if (value) return { ok: true, value };
  }
  const broken = candidates[0] ?? (text.includes("{") ? text.slice(text.indexOf("{")) : undefined);
  return {
    ok: false,
    problem:
      broken === undefined
        ? "there is no JSON object in the answer"
        : `the JSON object cannot be read: ${parseProblem(broken)}`,
  };
}

const maxCandidates = 20;
/** No handoff is nested so deep; whoever walks through a deeper one would run out of stack. */
const maxDepth = 100;

function asObject(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) && !isDeep(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function parseProblem(text: string): string {
  try {
    return isDeep(JSON.parse(text))
      ? `it is nested more than ${maxDepth} levels deep`
      : "it is no object";
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 200) : "it cannot be parsed";
  }
}

function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth <= maxDepth && level.length > 0; depth++)
    level = level.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
  return level.length > 0;
}

function fenced(text: string): string[] {
  const found: string[] = [];
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    if (open === undefined) open = fence.test(line) ? [] : undefined;
    else if (/^\s{0,3}(?:`{3,}|~{3,})\s*$/.test(line)) {
      found.push(open.join("\n").trim());
      open = undefined;
    } else open.push(line);
  }
  return found.filter((candidate) => candidate.startsWith("{"));
}

/** Top-level `{…}` runs, largest first; braces inside strings do not count. */
function balanced(text: string): string[] {
  const runs: string[] = [];
  let depth = 0;
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted) {
      if (character === "\\") index += 1;
      else if (character === '"' || character === "\n") quoted = false;
    } else if (character === '"' && depth > 0) quoted = true;
    else if (character === "{") {
      if (depth === 0) start = index;
      depth += 1;
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      if (depth === 0) runs.push(text.slice(start, index + 1));
    }
  }
  return runs.sort((a, b) => b.length - a.length);
}
