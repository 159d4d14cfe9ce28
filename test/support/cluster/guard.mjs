// Runs a program and ends it when whoever started this is gone, however that happened: its input closes with it. First line: the program's pid.
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
process.stdout.write(`pid ${child.pid}\n`);
const end = () => {
  child.kill("SIGCONT");
  child.kill("SIGKILL");
};
process.stdin.on("end", end).on("error", end).resume();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, end);
child.on("exit", () => process.exit(0));
child.on("error", () => process.exit(1));
