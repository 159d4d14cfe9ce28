// `node scripts/record-tour.mjs`: runs `retinue demo` in a real terminal of 110 columns and writes what it shows to docs/tour.svg.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const columns = 110;
const cell = { width: 7.8, height: 17 };
const margin = 14;
const colours = {
  30: "#7f8c98",
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  37: "#e6edf3",
  90: "#8b949e",
};

/** The lines of a terminal's output as runs of text with one style each; a carriage return starts the line again. */
export function styledLines(output) {
  const lines = [[]];
  let style = {};
  for (const part of output.split(/(\u001B\[[0-9;?]*[A-Za-z]|\r\n|\n|\r)/)) {
    if (part === "\n" || part === "\r\n") lines.push([]);
    else if (part === "\r") lines[lines.length - 1] = [];
    else if (part.startsWith("\u001B[")) {
      if (part.endsWith("m")) style = nextStyle(style, part.slice(2, -1).split(";").map(Number));
      else if (part.endsWith("K") || part.endsWith("G")) lines[lines.length - 1] = [];
    } else if (part !== "") lines.at(-1).push({ text: part, style });
  }
  while (lines.length > 0 && lines.at(-1).length === 0) lines.pop();
  return lines;
}

function nextStyle(style, codes) {
  let next = style;
  for (const code of codes) {
    if (code === 0) next = {};
    else if (code === 1) next = { ...next, bold: true };
    else if (code === 2) next = { ...next, dim: true };
    else if (code === 22) next = { ...next, bold: false, dim: false };
    else if (code === 39) next = { ...next, colour: undefined };
    else if (colours[code]) next = { ...next, colour: colours[code] };
  }
  return next;
}

const escaped = (text) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

function span({ text, style }) {
  const fill = style.colour ?? (style.dim ? colours[90] : colours[37]);
  const weight = style.bold ? ' font-weight="bold"' : "";
  return `<tspan fill="${fill}"${weight}>${escaped(text)}</tspan>`;
}

/** One picture of the lines: text stays text, so that it can be searched and read aloud. */
export function terminalPicture(lines, title) {
  const width = Math.ceil(columns * cell.width + 2 * margin);
  const height = Math.ceil((lines.length + 1) * cell.height + 2 * margin);
  const rows = lines.map((line, index) => {
    const y = margin + (index + 1) * cell.height;
    return `<text x="${margin}" y="${y}" xml:space="preserve">${line.map(span).join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title).replaceAll(`"`, "&quot;")}">
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="13">
${rows.join("\n")}
</g>
</svg>
`;
}

/** What the command writes to a real terminal. */
function record(command) {
  const folder = mkdtempSync(join(tmpdir(), "record-"));
  try {
    const file = join(folder, "typescript");
    const line = `stty cols ${columns} rows 60; ${command}`;
    const env = { ...process.env, TERM: "xterm-256color", FORCE_COLOR: "1", NO_COLOR: undefined };
    execFileSync("script", ["-qec", line, file], { stdio: "ignore", env });
    return readFileSync(file, "utf8")
      .replace(/^Script started.*\n/, "")
      .replace(/\nScript done.*\s*$/, "");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  execFileSync("node", ["scripts/build.mjs", "--cli"], { stdio: "inherit" });
  const lines = styledLines(record("node dist/cli/retinue.js demo"));
  writeFileSync("docs/tour.svg", terminalPicture(lines, "What `retinue demo` prints"));
  console.log(`docs/tour.svg: ${lines.length} lines`);
}
