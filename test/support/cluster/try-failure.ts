// Every failure between machines by its name, and what came of one try at it: faults in the middle
// of a story, and what only happens to a story of its own.
import { readFileSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { restate } from "../../../src/restate/index.ts";
import type { Tool } from "../../../src/tool/tool.ts";
import type { ManagerOptions } from "../../../src/app/manager-options.ts";
import type { Cluster } from "./cluster.ts";
import { allowed, bash, faults, storyWith, type Account } from "./failures.ts";

/** The workers have the tools themselves. */
const elsewhere = (name: string, readOnly: boolean): Tool => ({
  name,
  description: "a tool of the workers",
  inputSchema: { type: "object" },
  readOnly,
  parse: (value: unknown) => ({ ok: true, value: value as Record<string, unknown> }),
  execute: async () => ({ content: "never here" }),
});

export const flooding: ManagerOptions = {
  contract: "none",
  permissions: { mode: "acceptEdits", allow: ["Flood", "Stall"] },
  tools: [elsewhere("Flood", true), elsewhere("Stall", false)],
};

export const floods = (turn: number, mebibytes: number) => ({
  tools: [{ id: `t${turn}`, name: "Flood", input: { mebibytes } }],
});

/** A gateway of which the first answer to every POST is lost on its way: the client sends it again. */
async function lossyDoor(gateway: string): Promise<{ url: string; close(): void }> {
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
      const body = Buffer.concat(parts);
      const { method, headers } = request;
      const answer = await new Promise<IncomingMessage>((resolve, reject) =>
        httpRequest(gateway + request.url, { method, headers }, resolve)
          .on("error", reject)
          .end(body),
      );
      const name = `${request.url} ${body.toString()}`;
      const isLost = method === "POST" && !seen.has(name);
      seen.add(name);
      if (isLost) {
        answer.resume();
        request.socket.destroy();
      } else {
        response.writeHead(answer.statusCode!, answer.headers);
        response.on("close", () => answer.destroy());
        answer.on("error", () => response.destroy()).pipe(response);
      }
    })().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Try = (cluster: Cluster, name: string) => Promise<Account>;

const account = (name: string, more: Partial<Account> = {}): Account => ({
  name,
  calls: 1,
  twice: 0,
  interrupted: 0,
  untold: 0,
  problems: [],
  ...more,
});

async function sentTwice(cluster: Cluster, name: string): Promise<Account> {
  const door = await lossyDoor(cluster.gateway);
  const executor = restate({ url: door.url, token: cluster.tokens["web"]! });
  let heard = 0;
  try {
    const found = await storyWith(cluster, {
      name,
      fault: async (_cluster, _run, { send }) => send("a letter"),
      options: {
        executor,
        onEvent(event) {
          if (event.type === "message" && JSON.stringify(event.message).includes("a letter"))
            heard += 1;
        },
      },
    });
    if (heard !== 1) found.problems.push(`the letter was heard ${heard} times`);
    return found;
  } finally {
    door.close();
  }
}

async function largeResult(cluster: Cluster, name: string): Promise<Account> {
  cluster.thinker.tell("flood", ({ turn, last }) =>
    turn === 1 ? floods(1, 40) : `It said ${last}.`,
  );
  const manager = cluster.manager(cluster.project(), flooding);
  const { state, content, error } = await manager.spawn({ description: "f", prompt: "flood" }).done;
  await manager.close();
  const isWhole = state === "completed" && content === "It said flooded.";
  return account(name, { problems: isWhole ? [] : [`${state}: ${content}${error ?? ""}`] });
}

/** Longer than a balancer waits for the answer of a worker. */
const busyMs = 5_000;

async function busyWorker(cluster: Cluster, name: string): Promise<Account> {
  cluster.thinker.tell("stall", ({ turn, last }) =>
    turn === 1 ? { tools: [{ id: "s1", name: "Stall", input: { ms: busyMs } }] } : `It ${last}.`,
  );
  const manager = cluster.manager(cluster.project(), flooding);
  const { state, content, error } = await manager.spawn({ description: "s", prompt: "stall" }).done;
  await manager.close();
  const isWhole = state === "completed" && content === "It stalled.";
  return account(name, { problems: isWhole ? [] : [`${state}: ${content}${error ?? ""}`] });
}

async function longCall(cluster: Cluster, name: string): Promise<Account> {
  const project = cluster.project();
  cluster.thinker.tell("long", ({ turn }) =>
    turn === 1 ? bash("t1", "echo x >> log.txt; sleep 4") : "The call was cut.",
  );
  const setTimeouts = async (inactivity: string, abort: string): Promise<void> => {
    const { ok } = await fetch(`${cluster.engine.admin}/services/RetinueRun`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ inactivity_timeout: inactivity, abort_timeout: abort }),
    });
    if (!ok) throw new Error("the engine does not take these time-outs");
  };
  await setTimeouts("1s", "1s");
  const manager = cluster.manager(project, { ...allowed, contract: "none" });
  try {
    const { state, content, transcript } = await manager.spawn({
      description: "l",
      prompt: "long",
    }).done;
    const isCut = state === "completed" && content === "The call was cut.";
    const isTold = readFileSync(transcript, "utf8").includes('"subtype":"interrupted"');
    return account(name, {
      twice: project.read("log.txt").trim().split("\n").length - 1,
      interrupted: isTold ? 1 : 0,
      untold: isTold ? 0 : 1,
      problems: isCut ? [] : [`${state}: ${content}`],
    });
  } finally {
    await manager.close();
    await setTimeouts("10m", "2h");
  }
}

const tries: Readonly<Record<string, Try>> = {
  ...Object.fromEntries(
    Object.entries(faults).map(([key, fault]): [string, Try] => [
      key,
      (cluster, name) => storyWith(cluster, { name, fault }),
    ]),
  ),
  "every request is sent twice": sentTwice,
  "a result of 40 MiB": largeResult,
  "a worker that is busy for seconds": busyWorker,
  "a call that is longer than the time-outs": longCall,
};

export const failureNames = Object.keys(tries);

export const tryFailure = (cluster: Cluster, name: string): Promise<Account> =>
  tries[name]!(cluster, name);
