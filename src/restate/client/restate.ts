// The executor that runs agents on other machines: it hands settled specs to a gateway and follows
// them. Nothing of the engine is loaded here.
import { RetinueError, errorText } from "../../base/errors.ts";
import type { RunOutcome } from "../../events/outcome.ts";
import type { RunSpec } from "../../events/run-spec.ts";
import type { Catalog } from "../../executors/catalog.ts";
import type { Executor, Watch } from "../../executors/executor.ts";
import { createLocalExecutor } from "../../executors/local.ts";
import { isDetached } from "../../loop/ports.ts";
import { outcomeWithout } from "../../manager/session/agent-result.ts";
import { readTail } from "../../transcripts/reading/read-tail.ts";
import { GatewayRefusal, openGateway, type GatewayClient } from "./gateway-client.ts";
import { CopyPace, RemoteRun, type RemoteParts } from "./remote-run.ts";

/** Where runs go, and as whom. */
export type RestateOptions = {
  /** The gateway: `https://retinue.example`. */
  url: string;
  token: string;
  /** Checked against the token's tenant, where it is given. */
  tenant?: string | undefined;
};

/**
 * Runs sub-agents on the workers behind a gateway: `createManager({ executor: restate({ url, token
 * }) })`. A main thread stays in its own process.
 */
export function restate(options: RestateOptions): (catalog: Catalog) => Executor {
  refuseBadAddress(options);
  const gateway = openGateway(options);
  return (catalog) => remoteExecutor(catalog, gateway);
}

function refuseBadAddress({ url, token }: RestateOptions): void {
  if (!/^https?:\/\/[^\s]+$/.test(url))
    throw new RetinueError(
      "config",
      `restate: url ${JSON.stringify(url)} is no address of a gateway: expected https://host.`,
    );
  if (token === "")
    throw new RetinueError("config", "restate: the token is empty: give the one of your tenant.");
}

function remoteExecutor(catalog: Catalog, gateway: GatewayClient): Executor {
  if (!catalog.here)
    throw new RetinueError("usage", "restate needs the catalog of a manager (createManager).");
  const runs = new Map<string, RemoteRun>();
  const copies = new CopyPace();
  const local = createLocalExecutor(catalog);
  const run = async (spec: RunSpec, watch: Watch): Promise<RunOutcome> => {
    if (spec.isMain) return local.execute(spec, watch);
    try {
      return await held(catalog, spec, async ({ lastSeq, conclude }) => {
        const here = catalog.here!(spec);
        const parts = { spec, watch, here, gateway, copies, conclude };
        const remote = new RemoteRun(parts, lastSeq);
        runs.set(spec.runId, remote);
        return remote.follow();
      });
    } catch (error) {
      return isDetached(watch.signal)
        ? outcomeWithout("stopped", "moved", "this process has let go of it")
        : outcomeWithout("failed", "error", errorText(error));
    } finally {
      runs.delete(spec.runId);
    }
  };
  return {
    isElsewhere: true,
    execute: run,
    attach: run,
    status: (agent) => (agent.isMain ? undefined : catalog.left?.(agent)),
    stop(address) {
      const remote = runs.get(address.runId);
      remote?.stop();
      return remote !== undefined || local.stop(address);
    },
    send(address, message) {
      const remote = runs.get(address.runId);
      remote?.send(message);
      return remote !== undefined || local.send(address, message);
    },
  };
}

/**
 * While it is followed its transcript belongs to this process, and a file says that it was started:
 * if this process dies, `status` tells of the run from that.
 */
async function held(
  catalog: Catalog,
  spec: RunSpec,
  work: (begun: Pick<RemoteParts, "conclude"> & { lastSeq: number }) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const here = catalog.here!(spec);
  const lock = here.lock();
  try {
    const journal = await catalog.journal?.(spec);
    const kept = await journal?.once("open", async () => ({
      value: { lastSeq: lastSeqIn(here.transcript) },
      at: Date.now(),
      attempt: journal.attempt,
    }));
    const conclude = await here.announce();
    let how: "over" | "goes on" = "goes on";
    try {
      const outcome = await work({ lastSeq: kept?.value.lastSeq ?? 0, conclude });
      how = "over";
      return outcome;
    } catch (error) {
      if (error instanceof GatewayRefusal) how = "over";
      throw error;
    } finally {
      await journal?.close(how);
    }
  } finally {
    lock.release();
  }
}

const lastSeqIn = (transcript: string): number =>
  transcript === ""
    ? 0
    : Number(readTail(transcript).findLast(({ seq }) => typeof seq === "number")?.["seq"]) || 0;
