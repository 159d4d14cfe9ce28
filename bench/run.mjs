// `npm run bench -- NAME args…` runs bench/NAME.mjs; without a name it lists what there is. A bench that returns false ends with 1.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".mjs") && file !== "run.mjs")
  .map((file) => file.slice(0, -4))
  .sort();
const [name, ...args] = process.argv.slice(2);

if (name === undefined) {
  const width = Math.max(...names.map((one) => one.length));
  console.log("npm run bench -- NAME [args…], where NAME is one of\n");
  for (const one of names)
    console.log(`  ${one.padEnd(width)}  ${(await import(`./${one}.mjs`)).summary}`);
} else if (names.includes(name)) {
  const { run } = await import(`./${name}.mjs`);
  if ((await run(args)) === false) process.exitCode = 1;
} else {
  console.error(`there is no bench "${name}"; there are ${names.join(", ")}.`);
  process.exitCode = 2;
}
