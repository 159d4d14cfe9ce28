// Does the tree account for the text? Whatever stands between understood nodes must be blanks, operators, reserved words or comments.
import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";

const between =
  /^(?:[ \t\n;&|(){}!<>]|\\\n|(?<=^|[\s;&|()])#[^\n]*|\[\[|\]\]|(?<![\w-])(?:if|then|elif|else|fi|for|in|do|done|while|until|case|esac|select|function|time|coproc|-p|--)(?![\w-]))*$/;

/** Nodes whose inside is read by the parser's own rules, not word by word. */
const leaves = new Set(["Word", "Assignment", "HereDoc", "HereString", "Redirect", "TestCommand", "ArithmeticCommand", "Time", "Negation"]);

type Span = { pos: number; end: number };

/** False when a part of the text belongs to no node. */
export function coversText(script: ParsedScript, text: string): boolean {
  const spans: Span[] = [];
  collect(script, spans);
  spans.sort((a, b) => a.pos - b.pos);
  let at = 0;
  for (const span of spans) {
    if (span.pos > at && !isBetween(text, at, span.pos)) return false;
    at = Math.max(at, span.end);
  }
  return isBetween(text, at, text.length);
}

function isBetween(text: string, from: number, to: number): boolean {
  return to - from < 1 || between.test(text.slice(from, to));
}

function collect(root: SyntaxNode, spans: Span[]): void {
  const pending: SyntaxNode[] = [root];
  while (pending.length) {
    const node = pending.pop()!;
    if (node.type === "HereDoc") spans.push(node.body, ...(node.closing ? [node.closing] : []));
    if (leaves.has(node.type)) spans.push(node);
    else if (node.type === "ArithmeticFor") {
      spans.push({ pos: node.pos, end: node.body.pos });
      pending.push(node.body);
    } else forEachChild(node, (child) => pending.push(child));
  }
}
