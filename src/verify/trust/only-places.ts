// Whether a text does no more than name places: names, paths and lines of code in code marks, and beside
// them only words that put one thing to another. No such text tells a deed or a result, so the code
// that reads those is not loaded for it. In doubt a text tells more.

/** Words that say where something is, and what holds such words together. */
const placing = new Set(
  (
    "a an the it its this that these those here there which is are and or also as with of in at on from " +
    "to by under below above inside within near beside behind around see stands stand lies lie sits sit " +
    "lives located line lines file files folder function method class constant variable field " +
    "interface struct enum"
  ).split(" "),
);
/** Headings that only say that places follow: below others an item may say that it was checked. */
const neutral = new Set(
  (
    "findings finding references reference places locations location files key relevant where what " +
    "answer summary overview details definitions usages"
  ).split(" "),
);

const heading = /^ {0,3}#{1,6}\s/;
const listMark = /^\s*(?:[-*+]|\d{1,3}[.)])\s+/;
const codeSpan = /(`{1,2})([^`\n]{1,400})\1/g;
/** Line numbers belong to the place. */
const lineNumbers = /\blines?\s+\d+(?:\s*(?:-|–|to|and)\s*\d+)?/gi;
const piece = /[A-Za-z']+|\S/g;
const isMark = /^[.,:;()–—-]$/;

export const onlyPlaces = (text: string): boolean =>
  text.split("\n").every((line) => line === "" || isPlacing(line));

function isPlacing(line: string): boolean {
  const isHeading = heading.test(line);
  const mark = isHeading ? heading : listMark;
  let isPlain = true;
  const words = line.replace(mark, "").replace(codeSpan, (_, _mark: string, code: string) => {
    isPlain &&= isPath.test(code) || isName(code) || isLineOfCode(code);
    return " ";
  });
  if (!isPlain) return false;
  const rest = words.replace(lineNumbers, "line").toLowerCase().match(piece) ?? [];
  return rest.every(
    (one) => placing.has(one) || isMark.test(one) || (isHeading && neutral.has(one)),
  );
}

/** With its extension, and not from here on: that may be a script that was run. */
const isPath = /^[\w-][\w./-]{0,200}\.[A-Za-z]\w{0,7}(?::\d{1,7}(?:[-:]\d{1,7})?|#L\d{1,7})?$/;

/** Tools that look like names; the test beside this file holds them against the table of tools. */
const tools = new Set(["flake8", "nose2", "parallel_rspec", "py_compile", "shunit2"]);

/** No plain word: that may be a tool. */
const isName = (code: string): boolean =>
  /^[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|#)[\w$]{1,80}){0,3}(?:\(\))?$/.test(code) &&
  !tools.has(code.toLowerCase()) &&
  /[a-z][A-Z]|[a-z]_[a-z]|[a-z]{4}\d|\(\)|\w::\w/.test(code);

/** Nobody gives a shell a line that begins so, and it is no sentence in marks of code either. */
const isLineOfCode = (code: string): boolean =>
  opensCode.test(code) && /[{}<>=;]|\(\)/.test(code) && !/\s(?:\||&&|;)\s/.test(code);

const opensCode = new RegExp(
  "^(?:export|import|const|let|var|function|class|def|fn|func|pub|public|private|protected|static|" +
    "return|async|struct|enum|impl|interface|abstract)\\s",
);
