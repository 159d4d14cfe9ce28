// "`foo` is defined in `x.ts`", "`x.ts` in the same folder": what is told to be in a file or folder, and is not.
import { posix } from "node:path";
import type { Repository } from "../../source/repository.ts";
import type { Mention } from "../reading/paths/find-mentions.ts";
import { plainClaim } from "../reading/claim.ts";
import { isCodeShaped, lastPart } from "../reading/code-names.ts";
import type { Evidence } from "../reading/find-evidence.ts";
import { sentenceModality } from "../reading/modality.ts";
import type { ReadingUnit } from "../reading/read-unit.ts";
import type { JudgedClaim } from "../second-look/judged-document.ts";
import { isPlainlySaid, type MessageFrame } from "./fact-features.ts";
import { lastNamed } from "./named-files.ts";
import { missing } from "./listed-paths.ts";

type Setting = { units: readonly ReadingUnit[]; repo: Repository; frame: MessageFrame };
const most = 400;

type Told = { unit: ReadingUnit; mention: Mention };

export function locatedNames(setting: Setting): JudgedClaim[] {
  const { units, repo, frame } = setting;
  const told = units
    .filter(({ block }) => block.kind === "text" || block.kind === "item")
    .flatMap((unit) => unit.mentions.map((mention) => ({ unit, mention })))
    .slice(0, most);
  return told.flatMap((one) => {
    const { unit, mention } = one;
    const name = nameInside(one);
    const found =
      (name && notInFile(one, name, repo)) ??
      notInFolder(one, repo) ??
      notHere(one, setting) ??
      notBeside(one, setting);
    const span = { start: name?.start ?? mention.start, end: mention.end };
    return found && isPlainlySaid(unit, span, frame) ? [found] : [];
  });
}

const place =
  "is|are|lives?|sits?|resides?|stands?|defined|implemented|declared|located|found|find|kept";
/** From the subject of the sentence to its place, with no other name between. */
const isIn = new RegExp(
  String.raw`^(?:\(\))?[\x60*_]*(?:,\s[^\x60.;!?\n]{0,60})?[\s,]+` +
    String.raw`(?:[a-z]+\s){0,2}(?:${place})\s(?:also\s)?in\s(?:the\s)?[\x60*(]*$`,
);

/** The name before a place, where the words say that it is in it. */
function nameInside({ unit, mention }: Told): Evidence | undefined {
  const { text, evidence, mentions } = unit;
  const before = evidence.findLast(({ end }) => end <= mention.start);
  if (!before || text[before.start] !== "`" || before.isPlain || before.name === "")
    return undefined;
  if (mentions.some(({ start }) => start >= before.end && start < mention.start)) return undefined;
  const between = text.slice(before.end, mention.start);
  return isIn.test(between) && sentenceModality(between) === "said" ? before : undefined;
}

/** The name is somewhere in this tree, and not in that file. */
function notInFile(
  { unit, mention }: Told,
  { name, start }: Evidence,
  repo: Repository,
): JudgedClaim | undefined {
  const word = lastPart(name);
  if (word.length < leastLetters) return undefined;
  const files = mention.paths.map((path) => repo.open(path));
  const hasWord = files.some((state) => !state.ok || state.file.holds(word));
  const isOpen = mention.kind === "file" ? !hasWord : mention.kind === "unknown";
  // Mostly the file has it: then no tree is listed to know whether all of it was seen.
  if (!isOpen || !repo.complete) return undefined;
  const defined = repo.definedAt(word);
  const isOurs = defined.length > 0 || (isCodeShaped(word) && repo.filesWith(word, 1).length > 0);
  if (!isOurs) return undefined;
  if (mention.kind === "unknown")
    return repo.hasExtension(endingOf(mention.path))
      ? missing({ unit, mention }, mention.path)
      : undefined;
  const claim = plainClaim(unit.block, mention, unit.block.start + start);
  claim.end = unit.block.start + mention.end;
  const [only] = defined.length === 1 ? defined : [];
  const where = only ? `; it is defined at ${only.path}:${only.line}` : "";
  const [path] = mention.paths as [string];
  const reason = `${path} has no \`${name}\`${where}`;
  const suggestion = only ? { suggestion: only, unique: true } : {};
  return {
    claim,
    judged: { verdict: "wrong_symbol", kind: "symbol", reason, path, ...suggestion },
  };
}

const leastLetters = 5;
const endingOf = (path: string): string => posix.extname(path).slice(1);

/** "`x.ts` is in `src/b/`", and the only file of that name is in another folder. */
function notInFolder({ unit, mention }: Told, repo: Repository): JudgedClaim | undefined {
  const at = unit.mentions.indexOf(mention);
  const file = unit.mentions[at - 1];
  if (mention.kind !== "folder" || file?.kind !== "file" || file.path.includes("/"))
    return undefined;
  if (!isIn.test(unit.text.slice(file.end, mention.start))) return undefined;
  const [path] = file.paths as [string];
  const isThere = file.paths.some((one) =>
    `/${posix.dirname(one)}/`.includes(`/${mention.path.replace(/\/$/, "")}/`),
  );
  if (isThere || file.paths.length > 1 || repo.endingIn(file.path).length > 1) return undefined;
  const { claim, judged } = missing({ unit, mention }, posix.join(mention.path, file.path));
  const reason = `${judged.reason}; it is ${path}`;
  return { claim, judged: { ...judged, reason, suggestion: { path, line: 1 }, unique: true } };
}

const toldIn = new RegExp(String.raw`(?:^|\s)(?:${place})\s(?:also\s)?in\s(?:the\s)?[\x60*(]*$`);

/** "The parser lives in `x.ts`": a file of a kind that is here, told as the place of something, and nowhere. */
function notHere({ unit, mention }: Told, { units, repo }: Setting): JudgedClaim | undefined {
  const { path, kind, start, external } = mention;
  if (kind !== "unknown" || external || isMade.test(path) || !repo.complete) return undefined;
  const before = unit.text.slice(Math.max(0, start - longestLead), start);
  if (!toldIn.test(before) || !repo.hasExtension(endingOf(path))) return undefined;
  // What a program printed is a file of some machine.
  const isPrinted = units.some(({ block }) => block.lines.some(({ text }) => text.includes(path)));
  if (isPrinted || repo.hasName(posix.basename(path))) return undefined;
  return missing({ unit, mention }, path);
}

const longestLead = 40;
/** What is built, fetched or logged is in no listing, and settings are often somebody's own. */
const isMade = new RegExp(
  String.raw`(?:^|/)(?:tmp|dist|build|node_modules|vendor|target|out|coverage|logs?|\.[^/]*)/|` +
    String.raw`\.(?:log|env|json|ya?ml|toml|ini|lock|txt)$`,
  "i",
);

const sameFolder = new RegExp(
  String.raw`^[\x60*_]*,?\s(?:(?:in|from|inside)\s(?:the\s|that\s|this\s)*(?:same\s)?` +
    String.raw`(?:folder|directory|package)|(?:beside|next\sto)\s(?:it|that|them))(?!\p{L})`,
  "u",
);

/** "`y.ts` in the same folder" as the file that was named before, and nowhere. */
function notBeside({ unit, mention }: Told, { units, repo }: Setting): JudgedClaim | undefined {
  const { path, kind, start, end } = mention;
  if (kind !== "unknown" || path.includes("/") || !sameFolder.test(unit.text.slice(end)))
    return undefined;
  const beside = lastNamed(units, { unit, start });
  if (beside === undefined || posix.extname(beside) !== posix.extname(path)) return undefined;
  return repo.hasName(path)
    ? undefined
    : missing({ unit, mention }, posix.join(posix.dirname(beside), path));
}
