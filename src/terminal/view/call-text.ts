// What a tool call is about, from the inputs that people recognise. Of a command its own words and
// the model's words about it stand apart.

/** `note`: the model's own words; they prove nothing. */
export type CallText = { what: string; note: string };

/** Paths below the working directory are shortened. The text is as the model wrote it: clean it before it is shown. */
export function callText(input: unknown, cwd: string): CallText {
  if (typeof input !== "object" || input === null) return { what: "", note: "" };
  const { file_path, offset, limit, command, description, ...rest } = input as Record<
    string,
    unknown
  >;
  const shortened = (text: string): string => (cwd === "" ? text : text.replaceAll(`${cwd}/`, ""));
  if (typeof file_path === "string")
    return { what: shortened(`${file_path}${rangeOf(offset, limit)}`), note: "" };
  const own = typeof description === "string" ? description : "";
  if (typeof command === "string") return { what: shortened(command), note: own };
  const words = [rest["pattern"], rest["path"], rest["url"], own, rest["prompt"], rest["skill"]]
    .filter((value) => typeof value === "string" && value !== "")
    .slice(0, 2);
  return { what: shortened(words.join(" ")), note: "" };
}

/** The lines of a file that are read, where the call names them. */
function rangeOf(offset: unknown, limit: unknown): string {
  const from = typeof offset === "number" ? offset : 1;
  if (typeof limit === "number") return `:${from}-${from + limit - 1}`;
  return typeof offset === "number" ? `:${from}-` : "";
}
