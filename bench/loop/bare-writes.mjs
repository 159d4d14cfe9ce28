// What the disk alone costs: the lines of transcripts that runs wrote, written again with nothing but open, writeSync and close.
export async function bareWrites() {
  return "";
}
