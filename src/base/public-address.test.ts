import { expect, test } from "vitest";
import { hostVerdict, isPublicAddress } from "./public-address.ts";

test.each([
  "localhost",
  "LOCALHOST.",
  "foo.localhost",
  "127.0.0.1",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "0x7f.1",
  "0",
  "0.0.0.0",
  "[::1]",
  "::1",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:a9fe:a9fe]",
  "[::127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::7f00:1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "169.254.169.254",
  "metadata.google.internal",
  "100.100.100.200",
  "168.63.129.16",
  "[fd00:ec2::254]",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "100.64.0.1",
  "[fe80::1]",
  "[fec0::1]",
  "224.0.0.1",
  "255.255.255.255",
  "240.0.0.1",
  "198.18.0.1",
  "192.0.2.1",
  "[2001:db8::1]",
  "[ff02::1]",
  "[100::1]",
  "127。0。0。1",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "%31%32%37.0.0.1",
  "127.0.0.1.nip.io",
  "a.10-0-0-1.sslip.io",
  "app.localtest.me",
  "printer",
  "nas.local",
  "router.lan",
  "x.home.arpa",
  "",
  " ",
  "exa mple.com",
  "evil.test\0.docs.python.org",
  "user@host.com",
  "host.com/x",
  "host.com:80",
  "host.com\\@x",
  "..",
  "[::1",
  "256.256.256.256",
])("calls %j private", (host) => {
  expect(hostVerdict(host)).toMatchObject({ kind: "private", reason: expect.stringMatching(/./) });
});

test.each([
  ["93.184.216.34", "93.184.216.34"],
  ["0x5db8d822", "93.184.216.34"],
  ["[2606:4700:4700::1111]", "2606:4700:4700::1111"],
  ["2606:4700:4700::1111", "2606:4700:4700::1111"],
])("calls the literal %s public", (host, address) => {
  expect(hostVerdict(host)).toEqual({ kind: "public", address });
});

test.each([
  ["Docs.Python.ORG.", "docs.python.org"],
  ["müller.example.com", "xn--mller-kva.example.com"],
  ["ec2-54-200-1-2.compute.amazonaws.com", "ec2-54-200-1-2.compute.amazonaws.com"],
  ["localhost.example.com", "localhost.example.com"],
  ["internal.example.com", "internal.example.com"],
])("leaves the name %s to DNS as %s", (host, name) => {
  expect(hostVerdict(host)).toEqual({ kind: "name", name });
});

test("an address that cannot be read is not public", () => {
  expect(
    ["", "x", "::ffff:10.0.0.1", "64:ff9b::a00:1", "fe80::1%eth0"].map(isPublicAddress),
  ).toEqual([false, false, false, false, false]);
  expect(["8.8.8.8", "::ffff:8.8.8.8", "64:ff9b::808:808"].map(isPublicAddress)).toEqual([
    true,
    true,
    true,
  ]);
});
