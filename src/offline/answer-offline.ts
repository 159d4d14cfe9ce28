// What the model without a provider says: turns the question's names into searches, reads the best
// places, and tells what matches. Deterministic.
import type { AssistantBlock, Message, ToolResultBlock } from "../model/message.ts";
import { textOf } from "../model/message.ts";
import { noUsage, type ModelRequest, type ModelResult } from "../model/model.ts";
import { countTokens } from "../base/text/tokens.ts";
import { rankByPhrases, rankBySymbol, rankByWords, readHits, type RankedHit } from "./rank-hits.ts";
import { readQuestion, type Phrase, type Question } from "./read-question.ts";
import { searchAnswer, whatItIs, type FoundPlaces } from "./search-answer.ts";
import { stem, stemPattern } from "./stem.ts";
import { escapeRegExp } from "../base/text/escape-reg-exp.ts";

type Call = { name: string; input: Record<string, unknown>; purpose: string };

/** Lines that are read around a place, and how many places are read. */
const readAround = 12;
const placesRead = 3;

/** The next reply to a conversation; everything it needs stands in the request. */
export function answerOffline(request: ModelRequest): ModelResult {
  const tools = new Set(request.tools.map((tool) => tool.name));
  if (!tools.has("Grep"))
    return say(`I can only search, and Grep is not among the tools of this run. ${whatItIs}`);
  const { prompt, since } = lastPrompt(request.messages);
  const question = readQuestion(prompt);
  const results = resultsIn(since);
  if (results.size === 0)
    return call(
      searches(question, tools),
      "Searching for what the prompt names.",
      request.messages.length,
    );
  const found = findingsFrom(question, results);
  const toRead =
    tools.has("Read") && ![...results.keys()].some((purpose) => purpose.startsWith("read "))
      ? found.flatMap(({ hits }) => hits.slice(0, 1)).slice(0, placesRead)
      : [];
  if (toRead.length > 0)
    return call(
      toRead.map(({ path, line }): Call => ({
        name: "Read",
        input: { file_path: path, offset: Math.max(1, line - 2), limit: readAround },
        purpose: `read ${path}:${line}`,
      })),
      "Reading the best places.",
      request.messages.length,
    );
  const searched = [
    ...question.symbols,
    ...question.files,
    ...question.texts,
    ...(question.symbols.length + question.files.length + question.texts.length === 0
      ? question.phrases.flatMap(({ words }) => words)
      : []),
  ];
  return say(searchAnswer(found, searched));
}

/** The newest message that a person wrote, and what followed it. */
function lastPrompt(messages: readonly Message[]): { prompt: string; since: readonly Message[] } {
  const at = messages.findLastIndex(
    (message) => message.role === "user" && textOf(message.content).trim() !== "",
  );
  return {
    prompt: at < 0 ? "" : textOf(messages[at]!.content),
    since: messages.slice(Math.max(0, at)),
  };
}

/** A purpose as an id carries it: no longer than an id may be. */
const kept = (purpose: string): string => Buffer.from(purpose).subarray(0, 200).toString();

const resultOf = (results: ReadonlyMap<string, string>, purpose: string): string =>
  results.get(kept(purpose)) ?? "";

/** Calls carry their purpose in the id, so that nothing has to be remembered between replies. */
function resultsIn(messages: readonly Message[]): Map<string, string> {
  const purposes = new Map<string, string>();
  const results = new Map<string, string>();
  for (const { content } of messages) {
    if (typeof content === "string") continue;
    for (const block of content) {
      if (block.type === "tool_use" && block.id.startsWith("off_"))
        purposes.set(block.id, Buffer.from(block.id.split("_")[2] ?? "", "hex").toString());
      else if (block.type === "tool_result" && purposes.has(block.tool_use_id))
        results.set(purposes.get(block.tool_use_id)!, block.is_error ? "" : resultText(block));
    }
  }
  return results;
}

const resultText = ({ content }: ToolResultBlock): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("\n");

function searches(
  { symbols, files, texts, phrases }: Question,
  tools: ReadonlySet<string>,
): Call[] {
  const grep = (purpose: string, pattern: string, more: Record<string, unknown> = {}): Call => ({
    name: "Grep",
    input: { pattern, output_mode: "content", "-n": true, head_limit: 250, ...more },
    purpose,
  });
  const calls = [
    ...symbols.flatMap((name) => [
      grep(`define ${name}`, definitionPattern(name)),
      grep(`symbol ${name}`, `\\b${escapeRegExp(name)}\\b`),
    ]),
    ...texts.map((text) => grep(`text ${text}`, escapeRegExp(text))),
    ...(tools.has("Glob")
      ? files.map((file): Call => ({
          name: "Glob",
          input: {
            pattern: file.includes("/") ? `**/${file.replace(/^\.?\//, "")}` : `**/${file}`,
          },
          purpose: `file ${file}`,
        }))
      : []),
  ];
  if (calls.length > 0) return calls;
  return wordSearches(phrases).map(([purpose, pattern]) => grep(purpose, pattern, { "-i": true }));
}

/**
 * Words that stand side by side in the question often stand side by side in a name; then what is
 * defined under one of them, then every mention of each, so that a common word hides no rare one.
 */
function wordSearches(phrases: readonly Phrase[]): [purpose: string, pattern: string][] {
  const stems = phrases.map(({ words }) => words.map((word) => stemPattern(stem(word))));
  const pairs = stems.flatMap((phrase) =>
    phrase.slice(1).map((next, index) => `${phrase[index]!}\\w*[\\s_.-]{0,2}${next}`),
  );
  const all = stems.flat();
  if (all.length === 0) return [];
  return [
    ...(pairs.length > 0 ? [["words in names", pairs.join("|")] as [string, string]] : []),
    [
      "words defined",
      "(?:function|class|interface|type|struct|enum|trait|def|fn|func|const|let|var)" +
        `\\s+[*&$]?\\w*(?:${all.join("|")})\\w*`,
    ],
    ...all.map((one): [string, string] => [`words ${one}`, one]),
  ];
}

/** Narrow enough that a common name's definition is not lost behind its uses. */
function definitionPattern(name: string): string {
  const n = escapeRegExp(name);
  const words =
    "function\\*?|class|interface|type|typedef|enum|struct|union|trait|namespace|module|def|fn|" +
    "func|sub|const|let|var|val|define|macro_rules!";
  return [
    `(?:(?:${words})\\s+(?:[^=;{]*\\s)?[*&$]?${n}\\b)`,
    `(?:exports\\.${n}\\s*=)`,
    `(?:[.]${n}\\s*=\\s*(?:async\\s+)?(?:function|\\())`,
    `(?:^\\s*(?:[A-Za-z_][\\w<>\\[\\],.:*&]*\\s+)*[*&]*${n}\\s*\\([^;]*$)`,
    `(?:^\\s*${n}\\s*[:=])`,
  ].join("|");
}

function findingsFrom(
  { symbols, files, texts, phrases }: Question,
  results: ReadonlyMap<string, string>,
): FoundPlaces[] {
  const found = (about: string, hits: RankedHit[]): FoundPlaces => ({ about, hits, missing: [] });
  return [
    ...symbols.map((name) =>
      found(
        `\`${name}\``,
        rankBySymbol(
          dedupe([
            ...readHits(resultOf(results, `define ${name}`)),
            ...readHits(resultOf(results, `symbol ${name}`)),
          ]),
          name,
        ),
      ),
    ),
    ...texts.map((text) =>
      found(
        `"${text}"`,
        rankByWords(readHits(resultOf(results, `text ${text}`)), [text.toLowerCase()], 1),
      ),
    ),
    ...files.map((file) => found(`\`${file}\``, filesIn(resultOf(results, `file ${file}`)))),
    ...(results.has("words defined") ? [phrasesFound(phrases, results)] : []),
  ];
}

function phrasesFound(
  phrases: readonly Phrase[],
  results: ReadonlyMap<string, string>,
): FoundPlaces {
  const all = [...results]
    .filter(([purpose]) => purpose.startsWith("words "))
    .flatMap(([, output]) => readHits(output));
  const { hits, found, missing } = rankByPhrases(dedupe(all), phrases);
  return { about: found.join(" "), hits, missing };
}

function dedupe<T extends { path: string; line: number }>(hits: T[]): T[] {
  return [...new Map(hits.map((hit) => [`${hit.path}:${hit.line}`, hit])).values()];
}

const filesIn = (output: string): RankedHit[] =>
  output
    .split("\n")
    .filter((row) => row !== "" && !row.startsWith("(") && row !== "No files found.")
    .map((path) => ({ path, line: 1, text: "", score: 0, isDefinition: false }));

function call(calls: readonly Call[], text: string, turn: number): ModelResult {
  if (calls.length === 0) return say(searchAnswer([], []));
  const uses = calls.map(({ name, input, purpose }, index): AssistantBlock => ({
    type: "tool_use",
    id: `off_${turn}x${index}_${Buffer.from(kept(purpose)).toString("hex")}`,
    name,
    input,
  }));
  return {
    ok: true,
    reply: {
      model: "offline",
      content: [{ type: "text", text }, ...uses],
      stop_reason: "tool_use",
      usage: { ...noUsage, output_tokens: countTokens(text) },
    },
  };
}

const say = (text: string): ModelResult => ({
  ok: true,
  reply: {
    model: "offline",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    usage: { ...noUsage, output_tokens: countTokens(text) },
  },
});
