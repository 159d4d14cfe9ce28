// `retinue worker`: runs agents for the machines of a cluster, until it is told to end.
import { join } from "node:path";
import { homeDir } from "../../../base/files/home-dir.ts";
import { registerWorker, runWorker } from "../../../app/worker/run-worker.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { listenAddress, type ListenAddress } from "../../listen-address.ts";

type Flags = {
  listen: ListenAddress;
  events: ListenAddress;
  eventsUrl?: string;
  health: ListenAddress;
  server: string;
  keyFile: string;
  store: string;
  module?: string;
  scratch?: string;
  workspaces?: string;
  remote?: string;
  setup?: string;
  trust?: boolean;
  identityKey?: string[];
  admin?: string;
  address?: string;
};

export const build: CommandModule["build"] = (io, finish) =>
  createCommand("worker", io)
    .description("run agents that gateways hand in, as one of several machines")
    .requiredOption("--key-file <file>", "the cluster's key, the same for all gateways and workers")
    .requiredOption("--store <place>", "where transcripts are kept: a folder or s3://bucket/prefix")
    .option(
      "--listen <[host:]port>",
      "where the engine reaches it",
      listenAddress,
      listenAddress("9080"),
    )
    .option(
      "--events <[host:]port>",
      "where gateways read events",
      listenAddress,
      listenAddress("9081"),
    )
    .option("--events-url <url>", "how gateways reach that address (default: as it listens)")
    .option(
      "--health <[host:]port>",
      "where a balancer asks whether it lives",
      listenAddress,
      listenAddress("9082"),
    )
    .option("--server <url>", "the engine's ingress", "http://127.0.0.1:8080")
    .option("--module <file>", "a JavaScript file that exports tools, hooks or models")
    .option("--scratch <folder>", "where transcripts are written before the store has them")
    .option(
      "--workspaces <folder>",
      "give every run a folder of its own below this one, which follows it (with --remote)",
    )
    .option("--remote <url>", "the git repository that these runs work on")
    .option("--setup <command>", "makes what git ignores in such a folder, as `npm ci` does")
    .option("--trust", "let the folders that runs work in widen what is allowed")
    .option("--identity-key <key...>", "public keys of the engine: nobody else is answered")
    .option("--admin <url>", "with --address: register with the engine at its admin address")
    .option("--address <url>", "this worker, or the balancer before it, as the engine reaches it")
    .addHelpText(
      "after",
      "\nEverything that it is handed runs commands on this machine: let nobody but the engine " +
        "and the gateways reach it. docs/scale-out.md has a set-up of three machines.",
    )
    .action(async (flags: Flags) => {
      const scratch =
        flags.scratch ?? join(homeDir(io.env), ".local", "state", "retinue", "worker");
      const request = { ...flags, scratch, trust: flags.trust === true };
      const worker = await runWorker(
        { ...request, identityKeys: flags.identityKey ?? [] },
        { env: io.env, tell: (line) => io.err(line) },
      );
      if (flags.admin !== undefined && flags.address !== undefined)
        await registerWorker(flags.admin, flags.address);
      io.out(
        `worker ready: engine on ${flags.listen.host}:${worker.port}, events on ` +
          `${flags.events.host}:${worker.eventsPort}, health on ${flags.health.host}:${worker.healthPort}`,
      );
      await untilStopped(io.signal);
      await worker.close();
      finish(0);
    });

export const untilStopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
