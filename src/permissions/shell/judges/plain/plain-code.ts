// Programs whose rule means a filter or a question (`perl -pe`, `psql -c`): the text behind the
// option is plain where it only changes lines or asks for rows. Any other text is a program, and
// only a rule that spells it covers it.
import { ask } from "../../analysis.ts";
import { complain, type JudgeContext } from "../../judge-context.ts";
import type { ReadWords } from "../../read-options.ts";

type CodeTable = {
  /** Only with one of these options the program is a filter; without, it is a language. */
  filters?: string;
  isPlain(text: string): boolean;
};

/** A pattern without code (`(?{`), without places (`@{`, `${`) and without a shell's quotes. */
const pattern = String.raw`(?:[^/\\{}@$\x60]|\\[^{}]|\$(?![\w{(])|\{\d+(?:,\d*)?\})*`;
const replacement = String.raw`(?:[^/\\{}@$\x60]|\\[^{}]|\$\d)*`;
const statements = [
  `s/${pattern}/${replacement}/[gims]*`,
  `(?:tr|y)/${pattern}/${replacement}/[cdsr]*`,
  `(?:print|next|last)(?: (?:if|unless) /${pattern}/[ims]*)?`,
].map((form) => new RegExp(`^${form}$`));

const isPlainPerl = (text: string): boolean =>
  text.split(";").every((statement) => {
    const trimmed = statement.trim();
    return trimmed === "" || statements.some((form) => form.test(trimmed));
  });

const question =
  /^(?:select|show|explain|describe|desc|with|insert|update|delete|begin|commit|rollback)\b/i;
/** What leads from the database to a program, a file or another server. */
const leaving = new RegExp(
  [
    String.raw`\\`,
    String.raw`\b(?:program|copy|do|call|execute|load|outfile|dumpfile|load_file)\b`,
    String.raw`\b(?:system|source|tee|pager|dblink\w*|lo_\w+|pg_\w+|sys_\w+|xp_\w+)\b`,
  ].join("|"),
  "i",
);

const isPlainSql = (text: string): boolean =>
  !leaving.test(text) &&
  text.split(";").every((statement) => {
    const trimmed = statement.trim();
    return trimmed === "" || question.test(trimmed);
  });

const tables: Readonly<Record<string, CodeTable>> = {
  perl: { filters: "-n -p", isPlain: isPlainPerl },
  psql: { isPlain: isPlainSql },
  mysql: { isPlain: isPlainSql },
};

export function complainCode(context: JudgeContext, read: ReadWords): void {
  const table = Object.hasOwn(tables, context.name) ? tables[context.name] : undefined;
  if (!table) return;
  const filters = table.filters?.split(" ");
  if (filters && !read.options.some((option) => filters.includes(option.name))) return;
  for (const { name, roles, value, words } of read.options)
    if (roles.has("code") && !(value?.value != null && table.isPlain(value.value)))
      complain(
        context,
        ask("interpreter", `${context.name} ${name} runs a text that can do anything.`, words),
      );
  if (filters) complainNames(context, read);
}

/** `perl -ne print 'touch x|'`: such a filter opens its files as a shell would. */
function complainNames(context: JudgeContext, { operands }: ReadWords): void {
  const runs = operands.find(({ values }) =>
    (values ?? ["|"]).some((value) => /^[\s<>|+&]|[|\s]$/.test(value)),
  );
  if (runs)
    complain(
      context,
      ask("executing-option", `${context.name} may take ${runs.raw} for a command.`),
    );
}
