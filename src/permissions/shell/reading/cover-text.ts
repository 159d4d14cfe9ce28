// Does the tree account for the text? Whatever stands between understood nodes must be blanks,
// operators, reserved words or comments.
import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

const reserved = `
  if then elif else fi for in do done while until case esac select function time coproc -p --`
  .trim()
  .split(/\s+/)
  .join("|");
const between = new RegExp(
  [
    String.raw`^(?:[ \t\n;&|(){}!<>]`,
    String.raw`\\\n`,
    String.raw`(?<=^|[\s;&|()])#[^\n]*`,
    String.raw`\[\[`,
    String.raw`\]\]`,
    String.raw`(?<![\w-])(?:${reserved})(?![\w-]))*$`,
  ].join("|"),
);

const isBetween = (text: string): boolean => text === " " || between.test(text);

/** Nodes that are read as a whole; scripts inside them are looked at on their own. */
const leaves = new Set([
  "Word",
  "Assignment",
  "HereDoc",
  "HereString",
  "Redirect",
  "TestCommand",
  "ArithmeticCommand",
  "Time",
  "Negation",
]);

type Span = { pos: number; end: number; isWord: boolean; isLeaf: boolean };
type Part = { script: ParsedScript; text: string };

/** False when a part of the text, or of a script inside it, belongs to no node. */
export function coversText(script: ParsedScript, text: string): boolean {
  const parts: Part[] = [{ script, text }];
  for (let part = parts.pop(); part; part = parts.pop()) {
    if (!coversPart(part, parts)) return false;
  }
  return true;
}

function coversPart({ script, text }: Part, parts: Part[]): boolean {
  const spans: Span[] = [];
  const leafNodes = collect(script, spans);
  for (const leaf of leafNodes) findScripts(leaf, text, parts);
  spans.sort((a, b) => a.pos - b.pos || a.end - b.end);
  let at = script.pos;
  for (const [index, span] of spans.entries()) {
    if (span.pos > at && !isBetween(text.slice(at, span.pos))) return false;
    // Two words without a blank between them are one word to bash.
    if (span.isWord && spans[index - 1]?.isLeaf && span.pos === at) return false;
    at = Math.max(at, span.end);
  }
  return at >= script.end || isBetween(text.slice(at, script.end));
}

function collect(script: ParsedScript, spans: Span[]): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const pending: SyntaxNode[] = [script];
  while (pending.length) {
    const node = pending.pop()!;
    if (node.type === "HereDoc")
      spans.push({
        pos: node.body.pos,
        end: node.closing?.end ?? node.body.end,
        isWord: false,
        isLeaf: false,
      });
    if (leaves.has(node.type)) {
      spans.push({
        pos: node.pos,
        end: node.end,
        isWord: node.type === "Word" || node.type === "Assignment",
        isLeaf: true,
      });
      found.push(node);
    } else if (node.type === "ArithmeticFor") {
      spans.push({ pos: node.pos, end: node.body.pos, isWord: false, isLeaf: false });
      pending.push(node.body);
    } else forEachChild(node, (child) => pending.push(child));
  }
  return found;
}

/** The scripts directly inside a leaf; a backtick script with escapes has a text of its own. */
function findScripts(leaf: SyntaxNode, text: string, parts: Part[]): void {
  const pending: SyntaxNode[] = [leaf];
  while (pending.length) {
    const node = pending.pop()!;
    if (node.type === "Script") parts.push({ script: node, text: node.source ?? text });
    else forEachChild(node, (child) => pending.push(child));
  }
}
