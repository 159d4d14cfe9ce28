// `[[ … ]]`: what its operands expand to, and what it evaluates.
import type { TestExpression, Word } from "unbash";
import { ask } from "../analysis.ts";
import { expandWord } from "./expand-word.ts";
import type { Expander } from "./word-pieces.ts";

export function walkTest(expression: TestExpression, tools: Expander): void {
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
