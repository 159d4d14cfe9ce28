// curl, wget and gh: which hosts are reached, which files leave, what is changed on the other side.
import { accessWord } from "../access-word.ts";
import { ask } from "../analysis.ts";
import type { Field } from "../field.ts";
import { access, accessPath, complain, type JudgeContext } from "../judge-context.ts";
import { readOptions, type ReadWords } from "../read-options.ts";
import { networkCommands } from "../tables/network.ts";

const bodies =
  "-d --data --data-ascii --data-binary --data-urlencode -F --form --form-string -T --upload-file -b --cookie --json -H --header -w --write-out --url-query";
const curlTable = {
  ...networkCommands.curl!,
  valued: `${networkCommands.curl!.valued!.replace("-H ", "").replace("--header ", "").replace("-w ", "").replace("--write-out ", "")} ${bodies}`,
};

export function judgeCurl(context: JudgeContext): void {
  const read = readOptions(context.args, curlTable);
  for (const option of read.options) {
    if (option.value && bodies.split(" ").includes(option.name))
      readBody(context, option.name, option.value);
  }
  if (
    read.options.some((option) =>
      /^(?:-O|-J|--remote-name|--remote-name-all|--remote-header-name)$/.test(option.name),
    )
  )
    writeRemoteNames(context, read.operands);
  if (read.options.some((option) => option.name === "-J" || option.name === "--remote-header-name"))
    complain(
      context,
      ask("writing-option", "curl -J lets the server choose the name of the file."),
    );
  reachUrls(context, read.operands);
}

/** `@file` and `name=@file` send a file. */
function readBody(context: JudgeContext, name: string, value: Field): void {
  if (value.value === null) {
    if (value.open || /^["']?@/.test(value.raw))
      access(context, { ...value, values: null }, "read");
    return;
  }
  const output = /^(?:-w|--write-out)$/.test(name)
    ? /%output\{(?:>>)?([^}]*)/.exec(value.value)?.[1]
    : undefined;
  if (output) accessPath(context, output, "write");
  const upload =
    name === "-T" ||
    name === "--upload-file" ||
    ((name === "-b" || name === "--cookie") && !value.value.includes("="));
  const file = upload ? value.value : /^(?:@|[^=]*=[@<]|[\w-]+@)([^;]*)/.exec(value.value)?.[1];
  if (file && name !== "--form-string") accessPath(context, file, "read");
}

export function judgeUrls(context: JudgeContext, read: ReadWords): void {
  reachUrls(context, read.operands);
  if (
    read.options.some((option) =>
      /^(?:-r|-m|-p|-x|--recursive|--mirror|--page-requisites|--force-directories|--content-disposition)$/.test(
        option.name,
      ),
    )
  )
    accessPath(context, ".", { kind: "write", recursive: true });
  else if (!read.options.some((option) => option.roles.has("writes") && !option.guessed))
    writeRemoteNames(context, read.operands);
}

/** A download without a name is written under the last part of its address. */
function writeRemoteNames(context: JudgeContext, operands: Field[]): void {
  for (const field of operands)
    accessPath(
      context,
      field.value
        ?.replace(/[?#][^]*$/, "")
        .split("/")
        .at(-1) || "index.html",
      "write",
    );
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
    if (scheme.toLowerCase() === "file")
      accessPath(context, rest.replace(/^[^/]*/, "") || "/", "read");
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

/** `scp a host:b` and `rsync a host::b` leave the machine. */
export function judgeRemote(context: JudgeContext, read: ReadWords): void {
  for (const field of read.operands) {
    const host = /^(?:[^/:@]+@)?([^/:@]+):/.exec(field.value ?? "")?.[1];
    if (host) context.command.hosts.push(host.toLowerCase());
  }
}

/** ssh goes on reading options behind the host, up to the command. */
export function judgeSsh(context: JudgeContext, read: ReadWords): void {
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

const ghPrograms = /^(?:codespace|cs|attestation)$/;
const ghTable = {
  reads: "-F --body-file --notes-file --template -f",
  writes: "-D --dir -O --output --destination",
};

/** `gh api` changes things as soon as it has a method or fields. */
export function judgeGh(context: JudgeContext): void {
  const texts = context.args.map((field) => field.value);
  const [noun, verb] = texts;
  if (context.args.some((field) => field.open))
    complain(context, ask("unknown-arguments", "Words of gh are only known at run time."));
  if (noun !== "api") {
    const words = readOptions(context.args.slice(2), ghTable);
    for (const option of words.options) {
      if (option.value && option.roles.has("reads") && !(option.name === "-f" && noun !== "gist"))
        access(context, option.value, "unknown");
      if (option.value && option.roles.has("writes")) access(context, option.value, "write");
    }
    words.operands.forEach((field) => accessWord(context, field));
    if (noun === "repo" && texts.includes("--"))
      complain(context, ask("executing-option", "gh repo hands options on to git."));
    if (noun && ghPrograms.test(noun))
      complain(
        context,
        ask("executing-option", `gh ${noun} runs commands elsewhere.`, [noun, verb ?? "\0"]),
      );
  }
  if (noun === "api") {
    for (const [at, text] of texts.entries()) {
      const method = /^(?:-X|--method)(?:=?(.+))?$/.exec(text ?? "");
      const chosen = method ? (method[1] ?? texts[at + 1] ?? "") : "GET";
      const changes =
        !/^(?:GET|HEAD)$/i.test(chosen) || /^(?:-[fF]|--(?:raw-)?field|--input)/.test(text ?? "");
      if (changes)
        complain(
          context,
          ask(
            "network",
            `gh api ${text} changes something on the other side.`,
            method && !method[1] ? [text!, chosen] : [text!],
          ),
        );
      if (text === "--input" && context.args[at + 1])
        access(context, context.args[at + 1]!, "read");
      const file = /=@(.+)$/.exec(text ?? "")?.[1];
      if (file) accessPath(context, file, "read");
      if (text?.startsWith("--hostname"))
        complain(context, ask("network", "gh --hostname reaches another host.", [text]));
    }
  }
  if (
    noun === "alias" ||
    noun === "extension" ||
    noun === "ext" ||
    noun === "config" ||
    (noun === "auth" && verb !== "status")
  ) {
    complain(
      context,
      ask(
        "executing-option",
        `gh ${noun} ${verb ?? ""} changes what gh runs or shows credentials.`,
        [noun, verb ?? "\0"],
      ),
    );
  }
}
