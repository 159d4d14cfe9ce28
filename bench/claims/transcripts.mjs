// Real transcripts with their trees: `--transcripts DIR`, where DIR/index.jsonl names each transcript and
// its tree. Nobody labelled them; every flag of a deed, a result or a fact is printed, to be read by hand.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const isClaim = ({ kind }) => kind === "test" || kind === "command" || kind === "file_claim";

export async function runTranscripts(folder, room, shareWords) {
  const entries = readFileSync(join(folder, "index.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const judged = [];
  for (const { id, transcript, tree } of entries) {
    if (!existsSync(tree) || !existsSync(transcript)) continue;
    const ledger = await room.readLedger(transcript, { root: tree });
    const text = ledger.final.text;
    if (!text || !ledger.isUnderstood) continue;
    const { checks } = await room.assessReport(text, {
      reader: room.treeReader(tree),
      ledger,
      contract: "none",
    });
    const isDoubt = ({ verdict }) => room.isFlagged(verdict) || verdict === "countered";
    const wrong = checks.filter((one) => isClaim(one) && isDoubt(one));
    judged.push({ id, checks: checks.filter(isClaim), wrong });
  }
  const flagged = judged.filter(({ wrong }) => wrong.length > 0);
  const all = judged.flatMap(({ checks }) => checks);
  console.log(
    `transcripts with a deed, a result or a fact flagged: ${shareWords(flagged.length, judged.length)}; ${all.length} claims read`,
  );
  for (const { id, wrong } of flagged)
    for (const { verdict, text, reason } of wrong)
      console.log(`  ${id} ${verdict}: ${JSON.stringify(text.slice(0, 160))} (${reason})`);
}
