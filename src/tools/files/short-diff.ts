// A short unified diff for people who watch; undefined if it would be long or slow.
import { createTwoFilesPatch } from "diff";

const maxCharacters = 4_000;
const maxInput = 2_000_000;

export function shortDiff(path: string, before: string, after: string): string | undefined {
  if (before.length + after.length > maxInput) return undefined;
  const patch = createTwoFilesPatch(path, path, before, after, undefined, undefined, {
    context: 2,
    timeout: 200,
    maxEditLength: 2_000,
  });
  if (patch === undefined) return undefined;
  const body = patch.slice(patch.indexOf("@@"));
  return body.length <= maxCharacters ? body : `${body.slice(0, maxCharacters)}\n… (diff cut)`;
}
