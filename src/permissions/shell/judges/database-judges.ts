// Clients of databases. sqlite3: a question about the data passes; its own commands, and the
// functions that leave the database, run programs and write files. Others: where they connect to.
import { ask } from "../analysis.ts";
import { access, complain, complainWhole, type JudgeContext } from "../judge-context.ts";
import { readOptions, type ReadWords } from "../read-options.ts";
import { judgeFed } from "./interpreter.ts";

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

function judgeSqlite(context: JudgeContext): void {
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

/** What a connection may be told without going elsewhere or opening a file. */
const plainSetting =
  /^(?:(?:dbname|user|port|sslmode|connect_timeout)=[\w.-]*|host=(?:localhost|127\.0\.0\.1)?)$/;
const localAddress =
  /^postgres(?:ql)?:\/\/(?:[\w.-]+(?::[^@/\s]*)?@)?(?:localhost|127\.0\.0\.1)?(?::\d+)?\/[\w-]*$/;

/** `-d 'host=x passfile=y'`: in place of a name may stand where to connect to, and with which files. */
function judgeConnection(context: JudgeContext, { options, operands }: ReadWords): void {
  const named = options.filter(({ name }) => /^(?:-d|--dbname)$/.test(name));
  const given = [
    ...named.map(({ value, words }) => ({ value, words })),
    ...operands.map((value) => ({ value, words: [value.value ?? "\0"] })),
  ];
  for (const { value, words } of given) {
    const text = value?.value ?? "";
    const isPlain =
      !/[=:]/.test(text) ||
      localAddress.test(text) ||
      text.split(/\s+/).every((setting) => plainSetting.test(setting));
    if (!isPlain)
      complain(context, ask("network", `${context.name} connects to what ${text} says.`, words));
  }
}

function judgePsql(context: JudgeContext, read: ReadWords): void {
  judgeFed(context, read);
  judgeConnection(context, read);
}

export const databaseJudges = {
  connection: judgeConnection,
  psql: judgePsql,
  sqlite: judgeSqlite,
};
