// A build must not take away the command that is linked or runs meanwhile.
import { spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";

it("keeps the old command in its place until the new one is whole", async () => {
  const folder = mkdtempSync(join(tmpdir(), "retinue-build-"));
  try {
    for (const name of ["src", "scripts", "package.json"])
      cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    const command = join(folder, "dist/cli/retinue.js");
    mkdirSync(join(folder, "dist/cli"), { recursive: true });
    writeFileSync(command, "old");
    writeFileSync(join(folder, "dist/cli/stale.js"), "old");
    let [looks, gone] = [0, 0];
    const watch = setInterval(() => {
      looks++;
      if (!existsSync(command)) gone++;
    }, 5);
    const code = await new Promise((done) =>
      spawn(process.execPath, ["scripts/build.mjs", "--cli"], { cwd: folder, stdio: "inherit" }).on(
        "exit",
        done,
      ),
    );
    clearInterval(watch);
    expect(code).toBe(0);
    expect(looks).toBeGreaterThan(10);
    // Between its two renames there is an instant without it.
    expect(gone).toBeLessThanOrEqual(1);
    expect(existsSync(join(folder, "dist/cli/stale.js"))).toBe(false);
    expect(readdirSync(folder).filter((name) => name.startsWith(".dist"))).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
