// Where nothing can refuse a file, the tree is not gone through by rules; where something can, it is.
import { expect, test } from "vitest";
import { mayRead, refusesNoFile } from "./may-read.ts";
import { applyProfile, applyTools, createPolicy, type FactsOf, type Policy } from "./policy.ts";

const workspace = { cwd: "/work", home: "/home/me" };
const facts: FactsOf = (path) => ({ real: path, exists: true, kind: "file" });
const plain = createPolicy({ workspace });
const denies = (...deny: string[]): Policy =>
  createPolicy({ workspace, rules: { allow: [], ask: [], deny } });

test.each<[string, Policy]>([
  ["no rule", plain],
  ["a list of tools", applyTools(plain, { tools: ["Read", "Grep"] })],
  ["tools that are taken away", applyTools(plain, { disallowedTools: ["Bash", "Agent"] })],
  ["rules about commands and the web", denies("Bash(rm *)", "WebFetch", "Write(/work/src/**)")],
])("%s refuses no file", (_name, policy) => {
  expect(refusesNoFile(policy, facts)).toBe(true);
  const allowed = mayRead(policy, facts);
  for (const path of ["/work/src/a.ts", "/work/.env", "/work/x/y.md"])
    expect(allowed(path), path).toBe(true);
});

test.each<[string, Policy, string]>([
  ["a rule of Read", denies("Read(./secret/**)"), "/work/secret/a"],
  ["a rule of Grep", denies("Grep(./secret/**)"), "/work/secret/a"],
  [
    "a rule that asks",
    createPolicy({ workspace, rules: { allow: [], ask: ["Glob(./secret/**)"], deny: [] } }),
    "/work/secret/a",
  ],
  [
    "an agent's own rule",
    applyTools(plain, { disallowedTools: ["Read(./secret/**)"] }),
    "/work/secret/a",
  ],
  [
    "a profile that guards",
    applyProfile(
      plain,
      { name: "safe", description: "", tools: ["Read"], guarded: true },
      { trusted: true },
    ),
    "/work/.env",
  ],
])("%s may refuse one", (_name, policy, path) => {
  expect(refusesNoFile(policy, facts)).toBe(false);
  expect(mayRead(policy, facts)(path)).toBe(false);
});
