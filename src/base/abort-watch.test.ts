import { describe, expect, test } from "vitest";
import { unwatchAbort, watchAbort, type AbortWatcher } from "./abort-watch.ts";

function watchers(names: string): { heard: string[]; of: Record<string, AbortWatcher> } {
  const heard: string[] = [];
  return {
    heard,
    of: Object.fromEntries(
      names.split("").map((name) => [name, { handleEvent: () => void heard.push(name) }]),
    ),
  };
}

describe("watchAbort", () => {
  test("calls everyone who watches, once, when the signal aborts", () => {
    const { heard, of } = watchers("abc");
    const controller = new AbortController();
    for (const watcher of Object.values(of)) watchAbort(controller.signal, watcher);
    controller.abort();
    controller.abort();
    expect(heard).toEqual(["a", "b", "c"]);
  });

  test.each(["a", "b", "c"])("calls the others when %s was taken back", (gone) => {
    const { heard, of } = watchers("abc");
    const controller = new AbortController();
    for (const watcher of Object.values(of)) watchAbort(controller.signal, watcher);
    unwatchAbort(controller.signal, of[gone]!);
    controller.abort();
    expect(heard.sort().join("")).toBe("abc".replace(gone, ""));
  });

  test("after the first of several was taken back a newcomer is called too", () => {
    const { heard, of } = watchers("abc");
    const controller = new AbortController();
    const { signal } = controller;
    watchAbort(signal, of["a"]!);
    watchAbort(signal, of["b"]!);
    unwatchAbort(signal, of["a"]!);
    watchAbort(signal, of["c"]!);
    controller.abort();
    expect(heard.sort()).toEqual(["b", "c"]);
  });

  test("a thousand waits one after another leave one listener on the signal", () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...given: Parameters<typeof add>) => {
      listeners += 1;
      add(...given);
    };
    for (let wait = 0; wait < 1_000; wait++) {
      const watcher = { handleEvent: () => undefined };
      watchAbort(signal, watcher);
      unwatchAbort(signal, watcher);
    }
    expect(listeners).toBe(1);
  });
});
