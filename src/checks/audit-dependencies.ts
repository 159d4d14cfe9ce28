// The other half of the security check of a project without one: the audit of its package manager,
// where there is a lockfile and the tool is installed. Only known vulnerabilities fail it; an audit
// that cannot be made says so and fails nothing.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject } from "../base/data/json.ts";
import { jsonInText } from "../contract/handoff/json-in-text.ts";
import { onPath, type DetectedCheck } from "./detect-checks.ts";
import { runRaw } from "./run-check.ts";

type Auditor = {
  lockfiles: string[];
  program: string;
  argv: string[];
  /** What it found, in lines; undefined where its output is no verdict. */ read: (
    output: Record<string, unknown>,
  ) => string[] | undefined;
};

const severe = ["high", "critical"];

const auditors: Auditor[] = [
  {
    lockfiles: ["package-lock.json", "npm-shrinkwrap.json"],
    program: "npm",
    argv: [
      "npm",
      "audit",
      "--json",
      "--audit-level=high",
      "--fetch-retries=0",
      "--fetch-timeout=20000",
    ],
    read: npmFindings,
  },
  {
    lockfiles: ["requirements.txt"],
    program: "pip-audit",
    argv: ["pip-audit", "--format", "json", "--progress-spinner", "off", "-r", "requirements.txt"],
    read: pipFindings,
  },
  {
    lockfiles: ["Cargo.lock"],
    program: "cargo-audit",
    argv: ["cargo", "audit", "--json"],
    read: cargoFindings,
  },
];

export type Audit = {
  errors: string[];
  /** For people: what was done, or why not. */ note: string;
};

export function detectAudit(
  root: string,
  env: NodeJS.ProcessEnv,
): (DetectedCheck & Pick<Auditor, "read">) | undefined {
  const found = auditors.find(
    ({ lockfiles, program }) =>
      lockfiles.some((name) => existsSync(join(root, name))) && onPath(program, env),
  );
  return (
    found && { kind: "security", argv: found.argv, from: "the dependency audit", read: found.read }
  );
}

/** Never rejects. */
export async function auditDependencies(
  audit: NonNullable<ReturnType<typeof detectAudit>>,
  at: { root: string; env: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal },
): Promise<Audit> {
  const command = audit.argv.slice(0, 2).join(" ");
  const { text, ended } = await runRaw(audit.argv, {
    ...at,
    timeoutMs: Math.min(at.timeoutMs, 60_000),
    characters: 4_000_000,
  });
  const output = ended === "exit" ? jsonInText(text) : undefined;
  const found = output?.ok ? audit.read(output.value) : undefined;
  if (found === undefined)
    return {
      errors: [],
      note: `${command} could not be made (${ended === "exit" ? "no verdict in its output" : ended})`,
    };
  return {
    errors: found.slice(0, 20),
    note: `${command} found ${found.length === 0 ? "nothing severe" : `${found.length} severe`}`,
  };
}

function npmFindings({
  vulnerabilities,
  auditReportVersion,
}: Record<string, unknown>): string[] | undefined {
  if (auditReportVersion === undefined || !isObject(vulnerabilities)) return undefined;
  return Object.entries(vulnerabilities).flatMap(([name, entry]) =>
    isObject(entry) && severe.includes(String(entry["severity"]))
      ? [`${name.slice(0, 100)}: known vulnerability (${String(entry["severity"])})`]
      : [],
  );
}

function pipFindings({ dependencies }: Record<string, unknown>): string[] | undefined {
  if (!Array.isArray(dependencies)) return undefined;
  return dependencies
    .filter(isObject)
    .flatMap(({ name, vulns }) =>
      Array.isArray(vulns) && vulns.length > 0
        ? [
            `${String(name).slice(0, 100)}: ${vulns.length} known ` +
              (vulns.length === 1 ? "vulnerability" : "vulnerabilities"),
          ]
        : [],
    );
}

function cargoFindings({ vulnerabilities }: Record<string, unknown>): string[] | undefined {
  const list = isObject(vulnerabilities) ? vulnerabilities["list"] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list
    .filter(isObject)
    .map(
      (entry) =>
        `${isObject(entry["package"]) ? String(entry["package"]["name"]).slice(0, 100) : "a crate"}: ` +
        "known vulnerability",
    );
}
