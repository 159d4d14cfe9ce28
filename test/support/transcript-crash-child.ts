// A process that writes transcript lines until it is killed and acknowledges each on its standard output after append has returned.
import { writeSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { openTranscript } from "../../src/transcripts/transcript-writer.ts";
import { noKnownSecrets } from "../../src/base/secrets/find-secrets.ts";
import { crashContent } from "./transcript-crash-content.ts";

const [path = "", agentId = "", first = "1"] = process.argv.slice(2);
const writer = openTranscript({
  path,
  sessionId: "11111111-2222-4333-8444-555555555555",
  agentId,
  isMain: false,
  cwd: "/p",
  version: "0",
  secrets: noKnownSecrets,
  fsync: "never",
  now: Date.now,
  newUuid: randomUUID,
});

for (let seq = Number(first); ; seq++) {
  writer.append({
    type: "message",
    origin: "prompt",
    message: { role: "user", content: crashContent(seq) },
    agentId,
    runId: "r",
    seq,
    time: Date.now(),
  });
  writeSync(1, `${seq}\n`);
}
