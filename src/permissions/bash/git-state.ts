// Commands whose own work is to write git's settings or the state of a rebase (`git push -u`,
// `git rebase --continue`). They find these files open, and what they wrote is looked at afterwards.
import type { PlainList, PlainNode, PlainSimple } from "../plain/plain-list.ts";
import { wordText } from "../plain/plain-scope.ts";
import { readPlain } from "../plain/read-plain.ts";

/** With the words behind the name that make git run what somebody wrote. */
const writers: Readonly<Record<string, RegExp | undefined>> = {
  branch: /^--edit-description$/,
  checkout: undefined,
  fetch: undefined,
  pull: undefined,
  push: undefined,
  rebase: /^(?:-x|--exec|-i|--interactive|--edit-todo)/,
  remote: undefined,
  submodule: /^foreach$/,
  switch: undefined,
  worktree: undefined,
};
/** What often stands beside them and writes nothing. */
const beside = new Set(["cd", "echo", "pwd", "true", "head", "tail", "cat"]);

/**
 * True where the whole text is plain shell, one of its commands is such a git command, and nothing
 * else in it could write.
 */
export function writesGitState(text: string): boolean {
  if (!/\bgit\b/.test(text)) return false;
  const commands = simpleCommands(readPlain(text).script ?? []);
  return (
    commands !== undefined &&
    commands.some((command) => namesGit(command)) &&
    commands.every((command) => namesGit(command) || writesNothing(command))
  );
}

/** Undefined where the list holds more than simple commands one after another. */
function simpleCommands(list: PlainList): PlainSimple[] | undefined {
  const found: PlainSimple[] = [];
  const open: PlainNode[] = list.map(({ node }) => node);
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "simple") found.push(node);
    else if (node.type === "pipeline") open.push(...node.items);
    else if (node.type === "chain") open.push(node.first, ...node.rest.map((item) => item.node));
    else return undefined;
  }
  return list.some(({ background }) => background) ? undefined : found;
}

function namesGit(command: PlainSimple): boolean {
  const [program, subcommand = "", ...rest] = command.words.map(wordText);
  if (program !== "git" || !Object.hasOwn(writers, subcommand) || !isBare(command)) return false;
  const runs = writers[subcommand];
  return rest.every((word) => word !== undefined && runs?.test(word) !== true);
}

const writesNothing = (command: PlainSimple): boolean =>
  beside.has(wordText(command.words[0] ?? { parts: [], raw: "" }) ?? "") && isBare(command);

const isBare = ({ assignments, redirects }: PlainSimple): boolean =>
  assignments.length === 0 &&
  redirects.every(
    ({ kind, ...more }) =>
      kind === "copy" ||
      ("target" in more && kind !== "read" && wordText(more.target) === "/dev/null"),
  );
