// What git ignores and a run needs all the same, as installed packages: a command makes it once for
// a commit, and every new folder gets a copy.
import { createHash } from "node:crypto";
import { execFile } from "node:child_process";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { makePrivateDir } from "../../base/files/make-private-dir.ts";
import { newUuid } from "../../base/ids.ts";
import { limits } from "../../base/limits.ts";
import { createCapture } from "../../process/capture.ts";
import { hostMark } from "../../process/mark.ts";
import { removeTree } from "../../process/remove-tree.ts";
import { scrubEnvironment } from "../../process/sandbox/scrub-environment.ts";
import { spawnGroup } from "../../process/spawn-group.ts";
import type { Mirror } from "./mirror.ts";

export type SetupOptions = {
  mirror: Mirror;
  folder: string;
  command: string;
  env: Readonly<Record<string, string | undefined>>;
};

const copy = promisify(execFile);

export class SetupFiles {
  readonly #options: SetupOptions;
  readonly #made = new Map<string, Promise<string>>();

  constructor(options: SetupOptions) {
    this.#options = options;
  }

  /** Copies what the command made for `base` into a new folder. */
  async addTo(path: string, base: string): Promise<void> {
    const made = await this.#madeFor(base);
    for (const name of ignoredIn(made)) {
      makePrivateDir(dirname(join(path, name)));
      await copy("cp", ["-a", join(made, "tree", name), join(path, name)]);
    }
  }

  #madeFor(base: string): Promise<string> {
    const { command, folder } = this.#options;
    const known = this.#made.get(base);
    if (known) return known;
    const name = createHash("sha256").update(`${base}\n${command}`).digest("hex").slice(0, 32);
    const made = this.#make(join(folder, name), base);
    this.#made.set(base, made);
    // What failed once is tried again by the next run.
    made.catch(() => this.#made.delete(base));
    return made;
  }

  async #make(target: string, base: string): Promise<string> {
    if (existsSync(target)) return target;
    const { mirror } = this.#options;
    const temporary = `${target}.${newUuid()}`;
    const tree = { path: join(temporary, "tree"), index: join(temporary, "index") };
    makePrivateDir(tree.path);
    try {
      await mirror.git(["read-tree", "--reset", "-u", base], { tree });
      await this.#run(tree.path);
      const names = await mirror.git(
        ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"],
        { tree },
      );
      writeFileSync(join(temporary, "ignored"), names);
      renameSync(temporary, target);
    } catch (error) {
      removeTree(temporary);
      // Another worker of this machine was faster.
      if (!existsSync(target)) throw error;
    }
    return target;
  }

  async #run(cwd: string): Promise<void> {
    const { command, env } = this.#options;
    const output = createCapture({ characters: limits.workspace.setupCharacters });
    const { done } = spawnGroup({
      argv: ["/bin/sh", "-c", command],
      cwd,
      env: scrubEnvironment(env),
      mark: hostMark(),
      mergeStderr: true,
      timeoutMs: limits.workspace.setupMs,
      graceMs: limits.bash.graceMs,
      onOutput: (chunk) => output.write(chunk),
    });
    const { ended, exitCode } = await done;
    const { text } = output.close();
    if (ended !== "exit" || exitCode !== 0)
      throw new Error(
        `the workspace's setup command ${JSON.stringify(command)} ended with ` +
          `${ended === "exit" ? `exit ${exitCode}` : ended}: ${text.trim()}`,
      );
  }
}

/** Names that git listed; a name that leads out of the folder cannot be among them. */
const ignoredIn = (made: string): string[] =>
  readFileSync(join(made, "ignored"), "utf8")
    .split("\0")
    .map((name) => name.replace(/\/$/, ""))
    .filter((name) => name !== "" && !name.split("/").includes(".."));
