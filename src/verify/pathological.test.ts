// Runs of marks and words that could send an expression into endless trying: a report of them takes no longer than one of plain words.
import { afterEach, beforeEach, expect, test } from "vitest";
import { tempProject, type TempProject } from "../testing/temp-project.ts";
import { treeReader } from "../source/tree-reader.ts";
import { verifyReport } from "./verify-report.ts";

const runs = [
  "-",
  "=",
  "- ",
  "> ",
  "->",
  "--> ",
  "(",
  "[",
  "((",
  ",",
  ", ",
  ":",
  ": ",
  "::",
  ".",
  "..",
  "/",
  "//",
  "\\",
  "`",
  "``",
  "*",
  "**",
  "_",
  "|",
  "| ",
  "#",
  "@",
  "~",
  "&",
  "…",
  "–",
  "→ ",
  "'",
  '"',
  "<br>",
  "a.",
  "a/",
  "a::",
  "a-",
  "a b ",
  "1,",
  "1-",
  "1:",
  "1 and ",
  "L1",
  "line ",
  "lines 1, ",
  "in ",
  "at the ",
  "of ",
  "x(",
  "$",
  "\t",
  "0",
  "é",
  "a_",
  "行",
  "第1",
  "的",
  "：",
  "，",
  "Zeile ",
  "ligne 1 à ",
  "de la ",
  " #1",
  "and ends on line ",
  "строка ",
  "定义在",
  "<pre>",
  "same file, ",
  "`a:1` ",
  "A.b ",
  "respectively ",
  "12\t",
  "sed -n 1p ",
  "vim +1 ",
  "  ",
  "x | ",
  "[^1]",
  "0f3a9c1d (",
  "[1] ",
  "@a",
  "<br>`a`",
  "at f() in ",
  "1 - ",
];
const places = [
  (run: string) => `src/a.ts${run}x`,
  (run: string) => `\`src/a.ts:1\` ${run}`,
  (run: string) => `${run}src/a.ts:1`,
  (run: string) => `${run} of src/a.ts`,
  (run: string) => `| ${run} | src/a.ts:1 |`,
  (run: string) => `- ${run}`,
  (run: string) => `### ${run}`,
  (run: string) => `\`\`\`ts\n// src/a.ts:1\n 156 | // ${run}\n\`\`\``,
  (run: string) => `\`\`\`\n${run} src/a.ts:1:2\n\`\`\``,
  (run: string) => `line 3 ${run}`,
  (run: string) => `src/a.ts:1 \`${run}\``,
  (run: string) => `> ${run}`,
  (run: string) => `- \`a\`\n  - src/a.ts:1 ${run}`,
  (run: string) => `\`\`\`\n$ cat ${run} src/a.ts\n${run}\n\`\`\``,
  (run: string) => `\`sed -n ${run}\``,
  (run: string) => `<pre>${run}`,
  (run: string) => `[^1]: src/a.ts:1 ${run}`,
  (run: string) => `\`\`\`yaml\nfile: src/a.ts\nline: 1\ncode: |\n  ${run}\n\`\`\``,
  (run: string) => `| File | Line | Code |\n|---|---|---|\n| src/a.ts | 1 | ${run} |`,
];

let project: TempProject;
beforeEach(() => {
  project = tempProject({ "src/a.ts": `export const a = 1;\n// ${"-".repeat(100)}\n` });
});
afterEach(() => project.remove());

test.each(runs)("a run of %j", (run) => {
  const text = (unit: string): string =>
    places.map((place) => place(unit.repeat(Math.ceil(150 / unit.length)))).join("\n\n");
  const reader = treeReader(project.root);
  verifyReport(text("word "), { reader });
  const start = process.cpuUsage();
  verifyReport(text(run), { reader });
  const { user, system } = process.cpuUsage(start);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});
