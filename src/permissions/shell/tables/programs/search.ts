// Commands that search and transform text.
import type { CommandSpec } from "../command-spec.ts";

const grep: CommandSpec = {
  operands: "read",
  skipFirst: true,
  skipUnless: "-e -f --regexp --file",
  recursive: "-r -R --recursive --dereference-recursive -d=recurse --directories=recurse",
  follows: "-R --dereference-recursive",
  fallback: ".",
  valued: `
      -e -A -B -C -m -D -d --regexp --after-context --before-context --context --max-count --include
      --exclude --exclude-dir --label --binary-files --devices --directories`,
  reads: "-f --file --exclude-from",
};

/** What they are given may name any other file, and they put it into what they make. */
const including = Object.fromEntries(
  `asciidoctor asciidoc a2x lessc sass sassc jsonnet rst2html rst2html5 rst2man rst2latex rst2xml
   sphinx-build docutils cpp kustomize ytt cue dhall gomplate mustache j2 jinja2 hugo mkdocs envsubst`
    .trim()
    .split(/\s+/)
    .map((name): [string, CommandSpec] => [
      name,
      {
        operands: "unknown",
        includes: "always",
        makes: "-o -D -d --out-file --output --output-file --destination",
        flags: "-q -v --quiet --verbose --watch --no-source-map",
      },
    ]),
);

const fd: CommandSpec = {
  judge: "fd",
  operands: "list",
  skipFirst: true,
  recursive: "always",
  fallback: ".",
  valued: `
      -d -t -e -E -S -c -j -o --max-depth --min-depth --exact-depth --type --extension --exclude
      --size --color --threads --owner --changed-within --changed-before --newer --older
      --max-results --path-separator --format`,
  lists: "--search-path --base-directory -C",
  reads: "--ignore-file",
  runs: "-x -X --exec --exec-batch",
};

export const searchCommands: Record<string, CommandSpec> = {
  ...including,
  grep,
  egrep: grep,
  fgrep: grep,
  zgrep: grep,
  zegrep: grep,
  zfgrep: grep,
  bzgrep: grep,
  xzgrep: grep,
  zstdgrep: grep,
  pcregrep: grep,
  pcre2grep: grep,
  rgrep: { ...grep, recursive: "always" },
  ugrep: { ...grep, recursive: "always" },
  ug: { ...grep, recursive: "always" },
  rg: {
    operands: "read",
    skipFirst: true,
    skipUnless: "-e -f --regexp --file --files",
    recursive: "always",
    fallback: ".",
    valued: `
        -e -A -B -C -m -g -t -T -j -M -r -E -d --regexp --after-context --before-context --context
        --max-count --glob --iglob --type --type-not --type-add --type-clear --threads --max-columns
        --replace --encoding --max-depth --max-filesize --color --colors --sort --sortr --engine
        --context-separator --field-match-separator --path-separator --dfa-size-limit
        --regex-size-limit --hyperlink-format`,
    reads: "-f --file --ignore-file",
    follows: "-L --follow",
    runs: "--pre --hostname-bin -z --search-zip",
  },
  ag: {
    operands: "read",
    skipFirst: true,
    recursive: "always",
    fallback: ".",
    follows: "-f --follow",
    flags: "-f --follow",
    valued: "-A -B -C -G -m --ignore --ignore-dir --depth",
    reads: "-p --path-to-ignore",
    runs: "--pager -z --search-zip",
  },
  ack: {
    operands: "read",
    skipFirst: true,
    recursive: "always",
    fallback: ".",
    follows: "--follow",
    flags: "--follow",
    valued: "-A -B -C -m --type --ignore-dir",
    runs: "--pager --ackrc --output",
  },
  find: { judge: "find", operands: "none" },
  fd,
  fdfind: fd,
  locate: { operands: "none", reads: "-d --database" },
  sed: { judge: "sed", operands: "none" },
  gsed: { judge: "sed", operands: "none" },
  awk: { judge: "awk", operands: "none" },
  gawk: { judge: "awk", operands: "none" },
  mawk: { judge: "awk", operands: "none" },
  nawk: { judge: "awk", operands: "none" },
  jq: { judge: "jq", operands: "none" },
  yq: {
    judge: "yq",
    operands: "read",
    skipFirst: true,
    valued: "-p -o -I --input-format --output-format --indent --arg",
    reads: "--from-file --rawfile --slurpfile",
    edits: "-i --inplace --in-place -s --split-exp",
    runs: "-L -f --from-file --split-exp-file",
  },
  xmllint: {
    includes: "--xinclude",
    operands: "read",
    valued: "--xpath --pattern --encode",
    reads: "--schema --dtdvalid --relaxng --path",
    edits: "--output -o",
    writes: "--output -o",
    runs: "--shell --load-trace",
  },
  less: {
    judge: "less",
    operands: "read",
    runs: "-k --lesskey-file --lesskey-src --lesskey-content -o -O --log-file --LOG-FILE -T --tag-file",
    valued: "-p -P -t -x -y -z -b -h -j -D",
  },
  more: { judge: "less", operands: "read", valued: "-n" },
  most: { judge: "less", operands: "read" },
  delta: { operands: "read", runs: "--pager --config --features" },
  fzf: {
    operands: "none",
    runs: "--preview --bind --history --listen --walker-root --with-shell --become",
    valued: "-f --filter -q --query --height --prompt --header",
  },
  ctags: {
    operands: "read",
    recursive: "-R --recurse",
    makes: "-o -f",
    runs: "--options --optlib-dir --langdef",
  },
  etags: { operands: "read", makes: "-o --output" },
  rename: { asks: "rename runs its expression." },
  prename: { asks: "prename runs its expression." },
  bat: {
    operands: "read",
    valued: `
        -l -r -H --language --line-range --highlight-line --style --color --theme --paging
        --decorations --wrap --tabs --map-syntax --file-name`,
    runs: "--pager --config-file --config-dir",
    subcommands: { cache: { asks: "bat cache compiles files of its configuration folder." } },
  },
  batcat: {
    operands: "read",
    valued: "-l -r -H --language --line-range --style --color",
    runs: "--pager",
  },
  man: {
    judge: "man",
    operands: "none",
    valued: "-s -S -L -m -M -e -R -E -r -p --sections --locale --systems --extension",
    reads: "-l --local-file",
    runs: `
      -P --pager -H --html --browser -C --config-file -p --preprocessor -M --manpath -T
      --troff-device -X --gxditview -t --troff -Z --ditroff`,
  },
  info: {
    operands: "none",
    reads: "-f --file",
    writes: "-o --output --dribble",
    runs: "--restore --init-file",
  },
  iconv: { operands: "read", valued: "-f -t --from-code --to-code", makes: "-o --output" },
  xsltproc: {
    asks: "xsltproc does what the style sheet says, which may write files.",
    operands: "read",
    includes: "always",
    writes: "-o --output",
    valued: "--param --stringparam",
  },
  pandoc: {
    operands: "read",
    includes: "always",
    names: "-f -t --from --to",
    valued: "-V --variable -M --metadata",
    writes: "-o --output --extract-media --log",
    reads: "--metadata-file -H -B -A --template --css --bibliography",
    runs: "-F --filter -L --lua-filter --pdf-engine --pdf-engine-opt -d --defaults --data-dir",
  },
  cloc: {
    operands: "read",
    recursive: "always",
    fallback: ".",
    reads: "--list-file --config",
    writes: "--out --report-file",
    runs: "--extract-with --script-lang",
  },
  date: {
    judge: "date",
    operands: "none",
    valued: "-d --date",
    reads: "-f --file -r --reference",
    runs: "-s --set",
  },
  hostname: { judge: "hostname", operands: "none", runs: "-F --file -b", reads: "-F --file" },
  mlr: { asks: "mlr has verbs that run programs and write files." },
  convert: { judge: "convert", operands: "unknown" },
  magick: { judge: "convert", operands: "unknown" },
  mogrify: { judge: "convert", operands: "write" },
  envsubst: { operands: "none" },
  seq: { operands: "none", valued: "-f -s --format --separator" },
  echo: { onlyText: true },
  printf: { operands: "none" },
  pwd: { operands: "none" },
  sleep: { operands: "none" },
  which: { operands: "none" },
  whoami: { operands: "none" },
  id: { operands: "none" },
  uname: { operands: "none" },
  nproc: { operands: "none" },
  test: { judge: "test", operands: "none" },
  "[": { judge: "test", operands: "none" },
  true: { onlyText: true },
  false: { onlyText: true },
  ":": { onlyText: true },
  yes: { onlyText: true },
  expr: { onlyText: true },
  bc: { operands: "read" },
};
