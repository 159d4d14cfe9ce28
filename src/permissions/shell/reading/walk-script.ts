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
  TestExpression,
  Word,
} from "unbash";
import { ask, type Concern } from "../analysis.ts";
import { checkArithmetic } from "./check-arithmetic.ts";
import { checkVariable } from "../tables/check-variable.ts";
import { arithmeticTools, checkIndex, expandWord, type Expander } from "./expand-word.ts";
import { known, type Field } from "../field.ts";
import { judgeFields } from "../judge-fields.ts";
import { listedBy, type Listed } from "../listed-by.ts";
import { applyRedirections } from "./redirections.ts";
import { addConcern, fork, unionCwds, type Findings, type Scope } from "../scope.ts";
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

function walkNode(node: CommandNode | Pipeline | AndOr, scope: Scope, walker: Walker): void {
  switch (node.type) {
    case "Command":
      return walkCommand(node, scope, walker);
    case "Pipeline":
      return walkPipeline(node, scope, walker);
    case "AndOr":
      return walkAndOr(node, scope, walker);
    case "BraceGroup":
      return walkList(node.body, scope, walker);
    case "Subshell":
      return walkList(node.body, fork(scope), walker);
    case "If":
      return walkIf(node, scope, walker);
    case "While":
      return walkLoop(
        scope,
        walker,
        (inner) => (walkList(node.clause, inner, walker), walkList(node.body, inner, walker)),
      );
    case "For":
    case "Select":
      return walkFor(node, scope, walker);
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update])
        checkArithmetic(part, { ...arithmeticTools(expander(scope, walker)), text: "for ((…))" });
      return walkLoop(scope, walker, (inner) => walkList(node.body, inner, walker));
    case "Case":
      return walkCase(node, scope, walker);
    case "TestCommand":
      return walkTest(node.expression, expander(scope, walker));
    case "ArithmeticCommand":
      return checkArithmetic(node.expression, {
        ...arithmeticTools(expander(scope, walker)),
        text: `((${node.body}))`,
      });
    case "Redirected":
      redirect(node.redirects, scope, walker);
      return walkNode(node.command, scope, {
        ...walker,
        listed: undefined,
        fed: node.redirects.some((item) => item.operator.startsWith("<")),
      });
    case "Function":
      return walkFunction(node.name.value, node.body, { scope, walker });
    case "Coproc":
      if (node.name) assign(node.name.value, null, { scope, walker });
      return node.body.type === "CompoundList"
        ? flag(walker, ask("syntax", "A coprocess cannot be parsed."))
        : walkNode(node.body, fork(scope), walker);
    default:
      flag(walker, ask("unknown-syntax", "The command holds syntax that is not understood."));
  }
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

function walkBranches(scope: Scope, branches: ((scope: Scope) => void)[]): void {
  let cwds = scope.cwds;
  for (const branch of branches) {
    const inner = fork(scope);
    branch(inner);
    cwds = unionCwds(cwds, inner.cwds);
  }
  scope.cwds = cwds;
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

/** A body that moves to another directory starts its second round there: that is not followed. */
function walkLoop(scope: Scope, walker: Walker, body: (inner: Scope) => void): void {
  const inner = fork(scope);
  body(inner);
  if (inner.cwds === scope.cwds || JSON.stringify(inner.cwds) === JSON.stringify(scope.cwds))
    return;
  scope.cwds = null;
  addConcern(
    walker.findings.concerns,
    ask("directory", "A loop changes the directory as it goes round."),
  );
}

function walkFor(node: For | Select, scope: Scope, walker: Walker): void {
  const fields = (node.wordlist ?? []).flatMap((word) => expandWord(word, expander(scope, walker)));
  assign(node.name.value, null, { scope, walker });
  const texts = fields.every((field) => field.values && (!field.open || field.glob))
    ? fields.flatMap((field) => field.values!)
    : [];
  const glob = fields.some((field) => field.glob);
  walkLoop(scope, walker, (inner) => {
    const follows =
      texts.length > 0 &&
      texts.length <= 64 &&
      node.type === "For" &&
      walker.survey.stable.has(node.name.value);
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

function walkTest(expression: TestExpression, tools: Expander): void {
  switch (expression.type) {
    case "TestUnary":
      expandWord(expression.operand, tools);
      if (/^-[vR]$/.test(expression.operator) && !/^[A-Za-z_]\w*$/.test(expression.operand.text))
        tools.complain(
          ask("arithmetic", "[[ -v … ]] evaluates a subscript, which can run commands."),
        );
      return;
    case "TestBinary":
      for (const word of [expression.left, expression.right]) {
        expandWord(word, tools);
        if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator)) checkTestNumber(word, tools);
      }
      return;
    case "TestLogical":
      return expression.operands.forEach((operand) => walkTest(operand, tools));
    case "TestNot":
      return walkTest(expression.operand, tools);
    case "TestGroup":
      return walkTest(expression.expression, tools);
    default:
      tools.complain(ask("unknown-syntax", "A test is not understood."));
  }
}

function checkTestNumber(word: Word, tools: Expander): void {
  const text = word.text.replace(/^"(.*)"$/, "$1");
  const name = /^\$\{?(\w+)\}?$/.exec(text)?.[1];
  if (
    /^-?\d+$/.test(text) ||
    /^\$[#?]$/.test(text) ||
    /^\$\{#\w+(?:\[[@*]\])?\}$/.test(text) ||
    (name && tools.numbers.has(name))
  )
    return;
  tools.complain(
    ask("arithmetic", `[[ … ]] evaluates ${word.text} as arithmetic, which can run commands.`),
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

function assign(
  name: string,
  value: string | null,
  { scope, walker }: { scope: Scope; walker: Walker },
): void {
  const concern = checkVariable(name, value, false);
  if (concern) addConcern(walker.findings.concerns, concern);
  scope.values.delete(name);
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
  const local: Concern[] = [];
  for (const item of assignments) {
    const value = assignedValue(item, tools);
    const concern = checkVariable(item.name, value?.value ?? null, fields.length > 0);
    // `IFS= read` splits one line and ends with it.
    if (concern && !(item.name === "IFS" && fields[0]?.value === "read")) local.push(concern);
    if (fields.length === 0) remember(item, value, { scope, walker });
  }
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

/** `export A=b` keeps its shape as one word; arrays and subscripts are looked into. */
function argumentFields(item: Word | Assignment, tools: Expander): Field[] {
  if (item.type === "Word") return expandWord(item, tools);
  const value = assignedValue(item, tools);
  const head = `${item.name}${item.index ? `[${item.index.text}]` : ""}${item.append ? "+" : ""}=`;
  return [
    value?.value == null
      ? { ...known("", item.text), value: null, values: null }
      : known(head + value.value, item.text),
  ];
}

function assignedValue(item: Assignment, tools: Expander): Field | undefined {
  if (item.index) checkIndex(item.index, tools);
  if (item.value.type === "Word") {
    const fields = expandWord(item.value, tools);
    return fields.length === 1 ? fields[0] : undefined;
  }
  item.value.elements.forEach((element) => expandWord(element, tools));
  return undefined;
}

function remember(
  item: Assignment,
  value: Field | undefined,
  { scope, walker }: { scope: Scope; walker: Walker },
): void {
  scope.values.delete(item.name);
  // An empty value could still be replaced by `${name:=…}`.
  if (value?.value && !item.append && !item.index && walker.survey.stable.has(item.name))
    scope.values.set(item.name, { texts: [value.value], glob: false });
}
