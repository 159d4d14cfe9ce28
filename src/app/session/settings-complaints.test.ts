import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSettings } from "../../settings/load-settings.ts";
import { tempProject } from "../../testing/temp-project.ts";
import { refuseBrokenPolicy } from "./settings-complaints.ts";

test("nothing runs while a settings file that may forbid things cannot be read; a broken list of servers is only named", () => {
  using project = tempProject({ ".mcp.json": "{bad" });
  const managed = join(project.home, "managed");
  const problems = () =>
    loadSettings({
      cwd: project.root,
      configDir: join(project.home, ".claude"),
      managedDir: managed,
    }).problems;
  expect(problems()).toHaveLength(1);
  expect(() => refuseBrokenPolicy(problems(), managed)).not.toThrow();
  mkdirSync(managed);
  writeFileSync(join(managed, "managed-settings.json"), '{"permissions": {"deny": ["Bash"]},}');
  expect(() => refuseBrokenPolicy(problems(), managed)).toThrow(
    /managed-settings\.json:1: .*nothing runs before it can be read/,
  );
  writeFileSync(join(managed, "managed-settings.json"), '{"permissions": {"deny": ["Bash"]}}');
  expect(() => refuseBrokenPolicy(problems(), managed)).not.toThrow();
  for (const file of ["settings.json", "settings.local.json"]) {
    project.write(`.claude/${file}`, "{bad");
    expect(() => refuseBrokenPolicy(problems(), managed)).toThrow(
      new RegExp(`${file}:1: .*It may forbid things, so nothing runs before it can be read`),
    );
    project.write(`.claude/${file}`, "{}");
  }
});
