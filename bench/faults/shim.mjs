// Between Node and the disk: counts the file calls of a process below RETINUE_FAULT_UNDER, and lets the one with the number RETINUE_FAULT_AT fail with
// an error, or end the process there. Loaded by `node --import`. The count is written beside the folder when the process ends.
import { createRequire, syncBuiltinESMExports } from "node:module";

const fs = createRequire(import.meta.url)("node:fs");
const under = process.env.RETINUE_FAULT_UNDER;
const [at, fault] = (process.env.RETINUE_FAULT_AT ?? "").split(":");
const countTo = process.env.RETINUE_FAULT_COUNT;
const fds = new Set();
let calls = 0;

/** Throws, or does not return, where the fault belongs. */
function step(name) {
  calls += 1;
  if (calls !== Number(at)) return;
  if (fault === "kill") process.kill(process.pid, "SIGKILL");
  throw Object.assign(new Error(`${fault}: injected, ${name}`), { code: fault, syscall: name });
}

const isOurs = (target) =>
  typeof target === "number"
    ? fds.has(target)
    : typeof target === "string" && target.startsWith(under);

const sync = [
  "openSync",
  "writeSync",
  "readSync",
  "fsyncSync",
  "fstatSync",
  "ftruncateSync",
  "renameSync",
  "linkSync",
  "unlinkSync",
  "mkdirSync",
  "writeFileSync",
  "readFileSync",
  "readdirSync",
];
for (const name of sync) {
  const real = fs[name];
  fs[name] = (target, ...rest) => {
    if (!isOurs(target)) return real(target, ...rest);
    step(name);
    const result = real(target, ...rest);
    if (name === "openSync") fds.add(result);
    return result;
  };
}
const { closeSync } = fs;
fs.closeSync = (fd) => {
  fds.delete(fd);
  return closeSync(fd);
};
const { fsync } = fs;
fs.fsync = (fd, done) => {
  if (!isOurs(fd)) return fsync(fd, done);
  try {
    step("fsync");
  } catch (error) {
    return void setImmediate(done, error);
  }
  return fsync(fd, done);
};
syncBuiltinESMExports();
if (countTo)
  process.on("exit", () => {
    const fd = fs.openSync(countTo, "w");
    fs.writeSync(fd, String(calls));
    closeSync(fd);
  });
