import { expect, test } from "vitest";
import { encodedPath, encodedQuery, signRequest } from "./sign-request.ts";

/** The examples that the S3 manual publishes: bucket, credentials and time are the same in all. */
const key = {
  credentials: {
    accessKeyId: "AKIAIOSFODNN7EXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  },
  region: "us-east-1",
  at: new Date("2013-05-24T00:00:00Z"),
};
const host = "https://examplebucket.s3.amazonaws.com";
const nothing = new Uint8Array();

type Example = {
  name: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: Uint8Array;
  signature: string;
};

const examples: Example[] = [
  {
    name: "reading a part of an object",
    method: "GET",
    url: `${host}/test.txt`,
    headers: { range: "bytes=0-9" },
    body: nothing,
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    name: "writing an object whose name needs encoding",
    method: "PUT",
    url: `${host}/${encodedPath("test$file.text")}`,
    headers: {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    },
    body: Buffer.from("Welcome to Amazon S3."),
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    name: "a query without a value",
    method: "GET",
    url: `${host}/?${encodedQuery({ lifecycle: "" })}`,
    headers: {},
    body: nothing,
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    name: "listing with two parameters",
    method: "GET",
    url: `${host}/?${encodedQuery({ prefix: "J", "max-keys": "2" })}`,
    headers: {},
    body: nothing,
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

test.each(examples)(
  "signs $name as the manual does",
  ({ method, url, headers, body, signature }) => {
    const signed = signRequest({ method, url: new URL(url), headers, body }, key);
    expect(signed["authorization"]).toContain(`Signature=${signature}`);
  },
);

/** Worked out once with openssl from the steps that the manual describes. */
test("a session token is signed along, and every part of the request counts", () => {
  const lent = { ...key, credentials: { ...key.credentials, sessionToken: "lent//token==" } };
  const request = {
    method: "GET",
    url: new URL(`${host}/test.txt`),
    headers: {},
    body: nothing,
  };
  const signed = signRequest(request, lent);
  expect(signed["x-amz-security-token"]).toBe("lent//token==");
  expect(signed["authorization"]).toContain(
    "SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,",
  );
  expect(signed["authorization"]).toContain(
    "Signature=fee4a6c7bf7758b622147290f7fcfb6f4ea86be4293755e4bceb750a815c28b4",
  );
  const others = [
    signRequest({ ...request, method: "PUT" }, lent),
    signRequest({ ...request, url: new URL(`${host}/test.txt?a=b`) }, lent),
    signRequest({ ...request, url: new URL("https://other.example/test.txt") }, lent),
    signRequest({ ...request, body: Buffer.from("x") }, lent),
    signRequest(request, { ...lent, region: "eu-west-1" }),
    signRequest(request, { ...lent, at: new Date("2013-05-25T00:00:00Z") }),
  ].map((one) => one["authorization"]!.replace(/.*Signature=/, ""));
  expect(new Set([...others, signed["authorization"]!.replace(/.*Signature=/, "")]).size).toBe(7);
});

test("encodes what signing does not take as plain", () => {
  expect(encodedPath("a b/ü!'()*~._-")).toBe("a%20b/%C3%BC%21%27%28%29%2A~._-");
  expect(encodedQuery({ b: "x/y=z", a: "1 2" })).toBe("a=1%202&b=x%2Fy%3Dz");
});
