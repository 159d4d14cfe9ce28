// A shell command as the programs that it runs: words, folder, and what the exit code of the whole text
// says about each. The one place where this room reads shell.
import { isAbsolute, join, normalize } from "node:path";
import { parse, type AndOr, type Pipeline, type PipelineNode, type Statement } from "unbash";
import { analyseCommand } from "../../../permissions/shell/reading/analyse-command.ts";

/**
 * What the exit code of the whole text says about one program: `own` is its own; `piped`: a program that
 * shows its output ended later; `cut`: that program picked lines; `hidden`: the text takes care that a
 * failure is not seen.
 */
export type Proof = "own" | "piped" | "cut" | "hidden";

const proofs: readonly Proof[] = ["own", "piped", "cut", "hidden"];

export const weaker = (a: Proof, b: Proof): Proof =>
  proofs[Math.max(proofs.indexOf(a), proofs.indexOf(b))]!;

export type Program = {
  /** Base name first; words that only the shell knows are null. */
  argv: (string | null)[];
  /** The first word as it was written. */
  called: string;
  /** Null: not known. */
  cwd: string | null;
  proof: Proof;
  /** The program that it was called through, or the text itself, makes its name worth nothing. */
  isDisguised: boolean;
};

const longestRead = 10_000;

/** Never throws; nothing where the text cannot be read. */
export function programsOf(command: string, cwd: string): Program[] {
  if (command.length > longestRead) return [];
  const links = linksOf(command);
  const isDisguised = redefines.test(command);
  const folder = { now: cwd as string | null };
  return links.flatMap(({ text, proof }) => {
    const found = analyseCommand(text, { cwd: folder.now ?? "/", home: "/root" }).commands;
    return found.flatMap(({ argv, name, assignments }): Program[] => {
      if (name === "cd" || name === "pushd") folder.now = moved(folder.now, argv[1]);
      if (name === null) return [];
      return [
        {
          argv: [name, ...argv.slice(1)],
          called: argv[0] ?? name,
          cwd: folder.now,
          proof,
          isDisguised: isDisguised || assignments.some(changesPath),
        },
      ];
    });
  });
}

/** A function, an alias or a file of this text takes the name of a program. */
const redefines =
  /(?:^|[;&|\n{]\s*)(?:function\s+[\w-]+|[\w-]+\s*\(\)\s*[{(]|alias\s+[\w-]+=|enable\s+-n|hash\s+-p)/;

/** A folder that a package manager fills may come first; any other folder of the project may hold fakes. */
const changesPath = (assignment: string): boolean =>
  assignment.startsWith("PATH=") &&
  /(?:^PATH=|:)["']?(?:\.(?!\/?node_modules|venv|\/?\.venv|\/venv)|\/tmp|\$PWD|\$\(pwd\))/.test(
    assignment,
  );

const moved = (now: string | null, to: string | null | undefined): string | null =>
  typeof to !== "string" || to === "-"
    ? null
    : isAbsolute(to)
      ? normalize(to)
      : now === null
        ? null
        : join(now, to);

type Link = { text: string; proof: Proof };

/** The commands of a text with what the end of the text proves about each. */
function linksOf(command: string): Link[] {
  try {
    const script = parse(command);
    if (script.errors?.length) return [{ text: command, proof: "piped" }];
    return listLinks(script.commands, "own", { source: command, strict: /pipefail/.test(command) });
  } catch {
    return [{ text: command, proof: "piped" }];
  }
}

type Source = { source: string; strict: boolean };
type Node = PipelineNode | AndOr;

/** `a; b`: the end of the list is that of `b`; with `set -e` it is that of all. */
function listLinks(list: readonly Statement[], proof: Proof, given: Source): Link[] {
  const stops = list.some(({ command }) => /^set\s+-\w*e/.test(textOf(command, given.source)));
  return list.flatMap(({ command, background }, index) => {
    const last = index === list.length - 1;
    const later = last ? "" : textOf(list.at(-1)!.command, given.source);
    const own = background ? "hidden" : last || stops ? proof : afterProof(later);
    return nodeLinks(command, weaker(proof, own), given);
  });
}

/** What a text does after the command: showing its exit code or more of the project is no hiding. */
const afterProof = (later: string): Proof =>
  /^(?:exit(?:\s+0)?|true|:|return(?:\s+0)?)\s*$/.test(later.trim()) ? "hidden" : "piped";

function nodeLinks(node: Node, proof: Proof, given: Source): Link[] {
  if (node.type === "AndOr") return chainLinks(node, proof, given);
  if (node.type === "Pipeline") return pipeLinks(node, proof, given);
  if (node.type === "Subshell" || node.type === "BraceGroup")
    return listLinks(node.body.commands, proof, given);
  const kept = node.type === "Command" ? proof : weaker(proof, "piped");
  return [{ text: textOf(node, given.source), proof: kept }];
}

function chainLinks(node: AndOr, proof: Proof, given: Source): Link[] {
  return node.commands.flatMap((one, index) => {
    const next = node.operators.slice(index).indexOf("||");
    if (next < 0) return nodeLinks(one, proof, given);
    const rescue = textOf(node.commands[index + next + 1]!, given.source);
    return nodeLinks(one, weaker(proof, rescueProof(rescue)), given);
  });
}

/** `|| exit 1` keeps the failure, `|| true` hides it, `|| echo failed` tells of it. */
const rescueProof = (text: string): Proof =>
  /^(?:exit\s+[1-9]|return\s+[1-9]|false)/.test(text.trim())
    ? "own"
    : /^(?:true|:|exit(?:\s+0)?|return(?:\s+0)?)\s*$/.test(text.trim())
      ? "hidden"
      : "piped";

/** What is left of an output behind these is what somebody chose; `grep -v` takes noise away. */
const picksLines =
  /^(?:(?:e|f)?grep|rg|ag)\s(?!.*(?:^|\s)-\w*v)|^(?:head|awk|gawk|cut|wc|sed\s+-n)\b/;

function pipeLinks(node: Pipeline, proof: Proof, given: Source): Link[] {
  const plain = node.prefixes.every((prefix) => prefix.type === "Time");
  return node.commands.flatMap((one, index) => {
    const last = index === node.commands.length - 1;
    const rest = node.commands.slice(index + 1).map((next) => textOf(next, given.source));
    const passedOn = rest.some((text) => picksLines.test(text.trim())) ? "cut" : "piped";
    const own = last && plain ? proof : weaker(given.strict && plain ? "own" : passedOn, proof);
    return nodeLinks(one, own, given);
  });
}

/** Without its redirections: `npm test 2>&1` is `npm test`. */
function textOf(node: Node, source: string): string {
  const text = source.slice(node.pos, node.end);
  if (node.type !== "Command") return text;
  return [...node.redirects]
    .sort((a, b) => b.pos - a.pos)
    .reduce(
      (rest, { pos, end }) => rest.slice(0, pos - node.pos) + rest.slice(end - node.pos),
      text,
    );
}
