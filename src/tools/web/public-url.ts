// Finds the addresses that may be connected to for a URL in a tool's input. The name is resolved
// once, and every address must be public.
import { lookup } from "node:dns/promises";
import { errorText } from "../../base/errors.ts";
import { hostVerdict, isPublicAddress } from "../../base/public-address.ts";
import type { FetchAllowances } from "../tool-environment.ts";

export type CheckedUrl = { ok: true; url: URL } | { ok: false; problem: string };
export type Addresses = { ok: true; addresses: string[] } | { ok: false; problem: string };

/** Ports above 1023 that belong to other protocols (from the Fetch standard). */
const foreignPorts = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10080,
]);

/** All checks of a URL that need no network. */
export function checkPublicUrl(text: string): CheckedUrl {
  if (!URL.canParse(text))
    return { ok: false, problem: `${JSON.stringify(text.slice(0, 200))} is not a URL.` };
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return {
      ok: false,
      problem: `Only http and https addresses can be fetched, not ${url.protocol}`,
    };
  if (url.username !== "" || url.password !== "")
    return {
      ok: false,
      problem: "The address holds a user name or password; credentials are never sent.",
    };
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if ((port < 1024 && port !== 80 && port !== 443) || foreignPorts.has(port))
    return {
      ok: false,
      problem: `Port ${port} belongs to another protocol; web pages are fetched from 80, 443 or a high port.`,
    };
  return { ok: true, url };
}

/** IPv4 first; no address at all unless all of them are public. */
export async function publicAddresses(url: URL, allowances: FetchAllowances): Promise<Addresses> {
  const verdict = hostVerdict(url.hostname);
  const allowed = (address: string): boolean =>
    isPublicAddress(address) || (allowances.allowLoopback === true && isLoopback(address));
  if (verdict.kind === "public") return { ok: true, addresses: [verdict.address] };
  if (verdict.kind === "private") {
    if (verdict.address !== undefined && allowed(verdict.address))
      return { ok: true, addresses: [verdict.address] };
    return {
      ok: false,
      problem: `${url.hostname} was not fetched: ${verdict.reason}. Only public addresses are.`,
    };
  }
  const found = await resolveName(verdict.name, allowances);
  if (!found.ok) return found;
  const denied = found.addresses.find((address) => !allowed(address));
  if (denied !== undefined)
    return {
      ok: false,
      problem: `${verdict.name} was not fetched: it resolves to ${denied}, which is not a public address.`,
    };
  return {
    ok: true,
    addresses: found.addresses.toSorted(
      (a, b) => Number(a.includes(":")) - Number(b.includes(":")),
    ),
  };
}

async function resolveName(name: string, { resolve }: FetchAllowances): Promise<Addresses> {
  try {
    const addresses = resolve
      ? await resolve(name)
      : (await lookup(name, { all: true })).map((entry) => entry.address);
    return addresses.length > 0
      ? { ok: true, addresses }
      : { ok: false, problem: `${name} has no address.` };
  } catch (error) {
    return { ok: false, problem: `${name} could not be resolved: ${errorText(error)}` };
  }
}

const isLoopback = (address: string): boolean =>
  address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
