// What a judge of one command sees and may do. Judges add concerns and accesses; only the walk adds commands.
import { ask, type AccessKind, type Concern, type SimpleCommand } from "./analysis.ts";
import { known, type Field } from "./field.ts";
import type { Listed } from "./reading/listed-places.ts";
import { addConcern, resolvePath, type Findings, type Scope } from "./scope.ts";

export type JudgeContext = {
  command: SimpleCommand;
  /** The name by which the command is known. */
  name: string;
  args: Field[];
  scope: Scope;
  findings: Findings;
  /** Its input is the output of another command, a heredoc or a file. */
  fed: boolean;
  /** What it is fed are names of files below these folders. */
  listed: Listed | undefined;
  /** Walks shell text that the command would run. */
  runText(text: string, scope: Scope): void;
  /** Judges the words as a command of their own. */
  runFields(fields: Field[], scope: Scope): void;
  /** Judges the words as a program that this command starts: its concerns become this command's own. */
  launch(fields: Field[]): void;
};

/** How a file is touched: the kind alone, or with everything below it. */
export type Touch = AccessKind | { kind: AccessKind; recursive: boolean };

const harmlessDevices = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd\/\d+)$/;

export function complain(context: JudgeContext, concern: Concern): void {
  addConcern(context.command.concerns, concern);
}

/** A command that no prefix rule may cover: the rule has to spell every word. */
export function complainWhole(context: JudgeContext, sentence: string): void {
  complain(
    context,
    ask(
      "executing-option",
      sentence,
      context.command.argv.map((word) => word ?? "\0"),
    ),
  );
}

export function access(context: JudgeContext, field: Field, touch: Touch): void {
  if (field.descriptor || field.value === "-") return;
  const { kind, recursive } = typeof touch === "string" ? { kind: touch, recursive: false } : touch;
  const base = {
    kind,
    glob: field.glob,
    recursive: recursive || field.tree === true,
    from: "operand" as const,
    via: context.name,
  };
  if (!field.values) {
    if (kind !== "unknown") context.findings.accesses.push({ ...base, path: null });
    return;
  }
  for (const value of field.values) {
    if (value === "" || harmlessDevices.test(value)) continue;
    for (const path of resolvePath(value, context.scope)) {
      if (path !== null || kind !== "unknown") context.findings.accesses.push({ ...base, path });
    }
  }
}

export function accessPath(context: JudgeContext, path: string, touch: Touch): void {
  access(context, known(path), touch);
}

export const isHarmlessDevice = (path: string): boolean => harmlessDevices.test(path);
