import { expect, test } from "vitest";
import { memoryReader } from "../../../source/reader.ts";
import { assessReport } from "../../assess-report.ts";

const reader = memoryReader({
  "src/fee.ts":
    'export function feeOf(days: number): number {\n  if (days <= free) return 0;\n  return Math.min(days * 0.2, 8);\n}\n\nexport const free = 3;\nexport const label = `<b class="fee">`;\n',
  "src/route.go":
    "func Pick(line string) bool {\n\tif strings.HasPrefix(line, prefix) {\n\t\treturn true\n\t}\n\treturn false\n}\n",
});
const isTold = async (text: string): Promise<boolean> =>
  (await assessReport(text, { reader, contract: "none" })).checks.some(
    ({ verdict, reason }) => verdict === "countered" && reason.includes("stands nowhere"),
  );

test("a line that was changed is told where the words say that it is one", async () => {
  expect(await isTold("The cap is in `feeOf`: `return Math.min(days * 0.2, 9);`")).toBe(true);
  expect(
    await isTold("The test in `Pick` is:\n\n```go\nif strings.Contains(line, prefix) {\n```\n"),
  ).toBe(true);
  expect(
    await isTold("The line is\n\n    return Math.min(days * 0.2, 9);\n\nand nothing else."),
  ).toBe(true);
});

test("a line that stands there is not told, however it is laid out", async () => {
  expect(await isTold("The cap is in `feeOf`: `return Math.min(days*0.2, 8)`.")).toBe(false);
  expect(
    await isTold("The test in `Pick` is:\n\n```go\nif strings.HasPrefix(line, prefix) {\n```\n"),
  ).toBe(false);
});

test("code that is wished for, or that nothing leads to, is not told", async () => {
  expect(
    await isTold(
      "変更案は次のとおりです。`src/fee.ts`\n\n```ts\nreturn Math.min(days * 0.2, 9);\n```\n",
    ),
  ).toBe(false);
  expect(await isTold("`feeOf` should end with `return Math.min(days * 0.2, 9);`")).toBe(false);
});
