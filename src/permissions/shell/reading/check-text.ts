// Characters that make a command look like something else, or that bash and a reader would see
// differently.
import { ask, type Concern } from "../analysis.ts";

const invisible =
  /\p{Cf}|\p{Cs}|\p{Co}|\p{Cn}|\p{Zl}|\p{Zp}|[\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]|[\u{17b4}-\u{17b5}]|[\u{e0100}-\u{e01ef}]/u;
const control = /(?![\t\n])\p{Cc}/u;
const oddBlank = /(?![ \t\n])\s/u;

export function checkText(text: string): Concern[] {
  if (control.test(text)) return [ask("characters", "The command holds control characters.")];
  if (invisible.test(text))
    return [ask("characters", "The command holds invisible or direction-changing characters.")];
  return oddBlank.test(text)
    ? [ask("characters", "The command holds blanks that are no blanks to bash.")]
    : [];
}
