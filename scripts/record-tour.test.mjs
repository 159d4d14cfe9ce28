import { expect, it } from "vitest";
import { styledLines, terminalPicture } from "./record-tour.mjs";

it("keeps colours, drops what a status line wrote over, and ends without empty lines", () => {
  const lines = styledLines("working…\r\u001B[2K\u001B[32mdone\u001B[39m <ok>\r\n\r\n");
  expect(lines).toEqual([
    [
      { text: "done", style: { colour: "#7ee787" } },
      { text: " <ok>", style: { colour: undefined } },
    ],
  ]);
  const picture = terminalPicture(lines, 'what "x" prints');
  expect(picture).toContain('<tspan fill="#7ee787">done</tspan>');
  expect(picture).toContain(" &lt;ok&gt;");
  expect(picture).not.toContain("working");
});
