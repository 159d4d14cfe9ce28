// sqlite3: a question about the data passes; its own commands, and the functions that leave the
// database, run programs and write files.
import { ask } from "../analysis.ts";
import { access, complain, complainWhole, type JudgeContext } from "../judge-context.ts";
import { readOptions } from "../read-options.ts";

const table = {
  singleDash: true as const,
  valued: "-separator -nullvalue -newline -maxsize -mmap -lookaside -pagecache -A -vfs -cmd -init",
};
const words = (text: string): string => text.trim().split(/\s+/).join("|");
const showing = new RegExp(
  `^--?(?:${words(`
    header noheader csv json line list column markdown box table html quote tabs ascii readonly
    batch bail separator nullvalue version help`)})$`,
);
const leaving = new RegExp(
  String.raw`\b(?:${words(String.raw`
    load_extension writefile readfile edit attach detach vacuum zipfile fsdir lsmode
    fts3_tokenizer sqlar_\w+ shell eval into pragma replace insert update delete drop alter
    create reindex`)})\b`,
  "i",
);

export function judgeSqlite(context: JudgeContext): void {
  const read = readOptions(context.args, table);
  const [database, ...texts] = read.operands;
  if (database) access(context, database, "write");
  const asks =
    read.options.every((option) => showing.test(option.name)) &&
    texts.length > 0 &&
    texts.every((text) => isQuestion(text.value));
  if (asks && database?.value && !database.value.includes(":")) return;
  complainWhole(context, "sqlite3 has commands that run programs and write files.");
  if (context.fed)
    complain(context, ask("dynamic-code", "sqlite3 may run whatever it reads from its input."));
}

/** `select …` and nothing besides. */
const isQuestion = (text: string | null): boolean =>
  text !== null &&
  /^\s*(?:explain(?:\s+query\s+plan)?\s+)?select\b[^;]*;?\s*$/i.test(text) &&
  !leaving.test(text);
