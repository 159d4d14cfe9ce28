import { expect, test } from "vitest";
import { memoryReader } from "../../../../source/reader.ts";
import { assessReport } from "../../../assess-report.ts";

const reader = memoryReader({
  "src/box.php":
    "<?php\nclass Box\n{\n    public function __construct()\n    {\n    }\n\n    public function put()\n    {\n    }\n\n    public function take()\n    {\n    }\n\n    private function path()\n    {\n    }\n}\n",
  "tests/box_test.rb": 'it "opens" do\nend\nxit "closes" do\nend\n',
  "main.tf": 'resource "disk" "a" {\n}\n\nvariable "size" {\n}\n\nvariable "zone" {\n}\n',
});
const isTold = async (text: string): Promise<boolean> =>
  (await assessReport(text, { reader, contract: "none" })).checks.some(
    ({ verdict }) => verdict === "countered",
  );

test("a test that is switched off may be counted or not", async () => {
  expect(await isTold("There are two examples in `tests/box_test.rb`.")).toBe(false);
  expect(await isTold("There is one example in `tests/box_test.rb`.")).toBe(false);
  expect(await isTold("There are four examples in `tests/box_test.rb`.")).toBe(true);
});

test("blocks of settings are counted by their kind", async () => {
  expect(await isTold("Summary of the configuration: 1 resource block, two variables.")).toBe(
    false,
  );
  expect(await isTold("Summary of the configuration: 1 resource block, four variables.")).toBe(
    true,
  );
});
