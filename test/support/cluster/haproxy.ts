// docs/scale-out/haproxy.cfg in front of a cluster on loopback: the same lines with other addresses
// and a certificate of the test's own.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { register, type Cluster } from "./cluster.ts";
import { guardedProcess } from "./guarded-process.ts";
import { repositoryRoot } from "./repository-root.ts";
import { waitUntil } from "../wait-until.ts";
import { freePorts } from "./restate-server.ts";

const isThere = spawnSync("haproxy", ["-v"]).status === 0;
if (!isThere && process.env["CI"] === "true") throw new Error("under CI haproxy must be installed");
if (!isThere) console.log("skipped: the documented balancer (haproxy is not installed)");

export const hasHaproxy = isThere;

export type Haproxy = {
  /** Where clients come in, by TLS. */
  readonly clients: string;
  /** Of the authority that its certificate is from. */
  readonly certificate: string;
  /** The status of an answer to somebody outside. */
  ask(path: string): Promise<number>;
  close(): Promise<void>;
};

export async function startHaproxy(cluster: Cluster): Promise<Haproxy> {
  const folder = mkdtempSync(join(tmpdir(), "retinue-haproxy-"));
  const { pem, certificate } = makeCertificate(folder);
  const [clients, engine] = await freePorts(2);
  const addresses: [string, string][] = [
    ["bind :443", `bind 127.0.0.1:${clients}`],
    ["/etc/haproxy/retinue.pem", pem],
    ["127.0.0.1:8090", new URL(cluster.gateway).host],
    ["bind 10.0.0.10:9088", `bind 127.0.0.1:${engine}`],
    ...["10.0.0.11", "10.0.0.12"].map((host, index): [string, string] => {
      const { port, health } = cluster.workers[index]!;
      return [`${host}:9080 port 9082`, `127.0.0.1:${port} port ${health}`];
    }),
  ];
  let config = readFileSync(join(repositoryRoot, "docs/scale-out/haproxy.cfg"), "utf8");
  for (const [documented, here] of addresses) {
    if (!config.includes(documented)) throw new Error(`haproxy.cfg has no ${documented}`);
    config = config.replace(documented, here);
  }
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, config);
  execFileSync("haproxy", ["-c", "-q", "-f", file]);
  const env = { PATH: process.env["PATH"] ?? "" };
  const running = await guardedProcess("haproxy", ["-db", "-f", file], { cwd: folder, env });
  const ask = (path: string): Promise<number> => statusOf(clients!, path, certificate);
  await waitUntil(() =>
    register(cluster.engine.admin, `http://127.0.0.1:${engine}`).then(
      () => true,
      () => false,
    ),
  );
  return {
    clients: `https://localhost:${clients}`,
    certificate,
    ask,
    async close() {
      await running.end();
      await register(cluster.engine.admin, cluster.balancer.url);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeCertificate(folder: string): { pem: string; certificate: string } {
  const [key, certificate, pem] = ["key.pem", "certificate.pem", "both.pem"].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  execFileSync(
    "openssl",
    ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"].concat(
      ["-days", "2", "-keyout", key, "-out", certificate],
      subject,
    ),
    { stdio: "pipe" },
  );
  writeFileSync(pem, readFileSync(certificate, "utf8") + readFileSync(key, "utf8"));
  return { pem, certificate };
}

function statusOf(port: number, path: string, certificate: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { host: "localhost", port, path, ca: readFileSync(certificate) };
    request(options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on("error", reject)
      .end();
  });
}
