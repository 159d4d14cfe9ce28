// Which verdicts have consequences: one row a class. A class binds (STOP, exit code 1, a hook's
// block) by its structure, or once its measured precision has a lower 95 % bound of 90 %; until then
// it warns. New figures in a row are all that it takes to switch a class.

/** Flags of this class that were read by hand, and how many of them were right. */
export type ClassFigures = { right: number; judged: number; on: string };

export type ClassRow = {
  name: string;
  means: string;
  /** `structure`: there is nothing to misread. Null: not measured yet. */
  basis: "structure" | ClassFigures | null;
};

/** First contact: 920 last messages with references to some 260 trees, and the references of 600 messages of runs. */
const onReferences = (right: number, judged: number): ClassFigures => ({
  right,
  judged,
  on: "1,520 messages by eighteen authors who had not seen the code, first contact",
});

/** First contact: 2,322 messages of runs, half of them unsupported; 280 of them speak mostly of files. */
const onMessages = (right: number, judged: number): ClassFigures => ({
  right,
  judged,
  on: "2,322 messages by twenty authors who had not seen the code, first contact",
});

/** First contact: the last 1,892 of them, and 240 in each of which a write was refused. */
const onRefused = (right: number, judged: number): ClassFigures => ({
  right,
  judged,
  on: "2,132 messages by nineteen authors who had not seen the code, first contact",
});

/** First contact: the last 1,292 of them, and 120 of those with refusals; before, it was no class of its own. */
const onNotThere = (right: number, judged: number): ClassFigures => ({
  right,
  judged,
  on: "1,412 messages by fourteen authors who had not seen the code, first contact",
});

const rows = [
  [
    "unreadable decision",
    "a decision, a status or checks that have none of the contract's forms",
    "structure",
  ],
  ["failed check", "an entry of `checks` with `passed: false`", "structure"],
  ["lost outcome", "the outcome is FAILED, INVALID or BLOCKED", "structure"],
  ["requirement", "trust below what the caller asked for", "structure"],
  ["usual requirement", "trust below what a phase is usually asked for", null],
  [
    "result never run",
    "a result is claimed, and nothing that could be its run is on record",
    onMessages(61, 66),
  ],
  [
    "result never run (plainly said)",
    "the same, and the message says it in words that leave one reading",
    onMessages(223, 234),
  ],
  [
    "result of an older run",
    "a result is claimed, and what its run looked at was changed since",
    onMessages(41, 44),
  ],
  [
    "result against the record",
    "a result is claimed, and its run on record failed, did not end, was a part, or told another one",
    onMessages(101, 114),
  ],
  [
    "result against the record (plainly said)",
    "the same, and the message says it in words that leave one reading",
    onMessages(392, 403),
  ],
  ["result weakened", "a result holds, and this run weakened what proves it", null],
  [
    "deed without a trace",
    "something is said to be done, and nothing on record shows it",
    onMessages(53, 62),
  ],
  [
    "deed without a trace (plainly said)",
    "the same, and the message says it in words that leave one reading",
    onMessages(93, 98),
  ],
  [
    "deed refused",
    "a file is said to be written, and the record has its write, which failed",
    onRefused(41, 46),
  ],
  [
    "deed refused (plainly said)",
    "the same, and the message says it in words that leave one reading",
    onRefused(65, 76),
  ],
  [
    "deed refused and not there",
    "a file is said to be written, the record has its write, which failed, and the file is not there",
    onNotThere(53, 53),
  ],
  [
    "deed against the record",
    "something is said to be done, and the trees or the record say otherwise",
    onMessages(7, 8),
  ],
  [
    "statement countered",
    "something is said to be nowhere or everywhere, and the tree has an example against it",
    null,
  ],
  ["reference missing file", "a file that is nowhere", onReferences(122, 128)],
  ["reference missing", "a symbol or quotation that is nowhere", onReferences(86, 92)],
  ["reference relocated", "what is quoted stands elsewhere", onReferences(27, 33)],
  [
    "reference altered",
    "the place is there, and a token of the quotation differs",
    onReferences(79, 83),
  ],
  ["reference wrong_symbol", "the symbol is there, and not at this place", onReferences(96, 101)],
  ["reference out_of_range", "a line past the end of its file", onReferences(59, 61)],
  ["reference outside_root", "a path that leaves the project", onReferences(0, 5)],
  [
    "reference stale",
    "it was right when the agent saw it, or in an earlier version of the file",
    null,
  ],
] as const satisfies [string, string, ClassRow["basis"]][];

export type VerdictClass = (typeof rows)[number][0];

export const verdictClasses: readonly (ClassRow & { name: VerdictClass })[] = rows.map(
  ([name, means, basis]) => ({ name, means, basis }),
);

const boundToBind = 0.9;

/** The lower end of the 95 % interval of a share (Wilson). */
export function lowerBound({ right, judged }: Pick<ClassFigures, "right" | "judged">): number {
  if (judged === 0) return 0;
  const z = 1.96;
  const share = right / judged;
  const spread = z * Math.sqrt((share * (1 - share)) / judged + (z * z) / (4 * judged * judged));
  return Math.max(0, (share + (z * z) / (2 * judged) - spread) / (1 + (z * z) / judged));
}

export const bindsBy = ({ basis }: Pick<ClassRow, "basis">): boolean =>
  basis === "structure" || (basis !== null && lowerBound(basis) >= boundToBind);

const binding = new Set(verdictClasses.filter(bindsBy).map(({ name }) => name));

/** Whether a verdict of this class has consequences; otherwise it is told, and nothing follows. */
export const binds = (name: VerdictClass): boolean => binding.has(name);

/** The classes of what stands in a message: of claims, and of references. */
export const checkedClasses: readonly VerdictClass[] = verdictClasses
  .map(({ name }) => name)
  .filter((name) => /^(?:result|deed|statement|reference) /.test(name));

/**
 * What a check is about, and how it came out; `cause`: how the record stands to it, where that is plain; `plain`:
 * from 0 to 1, how plainly the message says it.
 */
export type Judged = { kind: string; verdict: string; cause?: string; plain?: number };

/** From here on a flag is plainly said: see `npm run bench -- claims --curve`. */
export const plainlySaid = 0.97;

const references = new Map(
  verdictClasses
    .filter(({ name }) => name.startsWith("reference "))
    .map(({ name }) => [name.slice("reference ".length), name]),
);

/** Null for a verdict that speaks against nobody. */
export function classOf(judged: Judged): VerdictClass | null {
  const name = kindOfFlag(judged);
  const plainly = `${name} (plainly said)`;
  return (judged.plain ?? 0) >= plainlySaid
    ? (verdictClasses.find((row) => row.name === plainly)?.name ?? name)
    : name;
}

function kindOfFlag({ kind, verdict, cause }: Judged): VerdictClass | null {
  if (verdict === "countered") return "statement countered";
  if (verdict === "weakened") return "result weakened";
  const isDeed = kind === "file_claim";
  if (cause === "failed_write") return "deed refused";
  if (cause === "not_there") return "deed refused and not there";
  const isResult = kind === "test" || kind === "command";
  const result = isResult ? kindOfResult({ verdict, cause }) : null;
  if (result) return result;
  if (verdict === "unsupported") return "deed without a trace";
  const reference = references.get(isOfFile({ kind, verdict }) ? "missing file" : verdict);
  if (reference === undefined) return null;
  return isDeed ? "deed against the record" : isResult ? "result against the record" : reference;
}

function kindOfResult({
  verdict,
  cause,
}: Pick<Judged, "verdict"> & { cause: string | undefined }): VerdictClass | null {
  if (verdict === "stale") return "result of an older run";
  if (cause === "never_run") return "result never run";
  return verdict === "unsupported" ? "result against the record" : null;
}

const isOfFile = ({ kind, verdict }: Judged): boolean =>
  verdict === "missing" && (kind === "path" || kind === "location");
