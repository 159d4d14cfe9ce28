// A process that tries to take over one stale lock after another, each at a moment that it shares with its rivals, and keeps what it wins.
import { lockTranscript } from "../../src/transcripts/lock/lock.ts";

const [dir = "", start = "0", rounds = "0"] = process.argv.slice(2);
const won: number[] = [];
for (let round = 0; round < Number(rounds); round++) {
  while (Date.now() < Number(start) + round * 15);
  try {
    lockTranscript(`${dir}/${round}.jsonl`);
    won.push(round);
  } catch {
    // A rival has it.
  }
}
process.stdout.write(JSON.stringify(won));
process.stdin.resume();
