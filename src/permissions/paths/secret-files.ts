// Files that hold keys and credentials, by name: what agents under a guarded profile do not read.
import { foldPath, segmentsOf } from "./written-path.ts";

/** Shipped with a project to be copied and filled in; they hold no secret. */
const templateSuffix = /\.(?:example|sample|template|dist|defaults)$/;
const secretFolders = new Set([".ssh", ".gnupg", ".aws", ".azure", ".password-store"]);
const secretNames = new Set([
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".htpasswd",
  ".pypirc",
  ".dockercfg",
  ".vault-token",
  ".npmrc",
  ".yarnrc.yml",
  "secring.gpg",
  "credentials",
  "credentials.json",
  "credentials.yml",
  "credentials.yaml",
  "secrets.json",
  "secrets.yml",
  "secrets.yaml",
  "secrets.toml",
  "master.key",
  "application_default_credentials.json",
]);
const secretPatterns = [
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|ovpn)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?!.*\.pub$)/,
  /^service[-_]?account.*\.json$/,
  /^client_secret.*\.json$/,
];
const secretTails = [".docker/config.json", ".kube/config", ".config/gh/hosts.yml"];

/**
 * True for `.env*` (templates aside), private keys, key stores and credential files, in any case.
 */
export function isSecretFile(path: string): boolean {
  const segments = segmentsOf(foldPath(path));
  const name = segments.at(-1) ?? "";
  if (segments.slice(0, -1).some((segment) => secretFolders.has(segment))) return true;
  if (name.startsWith(".env")) return !templateSuffix.test(name);
  if (secretNames.has(name) || secretPatterns.some((pattern) => pattern.test(name))) return true;
  const whole = segments.join("/");
  return secretTails.some((tail) => whole === tail || whole.endsWith(`/${tail}`));
}
