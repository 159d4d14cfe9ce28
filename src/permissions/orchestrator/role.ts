// Whose work a call would be: by the kind of file that would be written, the command that would be
// run, the tool that would be used.
import { foldPath, lastSegment, segmentsOf } from "../paths/written-path.ts";

export type Role =
  | "code-explorer"
  | "qa-engineer"
  | "security-auditor"
  | "product-manager"
  | "frontend-specialist"
  | "backend-specialist"
  | "researcher";

export type Work = {
  rule: "no-implementation" | "no-tests" | "no-spec-edits" | "no-security-analysis" | "no-commands";
  role: Role;
};

const prose = /\.(?:mdx?|markdown|txt|rst|adoc|org|docx?|pdf)$/;
const testFolders: ReadonlySet<string> = new Set([
  "test",
  "tests",
  "__tests__",
  "spec",
  "specs",
  "e2e",
  "testing",
]);
const testName =
  /(?:[._-](?:test|spec|tests)\.\w+|^test_\w+\.py|_test\.\w+|(?:Test|Tests|Spec)\.(?:java|kt|cs|scala|swift|php))$/i;
const interfaceFile = /\.(?:[jt]sx|vue|svelte|astro|css|scss|sass|less|html?)$/;

/** Who writes this file; the path is relative to the workspace. */
export function authorOf(path: string): Work {
  const folded = foldPath(path);
  const folders = segmentsOf(folded).slice(0, -1);
  if (prose.test(folded)) return { rule: "no-spec-edits", role: "product-manager" };
  if (testName.test(lastSegment(path)) || folders.some((folder) => testFolders.has(folder)))
    return { rule: "no-tests", role: "qa-engineer" };
  return {
    rule: "no-implementation",
    role: interfaceFile.test(folded) ? "frontend-specialist" : "backend-specialist",
  };
}

const audit =
  /\b(?:audit|gitleaks|trufflehog|semgrep|snyk|trivy|bandit|osv-scanner|gosec|brakeman|nmap)\b/;
const check =
  /\b(?:tests?|vitest|jest|pytest|mocha|tsc|eslint|oxlint|lint|typecheck|ruff|mypy|clippy)\b/;
const looking = "cat|bat|head|tail|less|more|grep|rg|ag|find|fd|ls|tree|wc|sed -n";
const look = new RegExp(
  String.raw`^\s*(?:${looking}|git (?:log|show|diff|blame|grep|status|ls-files))\b`,
);

/**
 * Who runs this command. The words only choose the advice: no command is run by an orchestrator.
 */
export function runnerOf(command: string): Work {
  const text = command.slice(0, 2_000);
  if (audit.test(text)) return { rule: "no-security-analysis", role: "security-auditor" };
  if (look.test(text)) return { rule: "no-commands", role: "code-explorer" };
  return { rule: "no-commands", role: check.test(text) ? "qa-engineer" : "backend-specialist" };
}

/** Who uses this tool. */
export const helperOf = (tool: string): Role =>
  tool === "WebFetch" || tool === "WebSearch" ? "researcher" : "backend-specialist";
