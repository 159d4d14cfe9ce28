// Options that speak about the same thing: the same name again, its opposite, its other names. An
// allow rule that spells one does not cover a command that takes it back; a deny rule that spells
// one may mean the others.
import { listedName } from "../shell/tables/commands.ts";

type Words = readonly (string | null)[];

/** One line is one matter, whatever the program; a sign at the front is a kind of operand. */
const shared = `
-C --prefix --dir --cwd --directory --chdir --working-directory --project-directory --project-dir
-n --namespace -A --all-namespaces
--dry-run -n --simulate --just-print --recon --no-act --whatif --what-if --plan-only
--context --kube-context --kubeconfig --cluster --server -s
-f --file --filename --compose-file --makefile
-p --project --project-name --package
-w --workspace --workspaces
-c --config --config-file --configuration --rcfile
-e --env --environment --stage --env-file
-H --host --hostname --endpoint
-u --user --username --login
-i --inventory --inventory-file
-l --limit
-R --repo
-t --target --tag --tags
-o --output --out --out-file --outfile --outdir --out-dir
-X --request --method
-g --global --location
-r -R --recursive
-F --filter
--check --check-only --write --fix --apply --in-place
--diff --list-different --verify --write --fix --apply --in-place
--read-only --readonly --ro --rw --read-write
--offline --online --no-network --network
--safe --unsafe
--profile
--region
--account
--branch -b
--scope
--remote
`;

/** Of one program and its subcommand. `+` and `:` stand for operands that begin so. */
const own = `
git push: -f --force --force-with-lease --force-if-includes --mirror +
git push: -d --delete --mirror --prune :
git push: --all --branches --mirror
git push: --tags --follow-tags --mirror
git branch: -D -d --delete -f --force
git branch: -M -m --move -f --force
git branch: -C -c --copy -f --force
git commit: -n --no-verify
git commit: -a --all -i --include -o --only
git merge: -n --no-verify
git tag: -d --delete
git tag: -f --force
git checkout: -f --force -B
git switch: -f --force --discard-changes -C --force-create
git clean: -f --force
git clean: -x -X
git reset: --hard --merge --keep
git stash: drop clear
git rebase: -i --interactive
git rebase: --no-verify -n
git fetch: -f --force +
git fetch: -p --prune -P --prune-tags
git pull: -f --force +
git pull: -r --rebase
git add: -f --force
git add: -A --all -u --update .
git rm: -f --force
git rm: -r -R
git worktree: -f --force
npm: -g --global --location
npm: -f --force
npm: --ignore-scripts --foreground-scripts
pnpm: -g --global
pip: --break-system-packages --user --target -t --root --prefix
pip: -i --index-url --extra-index-url --find-links -f
docker: -v --volume --mount --volumes-from
docker: --privileged --cap-add --security-opt --device
docker: --network --net
docker: -f --force
docker: -a --all
docker: -u --user
docker: -p --publish -P --publish-all
kubectl: --all -A --all-namespaces
kubectl: --force --grace-period --now
kubectl: -f --filename -k --kustomize
terraform: -auto-approve --auto-approve
terraform: -destroy --destroy
terraform: -target --target
gh: -f --field -F --raw-field --input
gh: -X --method
gh: --admin --auto
curl: -d --data --data-raw --data-binary --data-ascii --data-urlencode --json -F --form --form-string -T --upload-file
curl: -X --request
curl: -o --output -O --remote-name --remote-name-all --output-dir -J --remote-header-name
curl: -k --insecure
wget: --post-data --post-file --body-data --body-file --method
wget: -O --output-document -P --directory-prefix
rsync: --delete --del --delete-before --delete-during --delete-after --delete-delay --delete-excluded
rm: -f --force
chmod: -R --recursive
chown: -R --recursive
sed: -i --in-place
find: -exec -execdir -ok -okdir
find: -delete
make: -C --directory
cargo: --allow-dirty
tsc: -b --build
eslint: --fix --fix-dry-run
prettier: -w --write
ssh: -o -F
tar: -P --absolute-names
systemctl: -f --force
kill: -9 -KILL -SIGKILL -s -n
pkill: -9 -KILL -SIGKILL --signal
killall: -9 -KILL -SIGKILL -s --signal
helm: -n --namespace
`;

const linesOf = (text: string): string[] => text.trim().split("\n");
const sharedGroups = linesOf(shared).map((line) => line.split(" "));
const ownGroups = linesOf(own).map((line) => {
  const [path = "", names = ""] = line.split(": ");
  const [program = "", subcommand] = path.split(" ");
  return { program, subcommand, names: names.split(" ") };
});

/** Programs whose words are an expression: the same test again narrows or widens nothing else. */
const expressions = new Set(["find", "test", "[", "expr"]);
/** A letter that may be given as often as one likes, each time with something more. */
const gathering = new Set(["-e", "-v", "-I", "-D", "-L", "--include", "--exclude", "--regexp"]);

/**
 * The first option of an allow rule that the command gives once more, in whatever form. Words behind
 * `--`, and behind `python -m NAME`, belong to another program.
 */
export function takenBack(rule: readonly string[], argv: Words): string | undefined {
  if (!rule.some((word) => word.startsWith("-")) || argv[0] == null) return undefined;
  const program = listedName(argv[0].slice(argv[0].lastIndexOf("/") + 1));
  if (expressions.has(program)) return undefined;
  const [fixed, given] = [segmentsOf(rule, program), segmentsOf(argv, program)];
  return fixed
    .flatMap((words, at) => words.map((word) => ({ word, at })))
    .find(({ word, at }) => {
      if (!/^--?[A-Za-z]/.test(word ?? "")) return false;
      const count = (words: Words): number =>
        words.filter((other) => other !== null && speakAlike(word!, other)).length;
      const isSwitchedOff =
        words(given, at)[words(given, at).indexOf(word) + 1]?.match(/^(?:false|off|no|0|none)$/) !=
          null && !words(fixed, at).includes("false");
      return isSwitchedOff || count(words(given, at)) > count(words(fixed, at));
    })?.word as string | undefined;
}

const words = (segments: Words[], at: number): Words => segments[at] ?? [];

/** The words of the program itself, and of each further program. */
function segmentsOf(all: Words, program: string): Words[] {
  const segments: (string | null)[][] = [[]];
  all.forEach((word, at) => {
    if (word === "--") segments.push([]);
    segments.at(-1)!.push(word);
    if (all[at - 1] === "-m" && /^py(?:thon|py)/.test(program)) segments.push([]);
  });
  return segments;
}

function speakAlike(fixed: string, other: string): boolean {
  if (!other.startsWith("-") || other === "-") return false;
  const [a, b] = [nameOf(fixed), nameOf(other)];
  if (gathering.has(a) && a === b) return false;
  if (a === b || sameLong(a, b) || sameLetters(a, b)) return true;
  return sharedGroups.some((group) => has(group, a) && has(group, b));
}

const nameOf = (word: string): string => word.replace(/[=:][^]*$/, "");

const has = (group: readonly string[], name: string): boolean =>
  group.includes(name) || (/^-[A-Za-z]./.test(name) && group.includes(name.slice(0, 2)));

/** `--noEmit`, `--no-emit`, `-noemit` and `--emit` are one matter, and so is a beginning of it. */
function sameLong(a: string, b: string): boolean {
  if (!isLong(a) || !isLong(b)) return false;
  const [first, second] = [matterOf(a), matterOf(b)];
  return first === second || (b.startsWith("--") && second.length > 1 && first.startsWith(second));
}

const isLong = (name: string): boolean => name.startsWith("--") || /^-[A-Za-z][\w-]{3,}/.test(name);

const matterOf = (name: string): string =>
  name
    .replace(/^--?/, "")
    .toLowerCase()
    .replaceAll(/[-_]/g, "")
    .replace(/^(?:no|disable|without|skip|not|un)/, "");

/** `-n dev` and `-nprod`, `-xn`. */
function sameLetters(a: string, b: string): boolean {
  if (!/^-[A-Za-z]$/.test(a) || !/^-[A-Za-z]/.test(b)) return false;
  if (gathering.has(a)) return false;
  return b[1] === a[1] || (/^-[A-Za-z]{2,4}$/.test(b) && b.includes(a[1]!, 1));
}

/** Whether a word of the command may mean what an option of a deny rule means. */
export function mayMean(flag: string, program: string, args: Words): boolean {
  const name = nameOf(flag);
  const groups = ownGroups
    .filter((group) => group.program === program)
    .filter(({ subcommand }) => subcommand === undefined || args.includes(subcommand))
    .filter(({ names }) => has(names, name));
  return groups.some(({ names }) => args.some((word) => word !== null && means(names, word)));
}

const means = (names: readonly string[], word: string): boolean =>
  word.startsWith("-")
    ? names.some((name) => speaksFor(name, nameOf(word)))
    : names.some((name) => /^[+:]$/.test(name) && word.startsWith(name) && word.length > 1);

/** The option by its name, by a beginning of it, or as a letter among others. */
const speaksFor = (name: string, given: string): boolean =>
  given === name ||
  (given.startsWith("--") && given.length > 3 && name.startsWith(given)) ||
  (/^-[A-Za-z]$/.test(name) && /^-[A-Za-z]+$/.test(given) && given.includes(name[1]!, 1));
