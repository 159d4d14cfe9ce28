// Clients of databases: the text they are given is a program to the database and to themselves.
import type { CommandSpec } from "../command-spec.ts";

export const databaseCommands: Record<string, CommandSpec> = {
  sqlite3: { judge: "sqlite", operands: "none" },
  psql: {
    judge: "fed",
    operands: "none",
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
  pg_dump: { operands: "none", makes: "-f --file" },
  pg_restore: { operands: "read", makes: "-f --file" },
};
