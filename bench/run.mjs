// `npm run bench -- NAME args…`: runs bench/NAME.mjs.
const [name, ...args] = process.argv.slice(2);
if (!/^[a-z][a-z-]*$/.test(name ?? "")) {
  console.error("Give the name of a bench: npm run bench -- NAME [args…], where bench/NAME.mjs exists.");
  process.exit(2);
}
const { run } = await import(`./${name}.mjs`);
await run(args);
