// `npm run bench -- workspace [FILES…]`: a run's folder under git checkpoints, for repositories of 1,000 and 20,000 files: a new folder, a call that
// changed nothing, a call that changed one file (of which the push alone), and another machine that goes on, with and without a mirror of its own.
import { execFileSync } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildSync } from "esbuild";
import { root } from "./support/root.mjs";

export const summary =
  "checkpoint, push and going on elsewhere, by the size of the repository ([FILES…], 1000 20000)";

const filesAFolder = 50;
const rounds = 7;

export async function run(args = []) {
  const sizes = args.length > 0 ? args.map(Number) : [1_000, 20_000];
  const base = mkdtempSync(join(tmpdir(), "retinue-workspace-"));
  let isRight = true;
  try {
    const library = await bundled(base);
    for (const files of sizes) isRight = (await measure(library, base, files)) && isRight;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  return isRight;
}

async function bundled(base) {
  const outfile = join(base, "workspace.mjs");
  buildSync({
    entryPoints: [join(root, "src/restate/workspace/git-workspaces.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return import(pathToFileURL(outfile).href);
}

async function measure({ gitWorkspaces }, base, files) {
  const remote = join(base, `remote-${files}.git`);
  makeRemote(join(base, `source-${files}`), remote, files);
  const machine = (name) =>
    gitWorkspaces({
      folder: join(base, `${name}-${files}`),
      remote,
      setup: null,
      onTrouble: (message) => console.log(message),
    });
  const owner = { sessionId: randomUUID(), agentId: `a${randomBytes(8).toString("hex")}` };
  const order = (attempt) => ({ startedAt: 1, attempt });
  const first = machine("first");
  const beginning = await first.begin();
  const tree = first.tree(owner, beginning, order(1));
  const newFolderMs = await timed(() => tree.arrive());
  await tree.checkpoint("warm");

  const unchanged = await median(() => tree.checkpoint("nothing"));
  const changed = await median((round) => {
    appendFileSync(join(tree.path, "folder-0", "file-0.txt"), `round ${round}\n`);
    return tree.checkpoint("Edit");
  });
  const push = await median((round) => pushAlone(base, remote, `${files}-${round}`));

  const plain = join(base, `plain-${files}`);
  const plainMs = await timed(() => git(base, "clone", "-q", "--shared", remote, plain));
  const warm = machine("warm");
  await warm.begin();
  const other = warm.tree(owner, tree.state, order(2));
  const elsewhereMs = await timed(() => other.arrive());
  const cold = machine("cold").tree(owner, tree.state, order(3));
  const coldMs = await timed(() => cold.arrive());
  const text = (path) => readFileSync(join(path, "folder-0", "file-0.txt"), "utf8");
  const isSame = text(other.path) === text(tree.path) && text(cold.path) === text(tree.path);
  const again = await timed(() => first.tree(owner, tree.state, order(4)).arrive());
  console.log(
    JSON.stringify({
      files,
      newFolderMs,
      nothingChangedMs: unchanged,
      oneFileChangedMs: changed,
      ofWhichPushAloneMs: push,
      goesOnElsewhereMs: elsewhereMs,
      againstPlainCheckout: Number((elsewhereMs / plainMs).toFixed(2)),
      goesOnWithoutMirrorMs: coldMs,
      goesOnOnTheSameMachineMs: again,
      sameFiles: isSame,
    }),
  );
  return isSame;
}

/** The same push by hand, of a commit that was there before: what no checkpoint can save. */
function pushAlone(base, remote, name) {
  const commit = git(remote, "commit-tree", "HEAD^{tree}", "-p", "HEAD", "-m", name);
  const copy = join(base, "push.git");
  if (name.endsWith("-0")) {
    rmSync(copy, { recursive: true, force: true });
    git(base, "clone", "-q", "--bare", remote, copy);
  }
  const objects = join(remote, "objects");
  writeFileSync(join(copy, "objects/info/alternates"), `${objects}\n`);
  return timed(() => git(copy, "push", "-q", remote, `${commit}:refs/bench/${name}`));
}

function makeRemote(source, remote, files) {
  for (let at = 0; at < files; at += 1) {
    const folder = join(source, `folder-${Math.floor(at / filesAFolder)}`);
    if (at % filesAFolder === 0) mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file-${at}.txt`), `line of file ${at}\n`.repeat(60));
  }
  git(source, "init", "-q");
  git(source, "add", ".");
  git(source, "commit", "-qm", "first");
  git(source, "clone", "-q", "--bare", ".", remote);
}

function git(cwd, ...args) {
  return execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();
}

async function timed(work) {
  const started = performance.now();
  await work();
  return Math.round(performance.now() - started);
}

/** Of what the work took, or of the time that it returns. */
async function median(work) {
  const times = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    const told = await work(round);
    times.push(typeof told === "number" ? told : Math.round(performance.now() - started));
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)];
}
