// How languages write down what a person counts: functions, classes, tests, routes, imports, constants.
// One row a language and kind; the first group that matched is the name.

export type ElementKind =
  | "function"
  | "class"
  | "test"
  | "suite"
  | "route"
  | "import"
  | "constant"
  | "variant"
  | "command"
  | "argument"
  | "resource"
  | "variable"
  | "output";

type Row = { files: RegExp; kind: ElementKind; lines: readonly string[] };

const js = /\.[cm]?[jt]sx?$/;
const py = /\.pyi?$/;
const go = /\.go$/;
const rust = /\.rs$/;
const jvm = /\.(?:java|kt|cs|scala)$/;
const elixir = /\.exs?$/;
const ruby = /\.(?:rb|rake|ru)$|(?:^|\/)Rakefile$/;
const php = /\.php$/;
const tf = /\.tf$/;
const c = /\.(?:c|h|cc|cpp|hpp)$/;

const shown = "(?:export\\s+)?(?:default\\s+)?(?:declare\\s+)?";
const visible =
  "(?:(?:public|private|protected|internal|static|final|abstract|sealed|override|virtual|async|" +
  "readonly|synchronized|partial|data|open|suspend|inline|default|record|export|get|set)\\s+)";
const seen = "(?:pub(?:\\([^)]*\\))?\\s+)?";
const control =
  "(?!(?:if|for|while|switch|catch|return|function|else|do|with|using|lock|new|throw)\\b)";
const call = "[\"'`]([^\"'`]*)[\"'`]";
const verbs = "(?:get|post|put|patch|delete|head|options|all)";

/** Of these a line may hold one of each kind. */
export const elementRows: readonly Row[] = [
  {
    files: js,
    kind: "function",
    lines: [
      `^\\s*${shown}(?:async\\s+)?function\\s*\\*?\\s*([\\w$]+)`,
      `^${shown}(?:const|let|var)\\s+([\\w$]+)\\s*(?::[^=]+)?=\\s*(?:async\\s*)?(?:\\([^)]*\\)|` +
        `[\\w$]+)\\s*(?::[^=]+)?=>`,
      `^${shown}(?:const|let|var)\\s+([\\w$]+)\\s*=\\s*(?:async\\s+)?function\\b`,
      `^\\s*(?:module\\.)?exports\\.([\\w$]+)\\s*=\\s*(?:async\\s*)?(?:function\\b|\\([^)]*\\)\\s*=>)`,
      `^\\s+${visible}*\\*?${control}(#?[\\w$]+)\\s*(?:<[^(]*>)?\\([^)]*\\)\\s*(?::[^{=]+)?\\{\\s*(?:$|` +
        `//|\\S.*\\}\\s*$)`,
    ],
  },
  { files: js, kind: "class", lines: [`^\\s*${shown}(?:abstract\\s+)?class\\s+([\\w$]+)`] },
  {
    files: js,
    kind: "test",
    lines: [
      `^\\s*x?(?:it|test)(?:\\.\\w+)*(?:\\([^)]*\\))?\\s*\\(\\s*${call}`,
      "^\\s*x?(?:it|test)\\(",
    ],
  },
  { files: js, kind: "suite", lines: [`^\\s*describe(?:\\.\\w+)*\\s*\\(\\s*${call}`] },
  {
    files: js,
    kind: "route",
    lines: [
      `^\\s*(?:\\w+\\.)*(?:app|api|server|fastify|r|\\w*[rR]out\\w*)\\s*\\.${verbs}(?:<[^(]*>)?\\(\\s*${call}`,
      `^\\s*\\.${verbs}\\(\\s*["'\`](/[^"'\`]*)["'\`]`,
      "^\\s*@(?:Get|Post|Put|Patch|Delete)\\(([^)]*)\\)",
    ],
  },
  {
    files: js,
    kind: "import",
    lines: [
      `^\\s*(?:import|export)\\b(?!\\s*\\().*?\\bfrom\\s+${call}`,
      `^\\s*import\\s+${call}`,
      `^\\}\\s*from\\s+${call}`,
      `\\brequire\\(\\s*${call}\\s*\\)`,
    ],
  },
  { files: js, kind: "constant", lines: [`^${shown}const\\s+([A-Z][A-Z0-9_]*)\\b`] },
  { files: py, kind: "function", lines: ["^\\s*(?:async\\s+)?def\\s+(\\w+)"] },
  { files: py, kind: "class", lines: ["^\\s*class\\s+(\\w+)"] },
  { files: py, kind: "test", lines: ["^\\s*(?:async\\s+)?def\\s+(test\\w*)\\("] },
  {
    files: py,
    kind: "route",
    lines: [`^\\s*@\\w+\\.(?:route|get|post|put|patch|delete)\\(\\s*${call}`],
  },
  {
    files: py,
    kind: "import",
    lines: ["^\\s*from\\s+([\\w.]+)\\s+import\\b", "^\\s*import\\s+([\\w.]+)"],
  },
  { files: py, kind: "constant", lines: ["^([A-Z][A-Z0-9_]*)\\s*(?::[^=]+)?="] },
  { files: go, kind: "function", lines: ["^func\\s+(?:\\([^)]*\\)\\s*)?(\\w+)"] },
  { files: go, kind: "class", lines: ["^type\\s+(\\w+)\\s+(?:struct|interface)\\b"] },
  { files: go, kind: "test", lines: ["^func\\s+(Test\\w*)\\("] },
  {
    files: go,
    kind: "route",
    lines: [
      `^\\s*\\w+\\.(?:Get|Post|Put|Patch|Delete|GET|POST|PUT|PATCH|DELETE|HandleFunc|Handle)\\(\\s*${call}`,
    ],
  },
  { files: go, kind: "import", lines: ['^\\s*(?:import\\s+)?(?:[\\w.]+\\s+)?"([\\w./-]+)"\\s*$'] },
  {
    files: go,
    kind: "constant",
    lines: ['^(?:const\\s+|\\t)(\\w+)(?:\\s+\\w+)?\\s*=\\s*(?:iota|\\d|")'],
  },
  {
    files: rust,
    kind: "function",
    lines: [`^\\s*${seen}(?:(?:const|async|unsafe|extern "C")\\s+)*fn\\s+(\\w+)`],
  },
  { files: rust, kind: "class", lines: [`^\\s*${seen}(?:struct|enum|trait|union)\\s+(\\w+)`] },
  { files: rust, kind: "test", lines: ["^\\s*#\\[(?:\\w+::)?test\\b"] },
  { files: rust, kind: "import", lines: [`^\\s*${seen}use\\s+([\\w:]+)`] },
  { files: rust, kind: "constant", lines: [`^\\s*${seen}(?:const|static)\\s+([A-Z]\\w*)\\s*:`] },
  {
    files: jvm,
    kind: "function",
    lines: [
      `^\\s+(?:@\\w+\\s+)*${visible}+(?:<[^>]*>\\s*)?` +
        `[\\w<>\\[\\],.? ]+\\s${control}(\\w+)\\([^;]*\\)?\\s*(?:throws[\\w ,.]+)?(?:\\{|` +
        `=>|$)`,
      "^\\s*(?:(?:private|internal|override|suspend)\\s+)*fun\\s+(?:[\\w<>.]+\\.)?(\\w+)",
    ],
  },
  {
    files: jvm,
    kind: "class",
    lines: [`^\\s*${visible}*(?:class|interface|enum|record|struct|object)\\s+(\\w+)`],
  },
  {
    files: jvm,
    kind: "test",
    lines: ["^\\s*(?:@(?:Parameterized)?Test|\\[(?:Fact|Theory|Test)\\])\\b"],
  },
  { files: jvm, kind: "import", lines: ["^(?:import(?: static)?|using)\\s+([\\w.*]+)\\s*;"] },
  {
    files: jvm,
    kind: "route",
    lines: [
      "^\\s*@(?:Get|Post|Put|Patch|Delete|Request)Mapping\\b(.*)",
      `^\\s*\\w+\\.Map(?:Get|Post|Put|Patch|Delete)\\(\\s*${call}`,
    ],
  },
  { files: ruby, kind: "function", lines: ["^\\s*def\\s+(?:self\\.)?([\\w?!=]+)"] },
  { files: ruby, kind: "class", lines: ["^\\s*class\\s+([\\w:]+)"] },
  {
    files: ruby,
    kind: "test",
    lines: [
      "^\\s*x?(?:it|specify|example)\\s*[\"'({]",
      "^\\s*def\\s+(test_\\w+)",
      "^\\s*test\\s+[\"']",
    ],
  },
  { files: ruby, kind: "suite", lines: ["^\\s*(?:RSpec\\.)?(?:describe|context)\\s"] },
  {
    files: ruby,
    kind: "route",
    lines: [`^\\s*(?:get|post|put|patch|delete)\\s+["']([/:][^"']*)["']`],
  },
  { files: ruby, kind: "import", lines: [`^\\s*require(?:_relative)?\\s+${call}`] },
  { files: ruby, kind: "constant", lines: ["^\\s*([A-Z][A-Z0-9_]*)\\s*="] },
  { files: php, kind: "function", lines: [`^\\s*${visible}*function\\s+(\\w+)`] },
  {
    files: php,
    kind: "class",
    lines: [`^\\s*${visible}*(?:class|interface|trait|enum)\\s+(\\w+)`],
  },
  {
    files: php,
    kind: "test",
    lines: ["^\\s*public function (test\\w*)", "#\\[Test\\]", "^\\s*(?:it|test)\\("],
  },
  { files: php, kind: "import", lines: ["^use\\s+([\\w\\\\]+)"] },
  { files: elixir, kind: "function", lines: ["^\\s*defp?\\s+([a-z_][\\w?!]*)"] },
  { files: elixir, kind: "class", lines: ["^\\s*defmodule\\s+([\\w.]+)"] },
  { files: elixir, kind: "test", lines: [`^\\s*test\\s+${call}`] },
  { files: elixir, kind: "suite", lines: [`^\\s*describe\\s+${call}`] },
  { files: elixir, kind: "import", lines: ["^\\s*(?:alias|import|use|require)\\s+([A-Z][\\w.]*)"] },
  {
    files: c,
    kind: "function",
    lines: ["^(?!\\s|typedef|return|else|#|/)[\\w *]+[\\s*](\\w+)\\([^;]*\\)?\\s*[;{]?\\s*$"],
  },
  { files: py, kind: "command", lines: ["\\.add_parser\\(", "^\\s*@\\w+\\.(?:command|group)\\("] },
  {
    files: py,
    kind: "argument",
    lines: ["\\.add_argument\\(", "^\\s*@click\\.(?:option|argument)\\("],
  },
  { files: js, kind: "command", lines: [`\\.command\\(\\s*${call}`] },
  { files: js, kind: "argument", lines: ["\\.(?:option|requiredOption|argument)\\("] },
  { files: go, kind: "command", lines: ["&cobra\\.Command\\{"] },
  {
    files: go,
    kind: "argument",
    lines: ["\\b(?:p?flags?|fs)\\.(?:String|Int|Bool|Duration|Float|Uint)\\w*\\("],
  },
  { files: tf, kind: "resource", lines: ['^resource\\s+"[^"]*"\\s+"([^"]*)"'] },
  { files: tf, kind: "variable", lines: ['^variable\\s+"([^"]*)"'] },
  { files: tf, kind: "output", lines: ['^output\\s+"([^"]*)"'] },
];
