// A line of text that somebody types, key by key.

/** The text after one more key: a character, or the name of a key. */
export function afterKey(text: string, key: string): string {
  if (key === "backspace") return Array.from(text).slice(0, -1).join("");
  if (key === "ctrl-u") return "";
  if (key === "ctrl-w") return text.replace(/\S*\s*$/, "");
  return Array.from(key).length === 1 ? text + key : text;
}
