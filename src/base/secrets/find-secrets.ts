// Finds and masks secrets in any text, in linear time. A mask names the kind of secret and shows no
// part of the value. Encoded secrets and split ones are not found: the rules recognise formats and decode
// nothing.
import { candidatesIn, noCandidates } from "./secret-candidates.ts";
import type { SecretCandidates, SecretContext } from "./secret-candidates.ts";
import { isTokenStart, secretName, tokenRules } from "./secret-rules.ts";
import type { SecretRule } from "./secret-rules.ts";

export type FoundSecret = { kind: string; start: number; end: number };

const valueCharacter = String.raw`[^\s"'\`,;&<>(){}\[\]\\]`;
const assignment = new RegExp(
  [
    String.raw`${secretName}[\\"'\`\]]{0,4}[ \t]{0,8}(?::=|=>|={1,3}|:(?!:))[ \t]{0,8}`,
    String.raw`(?:[bru]?(\\?["'\`]))?(${valueCharacter}{8,400})`,
  ].join(""),
  "gi",
);
const option = new RegExp(
  [
    String.raw`(?<![\w-])(?:--[a-z-]{0,20}|-)${secretName}[ \t]{1,4}["']?`,
    String.raw`((?!-)${valueCharacter}{8,401})`,
  ].join(""),
  "gi",
);
/** `NAME=value` as in an .env file: the name is so clear that a short value counts too. */
const environmentLine = new RegExp(
  [
    String.raw`(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY`,
    String.raw`|(?:ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING)_KEY)=["']?(${valueCharacter}{6,400})`,
  ].join(""),
  "g",
);
const authorization = new RegExp(
  [
    String.raw`\b(?:authorization|proxy-authorization)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?`,
    String.raw`(?:basic|bearer|token|digest|apikey)[ \t]{1,4}([A-Za-z0-9._~+/=-]{12,4000})`,
  ].join(""),
  "gi",
);
const bearer = /\bbearer[ \t]{1,4}([A-Za-z0-9._~+/=-]{20,4000})/gi;
const urlPassword = /:\/\/[^\s:@/?#"'<>]{0,100}:([^\s/"'<>]{1,200})@/g;
const pemHead = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const pemBody = /^[A-Za-z0-9+/=\s\\:,."'-]*/;
const pemTail = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/**
 * Every secret in `text`, in order and without overlaps. `known` are literal secret values, such as
 * `secretValues(env)`.
 */
export function findSecrets(
  text: string,
  known: readonly string[] = [],
  { tokens, contexts }: SecretCandidates = candidatesIn(text),
): FoundSecret[] {
  const found: FoundSecret[] = [];
  if (contexts.has("pem")) addPrivateKeys(text, found);
  if (tokens.size > 0)
    for (const rule of tokenRules) if (tokens.has(rule)) addMatches(text, rule, found);
  if (contexts.size > 0)
    for (const rule of contextual) if (contexts.has(rule.context)) addMatches(text, rule, found);
  for (const value of known) addOccurrences(text, value, found);
  return found.length === 0 ? found : withoutOverlaps(found);
}

/** For places where no value is known to be secret; secrets are still recognised by their form. */
export const noKnownSecrets: readonly string[] = [];

/** The text with every secret replaced by `[masked KIND]`. Masking twice changes nothing more. */
export function maskSecrets(text: string, known: readonly string[] = []): string {
  return isPlain(text, known) ? text : maskThoroughly(text, known);
}

function isPlain(text: string, known: readonly string[]): boolean {
  if (candidatesIn(text) !== noCandidates) return false;
  for (const value of known) if (text.includes(value)) return false;
  return true;
}

function maskThoroughly(text: string, known: readonly string[]): string {
  let masked = text;
  // A mask may make a neighbouring secret recognisable, so the search is repeated until nothing is
  // found.
  for (let round = 0; round < mostRounds; round++) {
    const before = masked;
    masked = maskOnce(before, known);
    if (masked === before) break;
  }
  return masked;
}

const mostRounds = 8;

function maskOnce(text: string, known: readonly string[]): string {
  let out = "";
  let at = 0;
  for (const { kind, start, end } of findSecrets(text, known)) {
    out += `${text.slice(at, start)}[masked ${kind}]`;
    at = end;
  }
  return at === 0 ? text : out + text.slice(at);
}

/** The values of variables whose names mark them as secret, longest first. Pass them as `known`. */
export function secretValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const named =
    /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PWD|PASSPHRASE|CREDENTIALS?|AUTH|PAT|DSN)(?:$|_)|APIKEY/i;
  const values = Object.entries(env).flatMap(([name, value]) =>
    named.test(name) && value && looksSecretValue(value) ? [value] : [],
  );
  return [...new Set(values)].sort((a, b) => b.length - a.length).slice(0, 64);
}

/** The text without exactly these values, for places where only certain secrets may be removed. */
export function hideValues(text: string, known: readonly string[]): string {
  return known.reduce(
    (shown, value) =>
      shown.includes(value) ? shown.replaceAll(value, "[masked environment]") : shown,
    text,
  );
}

/**
 * Such variables also hold paths, numbers and short words (`SSH_AUTH_SOCK`, `PWD`); masking those
 * would spoil ordinary text.
 */
function looksSecretValue(value: string): boolean {
  return (
    value.length >= 8 &&
    !/^(?:[/~.]|\d+$|true$|false$)/.test(value) &&
    !isPlaceholder(value) &&
    characterClasses(value) >= 2
  );
}

/** Secrets that are recognised only by the text before them. */
const contextual: readonly (SecretRule & { context: SecretContext })[] = [
  {
    kind: "password",
    hints: [],
    context: "address",
    pattern: urlPassword,
    accept: (value) => !isPlaceholder(value),
  },
  {
    kind: "authorization",
    hints: [],
    context: "name",
    pattern: authorization,
    accept: looksRandom,
  },
  { kind: "authorization", hints: [], context: "bearer", pattern: bearer, accept: looksRandom },
  { kind: "secret", hints: [], context: "name", pattern: assignment, accept: looksRandom },
  { kind: "secret", hints: [], context: "option", pattern: option, accept: looksRandom },
  {
    kind: "secret",
    hints: [],
    context: "name",
    pattern: environmentLine,
    accept: (value) => !isPlaceholder(value) && !isOrdinary(value) && characterClasses(value) >= 2,
  },
];

function addMatches(
  text: string,
  { kind, pattern, atTokenStart, accept }: SecretRule,
  found: FoundSecret[],
): void {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const value = match.at(-1) ?? match[0];
    const start = match.index + match[0].lastIndexOf(value);
    if (
      (!accept || accept(value)) &&
      (!atTokenStart || isTokenStart(text, match.index)) &&
      !isInMask(text, match.index)
    )
      found.push({ kind, start, end: start + value.length });
    // A value that was rejected may be the name of the next secret: `password= token=…`.
    else if (start > match.index) pattern.lastIndex = start;
  }
}

/** The kind in a mask, such as `[masked access-key]`, is not the name of a secret. */
const isInMask = (text: string, at: number): boolean =>
  /\[masked [a-z0-9-]*$/.test(text.slice(Math.max(0, at - 40), at));

function addOccurrences(text: string, value: string, found: FoundSecret[]): void {
  if (value.length < 6) return;
  for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + value.length))
    found.push({ kind: "environment", start: at, end: at + value.length });
}

/**
 * Marks from the head of a private key to its tail, or to the last character that a key can have if
 * it was cut. A head without a key, as in code about keys, does not count.
 */
function addPrivateKeys(text: string, found: FoundSecret[]): void {
  const heads = [...text.matchAll(pemHead)];
  for (const [index, head] of heads.entries()) {
    const from = head.index + head[0].length;
    const body =
      pemBody.exec(
        text.slice(from, Math.min(from + 16_000, heads[index + 1]?.index ?? text.length)),
      )?.[0] ?? "";
    const tail = pemTail.exec(body);
    const key = tail ? body.slice(0, tail.index) : body.trimEnd();
    if (/[A-Za-z0-9+/=]{12}/.test(key))
      found.push({
        kind: "private-key",
        start: head.index,
        end: from + key.length + (tail?.[0].length ?? 0),
      });
  }
}

function withoutOverlaps(found: FoundSecret[]): FoundSecret[] {
  const ordered = found.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: FoundSecret[] = [];
  for (const item of ordered) {
    const previous = kept.at(-1);
    if (previous && item.start < previous.end) previous.end = Math.max(previous.end, item.end);
    else kept.push({ ...item });
  }
  return kept;
}

/**
 * Whether a value is long, mixed and disordered enough for a secret, and is not an expression, a
 * path, a placeholder or a word with a number.
 */
function looksRandom(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || isOrdinary(value)) return false;
  const [classes, bits] = [characterClasses(value), entropy(value)];
  return (classes >= 3 && bits >= 2.7) || (classes >= 2 && value.length >= 16 && bits >= 3);
}

/** Values that stand for a secret, in documentation and in code that reads it from elsewhere. */
const placeholderShapes = [
  /^(?:[%{<*^§]|\$[A-Za-z_{(]|\.\.\.|x{3,}|!)/i,
  /^(?:process\.|os\.|env[.[:]|import\.|config\.|self\.|this\.|ref\+|op:\/\/|vault:|arn:)/i,
  /^(?:pass(?:word|wd)?|pwd|secret|token|changeme|example|placeholder)\b/i,
  /^(?:redacted|masked|hidden|none|null|undefined|todo)\b/i,
  /^(?:my|your|test|dev|dummy|fake|sample|example|some|local|base64)[_-]/i,
  /your[_-]|[_-]here$|\*{3}|x{6}|\.{3}|…|\$[A-Z{(]/i,
];

function isPlaceholder(value: string): boolean {
  return placeholderShapes.some((shape) => shape.test(value));
}

/**
 * Identifiers, member chains, types, paths and URLs, which code often has where a secret could
 * stand. A URL with a password has its own rule.
 */
function isOrdinary(value: string): boolean {
  return (
    /^[A-Za-z_$][A-Za-z_$]*(?:[.?!:/|-][A-Za-z_$]*)*$/.test(value) ||
    /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$/.test(value) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(value) ||
    /^(?:[A-Z]?[a-z_.-]*\d{0,2}|\*)(?:\/(?:[A-Z]?[a-z_.-]*\d{0,2}|\*))+$/.test(value) ||
    /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/|file:|\.{0,2}\/|~\/|@)/i.test(value) ||
    /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value) ||
    /^[\d.,:_-]+$/.test(value)
  );
}

function characterClasses(value: string): number {
  return [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((pattern) => pattern.test(value)).length;
}

/** Shannon entropy in bits per character. */
function entropy(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length);
  return bits;
}
