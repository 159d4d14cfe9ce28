// What somebody else does, what is denied and what is still to come is no claim of the message.
import { expect, test } from "vitest";
import { saysNothingDone, toldOfOthers } from "./told-of-others.ts";

const at = (text: string, part: string): [number, number] => {
  const from = text.indexOf(part);
  return [from, from + part.length];
};

test.each([
  ["The release workflow builds and publishes the image.", "builds and", "other actor"],
  ["As soon as the tag is pushed, the pipeline deploys it.", "the pipeline", "other actor"],
  ["Your CI runs the linter on every push.", "runs the linter", "other actor"],
  ["A bare `just` checks the formatting and runs the tests.", "checks the", "other actor"],
  ["The lint script allows no warnings.", "allows", "other actor"],
  ["I have not tagged, built or pushed anything.", "built", "governed"],
  ["I haven't committed it, published it, or deployed it.", "deployed it", "governed"],
  ["I added a task that enables and starts nginx.", "starts nginx", "governed"],
  ["To release:\n\n```\ngit push --tags\n```\n\nAfter that, 2.0 is published.", "2.0", "governed"],
])("%s (%s): %s", (text, part, doubt) => {
  expect(toldOfOthers(text, at(text, part))?.doubt).toBe(doubt);
});

test.each([
  ["The build script passes and all tests are green.", "all tests"],
  ["CI is green.", "CI is green"],
  ["`make check` passes.", "passes"],
  ["`cargo clippy` checks all targets without warnings.", "checks all"],
  ["The pre-commit hook passed.", "passed"],
  ["I did not touch the config, but built the image and pushed it.", "built the image"],
  ["I fixed the job, built the image and pushed it.", "pushed it"],
  ["After that, all tests pass.", "all tests"],
  ["I added a step that lints the docs, and the build passes.", "the build passes"],
])("%s (%s): its own claim", (text, part) => {
  expect(toldOfOthers(text, at(text, part))).toBeUndefined();
});

test.each([
  ["So far I have only read the code, nothing was changed.", true],
  ["None of that has been done yet.", true],
  ["Leider konnte ich nichts ändern.", true],
  ["De acuerdo, no he modificado nada.", true],
  ["I changed the parser and nothing else.", false],
])("%s: %s", (text, is) => {
  expect(saysNothingDone(text)).toBe(is);
});
