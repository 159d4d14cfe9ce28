// A real terminal for a test: tmux with a server of its own. What is on the screen can be read, keys can be pressed, and it can be torn away.
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { waitUntil } from "./wait-until.ts";

export type Terminal = {
  screen(): string;
  /** As `tmux send-keys` names them: "Enter", "C-b", "Down". */
  press(...keys: string[]): void;
  until(what: RegExp, withinMs?: number): Promise<string>;
  /** The window is gone, as when somebody closes it. */
  tear(): void;
};

/** True where tmux is installed; the tests that need it are skipped elsewhere. */
export const hasTmux = spawnSync("tmux", ["-V"], { stdio: "ignore" }).status === 0;

/** Runs a shell line in a terminal of 120 columns; when it ends, the screen says `[exit N]`. */
export function openTerminal(
  line: string,
  { cwd, env }: { cwd: string; env: Record<string, string> },
): Terminal {
  const server = `retinue-${randomBytes(6).toString("hex")}`;
  const tmux = (...args: string[]): string =>
    spawnSync("tmux", ["-L", server, "-f", "/dev/null", ...args], {
      encoding: "utf8",
      cwd,
      env: { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color", LC_ALL: "C.UTF-8", ...env },
    }).stdout;
  tmux(
    "new-session",
    "-d",
    "-x",
    "120",
    "-y",
    "50",
    "/bin/sh",
    "-c",
    `${line}; echo "[exit $?]"; sleep 600`,
  );
  const terminal: Terminal = {
    screen: () => tmux("capture-pane", "-p", "-J", "-S", "-200"),
    press: (...keys) => void tmux("send-keys", ...keys),
    async until(what, withinMs = 15_000) {
      try {
        return await waitUntil(
          () => (what.test(terminal.screen()) ? terminal.screen() : undefined),
          { withinMs },
        );
      } catch {
        throw new Error(`${String(what)} did not come; the screen shows:\n${terminal.screen()}`);
      }
    },
    tear: () => void tmux("kill-server"),
  };
  return terminal;
}
