// Replaces text for Edit: exact matches only, all of them counted; the file's line endings are
// kept.

export type TextEdit = {
  oldText: string;
  newText: string;
  replaceAll: boolean;
  maxCharacters: number;
};

export type TextReplaced =
  | {
      ok: true;
      text: string;
      replacements: number;
      /** 1-based line of the first change in the new text. */ line: number;
    }
  | { ok: false; problem: string };

const shownLines = 10;

export function replaceText(text: string, edit: TextEdit): TextReplaced {
  if (edit.oldText === edit.newText)
    return { ok: false, problem: "old_string and new_string are the same; nothing would change." };
  const crlf = onlyCrlf(text);
  const oldText = crlf && !text.includes(edit.oldText) ? toCrlf(edit.oldText) : edit.oldText;
  const newText = crlf ? toCrlf(edit.newText) : edit.newText;
  const found = occurrences(text, oldText);
  if (found.count === 0)
    return {
      ok: false,
      problem: `old_string was not found (0 matches). ${hint(text, edit.oldText)}`,
    };
  if (found.count > 1 && !edit.replaceAll) {
    const lines = found.first.map((at) => lineAt(text, at)).join(", ");
    return {
      ok: false,
      problem:
        `old_string is ambiguous: ${found.count} matches, on lines ` +
        `${lines}${found.count > shownLines ? ", …" : ""}. Give more of the surrounding ` +
        "text, or set replace_all.",
    };
  }
  if (text.length + found.count * (newText.length - oldText.length) > edit.maxCharacters) {
    return {
      ok: false,
      problem: `The file would grow beyond ${edit.maxCharacters} characters with ${found.count} replacements.`,
    };
  }
  return {
    ok: true,
    text: text.split(oldText).join(newText),
    replacements: found.count,
    line: lineAt(text, found.first[0]!),
  };
}

function occurrences(text: string, part: string): { count: number; first: number[] } {
  const first: number[] = [];
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) {
    count += 1;
    if (first.length < shownLines) first.push(at);
  }
  return { count, first };
}

function onlyCrlf(text: string): boolean {
  return text.includes("\r\n") && !/(?:^|[^\r])\n/.test(text);
}

const toCrlf = (text: string): string => text.replaceAll(/\r?\n/g, "\r\n");

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1))
    line += 1;
  return line;
}

/** The most similar text that exists in the file, if there is an obvious one. */
function hint(text: string, oldText: string): string {
  if (/^ *\d+\t/.test(oldText))
    return "It begins with a line number: leave out the numbers that Read prints.";
  const squeeze = (part: string): string => part.replaceAll(/\s+/g, " ").trim();
  const squeezed = squeeze(oldText);
  if (squeezed !== "" && text.length < 5_000_000 && squeeze(text).includes(squeezed))
    return "The same words are there with other white space: copy the text exactly as Read shows it after the tab.";
  return "Read the file again and copy the text exactly.";
}
