// `npm test`: sees to what the tests need beyond npm, builds the command, checks the code, runs every test. Under CI=true nothing may be skipped.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { provideEngine } from "./engine.mjs";

// command on PATH -> Debian package
const needed = {
  git: "git",
  rg: "ripgrep",
  tmux: "tmux",
  bwrap: "bubblewrap",
  socat: "socat",
  python3: "python3",
  haproxy: "haproxy",
};
const strict = process.env.CI === "true";

const run = (command, args, options = {}) =>
  spawnSync(command, args, { stdio: "inherit", ...options });
const missing = () =>
  Object.keys(needed).filter(
    (command) => run("sh", ["-c", `command -v ${command}`], { stdio: "ignore" }).status !== 0,
  );

function provide() {
  let absent = missing();
  if (
    absent.length &&
    process.getuid?.() === 0 &&
    run("sh", ["-c", "command -v apt-get"], { stdio: "ignore" }).status === 0
  ) {
    console.log(`installing for the tests: ${absent.map((command) => needed[command]).join(" ")}`);
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    run(
      "sh",
      [
        "-c",
        `apt-get update -qq && apt-get install -y -qq --no-install-recommends ${absent.map((command) => needed[command]).join(" ")} >/dev/null`,
      ],
      { env },
    );
    absent = missing();
  }
  for (const command of absent)
    console.log(
      `${strict ? "missing" : "skipped"}: tests that need \`${command}\`; install the package ${needed[command]} to run them`,
    );
  return absent;
}

function step(name, command, args, env = {}) {
  const { status } = run(command, args, {
    env: { ...process.env, ...env, PATH: `node_modules/.bin:${process.env.PATH}` },
  });
  if (status !== 0) console.error(`FAILED ${name}`);
  return status === 0;
}

const absent = provide();
if (!provideEngine()) {
  absent.push("restate-server");
  console.log(
    `${strict ? "missing" : "skipped"}: tests that need \`restate-server\`, which npm offers for Linux on x64`,
  );
}
if (strict && absent.length) process.exit(1);
const files = process.argv.slice(2);
const ok =
  step("build", "node", ["scripts/build.mjs"]) &&
  (files.length > 0 || step("check", "node", ["scripts/check.mjs"]));
mkdirSync("coverage", { recursive: true });
const reporters = [
  "--reporter=default",
  "--reporter=json",
  "--outputFile.json=coverage/tests.json",
];
const passed =
  ok &&
  step("tests", "vitest", ["run", ...reporters, ...files], { RETINUE_MISSING: absent.join(",") });
if (ok) {
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync("coverage/tests.json", "utf8"),
  );
  writeFileSync(
    "coverage/counts.json",
    JSON.stringify({ passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }),
  );
  for (const { assertionResults } of testResults)
    for (const { status, fullName, failureMessages } of assertionResults)
      if (status === "passed" && failureMessages.length > 0)
        console.log(`passed at the second try: ${fullName}\n${failureMessages.join("\n")}`);
  console.log(
    `${numPassedTests} passed, ${numFailedTests} failed${numPendingTests ? `, ${numPendingTests} skipped` : ""}`,
  );
  if (strict && numPendingTests > 0) console.error("FAILED: under CI=true nothing may be skipped");
  if (strict && numPendingTests > 0) process.exit(1);
}
process.exitCode = passed ? 0 : 1;
