import { expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { assessReport } from "../../assess-report.ts";

const reader = memoryReader({
  "mix.exs":
    'defp deps do\n  [\n    {:plug, "~> 1.15"},\n    {:igniter, "~> 0.6", only: [:dev, :test]}\n  ]\nend\n',
  "mix.lock": '%{\n  "jason": {:hex, :jason, "1.4.1", "abc"},\n}\n',
});
const verdictsOf = async (text: string): Promise<string[]> =>
  (await assessReport(text, { reader, contract: "none" })).checks.map(({ verdict }) => verdict);

test("a package that its manifest has is not held against who says so, where the manifest tells no kinds", async () => {
  expect(await verdictsOf("`igniter` is a dev dependency in `mix.exs`.")).not.toContain(
    "countered",
  );
  expect(await verdictsOf("`mix.exs` has no dependency on `plug`.")).toContain("countered");
});
