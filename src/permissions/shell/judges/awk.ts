// awk: a program that pipes, calls system, uses getline or redirects its output runs commands or touches files of its own.
import { ask } from "../analysis.ts";
import { access, complain, type JudgeContext } from "../judge-context.ts";
import { readOptions } from "../read-options.ts";

const table = {
  valued: "-F -v --field-separator --assign -e --source",
  runs: "-f --file -i --include -l --load -E --exec -o --pretty-print -p --profile -d --dump-variables -D --debug -e --source -W",
};

export function judgeAwk(context: JudgeContext): void {
  const read = readOptions(context.args, { ...table, strict: true });
  for (const option of read.options) {
    if (option.roles.has("runs"))
      complain(
        context,
        ask("script", `awk ${option.name} runs or writes more than its program.`, option.words),
      );
  }
  if (read.open.length)
    complain(
      context,
      ask("unknown-arguments", `${read.open[0]!.raw} may turn into options of awk.`),
    );
  const [program, ...files] = read.options.some((option) => option.roles.has("runs"))
    ? [undefined, ...read.operands]
    : read.operands;
  if (program) judgeProgram(context, program.value);
  for (const file of files) {
    if (file && !/^[A-Za-z_]\w*=/.test(file.value ?? "")) access(context, file, "read");
  }
}

function judgeProgram(context: JudgeContext, program: string | null): void {
  if (program === null)
    return complain(context, ask("dynamic-code", "The awk program is only known at run time."));
  const bare = withoutLiterals(program);
  if (bare === undefined)
    return complain(context, ask("unknown-syntax", "The awk program is not understood."));
  if (/\bsystem\b|\bgetline\b|@|\bARGV\b|\bARGC\b/.test(bare))
    return complain(
      context,
      ask("executing-option", "The awk program runs commands or opens files."),
    );
  if (/(?:^|[^|])\|(?!\|)/.test(bare))
    return complain(
      context,
      ask("executing-option", "The awk program pipes into or from a command."),
    );
  if (redirects(bare)) complain(context, ask("writing-option", "The awk program writes files."));
}

/** The program with strings and regular expressions emptied, or undefined when one does not end. */
function withoutLiterals(program: string): string | undefined {
  let out = "";
  let last = "";
  for (let at = 0; at < program.length; at += 1) {
    const character = program[at]!;
    if (character === '"' || (character === "/" && /^$|[(,~!&|{};\n]/.test(last))) {
      const end = literalEnd(program, at);
      if (end < 0) return undefined;
      out += '""';
      last = '"';
      at = end;
    } else if (character === "#") {
      while (at < program.length && program[at] !== "\n") at += 1;
      out += "\n";
      last = "\n";
    } else {
      out += character;
      if (!/[ \t]/.test(character)) last = character;
    }
  }
  return out;
}

function literalEnd(program: string, start: number): number {
  const quote = program[start]!;
  let inBracket = false;
  for (let at = start + 1; at < program.length; at += 1) {
    const character = program[at]!;
    if (character === "\\") at += 1;
    else if (character === "\n") return -1;
    // Implementations differ on a slash inside brackets; what they could read differently is not trusted.
    else if (quote === "/" && character === "[") inBracket = true;
    else if (quote === "/" && character === "]") inBracket = false;
    else if (character === quote) return inBracket ? -1 : at;
  }
  return -1;
}

/** A `>` outside parentheses after print or printf opens a file; elsewhere it compares. */
function redirects(bare: string): boolean {
  for (const match of bare.matchAll(/\bprintf?\b([^;}]*)/g)) {
    let depth = 0;
    for (const character of match[1]!) {
      if (character === "(") depth += 1;
      else if (character === ")") depth -= 1;
      else if (character === ">" && depth <= 0) return true;
    }
  }
  return false;
}
