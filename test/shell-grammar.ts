// Random Bash commands over harmless names: everything they can run is a stub, a builtin or a
// wrapper, everything they write is a plain name.
import fc from "fast-check";

type Text = fc.Arbitrary<string>;

export const stubs = [
  "cat",
  "git",
  "ls",
  "rm",
  "touch",
  "grep",
  "sed",
  "awk",
  "python3",
  "curl",
  "npm",
  "alpha",
  "beta",
  "x1",
];
/** Present for real, because they run what they are given. */
export const realWrappers = [
  "bash",
  "sh",
  "env",
  "timeout",
  "nice",
  "nohup",
  "xargs",
  "stdbuf",
  "setsid",
  "find",
];

const pick = (...items: string[]): Text => fc.constantFrom(...items);
const join = (...parts: (Text | string)[]): Text =>
  fc
    .tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)))
    .map((texts) => texts.join(""));
const optional = (text: Text, weight = 3): Text =>
  fc.oneof({ weight, arbitrary: fc.constant("") }, { weight: 1, arbitrary: text });
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const name = pick(...stubs);
const plain = pick(
  "a",
  "b1",
  "src/a.ts",
  "-n",
  "--flag",
  "-x",
  "x=1",
  "HEAD",
  "log",
  "status",
  ".",
  "-",
  "--",
  "{}",
  "a:b",
  "100%",
  "#no",
  "a#b",
  "!",
  "]",
);
const space = fc.oneof(
  { weight: 12, arbitrary: fc.constant(" ") },
  { weight: 1, arbitrary: pick("  ", "\t", " \\\n ") },
);

/** A command name in disguise. */
const disguised = name.chain((text) =>
  fc.constantFrom(
    text,
    text,
    text,
    text,
    `'${text}'`,
    `"${text}"`,
    `\\${text}`,
    `${text.slice(0, 1)}''${text.slice(1)}`,
    `${text.slice(0, 1)}\\\n${text.slice(1)}`,
    `$'\\x${text.charCodeAt(0).toString(16)}${text.slice(1)}'`,
    `$'\\${text.charCodeAt(0).toString(8)}'${text.slice(1)}`,
    `{${text},b1}`,
  ),
);
const dynamicName = pick("$(echo cat)", "$y", "${x:-cat}", "c?t", "`echo ls`", "$y$x");

const { script } = fc.letrec<{ word: string; simple: string; command: string; script: string }>(
  (tie) => {
    const inner = tie("script");
    const command = tie("command");
    const word: Text = fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      { weight: 14, arbitrary: plain },
      {
        weight: 2,
        arbitrary: pick(
          "'a b'",
          '"a b"',
          "'$(rm x)'",
          "\\;",
          "\\$x",
          "'a'\\''b'",
          '"it\'s"',
          "$'a\\tb'",
          "$'\\x2dn'",
          "\\a\\b",
          '""',
          "'#'",
          '"a\\"b"',
          "$'it\\'s'",
          '"\\$x"',
          '$"loc"',
        ),
      },
      {
        weight: 2,
        arbitrary: pick(
          "$x",
          '"$x"',
          "${x}",
          "$HOME",
          "~",
          "$1",
          "$?",
          "$#",
          '"$@"',
          "${x:-a}",
          "${x:+b}",
          "${#x}",
          "${x%a}",
          "${x/a/b}",
          "${x^^}",
          "${x:1}",
          "${x:0:1}",
        ),
      },
      {
        weight: 1,
        arbitrary: pick(
          "{a,b}",
          "{1..3}",
          "a{b,c}d",
          "{a,{b,c}}",
          "{a}",
          "{a,b",
          "*.zz",
          "a?",
          "[ab]",
          "{3..1}",
          "x{,y}",
          "{a,b}{c,d}",
          "'{a,b}'",
          "\\{a,b\\}",
        ),
      },
      { weight: 2, arbitrary: join("$(", command, ")") },
      { weight: 1, arbitrary: join('"$(', command, ')"') },
      { weight: 1, arbitrary: join("`", name, " a`") },
      { weight: 1, arbitrary: join("<(", command, ")") },
      { weight: 1, arbitrary: join("$((1+", pick("2", "3*4", "(5)"), "))") },
      { weight: 1, arbitrary: join("${x:-$(", command, ")}") },
      { weight: 1, arbitrary: join("pre$(", command, ")post") },
      { weight: 1, arbitrary: join('"a${x:-$(', command, ')}b"') },
      {
        weight: 1,
        arbitrary: join(
          pick(
            "$((`",
            "~$(echo `",
            '$"`',
            "{a,`",
            "[`",
            "${x#`",
            "${x/`",
            "${x:-`",
            "\"${x:-'`",
            "${x:-'`",
            "$[`",
            '"`',
            "a`",
            "'`",
            "\\`",
          ),
          name,
          pick(
            "`))",
            "`)",
            '`"',
            "`}",
            "`]",
            "`}",
            "`/b}",
            "`}",
            "`'}\"",
            "`'}",
            "`]",
            '`"',
            "`b",
            "`'",
            "\\`",
          ),
        ),
      },
      {
        weight: 2,
        arbitrary: fc
          .tuple(
            pick(
              "$((1+$(@)))",
              '"${x:-"$(@)"}"',
              "\"${x:-'$(@)'}\"",
              "${x:-'$(@)'}",
              "~$(@)",
              '$"$(@)"',
              "{a,$(@)}",
              "[$(@)]",
              "${x#$(@)}",
              '"${x/$(@)/b}"',
              "$'$(@)'",
              "\\$(@\\)",
              '"\\$(@)"',
              '"`@`"',
              "`@`",
              '"$(@)$(@)"',
              "'a'\"$(@)\"b",
              "${x:-${y:-$(@)}}",
              '"${x:+$(@)}"',
              "<(@)",
              "$(@)\\\n",
              "$( (@) )",
              "$(@ # c\n)",
              "$(case a in a) @;; esac)",
            ),
            command,
          )
          .map(([shape, text]) => shape.replaceAll("@", () => text)),
      },
    );
    const words = fc
      .array(join(space, tie("word")), { maxLength: 3 })
      .map((items) => items.join(""));
    const assignment = pick(
      "A=1 ",
      "NODE_ENV=test ",
      "x=b ",
      "x='a b' ",
      "y=cat ",
      "arr=(a b) ",
      "x+=c ",
    );
    const redirect = pick(
      " > f1",
      " >> f1",
      " 2>&1",
      " </dev/null",
      " 2>/dev/null",
      " <<< w",
      " &> f2",
      " >| f1",
      " 3>f3",
      " 2>&-",
      " <<<'a b'",
    );
    const simple: Text = fc.oneof(
      {
        weight: 20,
        arbitrary: join(optional(assignment, 6), disguised, words, optional(redirect, 4)),
      },
      { weight: 1, arbitrary: join(dynamicName, words) },
      {
        weight: 4,
        arbitrary: join(
          pick(
            "echo",
            "printf %s",
            "true",
            "false",
            ":",
            "pwd",
            "test -n",
            "type",
            "[ a = a ] #",
            "unset x #",
            "read x #",
            "export A=1 #",
            "set -e #",
            "shift #",
            "let i=1 #",
            "declare z=1 #",
          ),
          words,
        ),
      },
      { weight: 1, arbitrary: join("x=$(", command, ")") },
      { weight: 1, arbitrary: pick("x=a", "x=b y=c", "i=0", "A=$HOME", "x=", "arr=(a b c)") },
      {
        weight: 1,
        arbitrary: join(
          redirect.map((text) => text.trimStart()),
          " ",
          name,
          words,
        ),
      },
    );
    const wrapped: Text = fc.oneof(
      join(
        pick(
          "env ",
          "env A=1 ",
          "timeout 5 ",
          "nice -n 5 ",
          "nice ",
          "nohup ",
          "stdbuf -o0 ",
          "setsid -w ",
          "command ",
          "command -p ",
          "exec ",
          "time ",
          "! ",
          "env -- ",
          "env -u Q ",
          "timeout -k 1 5 ",
          "builtin ",
          "xargs ",
          "xargs -n1 ",
          "command -v ",
        ),
        name,
        words,
      ),
      join(pick("env ", "timeout 5 "), pick("nice ", "env ", "nohup "), name, words),
      join(
        pick("bash -c ", "sh -c ", "bash --norc -c ", "eval ", "bash -ec ", "timeout 5 bash -c "),
        inner.map(quote),
      ),
      join("trap ", command.map(quote), " EXIT"),
      join("find . -maxdepth 0 -exec ", name, " {} \\;"),
      join("eval ", name, words),
    );
    const compound: Text = fc.oneof(
      join("(", inner, ")"),
      join("{ ", inner, "; }"),
      join("if ", command, "; then ", inner, "; fi"),
      join("if ", command, "; then ", command, "; else ", inner, "; fi"),
      join("for v in ", words, "; do ", name, ' "$v"', words, "; done"),
      join("for v in a b; do ", inner, "; done"),
      join("while ", command, "; do ", inner, "; break; done"),
      join("until ", command, "; do ", inner, "; break; done"),
      join("case ", tie("word"), " in a) ", command, ";; *) ", inner, ";; esac"),
      join("fn() { ", inner, "; }; fn", words),
      join("function fn { ", command, "; }; fn"),
      join("git() { ", command, "; }; git", words),
      join("(fn() { ", command, "; }); ", name, words),
      join(
        "fn() { ",
        command,
        "; }; ",
        pick("env ", "command ", "eval ", "unset -f fn; ", "x1 && ", "nohup "),
        "fn",
      ),
      join(pick("false && ", "x1 && ", "if false; then "), "alpha() { ", command, "; }; alpha"),
      join("while IFS= read -r l; do ", command, "; done <<< a"),
      join("[[ -n ", tie("word"), " ]] && ", command),
      join("(( 1 < 2 )) && ", command),
      join("for ((k=0;k<2;k++)); do ", command, "; done"),
      join("{ ", inner, "; } > f1 2>&1"),
      join(name, " <<EOF\na $(", command, ") b\nEOF"),
      join(name, " <<'EOF'\na $(", command, ") b\nEOF"),
      join(name, " <<EOF\n`", name, "` ${x:-$(", command, ")} \\$(no) 'q' \"d\"\nEOF\n", name),
      join(name, " <<A <<\\B\n$(", command, ")\nA\n$(no)\nB\n", name),
      join(name, ' <<-E"O"F\n\t$(', command, ")\n\tEOF"),
      join(name, " <<< $(", command, ")"),
      join("coproc ", name, words, "; wait"),
      join(name, words, " > >(", command, ")"),
      join("cd . && ", inner),
      join("shopt -s expand_aliases\nalias ls=", name, "\nls"),
    );
    const next = fc.oneof(
      { weight: 6, arbitrary: pick("; ", " && ", " || ", " | ") },
      { weight: 2, arbitrary: pick("\n", " & ", " |& ", " # note\n", ";", "&&\n", " |\n") },
    );
    const single: Text = fc.oneof(
      { depthSize: "small" },
      { weight: 12, arbitrary: tie("simple") },
      { weight: 4, arbitrary: wrapped },
      { weight: 3, arbitrary: compound },
    );
    return {
      word,
      simple,
      command: fc.oneof(
        { depthSize: "small" },
        { weight: 4, arbitrary: tie("simple") },
        { weight: 1, arbitrary: single },
      ),
      script: fc
        .tuple(single, fc.array(fc.tuple(next, single), { maxLength: 2 }))
        .map(([first, rest]) => first + rest.map(([operator, text]) => operator + text).join("")),
    };
  },
);

export const shellCommands: Text = script;
