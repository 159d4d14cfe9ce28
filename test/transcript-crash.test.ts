import { join } from "node:path";
import { expect, test } from "vitest";
import { crashTranscripts } from "./support/transcript-crash.ts";

test("P1 no acknowledged line is lost by kill -9 at 50 random moments", async () => {
  const report = await crashTranscripts(
    50,
    join(import.meta.dirname, "support", "transcript-crash-child.ts"),
  );
  expect(report).toMatchObject({ kills: 50, lost: [], problems: [] });
  expect(report.acknowledged).toBeGreaterThan(50);
}, 120_000);
