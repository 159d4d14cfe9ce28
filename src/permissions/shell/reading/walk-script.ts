// Walks a parsed text in the order bash would run it, keeping track of the directory and of known
// variables.
import type {
  AndOr,
  Assignment,
  Case,
  Command,
  CommandNode,
  CompoundList,
  For,
  If,
  ParsedScript,
  Pipeline,
  Redirection,
  Select,
  Statement,
} from "unbash";
import { ask, type Concern } from "../analysis.ts";
import { checkArithmetic } from "./check-arithmetic.ts";
import { argumentFields, assign, judgeAssignment } from "./assigned-value.ts";
import { expandWord } from "./expand-word.ts";
import { walkTest } from "./walk-test.ts";
import { arithmeticTools, type Expander } from "./word-pieces.ts";
import { judgeFields } from "../judge-fields.ts";
import { listedBy, type Listed } from "../listed-by.ts";
import { applyRedirections } from "./redirections.ts";
import {
  addConcern,
  fork,
  unionCwds,
  walkBranches,
  walkLoop,
  type Findings,
  type Scope,
} from "../scope.ts";
import type { Survey } from "./survey-script.ts";
import { isKnownCommand, specOf } from "../tables/commands.ts";

export type Walker = {
  findings: Findings;
  survey: Survey;
  depth: number;
  fed: boolean;
  listed?: Listed | undefined;
  runText(text: string, scope: Scope, depth: number): void;
};

const maxDepth = 60;

export function walkScript(
  script: { commands: readonly Statement[]; errors?: ParsedScript["errors"] } | undefined,
  scope: Scope,
  walker: Walker,
): void {
  if (!script || script.errors?.length)
    flag(walker, ask("syntax", "A part of the command cannot be parsed."));
  if (!script) return;
  if (walker.depth > maxDepth)
    return flag(walker, ask("too-deep", "The command is nested too deeply."));
  for (const statement of script.commands) walkStatement(statement, scope, walker);
}

function flag(walker: Walker, concern: Concern): void {
  walker.findings.complete = false;
  addConcern(walker.findings.concerns, concern);
}

const deeper = (walker: Walker): Walker => ({
  ...walker,
  depth: walker.depth + 1,
  listed: undefined,
});

function walkStatement(statement: Statement, scope: Scope, walker: Walker): void {
  const before = scope.cwds;
  walkNode(statement.command, statement.background ? fork(scope) : scope, walker);
  scope.cwds = unionCwds(before, scope.cwds);
}

const walkList = (list: CompoundList, scope: Scope, walker: Walker): void =>
  walkScript(list, scope, deeper(walker));

type AnyNode = CommandNode | Pipeline | AndOr;
type Walks = {
  [Kind in AnyNode["type"]]?: (
    node: Extract<AnyNode, { type: Kind }>,
    scope: Scope,
    walker: Walker,
  ) => void;
};

const walks: Walks = {
  Command: walkCommand,
  Pipeline: walkPipeline,
  AndOr: walkAndOr,
  BraceGroup: ({ body }, scope, walker) => walkList(body, scope, walker),
  Subshell: ({ body }, scope, walker) => walkList(body, fork(scope), walker),
  If: walkIf,
  While: ({ clause, body }, scope, walker) =>
    walkLoop(
      scope,
      walker.findings,
      (inner) => (walkList(clause, inner, walker), walkList(body, inner, walker)),
    ),
  For: walkFor,
  Select: walkFor,
  ArithmeticFor: ({ initialize, test, update, body }, scope, walker) => {
    for (const part of [initialize, test, update])
      checkArithmetic(part, { ...arithmeticTools(expander(scope, walker)), text: "for ((…))" });
    walkLoop(scope, walker.findings, (inner) => walkList(body, inner, walker));
  },
  Case: walkCase,
  TestCommand: ({ expression }, scope, walker) => walkTest(expression, expander(scope, walker)),
  ArithmeticCommand: ({ expression, body }, scope, walker) =>
    checkArithmetic(expression, {
      ...arithmeticTools(expander(scope, walker)),
      text: `((${body}))`,
    }),
  Redirected: ({ redirects, command }, scope, walker) => {
    redirect(redirects, scope, walker);
    walkNode(command, scope, {
      ...walker,
      listed: undefined,
      fed: redirects.some((item) => item.operator.startsWith("<")),
    });
  },
  Function: ({ name, body }, scope, walker) => walkFunction(name.value, body, { scope, walker }),
  Coproc: ({ name, body }, scope, walker) => {
    if (name) assign(name.value, null, { scope, walker });
    if (body.type === "CompoundList") flag(walker, ask("syntax", "A coprocess cannot be parsed."));
    else walkNode(body, fork(scope), walker);
  },
};

function walkNode(node: AnyNode, scope: Scope, walker: Walker): void {
  if (!Object.hasOwn(walks, node.type))
    return flag(walker, ask("unknown-syntax", "The command holds syntax that is not understood."));
  const walk = walks[node.type] as (node: AnyNode, scope: Scope, walker: Walker) => void;
  walk(node, scope, walker);
}

function walkPipeline(node: Pipeline, scope: Scope, walker: Walker): void {
  const alone = node.commands.length === 1;
  let listed: Listed | undefined;
  node.commands.forEach((command, at) => {
    const before = walker.findings.commands.length;
    walkNode(command, alone ? scope : fork(scope), {
      ...walker,
      fed: at > 0 || walker.fed,
      listed,
    });
    const [only, ...others] = walker.findings.commands.slice(before);
    const isSimple =
      command.type === "Command" &&
      others.length === 0 &&
      command.redirects.length === 0 &&
      command.prefix.length === 0;
    listed = isSimple && !walker.survey.moves ? listedBy(only) : undefined;
  });
}

/** After `&&` a change of directory has worked; after `||` or at the end it may have failed. */
function walkAndOr(node: AndOr, scope: Scope, walker: Walker): void {
  let seen = scope.cwds;
  const { values, functions } = scope;
  node.commands.forEach((command, at) => {
    if (at > 0)
      Object.assign(scope, { values: new Map(scope.values), functions: new Set(scope.functions) });
    if (node.operators[at - 1] === "||") scope.cwds = seen;
    walkNode(command, scope, walker);
    seen = unionCwds(seen, scope.cwds);
  });
  Object.assign(scope, { cwds: seen, values, functions });
}

function walkIf(node: If, scope: Scope, walker: Walker): void {
  walkList(node.clause, scope, walker);
  const others = node.elif.map(
    (part) => (inner: Scope) => (
      walkList(part.clause, inner, walker),
      walkList(part.then, inner, walker)
    ),
  );
  const last = node.else;
  walkBranches(scope, [
    (inner) => walkList(node.then, inner, walker),
    ...others,
    ...(last ? [(inner: Scope) => walkList(last, inner, walker)] : []),
  ]);
}

function walkCase(node: Case, scope: Scope, walker: Walker): void {
  expandWord(node.word, expander(scope, walker));
  for (const item of node.items)
    for (const pattern of item.pattern) expandWord(pattern, expander(scope, walker));
  walkBranches(
    scope,
    node.items.map((item) => (inner) => walkList(item.body, inner, walker)),
  );
}

function walkFor(node: For | Select, scope: Scope, walker: Walker): void {
  const fields = (node.wordlist ?? []).flatMap((word) => expandWord(word, expander(scope, walker)));
  assign(node.name.value, null, { scope, walker });
  const texts = fields.every((field) => field.values && (!field.open || field.glob))
    ? fields.flatMap((field) => field.values!)
    : [];
  const glob = fields.some((field) => field.glob);
  walkLoop(scope, walker.findings, (inner) => {
    const follows =
      texts.length > 0 &&
      texts.length <= 64 &&
      node.type === "For" &&
      walker.survey.isStable(node.name.value);
    if (follows) inner.values.set(node.name.value, { texts, glob });
    else inner.values.delete(node.name.value);
    walkList(node.body, inner, walker);
  });
}

/**
 * The body is judged where it is defined, for any directory it may be called in; the call then
 * needs no rule, unless the name already means something.
 */
function walkFunction(
  name: string,
  body: CommandNode | CompoundList,
  { scope, walker }: { scope: Scope; walker: Walker },
): void {
  if (specOf(name) || isKnownCommand(name) || !/^[A-Za-z_][\w-]*$/.test(name))
    addConcern(
      walker.findings.concerns,
      ask("redefinition", `The function ${name} hides a command of the same name.`),
    );
  if (body.type === "CompoundList")
    return flag(walker, ask("syntax", "A function cannot be parsed."));
  scope.functions.add(name);
  const inner: Scope = {
    cwds: walker.survey.moves ? null : scope.cwds,
    values: new Map(),
    functions: new Set([name]),
  };
  const before = inner.cwds;
  walkNode(body, inner, deeper(walker));
  if (inner.cwds !== before)
    addConcern(
      walker.findings.concerns,
      ask("directory", `The function ${name} changes the directory.`),
    );
}

function expander(scope: Scope, walker: Walker): Expander {
  return {
    scope,
    home: walker.findings.home,
    numbers: walker.survey.numbers,
    runScript: (script) => walkScript(script, fork(scope), deeper(walker)),
    assign: (name) => assign(name, null, { scope, walker }),
    complain: (concern) => addConcern(walker.findings.concerns, concern),
  };
}

function redirect(redirects: readonly Redirection[], scope: Scope, walker: Walker): void {
  applyRedirections(redirects, { expander: expander(scope, walker), findings: walker.findings });
}

function walkCommand(node: Command, scope: Scope, walker: Walker): void {
  const tools = expander(scope, walker);
  const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
  const fields = [
    ...(node.name ? expandWord(node.name, tools) : []),
    ...node.args.flatMap((item) => argumentFields(item, tools)),
  ];
  const local = assignments.flatMap((item) =>
    judgeAssignment(item, fields, { scope, walker, tools }),
  );
  redirect(node.redirects, scope, walker);
  const fed = walker.fed || node.redirects.some((item) => item.operator.startsWith("<"));
  const runText = (text: string, inner: Scope) => walker.runText(text, inner, walker.depth + 1);
  const command = judgeFields(fields, {
    scope,
    findings: walker.findings,
    fed,
    listed: node.redirects.length > 0 ? undefined : walker.listed,
    assignments: assignments.map((item) => item.text),
    isDirect: walker.depth === 0,
    runText,
  });
  for (const concern of local)
    addConcern(command ? command.concerns : walker.findings.concerns, concern);
}
