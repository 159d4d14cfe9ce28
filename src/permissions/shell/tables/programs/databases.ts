// Clients of databases: the text they are given is a program to the database and to themselves.
import type { CommandSpec } from "../command-spec.ts";

const plainCalls = "in and or where on exists as count sum min max avg coalesce lower upper length"
  .split(" ")
  .join("|");
/** One `select` that stores nothing, calls no function of the server and holds no command of psql. */
const question = new RegExp(
  String.raw`^\s*select\b(?!.*\b(?:into|for)\b)(?!.*(?:\\|--))(?!.*\b(?!(?:${plainCalls})\s*\()\w+\s*\()[^;"/]*;?\s*$`,
  "is",
);

export const databaseCommands: Record<string, CommandSpec> = {
  sqlite3: { judge: "sqlite", operands: "none" },
  psql: {
    judge: "psql",
    operands: "none",
    harmless: { "-c": question, "--command": question },
    code: "-c --command",
    runs: "-f --file -o --output -L --log-file",
  },
  mysql: {
    judge: "fed",
    operands: "none",
    code: "-e --execute",
    runs: "--pager --tee --init-command --defaults-file --defaults-extra-file --plugin-dir",
  },
  "redis-cli": { operands: "unknown", runs: "--eval --rdb --pipe" },
  mysqldump: {
    operands: "none",
    makes: "-r --result-file",
    writes: "-T --tab --log-error",
    runs: "--defaults-file --defaults-extra-file --plugin-dir",
  },
  pg_dump: { judge: "connection", operands: "none", makes: "-f --file" },
  pg_restore: { operands: "read", makes: "-f --file" },
};
