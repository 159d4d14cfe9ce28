// `retinue top` while it is open: reads the records, draws the page, hears the keys. The terminal is
// as before when it ends, by a key, a signal or a fault.
import type { RunRecords, RunsNow } from "../../app/runs/run-records.ts";
import { errorText } from "../../base/errors.ts";
import { limits } from "../../base/limits.ts";
import { oneLine } from "../../base/text/printable.ts";
import {
  openAlternateScreen,
  type AlternateScreen,
} from "../../terminal/screen/alternate-screen.ts";
import { openKeyboard, type Keyboard } from "../../terminal/screen/keyboard.ts";
import { pageRows, topLines } from "../../terminal/top/top-lines.ts";
import {
  emptyTop,
  pressed,
  withAgents,
  type TopView,
  type TopWish,
} from "../../terminal/top/top-view.ts";
import { sessionAgents } from "../../terminal/view/session-agents.ts";
import type { RunOnDisk } from "../../transcripts/reading/list-runs.ts";
import type { Io } from "../io.ts";
import { followLog, type FollowedLog } from "./follow-log.ts";
import { topActions, type TopActions } from "./top-actions.ts";

export type TopStart = { records: RunRecords; scope: string; terminal: NonNullable<Io["status"]> };

/** Returns when the person leaves, or when `io.signal` is aborted. */
export async function runTop(io: Io, start: TopStart): Promise<void> {
  const top = new Top(io, start);
  try {
    await top.run();
  } finally {
    top.close();
  }
}

class Top {
  readonly #io: Io;
  readonly #records: RunRecords;
  readonly #terminal: TopStart["terminal"];
  readonly #screen: AlternateScreen;
  readonly #keys: Keyboard;
  readonly #actions: TopActions;
  #view: TopView;
  #now: RunsNow = { runs: [], flows: [] };
  #log: FollowedLog | undefined;
  #wake = (): void => undefined;
  #isOver = false;
  readonly #draw = (): void => {
    const { columns, rows } = this.#terminal;
    const look = { width: columns, rows, now: Date.now(), paint: this.#io.paintErr };
    this.#screen.draw(topLines(this.#view, look));
  };

  constructor(io: Io, { records, scope, terminal }: TopStart) {
    this.#io = io;
    this.#records = records;
    this.#terminal = terminal;
    this.#view = emptyTop(scope);
    this.#actions = topActions(io);
    this.#screen = openAlternateScreen(terminal);
    this.#keys = openKeyboard(io, {
      onKey: (key) => this.#press(key),
      onLeave: () => this.#screen.leave(),
      onReturn: () => this.#return(),
      keepsAlive: true,
    });
    terminal.on("resize", this.#draw);
    io.signal.addEventListener("abort", this.#leave, { once: true });
  }

  readonly #leave = (): void => {
    this.#isOver = true;
    this.#wake();
  };

  async run(): Promise<void> {
    if (this.#io.signal.aborted) return;
    while (!this.#isOver) {
      await this.#look();
      this.#draw();
      if (this.#isOver) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, limits.top.refreshMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#io.signal.removeEventListener("abort", this.#leave);
    this.#terminal.off("resize", this.#draw);
    this.#keys.close();
    this.#screen.close();
  }

  async #look(): Promise<void> {
    try {
      this.#now = await this.#records.read();
      this.#view = withAgents(this.#view, sessionAgents(this.#now.runs, this.#now.flows));
      if (!this.#view.log) this.#log = undefined;
      if (this.#log) await this.#readLog(this.#log);
    } catch (error) {
      this.#note(errorText(error));
    }
  }

  async #readLog(log: FollowedLog): Promise<void> {
    const lines = await log.read(this.#terminal.columns);
    const shown = this.#view.log;
    // While a person reads further up, what is new does not move the page.
    if (shown)
      this.#view = {
        ...this.#view,
        log: {
          ...shown,
          lines,
          back: shown.back === 0 ? 0 : shown.back + lines.length - shown.lines.length,
        },
      };
  }

  #press(key: string): void {
    if (key === "ctrl-c") return this.#io.interrupt();
    const { view, wish } = pressed(this.#view, key, pageRows(this.#terminal.rows));
    this.#view = view;
    this.#draw();
    if (wish?.wish === "leave") this.#leave();
    else if (wish) void this.#fulfil(wish);
  }

  async #fulfil(wish: Exclude<TopWish, { wish: "leave" }>): Promise<void> {
    const run = this.#now.runs.find(({ agentId }) => agentId === wish.id)?.run;
    if (!run) return this.#note("this run is gone");
    if (wish.wish === "follow") return this.#follow(run);
    this.#note("…");
    try {
      this.#note(await (wish.wish === "answer" ? this.#answer(run) : this.#act(wish, run)));
    } catch (error) {
      this.#note(errorText(error));
    }
    this.#wake();
  }

  #act(wish: Exclude<TopWish, { wish: "leave" }>, run: RunOnDisk): Promise<string> {
    if (wish.wish === "message") return this.#actions.message(run, wish.text);
    if (wish.wish === "resume") return this.#actions.resume(run, wish.text);
    return wish.wish === "stop" ? this.#actions.stop(run) : this.#actions.background(run);
  }

  /** A question has the usual screen and the keyboard to itself. */
  async #answer(run: RunOnDisk): Promise<string> {
    this.#screen.leave();
    const listen = this.#keys.pause();
    try {
      return await this.#actions.answer(run);
    } finally {
      if (!this.#isOver) {
        listen();
        this.#return();
      }
    }
  }

  async #follow(run: RunOnDisk): Promise<void> {
    const agent = this.#now.runs.find(({ agentId }) => agentId === run.agentId);
    const title = `log of ${agent?.name ?? agent?.agentType ?? run.agentId} · ${run.agentId}`;
    this.#log = followLog(run.transcript);
    this.#view = { ...this.#view, log: { id: run.agentId, title, lines: [], back: 0 } };
    await this.#readLog(this.#log).catch((error: unknown) => this.#note(errorText(error)));
    this.#draw();
  }

  #return(): void {
    this.#screen.enter();
    this.#draw();
  }

  #note(text: string): void {
    this.#view = { ...this.#view, note: oneLine(text, 400) };
    this.#draw();
  }
}
