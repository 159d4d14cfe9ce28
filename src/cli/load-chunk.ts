// Loads the files of the bundled command with the code that V8 compiled of them at an earlier start.
// That code lies beside the trust store, because whoever can write there decides what runs.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Script } from "node:vm";
import { claudeConfigDir } from "../base/files/project-folders.ts";

/** Not among the limits: the first file of the command reads nothing that it does not need. */
const auditHeapGrowthPercent = 50;

/** The sum is that of the file's bytes: V8 compares no more than the length of the text. */
type Chunk = { name: string; sum: number; script: Script; module: { exports: unknown } };
type KeptCode = { sum: number; code: Buffer };
/** A kept file: the sum of what follows, the length of the index, the index, the code. */
type Index = [name: string, sum: number, bytes: number][];

const headBytes = 8;
const refreshMs = 86_400_000;
const unusedMs = 30 * refreshMs;

const folder = join(import.meta.dirname, "chunks");
const loaded = new Map<string, Chunk>();
let kept = new Map<string, KeptCode>();
let isKept = false;
let isWhole = true;
let outside: NodeJS.Require | undefined;

/**
 * Uses what is kept for a command, and keeps it anew at the end if something was missing or a day
 * has passed. The folder is that of the trust store, which is not created here.
 */
export function keepCompiledCode(command: string): void {
  const { cachedDataVersionTag, setFlagsFromString } = process.getBuiltinModule("node:v8");
  // Node 20 begins to optimise undici's parser (WebAssembly) at its first few bytes, and ends no
  // process before it is done. Kept code is bound to the flags: they are set before any.
  if (process.versions.v8.startsWith("11.")) setFlagsFromString("--wasm-tiering-budget=1000000000");
  // An audit reads one tree after the other: V8 lets four times of what is in use pile up before it
  // looks for what was let go.
  if (command === "audit") setFlagsFromString(`--heap-growing-percent=${auditHeapGrowthPercent}`);
  const own = join(claudeConfigDir(), "retinue");
  // A first start may be the only one, in a container: it does not pay for the next.
  if (!existsSync(own)) return;
  const file = join(own, "compiled", `${command}-${sumOf(folder)}-${cachedDataVersionTag()}`);
  isKept = true;
  kept = readKept(file);
  process.on("exit", () => {
    try {
      if (!isWhole) writeKept(file);
    } catch {
      // The next start compiles again.
    }
  });
}

/** What a file of the bundle exports, as `require` gives it. */
export function loadChunk(name: string): unknown {
  const found = loaded.get(name);
  if (found) return found.module.exports;
  const path = join(folder, name);
  const chunk = compile(path, name);
  loaded.set(name, chunk);
  const { module, script } = chunk;
  (script.runInThisContext() as (...given: unknown[]) => void)(
    module.exports,
    requireFrom,
    module,
    pathToFileURL(path).href,
    async (id: string) => requireFrom(id),
    async (id: string): Promise<unknown> => import(id),
  );
  return module.exports;
}

function requireFrom(id: string): unknown {
  if (id.startsWith("./")) return loadChunk(id.slice(2));
  outside ??= process.getBuiltinModule("node:module").createRequire(join(folder, "any.cjs"));
  return outside(id);
}

function compile(path: string, name: string): Chunk {
  const { Script } = process.getBuiltinModule("node:vm");
  const bytes = readFileSync(path);
  const sum = isKept ? sumOf(bytes) : 0;
  const known = kept.get(name);
  const cachedData = known?.sum === sum ? known.code : undefined;
  // The names are those that the build writes: see `chunkFormat` in scripts/bundle-command.mjs.
  const text = `(function(exports,require,module,__url,__later,__import){${bytes.toString()}\n})`;
  const script = new Script(text, {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  if (!cachedData || script.cachedDataRejected) isWhole = false;
  return { name, sum, script, module: { exports: {} } };
}

function readKept(file: string): Map<string, KeptCode> {
  const found = new Map<string, KeptCode>();
  try {
    const { uid, mode, mtimeMs } = statSync(file);
    // Code that somebody else wrote, or could have written, is not run.
    if (uid !== process.getuid?.() || (mode & 0o022) !== 0) return found;
    const bytes = readFileSync(file);
    if (bytes.readUInt32LE(0) !== sumOf(bytes.subarray(4))) return found;
    let at = headBytes + bytes.readUInt32LE(4);
    for (const [name, sum, length] of JSON.parse(bytes.toString("utf8", headBytes, at)) as Index) {
      found.set(name, { sum, code: bytes.subarray(at, at + length) });
      at += length;
    }
    if (Date.now() - mtimeMs > refreshMs) isWhole = false;
  } catch {
    // Nothing is kept, or nothing that can be read.
  }
  return found;
}

function writeKept(file: string): void {
  const codes = new Map([...kept].filter(([name]) => existsSync(join(folder, name))));
  for (const { name, sum, script } of loaded.values())
    codes.set(name, { sum, code: script.createCachedData() });
  const index: Index = [...codes].map(([name, { sum, code }]) => [name, sum, code.length]);
  const text = Buffer.from(JSON.stringify(index));
  const bytes = Buffer.concat([
    Buffer.alloc(headBytes),
    text,
    ...[...codes.values()].map(({ code }) => code),
  ]);
  bytes.writeUInt32LE(text.length, 4);
  bytes.writeUInt32LE(sumOf(bytes.subarray(4)), 0);
  const within = dirname(file);
  mkdirSync(within, { recursive: true, mode: 0o700 });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, bytes, { mode: 0o600 });
  renameSync(fresh, file);
  for (const name of readdirSync(within))
    if (Date.now() - statSync(join(within, name)).mtimeMs > unusedMs)
      rmSync(join(within, name), { recursive: true, force: true });
}

const sumOf = (data: string | Buffer): number => process.getBuiltinModule("node:zlib").crc32(data);
