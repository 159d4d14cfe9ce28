// `retinue agents new`: writes a new definition.
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { RetinueError } from "../../../base/errors.ts";
import { claudeConfigDir } from "../../../base/files/project-folders.ts";
import { writeFileAtomic } from "../../../base/files/write-file-atomic.ts";
import { oneLine } from "../../../base/text/printable.ts";
import { conventionalName, isSafeAgentName } from "../../../definitions/agent-name.ts";
import { newDefinitionText } from "../../../definitions/new-definition.ts";
import type { ExitCode } from "../../command.ts";
import type { Io } from "../../io.ts";

export type NewOptions = {
  /** The project's folder. */
  folder: string;
  description?: string;
  tools?: string;
  model?: string;
  user?: boolean;
};

export function createAgent(
  name: string,
  io: Io,
  { folder: project, user, description, tools, model }: NewOptions,
): ExitCode {
  if (!isSafeAgentName(name)) {
    const better = conventionalName(name);
    throw new RetinueError(
      "unsafe_name",
      `"${oneLine(name, 60)}" cannot be an agent's name: lowercase letters, digits and ` +
        `hyphens${better ? `, for example "${better}"` : ""}`,
    );
  }
  const folder = user ? claudeConfigDir(io.env) : join(project, ".claude");
  const path = join(folder, "agents", `${name}.md`);
  if (existsSync(path))
    throw new RetinueError("usage", `${path} exists already; edit it, or choose another name`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic(path, newDefinitionText({ name, description, tools, model }), { mode: 0o644 });
  io.out(path);
  io.err("Fill in the prompt, then check it with `retinue agents validate`.");
  return 0;
}
