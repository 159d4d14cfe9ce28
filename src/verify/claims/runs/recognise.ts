// Which claims a command line can prove: its programs against the table of known tools, the project's
// own scripts taken apart first. A version, a list, a dry run, a watch is no run; a program that prints
// is none either.
import { isAbsolute, posix, relative } from "node:path";
import { checkAllNames } from "./tables/script-names.ts";
import type { KnownTool } from "./tables/known-tools.ts";
import type { Recognised, Recognition } from "./tables/recognition.ts";
import { carried } from "./arguments-of.ts";
import { homeOf, managers, scriptOf, type Project, type Script } from "./script-of.ts";
import { inContainer, isDryRun, isPrinter, mayRunNoTests, noRun, skipsTests } from "./no-run.ts";
import { editsUnseen } from "./tables/take-writes.ts";
import { byName, tablePrograms, takeOther, takeUnknown } from "./tables/take-other.ts";
import { namedSubjects, toolsFor } from "./tools-for.ts";
import { partsOf } from "./scope/parts-of.ts";
import { programsOf, weaker, type Program, type Proof } from "./programs-of.ts";

const deepest = 5;

const nothing = (): Recognition => ({
  runs: [],
  unknown: null,
  isOpaque: false,
  executes: false,
  runsOther: false,
  mayWrite: false,
  mayEdit: false,
  rehearsed: [],
});

export function recognise(command: string, cwd: string, project: Project): Recognition {
  const found = nothing();
  for (const program of programsOf(command, cwd))
    takeProgram(program, { found, project, depth: 0 });
  return found;
}

/** Nothing but programs that print or look at files: they fail when they find nothing. */
export const looksOnly = (command: string): boolean =>
  programsOf(command, "/").every(({ argv }) => noRun(argv));

type Taking = { found: Recognition; project: Project; depth: number };

function takeProgram(program: Program, taking: Taking): void {
  const { found, project, depth } = taking;
  const named: Program = {
    ...program,
    argv: [plainProgram(program.argv[0]), ...program.argv.slice(1)],
  };
  const { argv, proof } = named;
  found.mayEdit ||= named.isDisguised || editsUnseen(argv);
  if (noRun(argv)) return takeRehearsal(named, project, found);
  if (named.isDisguised) return void (found.executes = true);
  if (takeLine(named, taking) || takeRunner(program, taking)) return;
  const inner = depth < deepest ? carried(argv, (name) => tablePrograms.has(name)) : undefined;
  const folder = folderOf(named.cwd, project);
  if (inner) return takeCarried(inner, { named, folder }, taking);
  const script = depth < deepest ? scriptOf(named, folder, project) : undefined;
  const binary = script?.texts === null ? binaryOf(argv, script) : undefined;
  if (binary) return takeCarried(binary, { named, folder }, taking);
  if (script) return takeScript({ script, proof, argv }, taking);
  takeTools(toolsFor(argv), { named, folder }, found);
}

function takeTools(
  tools: readonly KnownTool[],
  { named, folder }: { named: Program; folder: string },
  found: Recognition,
): void {
  // A service of a container file may run anything.
  if (tools.length === 0 && inContainer(named.argv)) takeUnknown("a container", found, true);
  if (tools.length === 0) return takeOther(named, folder, found);
  found.executes = true;
  // `cargo run` builds the thing, and runs it.
  found.runsOther ||= /^(?:run|bench)$/.test(named.argv[1] ?? "") && !managers.has(named.argv[0]!);
  const runs = tools.map((tool) => recognised(tool, named, folder));
  found.mayWrite ||= tools.some(({ fixes, subjects }) => fixes || !checks.has(subjects[0]!));
  found.mayEdit ||= runs.some(({ fixes }) => fixes);
  found.runs.push(...runs);
}

/** What the project's owner says of a command outweighs what its name or its text says. */
function takeRunner(program: Program, { found, project }: Taking): boolean {
  const subjects = namedSubjects(program, project.runners);
  if (subjects.length === 0) return false;
  const [proof, folder] = [program.proof, folderOf(program.cwd, project)];
  Object.assign(found, { executes: true, mayWrite: true, mayEdit: true });
  found.runs.push({ ...byName("", { proof, folder, parts: [] }), subjects });
  return true;
}

/** What a container is told to run may be a line of shell. */
function takeLine({ argv, proof, cwd }: Program, taking: Taking): boolean {
  const { project, depth } = taking;
  const isShell = /^(?:ba|z|da)?sh$/.test(argv[0] ?? "") && /^-l?c$/.test(argv[1] ?? "");
  const line = isShell ? argv[2] : undefined;
  if (line == null || depth === 0 || depth >= deepest) return false;
  for (const one of programsOf(line, cwd ?? project.root))
    takeProgram({ ...one, proof: weaker(proof, one.proof) }, { ...taking, depth: depth + 1 });
  return true;
}

/** A dry run of a delivery delivers nothing, but it builds what it would deliver. */
function takeRehearsal(named: Program, project: Project, found: Recognition): void {
  if (isPrinter(named.argv)) return;
  const subjects = toolsFor(named.argv).flatMap((tool) => tool.subjects);
  const own = subjects.filter((subject) => subject === "publish" || subject === "deploy");
  found.rehearsed.push(...own);
  if (!own.includes("publish") || !named.argv.some(isTried)) return;
  found.executes = true;
  const proof = weaker(named.proof, "piped");
  const folder = folderOf(named.cwd, project);
  found.runs.push({ ...byName("", { proof, folder, parts: [] }), subjects: ["build", "types"] });
}

const isTried = (word: string | null): boolean => isDryRun(word) || word === "--snapshot";

function takeCarried(
  inner: (string | null)[],
  { named, folder }: { named: Program; folder: string },
  taking: Taking,
): void {
  const { project, depth } = taking;
  const isManager = managers.has(named.argv[0] ?? "");
  const { home } = isManager
    ? homeOf(named.argv.slice(0, -inner.length), { folder, workspace: undefined, project })
    : { home: folder };
  const cwd = home === folder ? named.cwd : posix.join(project.root, home);
  const called = inner[0] ?? "";
  takeProgram({ ...named, argv: inner, called, cwd }, { ...taking, depth: depth + 1 });
}

/** `pnpm vitest` runs the program where no script has that name. */
export function binaryOf(argv: Program["argv"], { name }: Script): (string | null)[] | undefined {
  if (!managers.has(argv[0] ?? "") || argv[0] === "npm" || !tablePrograms.has(name))
    return undefined;
  return argv.slice(argv.indexOf(name));
}

const checks: ReadonlySet<string> = new Set([
  "tests",
  "types",
  "lint",
  "format",
  "security",
  "checks",
]);

/** What a script runs decides; where nobody knows that, its name does. */
function takeScript(
  { script, proof, argv }: { script: Script; proof: Proof; argv: Program["argv"] },
  taking: Taking,
): void {
  const { found, project, depth } = taking;
  // A script that is not there ends well under this option.
  if (argv.includes("--if-present") && script.texts === null) return;
  const inside = nothing();
  const cwd = posix.join(project.root, script.folder);
  for (const text of script.texts ?? [])
    for (const program of programsOf([text, ...script.rest].join(" "), cwd))
      takeProgram(
        { ...program, proof: weaker(proof, program.proof) },
        { found: inside, project, depth: depth + 1 },
      );
  found.runs.push(...inside.runs);
  const isFound = script.texts !== null;
  for (const may of ["executes", "mayWrite", "mayEdit"] as const)
    found[may] ||= inside[may] || !isFound;
  found.runsOther ||= inside.runsOther;
  // A script that only prints proves nothing, whatever it is called; one that also runs a program of the
  // project may be what its name says.
  if (isFound && !inside.executes) return;
  if (inside.runs.length === 0 || (inside.isOpaque && checkAllNames.test(script.name)))
    takeNamed({ script, proof, argv }, found);
}

function takeNamed(
  { script, proof, argv }: { script: Script; proof: Proof; argv: Program["argv"] },
  found: Recognition,
): void {
  const { name, folder } = script;
  const named = byName(name, { proof, folder, parts: script.rest.filter(isPlain) });
  const subjects = [...named.subjects, ...(checkAllNames.test(name) ? (["checks"] as const) : [])];
  const fixes = /(?:^|[:._-])(?:fix|write)$/.test(name);
  const mayBeEmpty = mayRunNoTests(argv, subjects);
  if (subjects.length > 0) found.runs.push({ ...named, subjects, fixes, mayBeEmpty });
  else takeUnknown(name, found, true);
}

const isPlain = (word: string): boolean => !word.startsWith("-");

export const plainProgram = (name: string | null | undefined): string =>
  (name ?? "")
    .replace(/^(?:gradlew|mvnw|mvnd)$/, (one) => (one === "gradlew" ? "gradle" : "mvn"))
    .replace(/\.(?:bat|cmd|exe|c?js|mjs)$/, "")
    .replace(/^(python|pip|php|ruby)[\d.]+$/, "$1");

export function folderOf(cwd: string | null, { root }: Project): string {
  if (cwd === null) return ".";
  const rest = isAbsolute(cwd) ? relative(root, cwd) : cwd;
  // A folder that holds the project runs it too.
  if (rest === "" || /^\.\.(?:\/\.\.)*$/.test(rest)) return ".";
  return rest.startsWith("..") ? cwd : rest;
}

function recognised(tool: KnownTool, { argv, proof }: Program, folder: string): Recognised {
  const words = argv.filter((word): word is string => word !== null).slice(1);
  const subjects = skipsTests(argv)
    ? tool.subjects.filter((subject) => subject !== "tests" && subject !== "checks")
    : tool.subjects;
  const fixes =
    tool.fixes ||
    words.some((word) => /^(?:--fix|--write|--apply|-a|-A|--autocorrect\S*)$/.test(word));
  return {
    subjects,
    ecosystem: tool.ecosystem,
    proof,
    parts: partsOf(tool, argv),
    folder,
    fixes: fixes && tool.subjects[0] !== "tests",
    mayBeEmpty: mayRunNoTests(argv, subjects),
  };
}
