// Redirections: each is a read or a write of a file, a copy of a descriptor, or text for the input.
import type { Redirection } from "unbash";
import { ask, type AccessKind } from "../analysis.ts";
import { expandWord } from "./expand-word.ts";
import { walkHereDoc, type Expander } from "./word-pieces.ts";
import { isHarmlessDevice } from "../../paths/protected-names.ts";
import { resolvePath, type Findings } from "../scope.ts";

type Tools = { expander: Expander; findings: Findings };

const kinds: Record<string, AccessKind[]> = {
  ">": ["write"],
  ">>": ["write"],
  ">|": ["write"],
  "&>": ["write"],
  "&>>": ["write"],
  "<": ["read"],
  "<>": ["read", "write"],
  ">&": ["write"],
  "<&": ["read"],
};

export function applyRedirections(redirects: readonly Redirection[], tools: Tools): void {
  for (const redirect of redirects) {
    if (redirect.descriptor?.type === "FileDescriptorVariable")
      tools.expander.assign(redirect.descriptor.name);
    if (redirect.type === "HereDoc") walkHereDoc(redirect, tools.expander);
    else if (!redirect.target)
      tools.expander.complain(ask("syntax", "A redirection has no target."));
    else if (redirect.type === "HereString") expandWord(redirect.target, tools.expander);
    else applyFile(redirect.operator, expandWord(redirect.target, tools.expander), tools);
  }
}

function applyFile(
  operator: string,
  fields: ReturnType<typeof expandWord>,
  { expander, findings }: Tools,
): void {
  for (const field of fields) {
    if (
      field.descriptor ||
      (operator.endsWith("&") && field.value !== null && /^(?:\d+-?|-)$/.test(field.value))
    )
      continue;
    const base = {
      glob: field.glob,
      recursive: false,
      from: "redirection" as const,
      via: operator,
    };
    const paths = field.values
      ? field.values.flatMap((value) =>
          isHarmlessDevice(value) ? [] : resolvePath(value, expander.scope),
        )
      : [null];
    for (const path of paths) {
      if (path && /^\/+dev\/+(?:tcp|udp)\//.test(path))
        expander.complain(
          ask("network", "A redirection to /dev/tcp or /dev/udp opens a connection."),
        );
      for (const kind of kinds[operator] ?? ["write"])
        findings.accesses.push({ ...base, path, kind });
    }
  }
}
