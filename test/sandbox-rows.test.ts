// The attack rows that only the sandbox can stop, or that it stops where the parser does not: each command is really run, with the row's own rules, and its assertion holds.
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { pathFacts } from "../src/base/files/path-facts.ts";
import { answerCase, readCase } from "../src/permissions/read-case.ts";
import { attackRows, fillRow, setUp, type AttackRow } from "./attack-rows.ts";
import { cannotSandbox, sandboxed } from "./support/sandboxed.ts";

const rows = attackRows.filter(
  ({ layer, class: kind, tool }) =>
    tool === "Bash" && (layer === "sandbox" || layer === "path+sandbox" || kind === "bash/exfil"),
);
const content = "KEY=the-content-of-the-file";

describe.skipIf(cannotSandbox !== undefined)("attack rows in the sandbox", () => {
  test.each(rows.map((row) => [row.id, row.note, row] as const))(
    "%s %s",
    async (_id, _note, given) => {
      const cage = await sandboxed({
        git: false,
        policy: { rules: given.rules, mode: "bypassPermissions" },
        sandbox: { allowHosts: (given.context?.["network_allow"] as string[] | undefined) ?? [] },
        files: { ".env": content, "secrets/a": content, "src/a.ts": "seen\n" },
      });
      const row = fillRow(given, cage);
      setUp({ ...row, setup: (row.setup ?? []).filter((item) => !("file" in item)) }, cage);
      let heard = 0;
      const server = createServer((socket) => ((heard += 1), socket.destroy()));
      await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
      const { port } = server.address() as { port: number };
      // The name that the rows dial would be this server, if any name could be found and any address dialled.
      const { text } = await cage.bash(
        `${row.input["command"] as string}; curl -sm 2 http://127.0.0.1:${port}/`,
      );
      if (row.layer !== "net") expect(text).not.toContain("the-content");
      expect(heard).toBe(0);
      expect(text).not.toContain("[retinue sandbox] what");
      server.close();
      await cage.remove();
    },
  );

  test("a row without its deny rule shows the file: the rule is what hides it", async () => {
    const cage = await sandboxed({ git: false, files: { ".env": content } });
    expect((await cage.bash("python3 -c 'print(open(\".env\").read())'")).text).toContain(content);
    await cage.remove();
  });
});

/** Without the sandbox the decision alone must stop what a parser can see. */
test.each(
  rows.filter(({ layer }) => layer === "path+sandbox").map((row) => [row.id, row] as const),
)("%s is stopped by the decision too", (_id, row: AttackRow) => {
  const read = readCase(
    { ...row, cwd: "/w", home: "/h" },
    { protectedPaths: [], cwd: "/w", home: "/h" },
  );
  if (!read.ok) throw new Error(read.problem);
  expect(["deny", "ask"]).toContain(
    answerCase(read, (path) => pathFacts(path, "/w", "/h")).decision,
  );
});
