// dd, tar and test.
import { ask, type AccessKind } from "../analysis.ts";
import { known, unknown, type Field } from "../field.ts";
import {
  access,
  accessPath,
  complain,
  complainOptions,
  type JudgeContext,
} from "../judge-context.ts";
import { readOptions, type ReadOption, type ReadWords } from "../read-options.ts";

function judgeDd(context: JudgeContext): void {
  for (const field of context.args) {
    if (field.value === null) {
      complain(context, ask("unknown-arguments", `${field.raw} may name a file that dd writes.`));
      continue;
    }
    const [, key, value] = /^(if|of)=([^]*)$/.exec(field.value) ?? [];
    if (key && value) accessPath(context, value, key === "if" ? "read" : "write");
  }
}

/** `install -d` makes folders of all its operands. */
function judgeInstall(context: JudgeContext, read: ReadWords): void {
  if (
    read.options.some(
      (option) =>
        option.name === "-d" || (option.name.length > 4 && "--directory".startsWith(option.name)),
    )
  )
    read.operands.forEach((field) => access(context, field, "write"));
}

const tarTable = {
  flags:
    `
      -c -x -t -v -z -j -J -k -m -p -a -O -w -S -U -Z -u -r -A --create --extract --get --list
      --verbose --gzip --gunzip --bzip2 --xz --zstd --lzma` +
    `
      --auto-compress --keep-old-files --no-same-owner --no-same-permissions --preserve-permissions
      --same-permissions --overwrite --no-recursion` +
    `
      --wildcards --no-wildcards --anchored --totals --to-stdout --exclude-vcs
      --exclude-vcs-ignores --exclude-caches --no-xattrs` +
    `
      --numeric-owner --skip-old-files --keep-newer-files --touch --one-file-system --ignore-case -h
      --dereference -d --diff --compare -l --append --update`,
  joined: "--checkpoint",
  lists: "-C --directory -f --file",
  valued: `
      -b -K -N -H -L -V --format --owner --group --mode --mtime --exclude
      --strip-components --blocking-factor --label --after-date --newer --sort --level --record-size
      --tape-length --pax-option --warning --checkpoint`,
  reads: "-T -X --files-from --exclude-from",
  runs: `
    -g --listed-incremental --volno-file -T --files-from -I --use-compress-program --to-command
    --checkpoint-action -F --info-script --new-volume-script --rsh-command --rmt-command -P
    --absolute-names --index-file`,
  writes: "--one-top-level -g --listed-incremental --volno-file",
  edits: "--remove-files --delete",
};

type TarMode = "create" | "extract" | "list";

function judgeTar(context: JudgeContext): void {
  const read = readOptions(oldStyle(context.args), tarTable);
  complainOptions(context, read);
  for (const option of read.options) applyTarOption(context, option);
  if (read.open.length)
    complain(
      context,
      ask("unknown-arguments", `${read.open[0]!.raw} may turn into options of tar.`),
    );
  // bsdtar's @archive: a list of contents that names any other file.
  const listed = read.operands.find(({ value }) => value?.startsWith("@"));
  if (listed)
    complain(
      context,
      ask("unknown-arguments", `${listed.raw} names what tar reads.`, [listed.raw]),
    );
  touchArchive(context, read);
}

function applyTarOption(context: JudgeContext, { name, roles, value, words }: ReadOption): void {
  if (roles.has("runs"))
    complain(
      context,
      ask("executing-option", `tar ${name} can run a program or leave the folder.`, words),
    );
  if (roles.has("edits"))
    complain(context, ask("writing-option", `tar ${name} deletes files.`, [words[0]!]));
  if (roles.has("reads") && value) access(context, value, "read");
  if (roles.has("writes") && value) access(context, value, "write");
}

const archiveKinds: Record<TarMode, [archive: AccessKind, content: AccessKind]> = {
  create: ["write", "read"],
  extract: ["read", "write"],
  list: ["read", "list"],
};

function touchArchive(context: JudgeContext, read: ReadWords): void {
  const mode = tarMode(read.options);
  const value = (...names: string[]) =>
    read.options.find((option) => names.includes(option.name))?.value;
  const folder = value("-C", "--directory");
  const archive = value("-f", "--file");
  const [archiveKind, contentKind] = archiveKinds[mode];
  if (archive) access(context, archive, archiveKind);
  if (archive?.value?.includes(":"))
    complain(
      context,
      ask("network", "tar reaches another machine for an archive named host:file.", [
        archive.value,
      ]),
    );
  if (mode === "extract")
    return access(context, folder ?? known("."), { kind: "write", recursive: true });
  if (folder) access(context, folder, { kind: contentKind, recursive: true });
  const follows = read.options.some(({ name }) => name === "-h" || name === "--dereference");
  for (const field of mode === "create" ? read.operands : [])
    access(context, placedIn(folder, field), { kind: "read", recursive: true, follows });
}

const placedIn = (folder: Field | undefined, field: Field): Field =>
  folder?.value && field.value && !field.value.startsWith("/")
    ? known(`${folder.value}/${field.value}`)
    : field;

const unzipShows = new Set(["-l", "-v", "-t", "-p", "-c", "-z", "-Z"]);

/**
 * An archive may hold any path: unless it is only shown, everything below the folder may be
 * written.
 */
/** `split x .mcp.js` makes every name that begins so. */
function judgeSplit(context: JudgeContext, read: ReadWords): void {
  const given = read.options.find(({ name }) => name === "-f" || name === "--prefix")?.value;
  const prefix = context.name === "split" ? read.operands[1] : given;
  if (!prefix) return;
  const values = prefix.values?.map((value) => `${value}*`);
  access(context, { ...prefix, value: null, ...(values ? { values } : {}), glob: true }, "write");
}

function judgeUnzip(context: JudgeContext, read: ReadWords): void {
  if (read.options.some((option) => unzipShows.has(option.name))) return;
  access(
    context,
    read.options.find((option) => option.name === "-d" && !option.guessed)?.value ?? known("."),
    { kind: "write", recursive: true },
  );
}

const unpackShows = /^(?:l|t|i|h|b|lb|lt|v|vb|vt|p|-t|--list|--table|-t[a-zA-Z]*|t[a-zA-Z]*)$/;

/**
 * Archivers whose first word says what they do (`7z x`, `ar t`, `jar tf`, `cpio -t`): unless it
 * only shows, everything below the folder may be written.
 */
function judgeUnpack(context: JudgeContext): void {
  const [verb] = context.args;
  const isListing = verb?.value !== null && unpackShows.test(verb?.value ?? "");
  if (!isListing) accessPath(context, ".", { kind: "write", recursive: true });
}

function tarMode(options: ReadOption[]): TarMode {
  const has = (...names: string[]) => options.some((option) => names.includes(option.name));
  if (has("-x", "--extract", "--get")) return "extract";
  if (has("-t", "--list", "-d", "--diff", "--compare")) return "list";
  return "create";
}

/** `tar xfC a.tar dir`: the letters come first, their values follow in order. */
function oldStyle(args: Field[]): Field[] {
  const letters = args[0]?.value;
  if (!letters || letters.startsWith("-") || !/^[a-zA-Z]+$/.test(letters)) return args;
  let next = 1;
  const spelled: Field[] = [];
  for (const letter of letters) {
    spelled.push(known(`-${letter}`));
    if ("bKNHLVfCTXgIF".includes(letter) && args[next]) {
      spelled.push(args[next]!);
      next += 1;
    }
  }
  return [...spelled, ...args.slice(next)];
}

/** `test -v a[$(x)]` evaluates the subscript; a word that may turn into `-v` could do the same. */
function judgeTest(context: JudgeContext): void {
  context.args.forEach((field, at) => {
    if (field.splits || mayBeOperator(context.args, at))
      complain(
        context,
        ask("unknown-arguments", `${field.raw} may turn into an operator of test.`),
      );
    const isNamed = field.value === "-v" || field.value === "-R";
    if (isNamed && !/^(?:[A-Za-z_]\w*|\])$/.test(context.args[at + 1]?.value ?? "]"))
      complain(
        context,
        ask("arithmetic", "test -v evaluates a subscript, which can run commands."),
      );
  });
}

/** A word that is not known begins a term of two words. */
function mayBeOperator(fields: readonly Field[], at: number): boolean {
  const [before, field, next, behind] = [at - 1, at, at + 1, at + 2].map((index) => fields[index]);
  const startsTerm = !before || /^(?:!|\(|-a|-o)$/.test(before.value ?? "");
  const endsTerm = !behind || /^(?:\)|-a|-o|\])$/.test(behind.value ?? "");
  const hasOperand = next !== undefined && !/^(?:-a|-o|\)|\])$/.test(next.value ?? "");
  return field!.value === null && startsTerm && hasOperand && endsTerm;
}

/** `s/a/b/` with nothing in it that is more than text, but for the ends of the name. */
const plainSwap = /^s\/(\^?)((?:\\[^\w]|[\w ~=,-])*)(\$?)\/([\w ~=,.-]*)\/([gi]*)$/;

/** New names come from an expression; they are known only where it is plain text. */
function judgeRename(context: JudgeContext, { operands: [expression, ...files] }: ReadWords): void {
  const swap = plainSwap.exec(expression?.value ?? "");
  for (const file of files) {
    access(context, file, "delete");
    const at = (file.value ?? "").lastIndexOf("/") + 1;
    if (file.value === null || !swap) access(context, unknown(file.raw, false), "write");
    else
      accessPath(context, file.value.slice(0, at) + swapped(file.value.slice(at), swap), "write");
  }
}

function swapped(name: string, [, start, from = "", end, to = "", flags]: RegExpExecArray): string {
  const text = from.replaceAll(/\\(.)/g, "$1").replaceAll(/[^\w]/g, String.raw`\$&`);
  return name.replace(new RegExp(`${start}${text}${end}`, flags), () => to);
}

export const fileJudges = {
  dd: judgeDd,
  "install-folders": judgeInstall,
  rename: judgeRename,
  split: judgeSplit,
  tar: judgeTar,
  test: judgeTest,
  unpack: judgeUnpack,
  unzip: judgeUnzip,
};
