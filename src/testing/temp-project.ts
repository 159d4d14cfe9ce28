// A project on the real disk for one test: files from a map, a home folder of its own, removed
// afterwards.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type TempProject = {
  /** Real paths; neither contains the other. */
  root: string;
  home: string;
  path(name: string): string;
  read(name: string): string;
  write(name: string, text: string | Uint8Array): void;
  remove(): void;
  [Symbol.dispose](): void;
};

/** `remove()` deletes it; so does `using` at the end of its block. */
export function tempProject(files: Record<string, string | Uint8Array> = {}): TempProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "retinue-")));
  const [root, home] = [join(base, "project"), join(base, "home")];
  mkdirSync(root);
  mkdirSync(home);
  const project: TempProject = {
    root,
    home,
    path: (name) => join(root, name),
    read: (name) => readFileSync(join(root, name), "utf8"),
    write(name, text) {
      if (!join(root, name).startsWith(`${base}/`))
        throw new Error(`temp project: ${name} would lie outside of it`);
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
    [Symbol.dispose]: () => project.remove(),
  };
  for (const [name, text] of Object.entries(files)) project.write(name, text);
  return project;
}
