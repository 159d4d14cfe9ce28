// `retinue gateway`: the only door to a cluster of workers; checks tokens, bounds what is asked
// for, signs it.
import { checkGateway, runGateway } from "../../../app/worker/run-gateway.ts";
import { newToken } from "../../../restate/gateway/tenants.ts";
import { limits } from "../../../base/limits.ts";
import { wholeNumber } from "../../whole-number.ts";
import { createCommand, type CommandModule } from "../../command.ts";
import { listenAddress, type ListenAddress } from "../../listen-address.ts";
import { untilStopped } from "./worker.ts";

type Flags = {
  listen: ListenAddress;
  server: string;
  keyFile: string;
  store: string;
  tenants: string;
  keepDays: number;
  check?: boolean;
  newToken?: boolean;
  json?: boolean;
};

export const build: CommandModule["build"] = (io, finish) => {
  const command = createCommand("gateway", io);
  const needed = (flags: Partial<Flags>): Flags => {
    for (const name of ["keyFile", "store", "tenants"] as const)
      if (flags[name] === undefined)
        command.error(
          `error: required option '--${name === "keyFile" ? "key-file" : name}' is missing`,
        );
    return flags as Flags;
  };
  return command
    .description("take runs from clients with a token and hand them to the workers of a cluster")
    .option("--key-file <file>", "the cluster's key, the same for all gateways and workers")
    .option("--store <place>", "where transcripts are kept: a folder or s3://bucket/prefix")
    .option("--tenants <file>", "who may hand in runs, and how much each may ask for (JSON)")
    .option(
      "--listen <[host:]port>",
      "where clients reach it",
      listenAddress,
      listenAddress("8090"),
    )
    .option("--server <url>", "the engine's ingress", "http://127.0.0.1:8080")
    .option(
      "--keep-days <days>",
      "how long sessions stay in the store after their last line",
      wholeNumber,
      limits.transcript.cleanupDays,
    )
    .option("--check", "look at everything that it needs, then end")
    .option("--new-token", "print a token for a client, and its hash for the tenants' file")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nIt speaks plain HTTP: put a proxy with TLS before it. /healthz says whether the engine " +
        "is there, /metrics counts runs. docs/scale-out.md explains the tenants' file.",
    )
    .action(async (given: Partial<Flags>) => {
      if (given.newToken) {
        const { token, hash } = newToken();
        io.out(given.json ? JSON.stringify({ token, hash }) : `token  ${token}\nhash   ${hash}`);
        return finish(0);
      }
      const flags = needed(given);
      if (flags.check) {
        const checks = await checkGateway(flags, io.env);
        if (flags.json) io.out(JSON.stringify(checks, undefined, 2));
        else
          for (const { what, ok, detail } of checks)
            io.out(
              `${ok ? io.paint("green", "ok    ") : io.paint("red", "failed")} ${what.padEnd(8)} ${detail}`,
            );
        return finish(checks.every(({ ok }) => ok) ? 0 : 1);
      }
      const gateway = await runGateway(flags, { env: io.env, tell: (line) => io.err(line) });
      io.out(`gateway ready on ${flags.listen.host}:${gateway.port}`);
      await untilStopped(io.signal);
      await gateway.close();
      finish(0);
    });
};
