// Who may hand in runs, and how much each may ask for. A token is known by its hash only; what a
// tenant may do is said for every kind of thing, because a ceiling that is forgotten is none.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod";
import { RetinueError, errorText } from "../../base/errors.ts";
import { permissionModes } from "../../permissions/mode.ts";
import { isTenant } from "../run-job.ts";

const all = "*";
const names = z.union([z.literal(all), z.array(z.string().min(1))]);

const ceilingSchema = z.strictObject({
  /** SHA-256 of its tokens, in hex. */
  tokens: z.array(z.string().regex(/^[0-9a-f]{64}$/, "expected the SHA-256 of a token in hex")),
  /** Runs work in these folders of the workers and below; `*`: anywhere. */
  folders: names,
  modes: z.array(z.enum(permissionModes)),
  tools: names,
  models: names,
  /** Rules that are added to those of every run. */
  deny: z.array(z.string().min(1)),
  /** Of its runs at once; the others wait. `*`: as many as the engine drives. */
  maxRuns: z.union([z.literal(all), z.number().int().positive()]),
  maxTurns: z.number().int().positive(),
  timeoutMs: z.number().int().positive(),
});

export type Tenant = z.infer<typeof ceilingSchema> & { name: string };

export type Tenants = {
  all: readonly Tenant[];
  /** Undefined for a token that nobody has. */
  byToken(token: string): Tenant | undefined;
};

export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

/** A token that nobody guesses, and what the tenants' file says of it. */
export function newToken(): { token: string; hash: string } {
  const token = `rt_${randomBytes(32).toString("base64url")}`;
  return { token, hash: hashOf(token) };
}

export function readTenants(value: unknown): Tenants {
  const parsed = z.record(z.string(), ceilingSchema).safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new RetinueError(
      "config",
      `the tenants cannot be used: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}. ` +
        "Each has tokens, folders, modes, tools, models, deny, maxRuns, maxTurns and timeoutMs.",
    );
  }
  const tenants = Object.entries(parsed.data).map(([name, ceiling]) => ({ ...ceiling, name }));
  const bad = tenants.find(({ name }) => !isTenant(name));
  if (bad)
    throw new RetinueError(
      "config",
      `${JSON.stringify(bad.name)} is no name of a tenant: expected up to 36 of a-z, 0-9 and "-".`,
    );
  const byHash = new Map<string, Tenant>();
  for (const tenant of tenants)
    for (const hash of tenant.tokens) {
      const other = byHash.get(hash);
      if (other)
        throw new RetinueError(
          "config",
          `${tenant.name} and ${other.name} have the same token: every token has one tenant.`,
        );
      byHash.set(hash, tenant);
    }
  // Looked up by the hash: how long that takes tells nothing about the token.
  return { all: tenants, byToken: (token) => byHash.get(hashOf(token)) };
}

export function readTenantsFile(path: string): Tenants {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new RetinueError("config", `${path} cannot be read as JSON: ${errorText(error)}.`);
  }
  return readTenants(value);
}
