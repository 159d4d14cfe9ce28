import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempProject, type TempProject } from "../../testing/temp-project.ts";
import { ownGitEnvironment } from "./own-git.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.email=a@b", "-c", "user.name=a", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

/** A repository whose own configuration names a program that leaves a mark. */
function planted(plant: (project: TempProject, program: string) => void): {
  project: TempProject;
  mark: string;
} {
  const project = tempProject({ "a.txt": "hello\n" });
  const mark = join(project.home, "ran");
  git(project.root, "init", "-q");
  git(project.root, "add", ".");
  git(project.root, "commit", "-qm", "first");
  plant(project, `sh -c 'touch ${mark}; cat'`);
  // The same size, so that git has to look at the content.
  project.write("a.txt", "jello\n");
  return { project, mark };
}

const calls: readonly (readonly string[])[] = [
  ["status", "--porcelain"],
  ["add", "--all"],
  ["ls-files", "--others", "--cached", "--modified"],
  ["worktree", "add", "--detach", "../tree", "HEAD"],
  ["cat-file", "-p", "HEAD:a.txt"],
];

const plants: Record<string, (project: TempProject, program: string) => void> = {
  "a clean filter": (project, program) => (
    project.write(".gitattributes", "*.txt filter=x\n"),
    void git(project.root, "config", "filter.x.clean", program)
  ),
  "a filter process that is required": (project, program) => (
    project.write(".gitattributes", "*.txt filter=x\n"),
    git(project.root, "config", "filter.x.process", program),
    void git(project.root, "config", "filter.x.required", "true")
  ),
  "a filter with signs in its name": (project, program) => (
    project.write(".git/info/attributes", "*.txt filter=a=b.c\n"),
    void git(
      project.root,
      "config",
      "--file",
      project.path(".git/config"),
      "filter.a=b.c.clean",
      program,
    )
  ),
  "a smudge filter": (project, program) => {
    project.write(".gitattributes", "*.txt filter=x\n");
    git(project.root, "add", ".");
    git(project.root, "commit", "-qm", "attributes");
    git(project.root, "config", "filter.x.smudge", program);
  },
  "a filter in an included file": (project, program) => {
    project.write(".gitattributes", "*.txt filter=x\n");
    project.write("more.config", `[FILTER "x"]\n\tclean = ${JSON.stringify(program)}\n`);
    git(project.root, "config", "include.path", "../more.config");
  },
  "a file-system monitor": (project, program) =>
    void git(project.root, "config", "core.fsmonitor", program),
  "a folder of hooks": (project, program) => {
    for (const name of ["post-checkout", "post-index-change", "reference-transaction"]) {
      project.write(`hooks/${name}`, `#!/bin/sh\n${program} </dev/null\n`);
      chmodSync(project.path(`hooks/${name}`), 0o755);
    }
    git(project.root, "config", "core.hooksPath", "hooks");
  },
  "a remote that is asked for what is missing": (project, program) => {
    const blob = git(project.root, "rev-parse", "HEAD:a.txt").trim();
    rmSync(project.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`));
    for (const [key, value] of [
      ["core.repositoryformatversion", "1"],
      ["extensions.partialClone", "o"],
      ["remote.o.promisor", "true"],
      ["remote.o.url", project.root],
      ["remote.o.uploadpack", `${program} </dev/null; false`],
    ])
      git(project.root, "config", key!, value!);
  },
};

describe("a git of our own", () => {
  it.each(Object.entries(plants))("runs nothing for %s", (_, plant) => {
    const { project, mark } = planted(plant);
    try {
      const run = (env: NodeJS.ProcessEnv): void =>
        calls.forEach(
          (args) =>
            void spawnSync("git", args, {
              cwd: project.root,
              env,
              stdio: "ignore",
              timeout: 10_000,
            }),
        );
      run(ownGitEnvironment(project.root, { ...process.env, HOME: project.home }));
      expect(existsSync(mark)).toBe(false);
      git(project.root, "worktree", "prune");
      rmSync(join(project.root, "..", "tree"), { recursive: true, force: true });
      git(project.root, "worktree", "prune");
      project.write("a.txt", "cello\n");
      run({ ...process.env, HOME: project.home });
      expect(existsSync(mark), "an ordinary git runs it: the trap is real").toBe(true);
    } finally {
      project.remove();
    }
  });

  it("keeps the filters of the person's own configuration and the variables that carry one", () => {
    const { project, mark } = planted((project) =>
      project.write(".gitattributes", "*.txt filter=x\n"),
    );
    try {
      const person = {
        ...process.env,
        HOME: project.home,
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "filter.x.clean",
        GIT_CONFIG_VALUE_0: `sh -c 'touch ${mark}; cat'`,
        GIT_DIR: "/nowhere",
      };
      expect(
        spawnSync("git", ["add", "--all"], {
          cwd: project.root,
          env: ownGitEnvironment(project.root, person),
        }).status,
      ).toBe(0);
      expect(existsSync(mark)).toBe(true);
    } finally {
      project.remove();
    }
  });

  it("looks at no repository whose configuration cannot be read", () => {
    const { project } = planted((project) => project.write(".git/config", "[filter\n"));
    try {
      expect(
        spawnSync("git", ["status"], { cwd: project.root, env: ownGitEnvironment(project.root) })
          .status,
      ).not.toBe(0);
      mkdirSync(project.path("plain"));
      rmSync(project.path(".git"), { recursive: true });
      expect(
        spawnSync("git", ["--version"], {
          cwd: project.root,
          env: ownGitEnvironment(project.path("plain")),
        }).status,
      ).toBe(0);
    } finally {
      project.remove();
    }
  });
});
