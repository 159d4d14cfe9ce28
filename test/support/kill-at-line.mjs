// Preloaded into the command (NODE_OPTIONS=--import): ends the process with SIGKILL at one line of a flow's journal, in the middle of its writing or once it is on the disk.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [line, moment] = (process.env["KILL_AT_LINE"] ?? "").split(":");
const { openSync, writeSync, fsyncSync } = fs;
const die = () => process.kill(process.pid, "SIGKILL");
let journal = -1;
let lines = 0;

fs.openSync = (path, ...rest) => {
  const fd = openSync(path, ...rest);
  if (/[/\\]flows[/\\][^/\\]+\.jsonl$/.test(String(path))) journal = fd;
  return fd;
};
fs.writeSync = (fd, data, ...rest) => {
  if (fd !== journal) return writeSync(fd, data, ...rest);
  lines += 1;
  if (lines !== Number(line) || moment !== "torn") return writeSync(fd, data, ...rest);
  writeSync(fd, data.slice(0, data.length / 2));
  return die();
};
fs.fsyncSync = (fd) => {
  fsyncSync(fd);
  if (fd === journal && lines === Number(line)) die();
};
syncBuiltinESMExports();
