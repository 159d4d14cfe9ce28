// Reads where a server of this command listens: a port, or a host and a port.
import { InvalidArgumentError } from "commander";

export type ListenAddress = { host: string; port: number };

/** Without a host it listens on this machine alone. */
export function listenAddress(text: string): ListenAddress {
  const found = /^(?:(.+):)?(\d{1,5})$/.exec(text);
  const port = Number(found?.[2]);
  if (!found || port > 65_535)
    throw new InvalidArgumentError("expected a port, or host:port (0.0.0.0:9080).");
  return { host: found[1] ?? "127.0.0.1", port };
}
