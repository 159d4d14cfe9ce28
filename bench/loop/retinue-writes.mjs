// The limit of every run that keeps what was said: the raw loop (over HTTP on undici), which also writes the very lines of one of our transcripts, ready
// made, at the moments at which ours are written: in process when 16 K characters wait, over HTTP before each request; one new file a run, synced
// at its end together with its folder. No line is made, masked or checked.
import { closeSync, fsync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { askFake, rawLoop } from "./raw.mjs";
import { askUndici } from "./raw-undici.mjs";
import { prepare as prepareOurs } from "./retinue.mjs";

const waitingCharacters = 16 * 1024;
const sync = promisify(fsync);

export async function prepare({ url, within }) {
  const ours = await prepareOurs({ url, within });
  await ours();
  await ours.manager.close();
  const transcript = readdirSync(ours.folder, { recursive: true }).find((path) =>
    /subagents.*\.jsonl$/.test(path),
  );
  const lines = readFileSync(join(ours.folder, transcript), "utf8").match(/.*\n/g);
  const folder = dirname(join(ours.folder, transcript));
  const parts = url ? perTurn(lines) : perPage(lines);
  const ask = url ? askUndici(url) : askFake;
  let files = 0;
  return async () => {
    const fd = openSync(join(folder, `bare-${files++}`), "ax", 0o600);
    let next = 0;
    const answer = await rawLoop((messages, turn) => {
      if (next < parts.length - 1) writeSync(fd, parts[next++]);
      return ask(messages, turn);
    });
    while (next < parts.length) writeSync(fd, parts[next++]);
    const folderFd = openSync(folder, "r");
    await Promise.all([sync(fd), sync(folderFd)]);
    closeSync(folderFd);
    closeSync(fd);
    return answer;
  };
}

/** The header, the start and the prompt before the first request, a reply and its results before each other. */
function perTurn(lines) {
  const parts = [lines.slice(0, 3).join("")];
  for (let at = 3; at < lines.length - 2; at += 2) parts.push(lines.slice(at, at + 2).join(""));
  return [...parts, lines.slice(-2).join("")];
}

function perPage(lines) {
  const parts = [""];
  for (const line of lines) {
    if (parts.at(-1).length >= waitingCharacters) parts.push("");
    parts[parts.length - 1] += line;
  }
  return parts;
}
