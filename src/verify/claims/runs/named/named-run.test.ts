import { expect, test } from "vitest";
import { transcriptLines, type Step } from "../../../../../test/support/transcript-lines.ts";
import { memoryReader } from "../../../../source/reader.ts";
import { Repository } from "../../../../source/repository.ts";
import { ledgerOf } from "../../../evidence/ledger.ts";
import { resultSetting } from "../../claim-checks.ts";
import { namedRun } from "./named-run.ts";

const files = {
  "package.json": JSON.stringify({
    scripts: { test: "vitest run", build: "next build", typecheck: "tsc --noEmit" },
  }),
  "csvclean.py": "import csv\n",
};

/** What the record has of a command, where these commands ran. */
function foundOf(command: string, ...ran: (string | [string, string])[]): string | undefined {
  const steps = ran.map((one): Step => {
    const [text, output] = typeof one === "string" ? [one, ""] : one;
    return {
      tool: "Bash",
      input: { command: text },
      output,
      facts: { command: text, exitCode: 0 },
    };
  });
  const ledger = ledgerOf(transcriptLines(steps, { cwd: "/repo" }), { root: "/repo" });
  const repo = Repository.over(memoryReader(files));
  return namedRun(command, resultSetting("", ledger, { repo, runners: [] }))?.found;
}

test.each([
  ["pytest", "uv run pytest -q"],
  ["npm test", "npx vitest run"],
  ["npx vitest run", "npm test"],
  ["pnpm build", "npm run build"],
  ["pytest tests/test_a.py", "pytest"],
  ["pytest tests/test_a.py", "python -m pytest tests/"],
  ["mvn test", "./mvnw -q verify"],
  ["cargo test -q", "cargo test"],
  ["csvclean customers.csv", "python csvclean.py customers.csv | head"],
  ["php -l", "php -l src/a.php"],
  ["ansible-playbook site.yml --check", "ansible-playbook site.yml --check --diff"],
  ["tsc --noEmit", "npm run typecheck && echo ok"],
])("`%s` was run as `%s`", (named, ran) => {
  expect(foundOf(named, ran)).toBe("made");
});

test.each([
  ["npm run build", "npm run typecheck"],
  ["csvclean customers.csv", "python -m py_compile csvclean.py"],
  ["ruff format --check .", "ruff check ."],
  ["docker compose up", "docker compose config -q"],
  ["eslint src", "tsc --noEmit"],
  ["git push", "git commit -qm x && git status"],
])("`%s` was never run where `%s` was", (named, ran) => {
  expect(foundOf(named, ran)).toBe("never");
});

test("a run without the option that is told, or on another file, shows less", () => {
  expect(foundOf("go test -race ./...", "go test ./...")).toBe("weaker");
  expect(foundOf("csvclean customers.csv", "python csvclean.py sample.csv")).toBe("weaker");
  expect(foundOf("npm publish", "npm publish --dry-run")).toBe("void");
});

test("a task whose text is not at hand may have called it, unless it prints what it calls", () => {
  expect(foundOf("next build", "./ci.sh")).toBe("open");
  expect(foundOf("next build", ["make all", "tsc --noEmit\neslint src"])).toBe("never");
});

test("a text that names no program is no command", () => {
  expect(foundOf("cat README.md", "npm test")).toBeUndefined();
});
