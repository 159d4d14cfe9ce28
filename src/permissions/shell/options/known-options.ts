// Options that are known. One line a command: `-a` is a flag, `-#` a number; where a value follows, a
// sign says what it is: `-n~` a word, `-f<` a file that is read, `-o>` one that is written, `-o+` what
// the command is there to make, `-C/` a place that is looked at, `-x!` a program, `-f%` a name of the
// program's own. `--color=~`: the value may only be joined. What stands neither here nor in the
// command's table is not known, and that is asked about.
import { buildOptions } from "./build-options.ts";
import type { OptionRole } from "./compile-options.ts";
import { gitOptions } from "./git-options.ts";
import { shellOptions } from "./shell-options.ts";
import { toolOptions } from "./tool-options.ts";

const sums = `
  -b --binary -t --text --tag --ignore-missing --quiet --status --strict -w --warn -z
  --zero
`;
const grep = `
  -# -a -b -c -E -F -G -h -H -i -I -l -L -n -o -P -q -r -s -T -U -v -w -x -y -z -Z -A~ -B~ -C~ -e~
  -m~ --after-context~ --basic-regexp --before-context~ --binary-files~ --byte-offset --color=~
  --colour=~ --context~ --count --exclude~ --exclude-dir~ --extended-regexp --files-with-matches
  --files-without-match --fixed-strings --ignore-case --include~ --initial-tab --invert-match
  --label~ --line-buffered --line-number --line-regexp --max-count~ --no-filename --no-ignore-case
  --no-messages --null --null-data --only-matching --perl-regexp --quiet --recursive --regexp~
  --silent --text --with-filename --word-regexp -R --dereference-recursive
`;
const zip = `
  -# -c --stdout -d --decompress --uncompress -f --force -k --keep -l --list -q --quiet -t --test -v
  --verbose -n -N --fast --best
`;
const compare = `
  -# -a --text -b --ignore-space-change -B --ignore-blank-lines -c -C~ --context=~ -d --minimal -e
  --ed -E --ignore-tab-expansion -F~ -i --ignore-case -I~ --ignore-matching-lines~ -L~
  --label~ --left-column -n --rcs -N --new-file -p --show-c-function -P -q --brief -r --recursive -s
  --report-identical-files -t --expand-tabs -T --initial-tab -u -U~ --unified=~ -w --ignore-all-space
  -W~ --width~ -x~ --exclude~ -y --side-by-side --color=~ --no-dereference --normal
  --strip-trailing-cr --suppress-common-lines --tabsize~ -Z --ignore-trailing-space --horizon-lines~
`;

const lines = `
cat: -A -b -e -E -n -s -t -T -u -v --number --number-nonblank --show-all --show-ends --show-tabs
  --show-nonprinting --squeeze-blank
tac: -b -r -s~ --separator~ --before --regex
nl: -b~ -d~ -f~ -h~ -i~ -l~ -n~ -p -s~ -v~ -w~ -ba --body-numbering~ --number-width~
head: -# -n~ -c~ -q -v -z --lines~ --bytes~ --quiet --silent --verbose --zero-terminated
tail: -# -n~ -c~ -f -F -q -s~ -v -z -r --lines~ --bytes~ --follow=~ --retry --quiet --silent
  --verbose --pid~ --sleep-interval~
wc: -c -m -l -L -w --bytes --chars --lines --max-line-length --words --total=~
cut: -b~ -c~ -d~ -f~ -n -s -z --bytes~ --characters~ --complement --delimiter~ --fields~
  --only-delimited --output-delimiter~ --zero-terminated
paste: -d~ -s -z --delimiters~ --serial
join: -a~ -e~ -i -j~ -o~ -t~ -v~ -1~ -2~ --check-order --header --nocheck-order --ignore-case
comm: -1 -2 -3 --check-order --nocheck-order --output-delimiter~ --total -z
cmp: -b -i~ -l -n~ -s --bytes~ --ignore-initial~ --print-bytes --quiet --silent --verbose
diff: ${compare}
colordiff: ${compare}
column: -t -x -c~ -o~ -s~ -N~ -l~ -R~ -H~ -n~ -e -J --table --separator~ --output-separator~
  --table-columns~ --json
fold: -b -s -w~ --width~ --spaces --bytes
fmt: -c -s -t -u -w~ -p~ -g~ --width~
expand: -i -t~ --tabs~ --initial
unexpand: -a -t~ --tabs~ --all
rev: -0
od: -A~ -b -c -d -i -j~ -l -N~ -o -s -S~ -t~ -v -w=~ -x --address-radix~ --format~ --read-bytes~
  --skip-bytes~
hexdump: -b -c -C -d -o -x -v -n~ -s~ -e~
hd: -b -c -C -d -o -x -v -n~ -s~ -e~
xxd: -b -c~ -e -E -g~ -h -i -l~ -n~ -o~ -p -ps -s~ -u -C -a
uniq: -c -d -D -f~ -i -s~ -u -w~ -z --count --repeated --unique --ignore-case --skip-fields~
  --skip-chars~ --check-chars~ --all-repeated=~
strings: -a -f -n~ -o -t~ -e~ --all --bytes~ --radix~ --encoding~ -#
base64: -d -D -i -w~ --decode --ignore-garbage --wrap~
base32: -d -i -w~ --decode --wrap~
md5sum: ${sums}
sha1sum: ${sums}
sha256sum: ${sums}
sha512sum: ${sums}
b2sum: ${sums} -l~
shasum: ${sums} -a~ --algorithm~
file: -b -i -I -k -L -h -N -n -p -r -s -v -0 --brief --mime --mime-type --mime-encoding
  --dereference --no-dereference --keep-going -e~ -F~ --separator~
stat: -L -f -t -x -c~ --format~ --printf~ --terse --dereference --file-system
readlink: -e -f -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing
  --no-newline
realpath: -e -m -L -P -q -s -z --canonicalize-existing --canonicalize-missing --relative-to/
  --relative-base/ --strip --no-symlinks
basename: -a -s~ -z --multiple --suffix~ --zero
dirname: -z --zero
ls: -# -a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -I~ -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t
  -T~ -u -U -v -w~ -x -X -Z -1 -@ -O --all --almost-all --author --block-size~ --classify=~ --color=~
  --directory --dereference --full-time --group-directories-first --hide~ --human-readable --ignore~
  --indicator-style~ --inode --literal --no-group --numeric-uid-gid --quote-name --recursive
  --reverse --size --sort~ --time~ --time-style~ --width~ --si --zero
dir: -a -l -h -1 -R
tree: -a -d -f -i -l -x -L~ -P~ -I~ -p -u -g -s -h -D -F -q -N -Q -t -c -U -r -C -n -S -A -J -X -v
  --noreport --charset~ --filelimit~ --dirsfirst --prune --gitignore --si --du --inodes --device
  --sort=~ --matchdirs --ignore-case --timefmt~ --filesfirst --metafirst
exa: -a -l -h -1 -R -T -L~ -I~ -g -s~ --level~ --tree --sort~ --long --all --git --icons
  --ignore-glob~
eza: -a -l -h -1 -R -T -L~ -I~ -g -s~ --level~ --tree --sort~ --long --all --git --icons
  --ignore-glob~
du: -# -0 -a -A -b -B~ -c -d~ -D -g -h -H -k -L -l -m -P -s -S -t~ -x --all --apparent-size
  --block-size~ --bytes --count-links --dereference --exclude~ --human-readable --max-depth~ --null
  --one-file-system --separate-dirs --si --summarize --threshold~ --time=~ --time-style~ --total
  --inodes
df: -a -B~ -h -H -i -k -l -m -P -t~ -T -x~ --all --block-size~ --human-readable --inodes --local
  --output=~ --portability --print-type --si --total --type~ --exclude-type~
sort: -b -c -C -d -f -g -h -i -k~ -M -m -n -R -r -s -S~ -t~ -u -V -z --buffer-size~ --check=~
  --dictionary-order --field-separator~ --general-numeric-sort --human-numeric-sort --ignore-case
  --ignore-leading-blanks --key~ --merge --month-sort --numeric-sort --parallel~ --random-sort
  --reverse --sort~ --stable --unique --version-sort --zero-terminated --debug
shuf: -e -i~ -n~ -r -z --echo --head-count~ --input-range~ --repeat
tr: -c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1
tee: -a -i -p --append --ignore-interrupts
touch: -a -c -d~ -f -h -m -t~ --date~ --no-create --no-dereference --time~
mkdir: -m~ -p -v --mode~ --parents --verbose
mkfifo: -m~ --mode~
mktemp: -d -q -u --directory --dry-run --quiet --suffix~
rm: -d -f -i -I -r -R -v --dir --force --interactive=~ --one-file-system --preserve-root=~ --recursive
  --verbose
rmdir: -p -v --parents --verbose --ignore-fail-on-non-empty
unlink: --
shred: -f -n~ -u -v -x -z --force --iterations~ --remove=~ --verbose --zero
cp: -a -d -f -H -i -L -n -p -P -r -R -T -u -v -x --archive --force --interactive --no-clobber
  --no-dereference --dereference --no-target-directory --preserve=~ --recursive --reflink=~ --sparse~
  --update=~ --verbose --one-file-system --strip-trailing-slashes
mv: -f -i -n -T -u -v --force --interactive --no-clobber --no-target-directory --update=~ --verbose
  --strip-trailing-slashes
install: -c -C -d -D -g~ -m~ -o~ -p -T -v --compare --directory --group~ --mode~ --owner~
  --preserve-timestamps --verbose --no-target-directory
ln: -f -i -L -n -P -r -s -T -v --force --interactive --no-dereference --relative --symbolic
  --verbose --no-target-directory
truncate: -c -o -s~ --no-create --size~
split: -# -a~ -b~ -C~ -d -e -l~ -n~ -t~ -u -x --bytes~ --lines~ --number~ --numeric-suffixes=~
  --suffix-length~ --verbose --separator~
chmod: -c -f -v -R --changes --quiet --silent --verbose --recursive --preserve-root
  --no-preserve-root
chown: -c -f -h -v -R -P --changes --quiet --silent --verbose --recursive --from~ --no-dereference
  --preserve-root
chgrp: -c -f -h -v -R -P --changes --quiet --silent --verbose --recursive
patch: -# -E -f -F~ -l -N -p~ -R -s -t -u -c -n --strip~ --dry-run --forward --reverse --force
  --fuzz~ --verbose --silent --batch --binary
zip: -# -0 -9 -D -d -e -f -F -j -l -n~ -q -r -S -u -v -X -y -x~ --quiet --recurse-paths --exclude~
  --junk-paths --symlinks -la -li -ll -lf> --logfile-path> -jj -FF -FS -DF -db -dc -dd -df -dg -ds~
  -du -dv -nw -UN~ -ws
unzip: -a -b -c -C -f -j -l -L -n -o -p -q -qq -t -T -u -v -X -z -Z -1
gzip: ${zip} -r --recursive
gunzip: ${zip}
bzip2: ${zip}
bunzip2: ${zip}
unxz: ${zip}
unlzma: ${zip}
unzstd: ${zip}
uncompress: -c -f -k -v
lz4: ${zip}
xz: ${zip} -T~ -e -z --threads~ --compress
zstd: ${zip} -T~ -z --rm --ultra
zcat: -f -q -v
rsync: -a -v -r -l -p -t -g -o -D -z -P -n -h -q -u -c -i -x -H -A -X -W -S -m --archive --verbose
  --recursive --dry-run --progress --compress --human-readable --stats --partial --inplace --update
  --checksum --itemize-changes --existing --ignore-existing --exclude~ --include~ --bwlimit~
  --timeout~ --info~ --prune-empty-dirs --chmod~ --perms --times --no-perms --no-owner --no-group
  --size-only
grep: ${grep}
egrep: ${grep}
fgrep: ${grep}
zgrep: ${grep}
rg: -# -0 -a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -u -U -v -V -w -x -. -A~ -B~ -C~ -d~
  -e~ -E~ -g~ -j~ -m~ -M~ -r~ -t~ -T~ --after-context~ --auto-hybrid-regex --before-context~
  --block-buffered --binary --byte-offset --case-sensitive --color~ --colors~ --column --context~
  --context-separator~ --count --count-matches --crlf --debug --encoding~ --engine~
  --field-context-separator~ --field-match-separator~ --files --files-with-matches
  --files-without-match --fixed-strings --glob~ --glob-case-insensitive --heading --hidden --iglob~
  --ignore-case --ignore-file-case-insensitive --include-zero --invert-match --json --line-buffered
  --line-number --line-regexp --max-columns~ --max-columns-preview --max-count~ --max-depth~
  --max-filesize~ --multiline --multiline-dotall --no-config --no-filename --no-heading --no-hidden
  --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files --no-ignore-global
  --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap --null --null-data
  --one-file-system --only-matching --passthru --path-separator~ --pcre2 --pretty --quiet --regexp~
  --replace~ --smart-case --sort~ --sortr~ --stats --stop-on-nonmatch --text --threads~ --trim
  --type~ --type-add~ --type-list --type-not~ --unrestricted --version --vimgrep --with-filename
  --word-regexp --follow
ag: -a -c -g~ -G~ -H -i -l -L -m~ -n -o -Q -r -R -s -S -t -u -U -v -w -A~ -B~ -C~ --column --count
  --depth~ --files-with-matches --hidden --ignore~ --ignore-case --literal --nocolor --nogroup
  --nofilename --noheading --numbers --smart-case --word-regexp --ts --js --py
ack: -c -h -H -i -l -L -n -o -Q -v -w -A~ -B~ -C~ -m~ --type~ --ignore-dir~ --nocolor --nogroup
  --column -x
fd: -a -A -g -H -i -I -l -L -p -s -u -0 -1 -F -q -d~ -t~ -e~ -E~ -S~ -c~ -j~ --absolute-path --glob
  --hidden --no-ignore --no-ignore-vcs --ignore-case --list-details --follow --full-path
  --case-sensitive --unrestricted --print0 --max-depth~ --min-depth~ --exact-depth~ --type~
  --extension~ --exclude~ --size~ --color~ --threads~ --changed-within~ --changed-before~
  --max-results~ --fixed-strings --strip-cwd-prefix --version
fdfind: -H -I -t~ -e~ -E~ -d~ --hidden --no-ignore --type~ --extension~ --exclude~ --max-depth~
less: -# -e -E -F -g -G -i -I -m -M -n -N -q -Q -r -R -s -S -u -U -w -W -X -x~ -z~
bat: -A -n -p -P -l~ -r~ -H~ -u -L --plain --number --show-all --language~ --line-range~ --style~
  --color~ --theme~ --paging~ --decorations~ --wrap~ --tabs~ --list-languages --list-themes
  --no-pager
batcat: -A -n -p -P -l~ -r~ --plain --number --language~ --line-range~ --style~ --color~ --paging~
date: -d~ -I=~ -R -u -j -v~ --date~ --iso-8601=~ --rfc-3339~ --rfc-email --utc --universal
seq: -f~ -s~ -w --format~ --separator~ --equal-width -#
which: -a -s --all
whoami: --
id: -G -g -n -r -u -z --group --groups --name --user
uname: -a -m -n -o -p -r -s -v -i --all --machine --kernel-name --kernel-release --operating-system
nproc: --all --ignore~
hostname: -f -s -i -I -d --fqdn --short
iconv: -c -f~ -t~ -s -l --from-code~ --to-code~
pandoc: -s -V< -M< --standalone --toc --wrap~ --columns~ --markdown-headings~ --no-highlight
  --variable< --metadata< -N
cloc: --quiet --json --yaml --csv --md --by-file --exclude-dir~ --include-lang~ --exclude-lang~
  --vcs% --git --sum-one --not-match-f~ --match-f~
xmllint: --format --noout --nonet --xpath~ --pattern~ --encode~ --recover --valid --html --c14n
bc: -l -q -i -s -w
lsof: -a -b -i=~ -l -n -P -p~ -t -u~ -s=~ -c~ -d~ -O -w -F=~
ldd: -v -u -d -r
nm: -a -A -C -D -g -l -n -o -p -r -S -t~ -u
readelf: -a -d -e -h -l -s -S -n -r -V -W -x~ -p~
objdump: -a -d -D -f -h -p -r -R -s -S -t -T -x -C -j~ -M~
size: -A -B -d -t
dmesg: -T -H -k -l~ -f~ -x -t --level~ --human --ctime
journalctl: -b=~ -e -f -k -n~ -o~ -p~ -r -u~ -x --no-pager --since~ --until~ --unit~ --lines~
  --output~ --user --follow --grep~ -q --boot=~ --priority~ --reverse
free: -b -k -m -g -h -s~ -t -w --human --mega --giga
uptime: -p -s --pretty --since
`;

/** What stands behind an option that takes a value. Every such option has one of these signs. */
const meanings = {
  "~": "valued",
  "<": "reads",
  ">": "writes",
  "+": "makes",
  "/": "lists",
  "!": "runs",
  "%": "names",
} as const satisfies Record<string, OptionRole>;

type Meaning = (typeof meanings)[keyof typeof meanings];

export type KnownOptions = Record<Meaning | "flags" | "joined", string>;

/** The options of one line. A value without a meaning is a mistake of the table. */
export function readLine(line: string): KnownOptions {
  const found: Record<keyof KnownOptions, string[]> = {
    flags: [],
    joined: [],
    valued: [],
    reads: [],
    writes: [],
    makes: [],
    lists: [],
    runs: [],
    names: [],
  };
  for (const word of line.split(/\s+/).filter(Boolean)) {
    const [, name, joined, sign] = /^(-[^=*~<>+/!%]*)(=?)([*~<>+/!%]?)$/.exec(word) ?? [];
    if (name === undefined || (joined === "=" && sign === "") || sign === "*")
      throw new Error(
        `${word} does not say what its value means: expected -x, -x~ (a word), -x< (a file that is read), ` +
          "-x> (written), -x+ (made), -x/ (looked at), -x! (run) or -x% (a name), also joined as -x=~",
      );
    if (sign === "") found.flags.push(name);
    else found[meanings[sign as keyof typeof meanings]].push(name);
    if (joined === "=") found.joined.push(name);
  }
  return Object.fromEntries(
    Object.entries(found).map(([role, names]) => [role, names.join(" ")]),
  ) as KnownOptions;
}

/** The lines by command, and by command and subcommand (`git log`). */
let lineOf: ReadonlyMap<string, string> | undefined;
const readLines = new Map<string, KnownOptions>();

function linesByName(): ReadonlyMap<string, string> {
  if (lineOf) return lineOf;
  const found = new Map<string, string>();
  for (const text of [lines, shellOptions, gitOptions, buildOptions, toolOptions])
    // A line that begins with a blank goes on.
    for (const line of text.split(/\n(?![ \t])/)) {
      const at = line.indexOf(":");
      if (at >= 0) found.set(line.slice(0, at), line.slice(at + 1));
    }
  return (lineOf = found);
}

/** A line is read when its command is first asked for: most runs call a few commands or none. */
export const knownOptions = {
  names: (): string[] => [...linesByName().keys()],
  has: (name: string): boolean => linesByName().has(name),
  get(name: string): KnownOptions | undefined {
    const line = linesByName().get(name);
    if (line === undefined) return undefined;
    const known = readLines.get(name) ?? readLine(line);
    readLines.set(name, known);
    return known;
  },
};
