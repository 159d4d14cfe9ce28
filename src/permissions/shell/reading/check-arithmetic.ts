// Arithmetic in bash evaluates the *values* of variables again, and a subscript in such a value
// runs commands. Only numbers and known counters pass.
import type { ArithmeticExpression, ParsedScript, WordPart } from "unbash";
import { ask, type Concern } from "../analysis.ts";
import { checkVariable } from "../tables/check-variable.ts";

export type ArithmeticTools = {
  /** As written, for messages. */
  text: string;
  numbers: Set<string>;
  complain(concern: Concern): void;
  runScript(script: ParsedScript | undefined): void;
  walkParts(parts: readonly WordPart[]): void;
};

export const isPlainNumber = (text: string): boolean =>
  /^\s*-?\d{1,18}\s*$/.test(text) || text.trim() === "";

export const isPlainIndex = (text: string): boolean =>
  text === "@" || text === "*" || /^-?\d{1,9}$/.test(text);

/**
 * Complains about everything in the expression that is neither a number nor a counter of this text.
 */
export function checkArithmetic(
  expression: ArithmeticExpression | undefined,
  tools: ArithmeticTools,
): void {
  if (!expression) return;
  switch (expression.type) {
    case "ArithmeticBinary":
      checkTarget(expression, tools);
      checkArithmetic(expression.left, tools);
      return checkArithmetic(expression.right, tools);
    case "ArithmeticUnary":
      return checkArithmetic(expression.operand, tools);
    case "ArithmeticTernary":
      checkArithmetic(expression.test, tools);
      checkArithmetic(expression.consequent, tools);
      return checkArithmetic(expression.alternate, tools);
    case "ArithmeticGroup":
      return checkArithmetic(expression.expression, tools);
    case "ArithmeticWord":
      if (expression.parts) tools.walkParts(expression.parts);
      return checkOperand(expression.value.trim(), tools);
    case "ArithmeticCommandExpansion":
      tools.runScript(expression.script);
      return complain(tools);
    default:
      tools.complain(ask("unknown-syntax", "An arithmetic expression is not understood."));
  }
}

/** `((PATH=1))` is an assignment like any other. */
function checkTarget(
  { left, operator }: Extract<ArithmeticExpression, { type: "ArithmeticBinary" }>,
  tools: ArithmeticTools,
): void {
  if (left.type !== "ArithmeticWord" || !operator.endsWith("=") || /^[=!<>]=$/.test(operator))
    return;
  const concern = checkVariable(left.value.trim(), null, false);
  if (concern) tools.complain(concern);
}

function checkOperand(value: string, tools: ArithmeticTools): void {
  if (/^(?:0[xX][\da-fA-F]+|\d+)?$/.test(value)) return;
  const name = /^\$?(?:\{(\w+)\}|(\w+))$/.exec(value);
  if (name && tools.numbers.has(name[1] ?? name[2]!)) return;
  if (/^\$(?:[#?$!]|\{#\w+\})$/.test(value)) return;
  complain(tools);
}

function complain(tools: ArithmeticTools): void {
  tools.complain(
    ask("arithmetic", `${tools.text} evaluates a value as arithmetic, which can run commands.`),
  );
}
