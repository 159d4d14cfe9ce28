// The time of one decision grows with the length of the text, not faster. A ratio of two times of one
// run: a machine that is busy is busy for both.
import { expect, test } from "vitest";
import { createPolicy } from "../src/permissions/policy.ts";
import { decide } from "../src/permissions/decide.ts";
import type { PermissionMode } from "../src/permissions/mode.ts";
import { hostileTexts } from "./hostile-texts.ts";

const policyOf = (mode: PermissionMode) =>
  createPolicy({
    workspace: { cwd: "/w", home: "/h" },
    mode,
    rules: {
      allow: ["Bash(ls:*)", "Bash(cat:*)", "Bash(git * status)", "Bash(*a*b*c*)"],
      ask: ["Bash(git push:*)"],
      deny: ["Read(.env)", "Read(**/secret/**)", "Edit(src/**)", "Bash(rm -rf:*)", "Bash(*evil*)"],
    },
  });

/** Processor time of the best of several tries, each with another text: the last ones are remembered. */
function timeOf(text: string, policy: ReturnType<typeof policyOf>): number {
  const once = (command: string) => {
    const before = process.cpuUsage();
    decide({ tool: "Bash", input: { command } }, policy, (path) => ({
      real: path,
      exists: false,
      kind: "absent",
    }));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  return Math.min(once(text), once(`${text}\n`));
}

/** Ten times the length: linear is 10, quadratic 100. Below this floor the clock decides. */
const maxRatio = 45;
const floorMs = 1;

test("every hostile form", () => {
  const policy = policyOf("default");
  timeOf(hostileTexts["many words"]!(1_000), policy);
  const steep = Object.entries(hostileTexts).flatMap(([name, make]) => {
    const ratio = () => timeOf(make(3_000), policy) / Math.max(timeOf(make(300), policy), floorMs);
    return ratio() > maxRatio && ratio() > maxRatio && ratio() > maxRatio ? [name] : [];
  });
  expect(steep).toEqual([]);
}, 120_000);

test("a path of 49,000 characters takes no longer than ten times one of 4,900", () => {
  const policy = policyOf("default");
  const path = hostileTexts["one path"]!;
  const ratio = () => timeOf(path(49_000), policy) / Math.max(timeOf(path(4_900), policy), floorMs);
  expect(Math.min(ratio(), ratio())).toBeLessThan(maxRatio);
});
