// Tells public internet addresses from all others: what is not clearly public counts as private.
// Does not ask DNS; host names are returned as names.
import ipaddr from "ipaddr.js";

export type HostVerdict =
  | { kind: "public"; address: string }
  | { kind: "private"; reason: string; address?: string }
  /**
   * A DNS name in normal form (lower case, punycode, no trailing dot). The caller must check every
   * address that it resolves to.
   */
  | { kind: "name"; name: string };

/** This public-looking address answers inside Azure's own network. */
const azureWireServer = "168.63.129.16";
const privateSuffixes = [
  "localhost",
  "local",
  "internal",
  "localdomain",
  "svc",
  "home.arpa",
  "lan",
  "intranet",
  "corp",
  "private",
  "onion",
];
/** Public DNS names whose owners point them at loopback. */
const loopbackNames = ["localtest.me", "lvh.me", "vcap.me", "lacolhost.com"];

/** True only for an address that the whole internet can reach; false for anything unreadable. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return parsed instanceof ipaddr.IPv6 ? isPublicV6(parsed) : isPublicV4(parsed);
}

/**
 * Judges the host of a URL in every spelling that a URL allows: decimal, octal and hex IPv4,
 * bracketed IPv6, IDNA, trailing dots.
 */
export function hostVerdict(host: string): HostVerdict {
  const name = normalHost(host);
  if (name === undefined)
    return { kind: "private", reason: `${JSON.stringify(host)} is not a host name` };
  const literal = name.startsWith("[") ? name.slice(1, -1) : name;
  if (ipaddr.isValid(literal)) {
    if (isPublicAddress(literal)) return { kind: "public", address: literal };
    return { kind: "private", address: literal, reason: `${literal} is not a public address` };
  }
  if (!name.includes("."))
    return { kind: "private", reason: `"${name}" is a name of the local network` };
  if (endsWithLabelOf(name, privateSuffixes))
    return { kind: "private", reason: `"${name}" is a name of the local network` };
  if (endsWithLabelOf(name, loopbackNames))
    return { kind: "private", reason: `"${name}" points to this machine` };
  const embedded = embeddedAddress(name);
  if (embedded && !isPublicAddress(embedded))
    return {
      kind: "private",
      address: embedded,
      reason: `"${name}" stands for ${embedded}, which is not public`,
    };
  return { kind: "name", name };
}

function isPublicV4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && address.toString() !== azureWireServer;
}

/** Created when the first address is judged; few runs need it. */
const inRange = (address: ipaddr.IPv6, range: "2000::/3" | "64:ff9b::/96"): boolean =>
  address.match(ipaddr.IPv6.parseCIDR(range));

function isPublicV6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicV4(address.toIPv4Address());
  if (inRange(address, "64:ff9b::/96"))
    return isPublicV4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return inRange(address, "2000::/3") && address.range() === "unicast";
}

function normalHost(host: string): string | undefined {
  const written = ipaddr.IPv6.isValid(host) ? `[${host}]` : host;
  if (
    written === "" ||
    /[\s\\/?#@\0]/u.test(written) ||
    (written.includes(":") && !written.startsWith("["))
  )
    return undefined;
  const url = parseUrl(`http://${written}/`);
  const name = url?.hostname.replace(/\.+$/, "");
  return name === "" ? undefined : name;
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

function endsWithLabelOf(name: string, suffixes: readonly string[]): boolean {
  return suffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}

/**
 * Wildcard DNS services (127.0.0.1.nip.io, 10-0-0-1.sslip.io) answer with the address that is part
 * of the name.
 */
function embeddedAddress(name: string): string | undefined {
  const found = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})(?=[.-])/.exec(name);
  const candidate = found?.slice(1, 5).map(Number).join(".");
  return candidate !== undefined && ipaddr.IPv4.isValidFourPartDecimal(candidate)
    ? candidate
    : undefined;
}
