// Random shell texts that hide a command: in every construct of the bash manual, as inert text, and
// bent by random characters. A seed
// and an index name one text for ever.

/** The command that must never run. */
export const hidden = "hidden_command x";

export type ShellText = {
  text: string;
  /** The hidden command was put where it is only text. */
  inert: boolean;
};

/** Where it is text: quoted, escaped, commented, in a here-document whose end word is quoted. */
const inertForms = [
  "echo 'H'",
  'echo "H"',
  "echo a # H",
  "# H\necho a",
  "cat <<'E'\nH\nE",
  "cat <<'E' | grep a\n$(H)\n`H`\nE",
  'cat <<"E"\n${x:-$(H)}\nE',
  "cat <<\\E\n$(H)\nE",
  "echo '$(H)'",
  "echo '`H`'",
  'echo "\\$(H)"',
  'echo "\\`H\\`"',
  "echo \\$\\(H\\)",
  "printf '%s' 'a;H'",
  "echo 'a' 'b;H' c",
  "grep 'H' f",
  'echo "it\'s H"',
  "x='H'; echo \"$x\"",
  "for f in 'H' b; do echo \"$f\"; done",
  "if [ -n 'H' ]; then echo a; fi",
  "echo \"$(cat <<'E'\nH $(H) `H` )\nE\n)\"",
  "echo \"$(echo 'H')\"",
  "( echo 'H' )",
  "echo 'a\n;H\n'",
  "true || echo 'H'",
  "cat <<-'E'\n\t;H\n\tE",
  "ls 2>/dev/null # $(H)",
  "x=$(echo 'H'); echo \"$x\"",
];

/** Where bash runs it, or may. */
const activeForms = [
  "$(H)",
  "`H`",
  "echo $(H)",
  'echo "$(H)"',
  'echo "`H`"',
  ": <(H)",
  ": >(H)",
  ": 1<(H)",
  ": {x}<(H)",
  "cat < <(H)",
  "echo a > >(H)",
  "echo a &> >(H)",
  "echo a |& H",
  "H",
  "a; H",
  "echo a\nH",
  "echo a && H",
  "false || H",
  "echo a | H",
  "echo a & H",
  "! H",
  "time H",
  "{ H; }",
  "( H )",
  "f() { H; }; f",
  "function f { H; }; f",
  "coproc H",
  "coproc x { H; }",
  "if true; then H; fi",
  "if H; then :; fi",
  "for i in a; do H; done",
  "for i in $(H); do :; done",
  "for ((i=0;i<1;i++)); do H; done",
  "while H; do break; done",
  "until H; do break; done",
  "case a in a) H;; esac",
  "case $(H) in a) :;; esac",
  "select i in a; do H; break; done <<< 1",
  ": ${x:-$(H)}",
  ": ${x:=`H`}",
  ': "${x:-$(H)}"',
  ": ${x:+${y:-$(H)}}",
  ": ${PATH:+$(H)}",
  ": ${x[$(H)]}",
  ": ${x:$(H)}",
  ": ${x/$(H)/}",
  ": ${x@$(H)}",
  "x='$(H)'; : ${x@P}",
  ": $((1+$(H)))",
  ": $[$(H)]",
  "((x[$(H)]))",
  "let 'x[$(H)]=1'",
  "x='a[$(H)]'; : $((x))",
  "a[$(H)]=1",
  "a=($(H))",
  "a+=(`H`)",
  "declare -i x='a[$(H)]'",
  "declare a=$(H)",
  "export a=$(H)",
  "[[ -v a[$(H)] ]]",
  "[[ $(H) ]]",
  "[[ a[$(H)] -eq 1 ]]",
  "test -v 'a[$(H)]'",
  "[ -v 'a[$(H)]' ]",
  "printf -v 'a[$(H)]' x",
  "printf -v c %s H; $c",
  "read 'a[$(H)]' <<< x",
  "read c <<< 'H'; $c",
  "mapfile -C 'H;' -c 1 a <<< x",
  "eval 'H'",
  "eval \"$(echo 'H')\"",
  "x='H'; $x",
  "x='H'; eval $x",
  "trap 'H' EXIT",
  "trap 'H' DEBUG; :",
  "bash -c 'H'",
  "sh -c 'H'",
  "echo 'H' | bash",
  "bash <<< 'H'",
  "bash <<'E'\nH\nE",
  ". <(echo 'H')",
  "source /dev/stdin <<< 'H'",
  "exec H",
  "command H",
  "builtin eval 'H'",
  "env H",
  "nohup H",
  "timeout 5 H",
  "nice H",
  "xargs H <<< a",
  "echo H | xargs -I{} bash -c {}",
  "find . -maxdepth 0 -exec H \\;",
  "cat <<E\n$(H)\nE",
  "cat <<E\n`H`\nE",
  "cat <<E\n${x:-'$(H)'}\nE",
  "cat <<-E\n\t$(H)\n\tE",
  "cat <<< $(H)",
  'cat <<< "`H`"',
  "echo $'a' $(H)",
  'echo $"$(H)"',
  "echo {a,$(H)}",
  "echo {a,b}`H`",
  "echo @($(H))",
  "echo ~$(H)",
  "x=$(H) echo a",
  "x=`H`",
  "echo a >$(H)",
  "echo a 2>`H`",
  "PS4='$(H)'; set -x; :",
  "alias e=H\ne",
  "shopt -s expand_aliases; alias e=H\ne",
  'set -- H; "$@"',
  "set -- 'H'; $1",
  "echo a;;H",
  "awk 'BEGIN{system(\"H\")}'",
  "sed '1e H' <<< a",
  "sed 's/a/H/e' <<< a",
  "enable -n echo; H",
  "hash -p /bin/true x; H",
  "a=1 b=2; H",
  "[ a ] && H",
  "echo ${a#$(H)}",
  "echo ${!a} $(H)",
  "echo $(<f) $(H)",
  "echo $( (H) )",
  "echo $( { H; } )",
  "echo ${ H; }",
  "echo ${| H; }",
];

const separators = ["; ", "\n", " && ", " || ", " | ", " & ", ";", "\n\n", " ; "];
const plainStarts = [
  "echo a",
  "true",
  ":",
  "cat f",
  "ls",
  "x=1",
  "printf %s a",
  "cd .",
  "test -f f",
];
const pieces = [
  ..."'\"`\\$(){}[]<>|&;#\n\t =!~*?@+-%^,.:/_0129aE".split(""),
  "$(",
  "${",
  "$((",
  "<<",
  "<<'E'\n",
  "<<E\n",
  "\nE\n",
  "\\\n",
  "$'",
  '$"',
  "<(",
  ">(",
  "2>&1",
  "&>",
  "||",
  "&&",
  ";;",
  "))",
  "[[",
  "]]",
  "{a,b}",
  "x=",
  "\r",
  "\u00a0",
  "é",
  " do ",
  " done ",
  " then ",
  " fi ",
  " in ",
  " case ",
  " esac ",
];

/** One text of each construct in which bash runs the hidden command, or may. */
export const activeTexts = activeForms.map((form) => form.replaceAll("H", hidden));
/** One text of each construct in which it is only text. */
export const inertTexts = inertForms.map((form) => form.replaceAll("H", hidden));

/** mulberry32: small, fast, the same everywhere. */
function numbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function shellText(seed: number, index: number): ShellText {
  const next = numbers(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!;
  const inert = next() < 0.45;
  let text = pick(inert ? inertForms : activeForms).replaceAll("H", hidden);
  if (next() < 0.4) text = `${pick(plainStarts)}${pick(separators)}${text}`;
  if (next() < 0.25) text = `${text}${pick(separators)}${pick(plainStarts)}`;
  if (next() < 0.15) text = `${text}${pick(separators)}${pick(inertForms).replaceAll("H", hidden)}`;
  const bends = next() < 0.35 ? 0 : 1 + Math.floor(next() * 3);
  for (let bend = 0; bend < bends; bend += 1) {
    const at = Math.floor(next() * (text.length + 1));
    const drop = next() < 0.3 ? 1 + Math.floor(next() * 2) : 0;
    text = text.slice(0, at) + (next() < 0.85 ? pick(pieces) : "") + text.slice(at + drop);
  }
  return { text, inert };
}
