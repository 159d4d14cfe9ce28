// The plain words of a command line, and what a program that only carries another one runs.

export type Words = readonly (string | null)[];

/** Options that take a value, so that the word behind them is no argument. */
const withValue = new Set(
  (
    "-C -F -w -p -f -c -n --filter --prefix --workspace --cwd --dir --directory --project --file --config " +
    "--namespace --manifest-path --package --features --target --profile --context -H --host -e --env --env-file " +
    "--rootDir --root -j --jobs --timeout -o --output --reporter -u --user -T --index --service"
  ).split(" "),
);

/** Options of container tools that take a value; `-T` and the like stand alone there. */
const containerValues = new Set(
  (
    "-e --env -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint --env-file " +
    "-f --file --project-directory -c --container -n --namespace -m --memory --platform --index --profile"
  ).split(" "),
);
const containerTools: ReadonlySet<string> = new Set([
  "docker",
  "docker-compose",
  "podman",
  "kubectl",
  "nerdctl",
]);

/** Arguments without options and the values that belong to them. */
export function argumentsOf(words: Words, valued: ReadonlySet<string> = withValue): string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === "--" || word === null || word === undefined) continue;
    if (valued.has(word)) at++;
    else if (!word.startsWith("-") && !word.startsWith("+")) found.push(word);
  }
  return found;
}

/** Programs that run the rest of their line, with the words before it. */
const carriers: readonly string[] = [
  "uv run",
  "poetry run",
  "pipenv run",
  "pdm run",
  "rye run",
  "hatch run",
  "conda run *",
  "micromamba run *",
  "bundle exec",
  "direnv exec *",
  "dotenvx run",
  "doppler run",
  "mise exec",
  "mise x",
  "asdf exec",
  "volta run",
  "corepack",
  "xvfb-run",
  "npx",
  "bunx",
  "pnpx",
  "pnpm exec",
  "pnpm dlx",
  "npm exec",
  "yarn exec",
  "yarn dlx",
  "bun x",
  "docker compose exec *",
  "docker-compose exec *",
  "docker compose run *",
  "docker exec *",
  "docker run *",
  "podman exec *",
  "podman run *",
  "nerdctl exec *",
  "docker-compose run *",
  "podman-compose exec *",
  "kubectl exec *",
  "lando",
  "ddev exec",
  "sail",
  "devenv shell",
  "nix develop",
  "dbx exec",
  "arch",
  "faketime *",
  "rtk",
];

/** Interpreters: a file that has a known program's name is that program. */
const interpreters = /^(?:python|node|ruby|php|perl|deno|bun)$/;

/** What a carrier runs; undefined where the program is none. */
export function carried(
  argv: Words,
  isProgram: (name: string) => boolean,
): (string | null)[] | undefined {
  const file = interpreters.test(argv[0] ?? "") ? argv[1] : undefined;
  if (typeof file === "string" && !file.startsWith("-")) {
    const name = file.slice(file.lastIndexOf("/") + 1);
    const plain = [name, name.replace(/\.[cm]?js$/, "")].find(isProgram);
    if (plain !== undefined) return [plain, ...argv.slice(2)];
  }
  const valued = containerTools.has(argv[0] ?? "") ? containerValues : withValue;
  const args = argumentsOf(argv.slice(1), valued);
  for (const carrier of carriers) {
    const [program, ...words] = carrier.split(" ");
    if (argv[0] !== program || args.length <= words.length) continue;
    if (!words.every((word, index) => word === "*" || word === args[index])) continue;
    const first = args[words.length]!;
    const at = startOf(argv, { first, from: words.length, isProgram });
    return at < 0 ? undefined : innerOf(argv[at]!, argv.slice(at + 1));
  }
  return undefined;
}

/** Where the carried program stands; below zero where there is none. */
function startOf(
  argv: Words,
  { first, from, isProgram }: { first: string; from: number; isProgram: (name: string) => boolean },
): number {
  const at = argv.findIndex((word, index) => index > 0 && word === first);
  // `nix develop -c cabal test`: a known program before it was taken for the value of an option.
  const known = argv.findIndex((word, index) => index > from && isProgram(word ?? ""));
  if (known > 0 && known < at) return known;
  // `sail test` is a task of the carrier, and no `test` of the shell.
  return first === "test" ? -1 : at;
}

/** In a container the module is what runs; elsewhere it stands beside its interpreter already. */
const innerOf = (first: string, rest: Words): (string | null)[] =>
  /^python[\d.]*$/.test(first) && rest[0] === "-m" && rest.length > 1
    ? rest.slice(1)
    : [first.slice(first.lastIndexOf("/") + 1), ...rest];
