// awk: patterns, comparisons and prints of fields are plain. Pipes, redirections, system, getline,
// division and everything else that
// one awk reads as a regular expression and another as an operator are not, and then the program
// counts as any other program.
import { ask } from "../analysis.ts";
import {
  access,
  accessPath,
  complain,
  complainOptions,
  type JudgeContext,
} from "../judge-context.ts";
import { unknown } from "../field.ts";
import { readOptions } from "../read-options.ts";

const table = {
  valued: "-F -v --field-separator --assign -e --source",
  runs: `
    -f --file -i --include -l --load -E --exec -o --pretty-print -p --profile -d --dump-variables -D
    --debug -e --source -W`,
  flags: "--posix --re-interval -M --csv",
  strict: true as const,
};

export function judgeAwk(context: JudgeContext): void {
  const read = readOptions(context.args, table);
  complainOptions(context, read);
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
  // `-i inplace` writes the files, and copies under an ending that the program may choose.
  if (context.args.some(({ value }) => value?.includes("inplace")))
    access(context, unknown("-i inplace", false), "write");
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
  if (isPlainAwk(program)) return;
  complain(
    context,
    ask("script", "The awk program is not plain: it may run commands or open files."),
  );
  for (const found of program.matchAll(/"([^"\n]+)"/g)) accessPath(context, found[1]!, "unknown");
}

const words = new Set(
  (
    "BEGIN END NR NF FS OFS RS ORS FNR FILENAME SUBSEP print printf if else for in while " +
    "do next exit break continue delete length substr index " +
    "split sub gsub match sprintf tolower toupper int"
  ).split(" "),
);
const tokens = new RegExp(
  [
    String.raw`[ \t\r]+|\n`,
    String.raw`"(?:[^"\\\n]|\\[nt"\\/.|$])*"`,
    String.raw`\d+(?:\.\d+)?|[A-Za-z_]\w*`,
    String.raw`&&|\|\||[=!<>]=|!~|\+\+|--|[-+*%]=?|[{}()[\],;$~!?:<>=]|\/`,
  ].join("|"),
  "y",
);
const patterns = /\/(?:[^/\\\n[]|\\[^\n]|\[\^?(?:\[:[a-z]+:\]|[A-Za-z0-9 _.,:;=+*$^-])+\])+\//y;
/** Behind these a slash begins a regular expression for every awk. */
const beforePattern = new Set(["", "\n", "(", ",", "~", "!~", "&&", "||", "!", "{", ";"]);

type Seen = { last: string; prints: boolean; depth: number };

/** True when every token of the program is of the plain part. */
export function isPlainAwk(program: string): boolean {
  const seen: Seen = { last: "", prints: false, depth: 0 };
  for (let at = 0; at < program.length;) {
    const reader = program[at] === "/" && beforePattern.has(seen.last) ? patterns : tokens;
    reader.lastIndex = at;
    const token = reader.exec(program)?.[0];
    if (token === undefined || !isPlainToken(token, seen)) return false;
    at += token.length;
  }
  return true;
}

function isPlainToken(token: string, seen: Seen): boolean {
  if (/^[ \t\r]+$/.test(token)) return true;
  if (token === "/" && !divides(seen.last)) return false;
  if (/^[A-Za-z_]/.test(token) && !words.has(token) && !isVariable(token)) return false;
  if (token === "print" || token === "printf") seen.prints = true;
  if (token === ";" || token === "}") seen.prints = false;
  seen.depth += Number("([".includes(token)) - Number(")]".includes(token));
  seen.last = token;
  // Behind print a `>` opens a file.
  return !(token === ">" && seen.prints && seen.depth === 0);
}

/** Behind an operand a slash divides; behind the name of a function awks differ. */
const divides = (last: string): boolean =>
  /^(?:\d[\d.]*|\)|\]|NR|NF|FNR)$/.test(last) || (/^[a-z]\w*$/.test(last) && !words.has(last));

const otherBuiltins = new Set(
  (
    "system getline close fflush func function nextfile switch case default return include load " +
    "namespace print printf"
  ).split(" "),
);

/** Names of builtins that some awk has are no variables. */
const isVariable = (name: string): boolean =>
  /^[a-z]\w{0,11}$/.test(name) && !otherBuiltins.has(name);
