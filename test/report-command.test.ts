// `retinue report` as agents and hooks call it: the built command, real files.
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { tempProject, type TempProject } from "../src/testing/temp-project.ts";
import { retinue } from "./retinue-process.ts";

const open: TempProject[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.remove();
});

const source =
  "import { find } from './store';\n\nexport function lookup(name) {\n  return find(name);\n}\n";
const report = (quote: string): string =>
  JSON.stringify({
    status: "SUCCESS",
    summary: "Found the lookup.",
    findings: [
      {
        title: "lookup",
        kind: "present",
        statement: "Finds a user by name.",
        path: "src/users.js",
        quote,
      },
    ],
    confidence: { verified: 80, inferred: 70, justification: "Read the file" },
  });
const right = "export function lookup(name) {";
const invented = "export async function lookup(id) {";

function project(files: Record<string, string>): TempProject {
  const made = tempProject({ "src/users.js": source, ...files });
  open.push(made);
  return made;
}

describe("retinue report", () => {
  test("check: a quotation that stands in its file is right, without any line", async () => {
    const place = project({ "report.json": report(right) });
    const text = await retinue(["report", "check", "report.json"], { project: place });
    expect(text).toMatchObject({ code: 0, stderr: "" });
    expect(text.stdout).toContain("1 quotation found, trust VERIFIED");
    const json = await retinue(["report", "check", "report.json", "--json"], { project: place });
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: true,
      places: [{ entry: "findings[0]", path: "src/users.js", lines: [3, 3] }],
      trust: "VERIFIED",
    });
  });

  test("check: one that does not is named with the nearest line, exit 1", async () => {
    const place = project({ "report.json": report(invented) });
    const finished = await retinue(["report", "check", "report.json"], { project: place });
    expect(finished.code).toBe(1);
    expect(finished.stdout).toContain(
      "findings[0].quote does not stand in src/users.js; nearest is line 3: `export function lookup(name) {`",
    );
    const json = await retinue(["report", "check", "report.json", "--json"], { project: place });
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      problems: [{ at: "findings[0].quote" }],
    });
  });

  test("render: the contract's Markdown, which verify finds without a fault", async () => {
    const place = project({ "report.json": report(right) });
    const finished = await retinue(
      ["report", "render", "report.json", "--agent", "code-explorer"],
      { project: place },
    );
    expect(finished.code).toBe(0);
    expect(finished.stdout).toContain("## Code Explorer Result");
    expect(finished.stdout).toContain("| F1 | lookup | `src/users.js:3` |");
    place.write("report.md", finished.stdout);
    expect((await retinue(["verify", "report.md"], { project: place })).code).toBe(0);
  });

  test("render: refuses what does not hold, and leaves it out where it is told to", async () => {
    const place = project({ "report.json": report(invented) });
    const refused = await retinue(["report", "render", "report.json"], { project: place });
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toContain("does not stand in src/users.js");
    const reduced = await retinue(["report", "render", "report.json", "--withdraw"], {
      project: place,
    });
    expect(reduced.code).toBe(0);
    expect(reduced.stdout).toContain("### Status\nPARTIAL");
    expect(reduced.stdout).toContain("### Withdrawn\n- lookup (");
  });

  test("docs/report-tool.md prints what the command prints", async () => {
    const page = readFileSync("docs/report-tool.md", "utf8");
    const [, json = ""] = /```json\n([\s\S]*?)```/.exec(page)!;
    const [, printed = ""] = /\$ retinue report check report\.json\n([\s\S]*?)```/.exec(page)!;
    const place = project({ "report.json": json });
    const finished = await retinue(["report", "check", "report.json"], { project: place });
    expect(finished).toMatchObject({ code: 0, stdout: printed });
  });

  test("a file that is no report is a mistake of its writer, exit 2", async () => {
    const place = project({ "report.json": "no JSON at all" });
    const finished = await retinue(["report", "check", "report.json"], { project: place });
    expect(finished.code).toBe(2);
    expect(finished.stderr).toContain("is no JSON object");
    const missing = await retinue(["report", "check", "gone.json"], { project: place });
    expect(missing.code).toBe(2);
  });

  test("schema: the JSON Schema that the package ships", async () => {
    const finished = await retinue(["report", "schema"], { project: project({}) });
    expect(finished.code).toBe(0);
    expect(JSON.parse(finished.stdout)).toMatchObject({
      required: ["status", "summary", "findings", "confidence"],
    });
  });

  test("as a SubagentStop hook: blocks once, then lets go", async () => {
    const place = project({ "report.json": report(invented) });
    const hook = async (input: object) =>
      retinue(["report", "check", "report.json", "--hook"], {
        project: place,
        stdin: JSON.stringify({ cwd: place.root, ...input }),
      });
    const blocked = await hook({ stop_hook_active: false });
    expect(blocked.code).toBe(0);
    expect(JSON.parse(blocked.stdout)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("does not stand in src/users.js"),
    });
    expect(await hook({ stop_hook_active: true })).toMatchObject({ code: 0, stdout: "" });
    place.write("report.json", report(right));
    expect(await hook({ stop_hook_active: false })).toMatchObject({ code: 0, stdout: "" });
    const none = await retinue(["report", "check", "other.json", "--hook"], {
      project: place,
      stdin: JSON.stringify({ cwd: place.root }),
    });
    expect(JSON.parse(none.stdout)).toMatchObject({
      decision: "block",
      reason: expect.stringContaining("Write your report as JSON to other.json"),
    });
  });
});
