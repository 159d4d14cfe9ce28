// curl, wget and gh: which hosts are reached, which files leave, what is changed on the other side.
import { accessWord } from "../access-word.ts";
import { ask } from "../analysis.ts";
import { known as knownField, unknown, type Field } from "../field.ts";
import {
  access,
  accessPath,
  complain,
  complainOptions,
  type JudgeContext,
} from "../judge-context.ts";
import { readOptions, type ReadOption, type ReadWords } from "../read-options.ts";
import type { OptionTable } from "../options/compile-options.ts";
import { isPlainFilter } from "./plain/plain-filter.ts";
import { knownOptions } from "../options/known-options.ts";
import { networkCommands } from "../tables/programs/network.ts";

/** How an option of curl names the file that it sends. */
const sending: Readonly<Record<string, RegExp>> = {
  "-d --data --data-ascii --data-binary --json": /^@([\w./~-]*)$/,
  "--data-urlencode --url-query": /^[^@=]*@([\w./~-]*)$/,
  "-F --form": /^[\w.[\]-]+=[@<]([\w./~-]*)(?:;type=[\w./+-]+)?$/,
  "-T --upload-file": /^([\w./~-]*)$/,
  "-H --header": /^@([\w./~-]*)$/,
  "-b --cookie": /^([^=]*)$/,
};
/** Without a file in it, the value looks so. */
const sendsText: Readonly<Record<string, RegExp>> = {
  "-d --data --data-ascii --data-binary --json": /^[^@]/,
  "--data-urlencode --url-query": /^(?:[^@=]*=|[^@]*$)/,
  "-F --form": /^[\w.[\]-]+=[^@<"';,]*$/,
  "-T --upload-file": /^$/,
  "-H --header": /^[^@]/,
  "-b --cookie": /^[^@]*=/,
};

function judgeSent(context: JudgeContext, option: ReadOption): void {
  for (const [names, form] of Object.entries(sending))
    if (option.value && names.split(" ").includes(option.name))
      sendValue(context, option, { form, text: sendsText[names]! });
  const isFormat = /^(?:-w|--write-out)$/.test(option.name);
  if (isFormat && /%output|^@/.test(option.value?.value ?? ""))
    complain(context, ask("writing-option", "curl -w can read and write files.", option.words));
}

function judgeCurl(context: JudgeContext, read: ReadWords): void {
  for (const option of read.options) judgeSent(context, option);
  const has = (pattern: RegExp): boolean => read.options.some(({ name }) => pattern.test(name));
  const folder = read.options.find(({ name }) => name === "--output-dir")?.value;
  if (has(/^(?:-O|-J|--remote-name|--remote-name-all|--remote-header-name)$/))
    writeRemoteNames(context, read.operands, folder);
  const isNumbered = read.options.some(
    ({ name, value }) => /^(?:-o|--output)$/.test(name) && value?.value?.includes("#"),
  );
  if (isNumbered) {
    complain(context, ask("writing-option", "curl makes the names of its files from addresses."));
    access(context, unknown("#1", false), "write");
  }
  if (has(/^(?:-J|--remote-header-name)$/))
    complain(
      context,
      ask("writing-option", "curl -J lets the server choose the name of the file."),
    );
  reachUrls(context, read.operands);
}

/** A file that is sent is read; a value that may name one in a way of its own is asked about. */
function sendValue(
  context: JudgeContext,
  { name, value, words }: ReadOption,
  { form, text }: { form: RegExp; text: RegExp },
): void {
  const file = value!.value === null ? undefined : form.exec(value!.value)?.[1];
  if (file) accessPath(context, file, "read");
  else if (value!.value === null || !text.test(value!.value))
    complain(context, ask("network", `curl ${name} may send a file.`, words));
}

/** With these the server, or a list, says which files are made. */
const serverNames = new Set(
  `-r -m -p -x -i --recursive --mirror --page-requisites --force-directories --content-disposition
  --trust-server-names --input-file`.split(/\s+/),
);

function judgeUrls(context: JudgeContext, read: ReadWords): void {
  reachUrls(context, read.operands);
  if (read.options.some((option) => serverNames.has(option.name)))
    accessPath(context, ".", { kind: "write", recursive: true });
  else if (!read.options.some(({ name }) => /^(?:-O|--output-document|-o|--out)$/.test(name)))
    writeRemoteNames(
      context,
      read.operands,
      read.options.find(({ name }) => /^(?:-P|--directory-prefix|-d|--dir)$/.test(name))?.value,
    );
}

/**
 * A download without a name is written under the last part of its address, in the folder that an
 * option names.
 */
function writeRemoteNames(context: JudgeContext, operands: Field[], folder?: Field): void {
  for (const field of operands) {
    const name = field.value
      ?.replace(/[?#][^]*$/, "")
      .split("/")
      .at(-1);
    if (name !== undefined && !/[{}[\]%]/.test(name) && folder?.value !== null)
      accessPath(context, `${folder?.value ?? "."}/${name || "index.html"}`, "write");
    else
      complain(
        context,
        ask("writing-option", `Which file ${field.raw} becomes is only known at run time.`),
      );
  }
}

function reachUrls(context: JudgeContext, operands: Field[]): void {
  for (const field of operands) {
    if (field.value === null) {
      complain(
        context,
        ask("network", `Which address ${field.raw} stands for is only known at run time.`),
      );
      continue;
    }
    const [, scheme = "http", rest = field.value] =
      /^([A-Za-z][A-Za-z\d+.-]*):\/\/([^]*)$/.exec(field.value) ??
      /^(file):([^]*)$/i.exec(field.value) ??
      [];
    if (scheme.toLowerCase() === "file") readAddressed(context, field, rest);
    else if (!/^https?$/i.test(scheme))
      complain(
        context,
        ask("network", `${context.name} speaks ${scheme} here, not HTTP.`, [field.value]),
      );
    const authority = /^[^/?#]*/.exec(rest)![0];
    if (/[@\\{}[\]]/.test(authority.replace(/^\[[\da-fA-F:.]+\]/, "")))
      complain(context, ask("network", `The address ${field.value} hides which host it reaches.`));
    const host = authority
      .replace(/^[^]*@/, "")
      .replace(/:\d*$/, "")
      .toLowerCase();
    if (host && scheme.toLowerCase() !== "file") context.command.hosts.push(host);
  }
  if (new Set(context.command.hosts).size > 1)
    complain(context, ask("network", `${context.name} reaches several hosts in one call.`));
}

/** `file://host/a%20b`: the host is left out; names in braces and brackets are several. */
function readAddressed(context: JudgeContext, field: Field, rest: string): void {
  const path = rest.replace(/^[^/]*/, "") || "/";
  const isSeveral = /[{}[\]]|%(?![\da-f]{2})/i.test(path);
  if (isSeveral) access(context, unknown(field.raw, false), "read");
  else accessPath(context, Buffer.from(percentBytes(path), "latin1").toString(), "read");
}

const percentBytes = (text: string): string =>
  Buffer.from(text)
    .toString("latin1")
    .replaceAll(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** `scp a host:b` and `rsync a host::b` leave the machine. */
function judgeRemote(context: JudgeContext, read: ReadWords): void {
  for (const field of read.operands) {
    const host = /^(?:[^/:@]+@)?([^/:@]+):/.exec(field.value ?? "")?.[1];
    if (host) context.command.hosts.push(host.toLowerCase());
  }
}

/** ssh goes on reading options behind the host, up to the command. */
function judgeSsh(context: JudgeContext, read: ReadWords): void {
  const behind = readOptions(read.operands.slice(1), networkCommands.ssh!);
  for (const option of behind.options) {
    if (option.roles.has("runs"))
      complain(
        context,
        ask(
          "executing-option",
          `ssh ${option.name} can run a program or open a way through.`,
          option.words,
        ),
      );
  }
}

const ghChanges = new Set(["alias", "extension", "ext", "extensions", "config", "auth"]);
const ghPrograms =
  /^(?:codespace|cs|attestation|at|ssh-key|gpg-key|secret|variable|preview|copilot|agent-task)$/;
const ghNouns = new Set(
  `
    pr issue run workflow release repo api search label gist status browse cache ruleset org project
    version help`
    .trim()
    .split(/\s+/),
);
let ghTable: OptionTable | undefined;

function ghOptions(): OptionTable {
  const known = knownOptions.get("gh others")!;
  ghTable ??= {
    ...known,
    flags: `${known.flags} --help`,
    reads: "-F --body-file --notes-file --template -f",
    writes: "-D --dir -O --output --destination",
  };
  return ghTable;
}

/** `gh api` changes things as soon as it has a method or fields. */
function judgeGh(context: JudgeContext): void {
  const [noun, verb = null] = context.args.map((field) => field.value);
  if (context.args.some((field) => field.open))
    complain(context, ask("unknown-arguments", "Words of gh are only known at run time."));
  // An option before the noun hides which word is the noun.
  if (noun === undefined || noun === "--version" || noun === "--help") return;
  if (!isGhNoun(noun))
    complain(
      context,
      ask("unknown-option", `gh ${noun ?? "…"} is not a command that is known.`, [noun ?? "\0"]),
    );
  if (noun === "api") return judgeGhApi(context);
  touchGhFiles(context, { noun, verb });
  if (noun === "repo" && context.args.some((field) => field.value === "--"))
    complain(context, ask("executing-option", "gh repo hands options on to git."));
  if (noun !== null && reachesFar(noun, verb)) complainFar(context, { noun, verb });
}

function complainFar(
  context: JudgeContext,
  { noun, verb }: { noun: string; verb: string | null },
): void {
  const sentence = `gh ${noun} ${verb ?? ""} changes what gh runs, runs commands or shows credentials.`;
  complain(context, ask("executing-option", sentence, [noun, verb ?? "\0"]));
}

const isGhNoun = (noun: string | null): boolean =>
  noun !== null && (ghNouns.has(noun) || ghChanges.has(noun) || ghPrograms.test(noun));

const reachesFar = (noun: string, verb: string | null): boolean =>
  ghPrograms.test(noun) ||
  (noun === "gist" && !/^(?:list|view|clone)$/.test(verb ?? "")) ||
  (ghChanges.has(noun) && !(noun === "auth" && verb === "status"));

type GhWord = string | null | undefined;

function touchGhFiles(context: JudgeContext, { noun, verb }: { noun: GhWord; verb: GhWord }): void {
  const words = readOptions(context.args.slice(2), ghOptions());
  complainOptions(context, words);
  complainFilters(context, words);
  for (const { name, roles, value } of words.options) {
    if (value && roles.has("reads") && !(name === "-f" && noun !== "gist"))
      access(context, value, "unknown");
    if (value && roles.has("writes")) access(context, value, "write");
  }
  words.operands.forEach((field) => accessWord(context, field));
  // What is downloaded keeps the names that it has there.
  const place = (names: RegExp): Field | undefined =>
    words.options.find(({ name }) => names.test(name))?.value;
  if (verb === "download" && !place(/^(?:-O|--output)$/))
    access(context, place(/^(?:-D|--dir|--destination)$/) ?? knownField("."), {
      kind: "write",
      recursive: true,
    });
}

/** The program of `--jq` can show the environment, with the tokens in it. */
function complainFilters(context: JudgeContext, { options }: ReadWords): void {
  for (const { name, value, words } of options)
    if (/^(?:-q|--jq)$/.test(name) && !isPlainFilter(value?.value ?? "env"))
      complain(context, ask("script", `gh ${name} may show the environment.`, words));
}

function judgeGhApi(context: JudgeContext): void {
  const read = readOptions(context.args.slice(1), knownOptions.get("gh api")!);
  complainOptions(context, read);
  if (read.operands.length !== 1 || read.operands.some(({ raw }) => raw.includes("://")))
    complain(context, ask("unknown-arguments", "gh api takes one path of the service."));
  complainFilters(context, read);
  for (const { name, value, words } of read.options) {
    const text = value?.value ?? "";
    if (name === "--input" && value) access(context, value, "read");
    const file = /^(?:-F|--field)$/.test(name) ? /=@(.+)$/.exec(text)?.[1] : undefined;
    if (file) accessPath(context, file, "read");
    const changes = /^(?:-X|--method)$/.test(name) && !/^(?:GET|HEAD)$/i.test(text);
    if (changes || /^(?:-f|-F|--field|--raw-field|--input)$/.test(name))
      complain(
        context,
        ask("network", `gh api ${name} changes something on the other side.`, words),
      );
  }
}

export const networkJudges = {
  curl: judgeCurl,
  gh: judgeGh,
  remote: judgeRemote,
  ssh: judgeSsh,
  "url-operands": judgeUrls,
};
