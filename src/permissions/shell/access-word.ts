// Words whose meaning no table knows: which files they may name, and which option names run
// programs wherever they occur.
import { ask, type PathAccess } from "./analysis.ts";
import { known, type Field } from "./field.ts";
import { access, complain, type JudgeContext } from "./judge-context.ts";

const maxPieces = 16;

/**
 * Every file that the word may name: the word itself, what is joined to an option, what follows
 * `=`, `:`, `,`, `@` or `%`, what is quoted in it. `starts`: what the program may do with it.
 */
export function accessWord(
  context: JudgeContext,
  field: Field,
  starts?: PathAccess["starts"],
): void {
  const text = field.value;
  if (text === null || !text.startsWith("-"))
    access(context, field, { kind: "unknown", recursive: false, starts });
  accessPieces(context, field, starts);
}

/** What is joined to other text in the word: it may be a file. */
export function accessPieces(
  context: JudgeContext,
  { value }: Field,
  starts?: PathAccess["starts"],
): void {
  for (const piece of value === null ? [] : piecesOf(value))
    access(context, known(piece), { kind: "unknown", recursive: false, starts });
}

function piecesOf(text: string): string[] {
  const url = /^(?:[^=]*=)?([A-Za-z][\w+.-]*):\/\/(.*)$/s.exec(text);
  if (url) return url[1]!.toLowerCase() === "file" ? [url[2]!.replace(/^[^/]*/, "")] : [];
  const joined = /^-[A-Za-z]([^-=].*)$/s.exec(text)?.[1];
  const behind = text.split(/[=:,@%]/, maxPieces).slice(1);
  const quoted = text.split(/['"]/, maxPieces).filter((_, at) => at % 2 === 1);
  return [...(joined === undefined ? [] : [joined]), ...behind, ...quoted].filter(Boolean);
}

/** Names of options that run something, load code or move the program elsewhere. */
const executingNames = new RegExp(
  `^--?(?!no-|ignore-|skip-)(?:${String.raw`
    exec(?:ute|-batch|-path)? eval command cmd run[-_]under shell(?:-escape|-arg)?
    script-(?:shell|file) preview bind pager edit editor browser viewer
    (?:pre|post)-(?:renderer|processor) preprocessor wrapper launcher interpreter engine require
    preload load-extension plugins? plugin-(?:dir|path) init-(?:script|command) (?:use-)?askpass
    rsh ssh-command proxy unix-socket endpoint(?:-url)? registry (?:extra-)?index-url on-[a-z-]+
    [a-z]+(?:[-_][a-z]+)*[-_](?:program|command|cmd|hook|exec|helper|executable)
    checkpoint-action bazelrc javaagent processor`
    .trim()
    .split(/\s+/)
    .join("|")})$`,
  "i",
);

/** An option whose name says that it runs something. */
export function complainExecuting(
  context: JudgeContext,
  field: Field,
  next: Field | undefined,
): void {
  const option = executingOption(field.value);
  if (option === undefined) return;
  const value =
    field.value === option && next?.value && !next.value.startsWith("-") ? [next.value] : [];
  complain(
    context,
    ask(
      "executing-option",
      `${context.name} ${option} may run a program or change where code comes from.`,
      [field.value!, ...value],
    ),
  );
}

/**
 * The option's name when it is one that runs something, loads code or moves the program elsewhere.
 */
export function executingOption(text: string | null): string | undefined {
  const name = /^--?[A-Za-z][\w-]+(?=[=:]|$)/.exec(text ?? "")?.[0];
  return name !== undefined && executingNames.test(name) ? name : undefined;
}
