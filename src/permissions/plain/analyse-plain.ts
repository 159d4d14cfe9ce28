// Judges a text of which every byte is plain shell: its commands, the files they touch, and what is
// open about them. Only such a text can be allowed.
import { limits } from "../../base/limits.ts";
import { ask, type Concern, type ShellAnalysis } from "../shell/analysis.ts";
import { judgeFields } from "../shell/judge-fields.ts";
import type { Field } from "../shell/field.ts";
import { listedBy, type Listed } from "../shell/listed-by.ts";
import {
  addConcern,
  complainMany,
  noFindings,
  noteMatched,
  noteValue,
  unionCwds,
  type Findings,
  type JudgedBefore,
  type Scope,
} from "../shell/scope.ts";
import { checkVariable } from "../shell/tables/check-variable.ts";
import { applyRedirects } from "./apply-redirects.ts";
import { expandPlain, type PlainExpander } from "./expand-plain.ts";
import type { PlainList, PlainNode, PlainRedirect, PlainSimple } from "./plain-list.ts";
import {
  forget,
  forkPlain,
  keepsText,
  namesSetBy,
  namesSetIn,
  namesSettledIn,
  openScope,
  rejoin,
  settlesNames,
  type PlainScope,
} from "./plain-scope.ts";
import { readPlain } from "./read-plain.ts";

type Walker = { findings: Findings; fed: boolean; listed: Listed | undefined; texts: number };

const maxTexts = 4;

/**
 * The analysis of a plain text, or the sentence that says where it stops being plain. Never throws.
 */
export function analysePlain(
  command: string,
  { cwd, home, judged }: { cwd: string; home: string; judged?: JudgedBefore },
): ShellAnalysis | { problem: string } {
  const reading =
    command.length > limits.shell.characters
      ? {
          problem: `The command has ${command.length} characters, more than ${limits.shell.characters}.`,
        }
      : readPlain(command);
  if (!reading.script) return { problem: reading.problem };
  const findings = noFindings(home, judged);
  const walker: Walker = { findings, fed: false, listed: undefined, texts: 0 };
  walkList(reading.script, openScope(cwd), walker);
  complainMany(findings);
  const { commands, accesses, concerns, complete } = findings;
  return { commands, accesses, concerns, complete };
}

function walkList(list: PlainList, scope: PlainScope, walker: Walker): void {
  for (const { node, background } of list) {
    const before = scope.cwds;
    if (background) {
      const inner = forkPlain(scope);
      walkNode(node, inner, walker);
      rejoin(scope, inner, { moves: false });
    } else walkNode(node, scope, walker);
    // A change of folder may have failed.
    scope.cwds = unionCwds(before, scope.cwds);
  }
}

function walkNode(node: PlainNode, scope: PlainScope, walker: Walker): void {
  const before = scope.cwds;
  walkKind(node, scope, walker);
  if (node.negated) scope.cwds = unionCwds(before, scope.cwds);
}

function walkKind(node: PlainNode, scope: PlainScope, walker: Walker): void {
  switch (node.type) {
    case "simple":
      return walkSimple(node, scope, walker);
    case "pipeline":
      return walkPipeline(node.items, scope, walker);
    case "chain":
      return walkChain(node, scope, walker);
    case "subshell": {
      const inner = forkPlain(scope);
      walkList(node.body, inner, redirected(node.redirects, scope, walker));
      return rejoin(scope, inner, { moves: false });
    }
    case "if":
      return walkIf(node, scope, walker);
    case "while":
    case "for":
      return walkLoop(node, scope, walker);
  }
}

/** The walker inside a compound command with these redirections. */
function redirected(redirects: PlainRedirect[], scope: PlainScope, walker: Walker): Walker {
  applyRedirects(redirects, expanderOf(scope, walker), walker.findings);
  return redirects.some((item) => item.kind === "read" || item.kind === "text")
    ? { ...walker, fed: true, listed: undefined }
    : walker;
}

function walkPipeline(items: PlainNode[], scope: PlainScope, walker: Walker): void {
  let listed: Listed | undefined;
  items.forEach((item, at) => {
    const before = walker.findings.commands.length;
    const inner = forkPlain(scope);
    walkNode(item, inner, { ...walker, fed: at > 0 || walker.fed, listed });
    rejoin(scope, inner, { moves: false });
    const [only, ...others] = walker.findings.commands.slice(before);
    const isAlone =
      item.type === "simple" &&
      others.length === 0 &&
      item.redirects.every((redirect) => redirect.kind === "errors") &&
      item.assignments.length === 0;
    listed = isAlone ? listedBy(only) : undefined;
  });
}

/** Behind `&&` a change of folder has worked; behind `||` and at the end it may have failed. */
function walkChain(
  { first, rest }: Extract<PlainNode, { type: "chain" }>,
  scope: PlainScope,
  walker: Walker,
): void {
  const before = scope.cwds;
  walkNode(first, scope, walker);
  let seen = unionCwds(before, scope.cwds);
  const inner = forkPlain(scope);
  for (const { operator, node } of rest) {
    if (operator === "||") inner.cwds = seen;
    if (operator === "||") forget(inner, inner.touched);
    walkNode(node, inner, walker);
    // Behind `||` it may not have run.
    if (operator === "||") inner.cwds = unionCwds(seen, inner.cwds);
    seen = unionCwds(seen, inner.cwds);
  }
  rejoin(scope, inner, { moves: false });
  scope.cwds = seen;
}

function walkIf(node: Extract<PlainNode, { type: "if" }>, scope: PlainScope, walker: Walker): void {
  const within = redirected(node.redirects, scope, walker);
  const branches = node.branches.map(({ condition, body }) => [condition, body]);
  const [start] = branches;
  walkList(start![0]!, scope, within);
  const before = forkPlain(scope);
  for (const lists of [
    [start![1]!],
    ...branches.slice(1),
    ...(node.otherwise ? [[node.otherwise]] : []),
  ]) {
    const inner = forkPlain(before);
    for (const list of lists) walkList(list, inner, within);
    rejoin(scope, inner, { moves: true });
    forget(before, inner.touched);
    before.cwds = unionCwds(before.cwds, inner.cwds);
  }
}

function walkLoop(
  node: Extract<PlainNode, { type: "for" | "while" }>,
  scope: PlainScope,
  walker: Walker,
): void {
  const fields =
    node.type === "for"
      ? node.words.map((word) => expandPlain(word, expanderOf(scope, walker)))
      : [];
  for (const { glob, values } of fields)
    noteMatched(walker.findings, { values: (glob && values) || [] }, scope);
  const within = redirected(node.redirects, scope, walker);
  const inner = forkPlain(scope);
  // The second round begins with what the first has set.
  forget(inner, namesSetIn([{ node, background: false }]));
  namesSettledIn([{ node, background: false }]).forEach((name) => inner.settled.add(name));
  if (node.type === "for") setLoopVariable(node, fields, { scope: inner, walker });
  if (node.type === "while") walkList(node.condition, inner, within);
  walkList(node.body, inner, within);
  const moved = JSON.stringify(inner.cwds) !== JSON.stringify(scope.cwds);
  rejoin(scope, inner, { moves: true });
  if (!moved) return;
  scope.cwds = null;
  addConcern(
    walker.findings.concerns,
    ask("directory", "A loop changes the directory as it goes round."),
  );
}

function setLoopVariable(
  { name, body }: Extract<PlainNode, { type: "for" }>,
  fields: Field[],
  { scope, walker }: { scope: PlainScope; walker: Walker },
): void {
  const concern = checkVariable(name, null, false);
  if (concern) addConcern(walker.findings.concerns, concern);
  const isKnown = fields.every((field) => field.values && (!field.open || field.glob));
  if (!isKnown || namesSetIn(body).some((set) => set === name || set === "*")) return;
  const texts = fields.flatMap((field) => field.values!);
  if (texts.length > 64 || !keepsText(scope, name)) return;
  scope.values.set(name, { texts, glob: fields.some((field) => field.glob), cwds: scope.cwds });
}

const expanderOf = (scope: PlainScope, walker: Walker): PlainExpander => ({
  scope,
  home: walker.findings.home,
  concerns: walker.findings.concerns,
  noteBare: (values) => noteMatched(walker.findings, { values, bare: true }, scope),
  runInner: (script) =>
    walkList(script, forkPlain(scope), { ...walker, fed: false, listed: undefined }),
});

function walkSimple(node: PlainSimple, scope: PlainScope, walker: Walker): void {
  const expander = expanderOf(scope, walker);
  // What is only compared is not shown.
  if (/^(?:\[|test)$/.test(node.words[0]?.raw ?? "")) expander.concerns = [];
  const fields = node.words.map((word) => expandPlain(word, expander));
  const concerns = node.assignments.flatMap((item) =>
    assign(item, fields, { scope, walker, expander }),
  );
  applyRedirects(node.redirects, expander, walker.findings);
  const feeds = node.redirects.some((item) => item.kind === "read" || item.kind === "text");
  const command = judgeFields(fields, {
    scope,
    findings: walker.findings,
    fed: walker.fed || feeds,
    listed: feeds ? undefined : walker.listed,
    assignments: node.assignments.map((item) => `${item.name}=${item.value.raw}`),
    isDirect: walker.texts === 0,
    runText: (text, inner) => runText(text, inner, walker),
  });
  for (const concern of concerns)
    addConcern(command ? command.concerns : walker.findings.concerns, concern);
  if (command)
    for (const field of fields.slice(1))
      if (field.value === null && field.raw.replace(/^["']/, "").startsWith("-"))
        addConcern(
          command.concerns,
          ask(
            "unknown-arguments",
            `${field.raw} is an option whose value is only known at run time.`,
          ),
        );
  if (node.words.length === 0) return;
  const names = namesSetBy(node);
  forget(scope, names);
  if (settlesNames(node)) names.forEach((name) => scope.settled.add(name));
}

/** Sets the variable, or says what speaks against handing it to the command. */
function assign(
  { name, value }: PlainSimple["assignments"][number],
  fields: Field[],
  { scope, walker, expander }: { scope: PlainScope; walker: Walker; expander: PlainExpander },
): Concern[] {
  const field = expandPlain(value, expander, { isValue: true });
  const concern = checkVariable(name, field.value, fields.length > 0);
  const isOneRead = name === "IFS" && fields[0]?.value === "read";
  if (fields.length === 0) {
    forget(scope, [name]);
    if (!keepsText(scope, name)) scope.touched.add(name);
    else if (field.value !== null) scope.values.set(name, { texts: [field.value], glob: false });
    else if (!field.open && !field.splits && !field.values) scope.words.add(name);
    if (concern) addConcern(walker.findings.concerns, concern);
    return [];
  }
  noteValue(walker.findings, field.value, scope);
  return concern && !isOneRead ? [concern] : [];
}

function runText(text: string, scope: Scope, walker: Walker): void {
  const reading =
    walker.texts < maxTexts ? readPlain(text) : { problem: "Commands are nested too deeply." };
  if (!reading.script)
    return addConcern(walker.findings.concerns, ask("unknown-syntax", reading.problem));
  const inner = { ...openScope("/"), cwds: scope.cwds };
  walkList(reading.script, inner, {
    ...walker,
    fed: false,
    listed: undefined,
    texts: walker.texts + 1,
  });
}
