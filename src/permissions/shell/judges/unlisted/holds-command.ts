// Words that read like a command, like a program's text, or like a place on another machine.
import { isKnownCommand, listedName } from "../../tables/commands.ts";

/** Programs that run what they are given, or carry it elsewhere. */
export const runners: ReadonlySet<string> = new Set(
  `
    sh bash dash zsh ksh fish python python3 perl ruby node php lua curl wget nc ncat ssh scp rsync
    xargs sudo osascript`
    .trim()
    .split(/\s+/),
);
/** Further ones, whose names are subcommands of other programs as well. */
export const carriers: ReadonlySet<string> = new Set([
  ...runners,
  ..."touch tee rm cp mv ln chmod dd env eval exec".split(" "),
]);
const calls = `system popen exec[lv]?[pe]* execSync spawn(?:Sync)? eval shell(?:[-_]command)?
  getline dofile require import __import__`;
const callsOut = new RegExp(
  `\\b(?:${calls.split(/\s+/).join("|")})\\s*\\(|\\bos\\.\\w+|\\b(?:subprocess|child_process)\\b`,
);

/** A template that calls something: `{{ lookup("pipe", …) }}`, `{{ exec "sh" }}`, `{% … %}`, `<%= %>`. */
const template =
  /\{\{[^{}]*(?:\w\s*\(|\b(?:exec|env|readFile|tpl|fetch|shell|system|lookup|query)\b)|\{%|<%/;

/** The value may be a command: by its signs, or because it begins like one and goes on like one. */
export function holdsCommand(text: string, option: string | undefined): boolean {
  if (/^\s*\||\|\s*$|\$\(|`/.test(text) || callsOut.test(text) || template.test(text)) return true;
  if (/^-[ceEx]$/.test(option ?? "") && /^[!:]/.test(text)) return true;
  if (beginsCommand(text)) return true;
  return text
    .split(/;|&&|\|\|?|\n/)
    .slice(1)
    .some((part) => carriers.has(nameOf(part)));
}

function beginsCommand(text: string): boolean {
  const [first = "", ...rest] = text.trim().split(/\s+/);
  if (rest.length === 0) return false;
  if (carriers.has(nameOf(first)) || /^\.{0,2}\//.test(first)) return true;
  return isKnownCommand(first) && rest.some((word) => /^-\w|[/<>|;&]/.test(word));
}

function nameOf(text: string): string {
  const word = text.trim().split(/\s+/)[0] ?? "";
  return listedName(word.slice(word.lastIndexOf("/") + 1));
}

const ownMachine = /^(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?)(?:[:/]|$)/i;
const aboutPeople = /author|email|user|name|committer|sign|reviewer|assignee|owner|maintainer/i;

/** `user@host`, `host.example:80`, `10.0.0.1`: programs send to such. */
export function isAddress(text: string, option: string | undefined): boolean {
  if (ownMachine.test(text)) return false;
  if (/^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?::.*)?$/is.test(text))
    return !aboutPeople.test(option ?? "");
  return (
    /^(?:[a-z\d-]+\.)+[a-z]{2,}:\d{1,5}(?:\/.*)?$/i.test(text) ||
    /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?:\/.*)?$/.test(text)
  );
}
