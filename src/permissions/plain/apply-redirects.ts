// Redirections of plain text as files: what is read from, what is written to, and what is not known.
import { isHarmlessDevice } from "../paths/protected-names.ts";
import { resolvePath, type Findings } from "../shell/scope.ts";
import { expandPlain, type PlainExpander } from "./expand-plain.ts";
import type { PlainRedirect } from "./plain-list.ts";

const kinds = { read: "read", write: "write", errors: "write" } as const;

/** Notes the files that the redirections open. */
export function applyRedirects(
  redirects: PlainRedirect[],
  expander: PlainExpander,
  findings: Findings,
): void {
  for (const redirect of redirects) {
    if (redirect.kind === "copy" || redirect.kind === "text") continue;
    const field = expandPlain(redirect.target, expander);
    const paths = field.values && !field.glob ? field.values : [null];
    for (const value of paths) {
      if (value !== null && isHarmlessDevice(value)) continue;
      const places = value === null ? [null] : resolvePath(value, expander.scope);
      for (const path of places)
        findings.accesses.push({
          path,
          kind: kinds[redirect.kind],
          glob: false,
          recursive: false,
          from: "redirection",
          via: redirect.kind === "read" ? "<" : ">",
        });
    }
  }
}
