// What a start of the command reads: checked on the plan of the bundle, so that a heavy import does not come back unnoticed.
import { beforeAll, describe, expect, it } from "vitest";
import { bundleCommand, commandFile } from "./bundle-command.mjs";

describe("the bundle of the command", () => {
  let outputs;
  beforeAll(async () => ({ outputs } = await bundleCommand({ write: false })));

  /** The files that are read before the first line of an entry runs, their size, and the modules in them. */
  function load(...entryPoints) {
    const files = new Set();
    const visit = (file) => {
      if (files.has(file) || !outputs[file]) return;
      files.add(file);
      for (const { path, kind } of outputs[file].imports)
        if (kind !== "dynamic-import") visit(path);
    };
    for (const entryPoint of entryPoints)
      visit(Object.keys(outputs).find((file) => outputs[file].entryPoint === entryPoint));
    const read = [...files].map((file) => outputs[file]);
    return {
      files: files.size,
      kilobytes: read.reduce((sum, { bytes }) => sum + bytes, 0) / 1024,
      modules: read.flatMap(({ inputs }) => Object.keys(inputs)),
    };
  }
  const entry = "src/cli/retinue.ts";
  const command = (name) => load(entry, "src/cli/start-command.ts", commandFile(name));
  const packages = ({ modules }) =>
    [
      ...new Set(
        modules.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
      ),
    ].sort();

  it("reads next to nothing for the version", () => {
    const { files, kilobytes, modules } = load(entry);
    expect(files).toBe(1);
    expect(kilobytes).toBeLessThan(12);
    expect(modules.filter((file) => file.startsWith("node_modules/"))).toEqual([]);
  });

  it("reads few files for a run, and no library that its first request does not need", () => {
    const run = command("run");
    expect(run.files).toBeLessThanOrEqual(14);
    expect(run.kilobytes).toBeLessThan(1_400);
    expect(packages(run)).toEqual(["commander", "eventsource-parser", "tokenx", "zod"]);
    expect(
      run.modules.filter((file) =>
        /^src\/(?:mcp\/(?!server-config)|(?:checks|flows|patterns|restate|testing)\/)|report-verifier/.test(
          file,
        ),
      ),
    ).toEqual([]);
  });

  it("reads the check of places without the engine of claims, and a run no rule of the shell", () => {
    const { modules } = load("src/manager/run/report-verifier.ts");
    expect(modules).toContain("src/verify/verify-report.ts");
    expect(
      modules.filter((file) =>
        /^src\/(?:verify\/claims\/(?:tree|states|record|project)|permissions\/(?:bash|plain|shell))\//.test(
          file,
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    ["ps", 205],
    ["logs", 200],
    ["agents", 865],
    ["hook", 1_290],
    ["verify", 1_300],
  ])("keeps %s below what a run reads", (name, ceiling) => {
    const { files, kilobytes } = command(name);
    expect(files).toBeLessThanOrEqual(22);
    expect(kilobytes).toBeLessThan(ceiling);
  });
});
