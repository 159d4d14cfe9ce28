// WebFetch and hosts in shell commands: what can be refused before any name is looked up. Names are
// checked again when they have become addresses.
import { limits } from "../../base/limits.ts";
import { hostVerdict } from "../../base/public-address.ts";
import type { ParsedRule } from "../../base/parse-rule.ts";
import { findSecrets } from "../../base/secrets/find-secrets.ts";
import { worse, type PartVerdict } from "../decision.ts";
import type { Judge } from "../judge.ts";

const usualPorts = new Set(["", "80", "443", "8080", "8443"]);

// oxlint-disable-next-line no-control-regex -- URL parsers drop these silently, which hides the host that is meant.
const hidesHost = /[\u0000-\u0020\u007f]/;

export function judgeFetch(input: Record<string, unknown>, judge: Judge): PartVerdict {
  const refuse = (reason: string): PartVerdict => ({
    behavior: "deny",
    layer: "protected",
    reason,
  });
  const { url: text } = input;
  if (typeof text !== "string" || text.trim() === "" || hidesHost.test(text.trim()))
    return refuse("the address is missing or holds blanks or control characters");
  if (!URL.canParse(text)) return refuse("the address cannot be read");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refuse(`only http and https are fetched, not ${url.protocol}`);
  const host = hostVerdict(url.hostname);
  if (host.kind === "private") return refuse(host.reason);
  const secret = secretIn(url);
  if (secret !== undefined) return refuse(`the address carries a secret (${secret})`);
  const name = host.kind === "name" ? host.name : host.address;
  const parts = [
    byDomain("deny", name, judge),
    byDomain("ask", name, judge),
    oddities(url, text),
    settle(name, judge),
  ];
  return parts.filter((part) => part !== undefined).reduce(worse);
}

/** A secret in an address would leave with the request, whatever the answer; escaped ones too. */
function secretIn(url: URL): string | undefined {
  const text = url.href.slice(0, limits.permissions.addressCharacters * 4);
  return (findSecrets(text)[0] ?? findSecrets(unescaped(text))[0])?.kind;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Things in an address that only a person should wave through. */
function oddities(url: URL, text: string): PartVerdict | undefined {
  const ask = (reason: string): PartVerdict => ({ behavior: "ask", layer: "protected", reason });
  if (text.includes("\\")) return ask("programs read a backslash in an address differently");
  if (url.username !== "" || url.password !== "")
    return ask("the address carries a user name or password");
  if (!usualPorts.has(url.port)) return ask(`port ${url.port} is unusual for the web`);
  return url.href.length > limits.permissions.addressCharacters
    ? ask("so long an address can carry data out")
    : undefined;
}

function byDomain(list: "deny" | "ask", host: string, { rules }: Judge): PartVerdict | undefined {
  const rule = rules[list].find(
    (rule) => rule.tool === "WebFetch" && rule.specifier !== undefined && coversHost(rule, host),
  );
  return (
    rule && {
      behavior: list,
      layer: list,
      rule: rule.text,
      reason: `${host} is covered by ${rule.text}`,
    }
  );
}

function settle(host: string, { policy, rules }: Judge): PartVerdict {
  if (policy.mode === "delegate")
    return {
      behavior: "deny",
      layer: "mode",
      reason: "delegate mode coordinates and does not fetch",
    };
  if (policy.mode === "bypassPermissions")
    return {
      behavior: "allow",
      layer: "mode",
      reason: "bypassPermissions allows what no rule and no protection stops",
    };
  const rule = rules.allow.find(
    (rule) => rule.tool === "WebFetch" && (rule.specifier === undefined || coversHost(rule, host)),
  );
  if (rule)
    return {
      behavior: "allow",
      layer: "allow",
      rule: rule.text,
      reason: `${host} is covered by ${rule.text}`,
    };
  return { behavior: "ask", layer: "default", reason: `no rule allows fetching from ${host}` };
}

/** `domain:host` is that host alone, `domain:*.host` everything below it, `domain:*` all. */
function coversHost({ specifier }: ParsedRule, host: string): boolean {
  const wanted = specifier!.slice("domain:".length).trim();
  if (wanted === "*") return true;
  const below = wanted.startsWith("*.");
  const known = hostVerdict(below ? wanted.slice(2) : wanted);
  const name = known.kind === "name" ? known.name : (known.address ?? wanted.toLowerCase());
  return below ? host.endsWith(`.${name}`) : host === name;
}

const metadataNames = new Set([
  "metadata.google.internal",
  "metadata",
  "instance-data",
  "instance-data.ec2.internal",
]);
const metadataAddresses = [
  /^169\.254\./,
  /^168\.63\.129\.16$/,
  /^100\.100\.100\.200$/,
  /^fd00:ec2::254$/i,
  /^fe80:/i,
  /^(?:::ffff:|64:ff9b::|::)a9fe:/i,
];

function isMetadata(name: string): boolean {
  return (
    metadataNames.has(name) ||
    [name, name.replace(/^::ffff:/i, "")].some((form) =>
      metadataAddresses.some((pattern) => pattern.test(form)),
    )
  );
}

const connecting: ReadonlySet<string> = new Set(
  `
    nc ncat netcat telnet ssh scp sftp ftp rsync socat http https xh aria2c lynx w3m ping dig
    nslookup host openssl`
    .trim()
    .split(/\s+/),
);

/**
 * Hosts that commands made for connections name, besides those that the analysis knows: the words
 * that could be one.
 */
export function hostWords(name: string | null, words: readonly (string | null)[]): string[] {
  if (name === null || !connecting.has(name)) return [];
  return words.flatMap((word) =>
    word === null || word.startsWith("-")
      ? []
      : [
          URL.canParse(word) && word.includes("://")
            ? new URL(word).hostname
            : word.replace(/^[^@]*@/, "").replace(/^([^:[\]]+):.*$/, "$1"),
        ],
  );
}

/**
 * A host named in a shell command: never a cloud's metadata service, and never one that WebFetch
 * rules deny. Other hosts are the command rule's matter.
 */
export function judgeHost(host: string, judge: Judge): PartVerdict | undefined {
  const verdict = hostVerdict(host);
  const name =
    verdict.kind === "name"
      ? verdict.name
      : (verdict.address ?? host.toLowerCase().replace(/\.+$/, ""));
  if (isMetadata(name))
    return {
      behavior: "deny",
      layer: "protected",
      reason: `${host} answers with the machine's credentials`,
    };
  return byDomain("deny", name, judge) ?? byDomain("ask", name, judge);
}
