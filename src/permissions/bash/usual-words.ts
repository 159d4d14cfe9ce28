// Other names of the same subcommand (`npm urn` is `npm run`), so that a refusal of one is a refusal
// of all, and which words are subcommands at all: an unknown one may be a further alias. Links to a
// program are other names of it.
import type { SimpleCommand } from "../shell/analysis.ts";
import { known } from "../shell/field.ts";
import { strictTable } from "../shell/options/compile-options.ts";
import { readOptions } from "../shell/read-options.ts";
import { specOf } from "../shell/tables/commands.ts";

/** By program: the name, and behind the colon what it is also called. */
const aliases = `
npm run: run-script rum urn
npm install: i in ins inst insta instal isnt isnta isntal isntall add install-test it
npm ci: clean-install ic install-clean isntall-clean
npm install-ci-test: cit clean-install-test sit
npm uninstall: un unlink remove rm r
npm update: up upgrade udpate
npm test: t tst
npm exec: x
npm config: c set get
npm list: ls la ll
npm view: v info show
npm rebuild: rb
npm link: ln
npm search: s se find
npm dedupe: ddp
npm init: create innit
npm owner: author
npm dist-tag: dist-tags
npm login: adduser add-user
npm docs: home
npm bugs: issues
npm why: explain
npm star: favorite
npm version: verison
pnpm run: run-script
pnpm install: i
pnpm remove: rm un uninstall
pnpm update: up upgrade
pnpm list: ls la ll
pnpm test: t tst
pnpm rebuild: rb
pnpm link: ln
pnpm exec: x
bun install: i
bun add: a
bun remove: rm
bun pm: pkg
cargo build: b
cargo check: c
cargo test: t
cargo run: r
cargo doc: d
cargo remove: rm
git add: stage
git blame: annotate
docker ps: container-ls container-list container-ps
docker rmi: image-rm image-remove
docker images: image-ls image-list
helm uninstall: del delete un
helm list: ls
helm pull: fetch
helm dependency: dep dependencies
helm upgrade: up
gh extension: ext extensions
gh codespace: cs
gh attestation: at
gh repo: repos
gh list: ls
gh create: new
brew uninstall: rm remove
brew install: instal
brew list: ls
brew info: abv
brew doctor: dr
brew cleanup: clean
brew link: ln
hg commit: ci
hg checkout: co up update
hg log: history
hg status: st
hg remove: rm
hg rename: move mv
hg copy: cp
svn commit: ci
svn checkout: co
svn delete: del remove rm
svn move: mv rename ren
svn copy: cp
svn update: up
svn status: stat st
svn switch: sw
svn diff: di
svn list: ls
svn blame: praise annotate ann
composer install: i
composer update: u upgrade
composer require: r
composer remove: rm uninstall
composer run-script: run
composer dump-autoload: dumpautoload
gem install: i
bundle install: i
bundle exec: e ex exe
rails generate: g
rails destroy: d
rails server: s
rails console: c
rails runner: r
rails test: t
rails dbconsole: db
conda remove: uninstall
conda update: upgrade
rustup update: up upgrade
mise run: r
mise exec: x
jj bookmark: b
jj describe: desc
jj status: st
nx run: r
turbo run: r
terraform fmt: format
kubectl delete: del
yarn install: i
deno install: i
uv sync: s
dotnet restore: r
`;

/** Subcommands of programs that take any word for a script, or that have no table of subcommands. */
const ownNames = `
pnpm: add audit bin config create deploy dedupe dlx doctor env exec fetch import init install licenses
  link list outdated pack patch prune publish rebuild remove root run server setup start store test
  unlink update why
yarn: add audit autoclean bin cache check config constraints create dedupe dlx exec explain
  generate-lock-entry global help import info init install licenses link list login logout node npm
  outdated owner pack patch plugin policies publish rebuild remove run search set stage tag team test
  unlink unplug up upgrade upgrade-interactive version versions why workspace workspaces
bun: add build create exec init install link outdated patch pm publish remove repl run test unlink
  update upgrade why x
nx: affected build exec format graph lint list login migrate report reset run run-many serve show sync
  test watch
turbo: bin build daemon devtools gen generate info link lint login logout ls prune query run scan
  telemetry test unlink watch
vitest: bench dev init list related run typecheck watch
gh: alias api attestation auth browse cache codespace config extension gist gpg-key help issue label
  org pr project release repo ruleset run search secret ssh-key status variable version workflow
hg: add addremove annotate archive backout bisect bookmarks branch branches bundle cat checkout clone
  commit config copy diff export files forget graft grep heads help identify import incoming init
  locate log manifest merge outgoing parents paths phase pull push recover remove rename resolve
  revert rollback root serve status summary tag tags tip unbundle verify version
svn: add auth blame cat changelist checkout cleanup commit copy delete diff export help import info
  list lock log merge mergeinfo mkdir move patch propdel propedit propget proplist propset relocate
  resolve resolved revert status switch unlock update upgrade
`;

const linesOf = (text: string): (readonly [string, string[]])[] =>
  text
    .trim()
    .replaceAll(/\n[ \t]+/g, " ")
    .split("\n")
    .map((line) => {
      const at = line.indexOf(":");
      return [
        line.slice(0, at),
        line
          .slice(at + 1)
          .trim()
          .split(" "),
      ] as const;
    });

/** `npm urn` → `run`. */
const nameOf: ReadonlyMap<string, string> = new Map(
  linesOf(aliases).flatMap(([key, others]) => {
    const [program, name] = key.split(" ") as [string, string];
    return others.map((other) => [`${program} ${other}`, name] as const);
  }),
);
const own: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  linesOf(ownNames).map(([program, names]) => [program, new Set(names)]),
);

const isFlag = (word: string | null): boolean => word !== null && /^-./.test(word);

type Words = readonly (string | null)[];

/** The program and its words as everybody calls them: `docker-compose up` is `docker compose up`. */
export function usualWords(program: string, words: Words): [program: string, words: Words] {
  if (program === "docker-compose") return usualWords("docker", ["compose", ...words]);
  let left = words.some((word, at) => isFlag(word) && !words.slice(0, at).some(isName)) ? 2 : 1;
  // gh has names of its own at the second place too.
  if (program === "gh") left += 1;
  const joined = program === "docker" ? joinNouns(words) : words;
  return [
    program,
    joined.map((word) => {
      if (word === null || isFlag(word) || left <= 0) return word;
      left -= 1;
      return nameOf.get(`${program} ${word}`) ?? word;
    }),
  ];
}

const isName = (word: string | null): boolean => word !== null && !isFlag(word);

/** `docker container rm` is `docker rm`, `docker image rm` is `docker rmi`. */
function joinNouns(words: Words): Words {
  const at = words.findIndex(isName);
  const [noun, verb] = [words[at], words[at + 1]];
  if ((noun !== "container" && noun !== "image") || verb == null) return words;
  const both = `${noun}-${verb}`;
  return [
    ...words.slice(0, at),
    nameOf.has(`docker ${both}`) ? both : verb,
    ...words.slice(at + 2),
  ];
}

const lifecycle = new Set(["test", "start", "stop", "restart"]);

/** `npm run test` is also `npm test`, `yarn run x` also `yarn x`: without the `run`, where it may go. */
export function withoutRun(program: string, words: Words): Words | undefined {
  const at = words.findIndex(isName);
  const script = words[at + 1];
  if (words[at] !== "run" || script == null) return undefined;
  const isOptional =
    /^(?:yarn|pnpm|bun)$/.test(program) || (program === "npm" && lifecycle.has(script));
  return isOptional ? words.filter((_, index) => index !== at) : undefined;
}

/** The program has subcommands, and the one that is given is none that is known. */
export function isUnknownSubcommand(program: string, words: Words): boolean {
  const spec = specOf(program);
  const names = own.get(program);
  if (!spec || !(spec.subcommands || names)) return false;
  const fields = words.map((word) => ({ ...known(word ?? ""), value: word }));
  const sub = readOptions(fields, strictTable(spec)).operands[0]?.value;
  if (sub == null || nameOf.has(`${program} ${sub}`)) return false;
  const isListed =
    names?.has(sub) === true ||
    (spec.subcommands !== undefined && Object.hasOwn(spec.subcommands, sub)) ||
    spec.otherNames?.split(" ").includes(sub) === true;
  return !isListed;
}

/** `./t` may be a link: the command under the name of the program where it leads. */
export function linkedPrograms(
  command: SimpleCommand,
  { facts }: { facts: (path: string) => { real: string } },
): SimpleCommand[] {
  const [written] = command.argv;
  if (!written?.includes("/")) return [];
  const places = written.startsWith("/") ? [""] : (command.cwds ?? []).map((cwd) => `${cwd}/`);
  const names = places.map((place) => facts(`${place}${written}`).real.replace(/^.*\//, ""));
  return [...new Set(names)]
    .filter((name) => name !== command.name && name !== "")
    .map((name) => ({
      ...command,
      name,
      bareText: command.bareText.replace(/^\S+/, () => name),
    }));
}
