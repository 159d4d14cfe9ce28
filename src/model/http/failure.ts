// Sorts what went wrong at a provider into a few kinds: by status, error body, error event or
// socket error. A message never contains a key.
import { isObject } from "../../base/data/json.ts";
import type { FailureKind, ModelFailure } from "../model.ts";
import { headerOf, retryAfterMs, type ResponseHeaders } from "./retry-after.ts";

const messageCharacters = 600;

/** The largest number of retries by kind, within the time budget; kinds without a row are final. */
const retriesByKind: Partial<Record<FailureKind, number>> = {
  rate_limit: Infinity,
  overloaded: Infinity,
  server: Infinity,
  network: Infinity,
  timeout: Infinity,
  malformed: 2,
};

export const retriesOf = (kind: FailureKind): number => retriesByKind[kind] ?? 0;

/** Whether the provider says that it is busy: then all runs of the provider slow down. */
export const isPushBack = (kind: FailureKind): boolean =>
  kind === "rate_limit" || kind === "overloaded";

/** How providers say that the prompt is too long, with any status. */
const overflowWordings = [
  /prompt (is )?too long|input (is|length).{0,40}(too long|exceed)/i,
  /exceeds? (the )?(context|available context|maximum context|model'?s? context)/i,
  /exceeds? (the )?max(imum)? (input|prompt|number of tokens)/i,
  /context[ _]length[ _]exceeded|exceed_context_size|model_context_window_exceeded/i,
  /(maximum|max) (context|prompt|model|sequence) length/i,
  /context (window|length|size|limit).{0,60}(exceed|too (long|large|small)|limit)/i,
  /exceed.{0,40}(context (window|limit|length|size)|token limit|max(imum)? length)/i,
  /input token count.{0,60}exceeds|too many (input |prompt |total )?(tokens|text bytes)/i,
  /reduce the length of the (messages|prompt|input)|request_too_large/i,
  /(prompt|input|request) (contains|has) .{0,40}tokens.{0,60}(maximum|limit|too large)/i,
  /tokens? \+ .{0,40}(must be <=|exceeds?)/i,
];

const isOverflow = (text: string): boolean =>
  overflowWordings.some((wording) => wording.test(text));

const kindByType: Readonly<Record<string, FailureKind>> = {
  overloaded_error: "overloaded",
  overloaded: "overloaded",
  rate_limit_error: "rate_limit",
  rate_limit_exceeded: "rate_limit",
  api_error: "server",
  server_error: "server",
  internal_error: "server",
  internal_server_error: "server",
  timeout_error: "timeout",
  authentication_error: "auth",
  permission_error: "auth",
  invalid_api_key: "auth",
  request_too_large: "overflow",
  context_length_exceeded: "overflow",
  invalid_request_error: "invalid_request",
  not_found_error: "invalid_request",
  model_not_found: "invalid_request",
  billing_error: "invalid_request",
  // Some providers answer 429 when the account has no money; waiting does not help.
  insufficient_quota: "invalid_request",
};

/** The failure behind an answer whose status is not 2xx. */
export function failureOfResponse(response: {
  status: number;
  headers: ResponseHeaders;
  body: string;
  key?: string;
}): ModelFailure {
  const { status, headers, body } = response;
  const said = readError(body);
  const kind = kindOfStatus(status, said);
  const wait = isPushBack(kind) || kind === "server" ? retryAfterMs(headers) : undefined;
  const advice =
    kind === "auth"
      ? "; the provider does not accept the key: check the variable that holds it and the base URL"
      : "";
  const message = `HTTP ${status}${reasonOf(status, headers, said.message)}${advice}`;
  return {
    kind,
    status,
    message: maskKeys(message, response.key),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

/** The failure behind an error object in a stream that began well. */
export function failureOfErrorEvent(data: unknown, key?: string): ModelFailure {
  const said = readErrorObject(data);
  const status =
    typeof said.code === "number" && said.code >= 400 && said.code < 600 ? said.code : undefined;
  const kind = status === undefined ? (kindOfWords(said) ?? "server") : kindOfStatus(status, said);
  return {
    kind,
    message: maskKeys(
      `error in the stream: ${said.message || said.type || "no reason given"}`,
      key,
    ),
    ...(status === undefined ? {} : { status }),
  };
}

/** Unknown names, unreachable machines, closed ports. */
const unreachableCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "ENETDOWN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** The failure behind an error of the socket, of TLS or of the HTTP parser. */
export function failureOfSocket(error: unknown, key?: string): ModelFailure {
  const code = codeOf(error);
  // Our own side closed the connections: a retry cannot help.
  if (code === "UND_ERR_DESTROYED" || code === "UND_ERR_CLOSED")
    return { kind: "aborted", message: "the connections to the provider were closed" };
  const words = error instanceof Error ? error.message : String(error);
  const kind =
    code?.startsWith("HPE_") || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"
      ? "malformed"
      : "network";
  const message = maskKeys(
    code && !words.includes(code) ? `${code}: ${words}` : words || code || "connection failed",
    key,
  );
  return {
    kind,
    message,
    ...(code !== undefined && unreachableCodes.has(code) ? { isUnreachable: true } : {}),
  };
}

type SaidError = { type?: string; code?: string | number; message: string };

function kindOfStatus(status: number, said: SaidError): FailureKind {
  if (status === 401 || status === 403) return "auth";
  if (status === 413) return "overflow";
  if (status === 429)
    return said.type === "insufficient_quota" || said.code === "insufficient_quota"
      ? "invalid_request"
      : "rate_limit";
  if (status === 529) return "overloaded";
  if (isOverflow(`${said.type ?? ""} ${said.code ?? ""} ${said.message}`)) return "overflow";
  if (status === 408) return "timeout";
  if (status >= 500) return kindOfWords(said) === "overloaded" ? "overloaded" : "server";
  return "invalid_request";
}

function kindOfWords(said: SaidError): FailureKind | undefined {
  const byType =
    kindByType[String(said.code ?? "").toLowerCase()] ??
    kindByType[(said.type ?? "").toLowerCase()];
  if ((byType === undefined || byType === "invalid_request") && isOverflow(said.message))
    return "overflow";
  if (byType !== undefined) return byType;
  return /overloaded/i.test(said.message) ? "overloaded" : undefined;
}

function reasonOf(status: number, headers: ResponseHeaders, said: string): string {
  if (status >= 300 && status < 400)
    return (
      `: redirected to ${headerOf(headers, "location") ?? "nowhere"}; redirects are not ` +
      "followed, correct the provider's base address"
    );
  if (status === 404)
    return `${said ? `: ${said}` : ""} (check the model id and the provider's base address)`;
  return said ? `: ${said}` : "";
}

function readError(body: string): SaidError {
  const text = body.trim();
  if (looksLikeHtml(text))
    return { message: `an HTML page, not an answer of the provider${titleOf(text)}` };
  try {
    return readErrorObject(JSON.parse(text));
  } catch {
    return { message: text.slice(0, messageCharacters) };
  }
}

function readErrorObject(data: unknown): SaidError {
  const whole = Array.isArray(data) ? (data[0] as unknown) : data;
  if (!isObject(whole))
    return { message: typeof whole === "string" ? whole.slice(0, messageCharacters) : "" };
  const inner = isObject(whole.error) ? whole.error : whole;
  const message = [inner.message, whole.error, whole.message, whole.detail].find(
    (word) => typeof word === "string" && word !== "",
  );
  const code =
    typeof inner.code === "string" || typeof inner.code === "number" ? inner.code : undefined;
  return {
    message: typeof message === "string" ? message.slice(0, messageCharacters) : "",
    ...(typeof inner.type === "string" ? { type: inner.type } : {}),
    ...(code === undefined ? {} : { code }),
  };
}

export const looksLikeHtml = (text: string): boolean =>
  /^\s*<(!doctype|html|head|body|\?xml)/i.test(text.slice(0, 200));

function titleOf(html: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,120})/i.exec(html.slice(0, 4_000))?.[1]?.trim();
  return title ? ` ("${title}")` : "";
}

function codeOf(error: unknown): string | undefined {
  if (!isObject(error)) return undefined;
  if (typeof error.code === "string") return error.code;
  const inner = Array.isArray(error.errors) ? (error.errors[0] as unknown) : error.cause;
  return isObject(inner) && typeof inner.code === "string" ? inner.code : undefined;
}

/** Some providers repeat the key in their error; it is removed here. */
function maskKeys(message: string, key: string | undefined): string {
  const masked = key && key.length > 3 ? message.replaceAll(key, "[key]") : message;
  return masked
    .replace(/\b(sk|pk|key|AIza)[-_]?[A-Za-z0-9_*-]{12,}/g, "[key]")
    .replace(/bearer\s+[\w.*-]{8,}/gi, "Bearer [key]");
}
