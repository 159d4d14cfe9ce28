// A real S3 server on loopback for tests: it checks signatures and keeps objects in a folder.
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
// @ts-expect-error: it comes without types.
import S3rver from "s3rver";
import type { S3Options } from "../../src/restate/store/s3/s3-client.ts";

type Rver = { run(): Promise<AddressInfo>; close(): Promise<void>; httpServer: Server };

export type S3Server = { options: S3Options; env: Record<string, string>; close(): Promise<void> };

export async function startS3(folder: string): Promise<S3Server> {
  const Server = S3rver as unknown as new (options: object) => Rver;
  const server = new Server({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: "retinue-test", configs: [] }],
  });
  const { port } = await server.run();
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    options: {
      bucket: "retinue-test",
      region: "us-east-1",
      endpoint,
      addressing: "path",
      credentials: () => ({ accessKeyId: "S3RVER", secretAccessKey: "S3RVER" }),
    },
    env: {
      AWS_ACCESS_KEY_ID: "S3RVER",
      AWS_SECRET_ACCESS_KEY: "S3RVER",
      AWS_ENDPOINT_URL_S3: endpoint,
    },
    close: () => server.close(),
  };
}
