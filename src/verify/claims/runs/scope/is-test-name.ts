// Whether a word of code is the name of a test or of a file of tests, by its shape alone.
import { isTestFile } from "../proof-command.ts";

const named = [
  /^test[_A-Z\d]|^it[_A-Z]|^should[_A-Z]|^Test[A-Z_]/,
  /Tests?(?:[.:#]|$)|(?:^|[_:./#-])(?:spec|tests?)(?:$|[_:./#-])/i,
  /^[A-Za-z]\w*(?:_\w+){2,}$/,
  /^[A-Z]\w*(?:::|#|\.)[a-z]\w*(?:[A-Z_]\w*){2,}$/,
];

export const isTestName = (text: string): boolean =>
  text.length < 160 &&
  !/\(.+\)|[=;{}<>$|&]|\s-/.test(text) &&
  (isTestFile(text) || named.some((shape) => shape.test(text)));
