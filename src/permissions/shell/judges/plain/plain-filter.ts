// The programs of jq and yq that only look at their input: paths, operators, and functions of a
// list. Any other name may load a file, show the environment or evaluate text, and is not plain.

const functions = new Set(
  `abs add all and any arrays ascii ascii_downcase ascii_upcase asin atan booleans bsearch catch ceil
  combinations contains del delpaths downcase elif else empty end endswith error exp explode
  first flatten floor foreach format from_entries fromdate fromdateiso8601 fromjson fromstream
  getpath group_by gsub has if implode in index indices infinite input inputs inside isempty isinfinite isnan
  isnormal isvalid iterables join keys keys_unsorted label last length limit log ltrim ltrimstr map
  map_values match max max_by min min_by mktime nan not now nth null nulls numbers objects or path
  paths pick pow range recurse reduce repeat reverse round rtrim rtrimstr scalars scan select
  setpath sort sort_by sort_keys splits split sqrt startswith strflocaltime strftime strings
  strptime sub tag test then to_entries to_number to_string toarray todate tojson tonumber tostream
  tostring transpose trim true truncate_stream try type unique unique_by until upcase utf8bytelength
  values walk while with_entries as false input_line_number break`.split(/\s+/),
);
const token =
  /\s+|#[^\n]*|"|\$[A-Za-z_]\w*|@[a-z0-9]+|\.\.|\.[A-Za-z_]\w*|[A-Za-z_]\w*|\d[\d.eE]*|[^"$@\w\s]/y;
const openers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

type Reading = { text: string; at: number; closing: string[]; isPlain: boolean };

export function isPlainFilter(text: string): boolean {
  const reading: Reading = { text, at: 0, closing: [], isPlain: true };
  while (reading.at < text.length && reading.isPlain) readToken(reading);
  return reading.isPlain && reading.closing.length === 0;
}

/** `"` on the stack of brackets stands for an interpolation: at its end the string goes on. */
function readToken(reading: Reading): void {
  token.lastIndex = reading.at;
  const found = token.exec(reading.text)?.[0];
  if (found === undefined) {
    reading.isPlain = false;
    return;
  }
  reading.at += found.length;
  const { closing } = reading;
  if (found === '"') readString(reading);
  else if (openers[found]) closing.push(openers[found]);
  else if (")]}".includes(found)) close(reading, found);
  else if (found.startsWith("$")) reading.isPlain = !/^\$(?:ENV|__)/.test(found);
  else if (/^[A-Za-z_]/.test(found)) reading.isPlain = isHarmless(reading, found);
}

function close(reading: Reading, found: string): void {
  const expected = reading.closing.pop();
  if (expected === '"' && found === ")") readString(reading);
  else reading.isPlain = expected === found;
}

/** From behind the quote, or behind an interpolation, to the end of the string or the next one. */
function readString(reading: Reading): void {
  const rest = /(?:[^"\\]|\\[^(])*("|\\\()/y;
  rest.lastIndex = reading.at;
  const found = rest.exec(reading.text);
  reading.isPlain = found !== null;
  reading.at += found?.[0].length ?? 0;
  if (found?.[1] === "\\(") reading.closing.push('"');
}

/** A key of an object is no function: `{name, size: .bytes}`. */
function isHarmless({ text, at, closing }: Reading, name: string): boolean {
  const isKey = closing.at(-1) === "}" && /^\s*[:,}]/.test(text.slice(at, at + 40));
  const startsKey = /[{,]\s*$/.test(text.slice(0, at - name.length).slice(-40));
  return functions.has(name) || (isKey && startsKey);
}
