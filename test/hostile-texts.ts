// Texts of any length that are as unkind as possible to a reader of shell: what `npm run bench --
// permissions` and the tests time.

const filled = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

/** `open` again and again around one command, and `close` as often. */
const nested = (open: string, close: string, length: number): string => {
  const levels = Math.max(1, Math.floor(length / (open.length + close.length)));
  return `${open.repeat(levels)}ls${close.repeat(levels)}`;
};

const numbered = (make: (at: number) => string, join: string, length: number): string => {
  const count = Math.ceil(length / (make(100).length + join.length));
  return Array.from({ length: count }, (_, at) => make(at)).join(join);
};

/** `before` and then the unit up to the length. */
const repeated: Record<string, [before: string, unit: string, after?: string]> = {
  "one path": ["cat ", "a/"],
  "one path upwards": ["cat ", "../"],
  "one long word": ["echo ", "a"],
  "one quoted word": ["echo '", "a b ", "'"],
  "one word in double quotes": ['echo "', "a b ", '"'],
  "many words": ["echo ", "ab "],
  "many paths": ["cat ", "a/b.ts "],
  "many wildcards": ["cat ", "a* "],
  "one word of wildcards": ["cat ", "a*b?[a-z]"],
  stars: ["cat ", "*"],
  brackets: ["echo ", "["],
  commands: ["", "ls;"],
  "commands in a row": ["", "ls a&&", "ls"],
  "commands in the background": ["", "ls & "],
  pipes: ["", "cat|", "cat"],
  lines: ["", "git status\n"],
  comments: ["", "# a b\n"],
  "folder changes": ["", "cd a;", "cat x"],
  "folder changes in a row": ["", "cd a && ", "cat x"],
  "variables set": ["", "x=a;", "cat $x"],
  "variables used": ["x=a; cat ", "$x"],
  "variables that grow": ["x=a;", "x=$x$x;", "cat $x"],
  "variables before a command": ["", "A=b ", "ls"],
  "one cluster of options": ["ls -", "la"],
  "many options": ["git log ", "--oneline "],
  "one long option": ["ls --", "a"],
  "equal signs": ["foo ", "a="],
  "here-documents": ["", "cat <<'E'\na\nE\n"],
  "one here-document": ["cat <<'E'\n", "a b\n", "\nE"],
  redirections: ["echo a ", "> a "],
  braces: ["echo ", "{a,b}"],
  "open braces": ["echo ", "{a,"],
  escapes: ["echo ", "\\a"],
  dollars: ["echo ", "$"],
  backticks: ["echo ", "`"],
  quotes: ["echo ", "'"],
  "double quotes": ["echo ", '"'],
  "process substitutions": ["echo ", "<("],
  arithmetic: ["echo ", "$(("],
  defaults: ["echo ", "${x:-"],
  "list of a loop": ["for i in ", "a b ", "; do cat $i; done"],
  wrappers: ["", "env ", "ls"],
  "a sed script": ["sed '", "s/a/b/;", "'"],
  "an awk program": ["awk '", "{print $1}", "'"],
  "a jq program": ["jq '", ".a|", ".'"],
  "a find expression": ["find . ", "-o -name a "],
  "an inner shell": ["bash -c '", "ls;", "'"],
  addresses: ["curl ", "http://a.example/c "],
  "line ends": ["", "\n"],
  blanks: ["", " ", "ls"],
  "continued lines": ["ls ", "\\\n"],
  "control characters": ["echo ", "\u0001"],
};

export const hostileTexts: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    Object.entries(repeated).map(([name, [before, unit, after = ""]]) => [
      name,
      (length: number) => `${before}${filled(unit, length - before.length - after.length)}${after}`,
    ]),
  ),
  "brackets in brackets": (length) => nested("(", ")", length),
  "substitutions in substitutions": (length) => `echo ${nested("$(echo ", ")", length - 5)}`,
  "quoted substitutions": (length) => `echo ${nested('"$(echo ', ')"', length - 5)}`,
  "groups in groups": (length) => nested("{ ", "; }", length),
  "conditions in conditions": (length) => nested("if true; then ", "; fi", length),
  "loops in loops": (length) => nested("for i in a b; do ", "; done", length),
  "different paths": (length) => `cat ${numbered((at) => `f${at}.ts`, " ", length - 4)}`,
  "different wildcards": (length) => `cat ${numbered((at) => `f${at}*`, " ", length - 4)}`,
  "different commands": (length) => numbered((at) => `c${at} a`, "; ", length),
  "different variables": (length) => numbered((at) => `v${at}=a; cat $v${at}`, "; ", length),
  "different files written": (length) => numbered((at) => `echo a>f${at}`, "; ", length),
};
