// Runs a program and ends it when whoever started this is gone, however that happened: its input closes with it. Its fourth channel gets the program's pid.
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });
// What the program prints may come before it on the others, and end without a line.
writeSync(3, `${child.pid}\n`);
const end = () => {
  child.kill("SIGCONT");
  child.kill("SIGKILL");
};
process.stdin.on("end", end).on("error", end).resume();
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, end);
child.on("exit", () => process.exit(0));
child.on("error", () => process.exit(1));
