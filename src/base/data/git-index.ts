// The paths that git's index lists. Read without git: a permission is decided before anything runs.

/** Behind four times, device, inode, mode, owner, group and size stands the object's hash. */
const beforeHash = 40;
const hashLengths = [20, 32];
const header = 12;

/** Undefined for what is no index, or one of which a part lies elsewhere. */
export function readGitIndex(bytes: Buffer): string[] | undefined {
  if (bytes.length < header || bytes.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const [version, count] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8)];
  if (version < 2 || version > 4) return undefined;
  for (const hashLength of hashLengths) {
    const read = readEntries(bytes, { count, version, hashLength });
    if (read !== undefined && endsWell(bytes, read.end, hashLength)) return read.paths;
  }
  return undefined;
}

type Form = { count: number; version: number; hashLength: number };

function readEntries(
  bytes: Buffer,
  { count, version, hashLength }: Form,
): { paths: string[]; end: number } | undefined {
  const paths: string[] = [];
  let at = header;
  for (let previous: Buffer = Buffer.alloc(0); paths.length < count;) {
    const flags = at + beforeHash + hashLength;
    if (flags + 2 > bytes.length) return undefined;
    const isExtended = version > 2 && (bytes.readUInt16BE(flags) & 0x4000) !== 0;
    const start = flags + (isExtended ? 4 : 2);
    const dropped = version === 4 ? readLength(bytes, start) : { value: 0, end: start };
    const end = bytes.indexOf(0, dropped.end);
    if (end < 0 || dropped.value > previous.length) return undefined;
    const kept = version === 4 ? previous.subarray(0, previous.length - dropped.value) : undefined;
    const own = bytes.subarray(dropped.end, end);
    previous = kept === undefined ? own : Buffer.concat([kept, own]);
    paths.push(previous.toString());
    // Up to the fourth form an entry is filled up to a multiple of eight bytes.
    at = version === 4 ? end + 1 : at + (((end - at + 8) >> 3) << 3);
  }
  return { paths, end: at };
}

/** git's numbers of any length: seven bits a byte, and one is added for every further byte. */
function readLength(bytes: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at - start < 8) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, end: at };
}

/** Behind the entries follow extensions with their lengths, then the hash of the whole. */
function endsWell(bytes: Buffer, entriesEnd: number, hashLength: number): boolean {
  let at = entriesEnd;
  while (at + hashLength < bytes.length) {
    // The rest of a split index lies in another file.
    if (at + 8 > bytes.length || bytes.toString("latin1", at, at + 4) === "link") return false;
    at += 8 + bytes.readUInt32BE(at + 4);
  }
  return at + hashLength === bytes.length;
}
