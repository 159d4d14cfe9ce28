import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { ObjectStore } from "../object-store.ts";
import { s3Store } from "./s3-store.ts";

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let close: (() => void) | undefined;
afterEach(() => close?.());

/** A store over a server on loopback that gives these answers, one a request, the last for ever. */
async function storeOver(
  answers: Answer[],
): Promise<{ store: ObjectStore; requests: { url: string; headers: NodeJS.Dict<unknown> }[] }> {
  const requests: { url: string; headers: NodeJS.Dict<unknown> }[] = [];
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      requests.push({ url: request.url ?? "", headers: request.headers });
      answers[Math.min(requests.length, answers.length) - 1]!(response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = () => (server.closeAllConnections(), void server.close());
  const store = s3Store({
    bucket: "bucket",
    region: "eu-central-1",
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`,
    addressing: "path",
    credentials: () => ({ accessKeyId: "id", secretAccessKey: "key", sessionToken: "lent" }),
  });
  return { store, requests };
}

const status =
  (code: number, body = "", headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(body);
const error = (code: number, name: string): Answer =>
  status(code, `<Error><Code>${name}</Code><Message>why &amp; what</Message></Error>`);
const cut: Answer = (response) => void response.socket?.destroy();

test("tries again after a status that passes and after a cut connection, signed anew", async () => {
  const { store, requests } = await storeOver([
    status(503),
    cut,
    error(400, "RequestTimeout"),
    status(200),
  ]);
  await store.put("a/b", Buffer.from("x"));
  expect(requests).toHaveLength(4);
  expect(requests.map(({ url }) => url)).toEqual(Array(4).fill("/below/bucket/a/b"));
  expect(requests[3]!.headers).toMatchObject({
    "x-amz-security-token": "lent",
    "x-amz-checksum-sha256": "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=",
    authorization: expect.stringContaining("/eu-central-1/s3/aws4_request"),
  });
});

test.each([
  ["no right to do so", error(403, "AccessDenied"), "status 403, AccessDenied, why & what"],
  ["a bucket that is not there", error(404, "NoSuchBucket"), "NoSuchBucket"],
  ["a redirect", status(307, "", { location: "https://elsewhere.example/" }), "is not followed"],
])("gives up at once at %s", async (_, answer, words) => {
  const { store, requests } = await storeOver([answer]);
  const failure = await store.get("a/b").catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ name: "StoreFailure", isPassing: false });
  expect(String(failure)).toContain(words);
  expect(requests).toHaveLength(1);
});

test("gives up in the end where the server stays down, and says that it may pass", async () => {
  const { store, requests } = await storeOver([status(500)]);
  await expect(store.get("a/b")).rejects.toMatchObject({ isPassing: true });
  expect(requests).toHaveLength(5);
});

test("asks again for an object whose checksum is not the one that the server names", async () => {
  const { store, requests } = await storeOver([
    status(200, "y", { "x-amz-checksum-sha256": "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=" }),
    status(200, "x", { "x-amz-checksum-sha256": "LXEWQrcmsEQBYnyp+6wy9chTD7GQPMTbAiWHF5IaSIE=" }),
  ]);
  expect(String(await store.get("a/b"))).toBe("x");
  expect(requests).toHaveLength(2);
});

test("lists page by page, and passes over names that nobody here writes", async () => {
  const page = (keys: string[], next: string): Answer =>
    status(
      200,
      `<ListBucketResult><IsTruncated>${next !== ""}</IsTruncated>${keys
        .map(
          (key) =>
            `<Contents><Key>${key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><Size>3</Size></Contents>`,
        )
        .join("")}<NextContinuationToken>${next}</NextContinuationToken></ListBucketResult>`,
    );
  const { store, requests } = await storeOver([
    page(["p/b", "p/../../etc", "other/x"], "a&amp;b="),
    page(["p/a"], ""),
  ]);
  expect((await store.list("p/")).map(({ key }) => key)).toEqual(["p/a", "p/b"]);
  expect(requests.map(({ url }) => url)).toEqual([
    "/below/bucket/?list-type=2&prefix=p%2F",
    "/below/bucket/?continuation-token=a%26b%3D&list-type=2&prefix=p%2F",
  ]);
});

/** What the server reads off the wire, put together as the manual describes it. */
function expectedSignature(request: IncomingMessage, body: string): string {
  const { authorization = "", ...headers } = request.headers as Record<string, string>;
  const [, date, region, names] =
    /Credential=id\/(\d+)\/([^/]+)\/s3\/aws4_request,SignedHeaders=([^,]+),/.exec(authorization)!;
  const [path, query = ""] = request.url!.split("?");
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
  const lines = names!.split(";").map((name) => `${name}:${headers[name]}\n`);
  const canonical = `${request.method}\n${path}\n${query}\n${lines.join("")}\n${names}\n${hash(body)}`;
  const scope = `${date}/${region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${headers["x-amz-date"]}\n${scope}\n${hash(canonical)}`;
  const hmac = (key: string | Buffer, of: string): Buffer =>
    createHmac("sha256", key).update(of).digest();
  const key = ["AWS4key", date!, region!, "s3", "aws4_request"].reduce<string | Buffer>(
    (above, part) => (above === "" ? part : hmac(above, part)),
    "",
  );
  return hmac(key, text).toString("hex");
}

test("what arrives at the server is what was signed", async () => {
  const seen: boolean[] = [];
  const body = "größer";
  const answer: Answer = (response, request) => {
    const sent = request.method === "PUT" ? body : "";
    seen.push(request.headers.authorization!.endsWith(expectedSignature(request, sent)));
    response.end();
  };
  const { store } = await storeOver([answer]);
  await store.put("a/b-c_d.e", Buffer.from(body));
  await store.get("a/b");
  await store.list("a/");
  await store.remove("a/b");
  expect(seen).toEqual([true, true, true, true]);
});

test("puts the bucket before the host's name where it is addressed so", async () => {
  const store = s3Store({
    bucket: "bucket",
    region: "eu-central-1",
    endpoint: "http://s3.invalid",
    addressing: "host",
    credentials: () => ({ accessKeyId: "id", secretAccessKey: "key" }),
  });
  await expect(store.get("a")).rejects.toThrow(/bucket\.s3\.invalid/);
});
