// The one way out of a sandbox: a proxy on this side that dials listed hosts only, reached through
// a socket file that commands themselves cannot open.

export type HostProxy = {
  /** The command inside a network of its own, whose only door is the proxy. */
  around(bwrap: string, command: readonly string[]): string[];
  close(): Promise<void>;
};

/** On the loopback of the sandbox's own network. */
export const proxyPort = 3128;

// The carrier runs outside the command's own sandbox, so that the command cannot reach the socket
// file, and ends with it. 0C38 is the port.
const carrier = `"$1" TCP4-LISTEN:${proxyPort},bind=127.0.0.1,fork,reuseaddr "UNIX-CONNECT:$2" \\
  </dev/null >/dev/null 2>&1 & door=$!; shift 2
(while kill -0 $$; do sleep 0.5; done; kill $door) </dev/null >/dev/null 2>&1 &
tries=0; until grep -q ":0C38 " /proc/net/tcp || [ $tries -ge 200 ]; do
  tries=$((tries + 1)); sleep 0.01
done
exec "$@"`;

/** Rejects when the runtime that brings the proxy is not installed. */
export async function startSandboxProxy(
  hosts: readonly string[],
  { socketFile, socat }: { socketFile: string; socat: string },
): Promise<HostProxy> {
  const runtime = await loadRuntime();
  const filter = (port: number, host: string): boolean => {
    const name = runtime.isValidHost(host) ? runtime.canonicalizeHost(host) : undefined;
    return (
      name !== undefined &&
      hosts.some((pattern) => runtime.matchesDomainPatternWithPort(name, port, pattern))
    );
  };
  const guard = runtime.createResolvedAddressGuard({ allowedDomains: hosts });
  const parent = runtime.resolveParentProxy();
  const server = runtime.createHttpProxyServer({
    filter,
    lookupFor: (port) => guard.lookupFor(port),
    ...(parent === undefined ? {} : { parentProxy: parent }),
  });
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(socketFile, resolve),
  );
  server.unref();
  return {
    // No numbers of its own for processes: the sandbox inside looks itself up in /proc, which is
    // the one outside.
    around: (bwrap, command) => [
      bwrap,
      "--unshare-user",
      "--unshare-net",
      "--die-with-parent",
      "--dev-bind",
      "/",
      "/",
      "--",
      "/bin/sh",
      "-c",
      carrier,
      "sh",
      socat,
      socketFile,
      ...command,
    ],
    close: () =>
      new Promise((resolve) => (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

/**
 * Its parts, because the whole is one configuration for the process, and every run here has its
 * own.
 */
async function loadRuntime() {
  const [server, guard, pattern, parent] = await Promise.all([
    import("@anthropic-ai/sandbox-runtime/dist/sandbox/http-proxy.js"),
    import("@anthropic-ai/sandbox-runtime/dist/sandbox/resolved-address-guard.js"),
    import("@anthropic-ai/sandbox-runtime/dist/sandbox/domain-pattern.js"),
    import("@anthropic-ai/sandbox-runtime/dist/sandbox/parent-proxy.js"),
  ]);
  return { ...server, ...guard, ...pattern, ...parent };
}
