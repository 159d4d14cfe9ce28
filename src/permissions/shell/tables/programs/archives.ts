// Commands that pack and unpack: what they write stands in part in the archive.
import type { CommandSpec } from "../command-spec.ts";

const reader: CommandSpec = { operands: "read" };
const unpacker: CommandSpec = {
  judge: "unpack",
  operands: "write",
  skipFirst: true,
  responseFiles: true,
};

/** With `-N` the name stands in the archive. */
const packer: CommandSpec = {
  operands: "pack",
  recursive: "-r --recursive",
  runs: "-N --name",
  valued: "-S --suffix",
  suffixes: "-S --suffix",
};

export const archiveCommands: Record<string, CommandSpec> = {
  tar: { judge: "tar", operands: "none" },
  bsdtar: { judge: "tar", operands: "none" },
  uudecode: { judge: "unpack", operands: "read", makes: "-o" },
  cpio: {
    judge: "unpack",
    operands: "write",
    writes: "-F -O -D --file --directory",
    runs: "--rsh-command --to-stdout",
  },
  pax: { judge: "unpack", operands: "write", writes: "-f" },
  zip: {
    operands: "write-then-read",
    recursive: "-r --recurse-paths",
    follows: "always",
    valued: "-n -P -t -tt --password",
    writes: "-b --temp-path",
    edits: "-m --move",
    runs: "-T -TT --test --unzip-command -@",
  },
  unzip: { judge: "unzip", operands: "read", makes: "-d", valued: "-P -x" },
  gzip: packer,
  gunzip: packer,
  bzip2: packer,
  bunzip2: packer,
  unxz: packer,
  unlzma: packer,
  unzstd: packer,
  uncompress: packer,
  xz: {
    operands: "pack",
    valued: "-T --threads --format -S --suffix",
    suffixes: "-S --suffix",
    reads: "--files --files0",
    runs: "--files --files0",
  },
  zstd: {
    operands: "pack",
    makes: "-o --output-dir-flat --output-dir-mirror",
    valued: "-T",
    reads: "-D --filelist",
    runs: "--filelist",
    edits: "--rm",
  },
  lz4: packer,
  compress: packer,
  lzma: packer,
  zcat: reader,
  xzcat: reader,
  bzcat: reader,
  zstdcat: reader,
  lzcat: reader,
  lz4cat: reader,
  zdiff: reader,
  zcmp: reader,
  "7z": { ...unpacker, makes: "-o", writes: "-w" },
  "7za": { ...unpacker, makes: "-o", writes: "-w" },
  "7zr": { ...unpacker, makes: "-o", writes: "-w" },
  "7zz": { ...unpacker, makes: "-o", writes: "-w" },
  unrar: unpacker,
  rar: unpacker,
  unar: { judge: "unpack", operands: "read", writes: "-o" },
  ar: unpacker,
  jar: unpacker,
  "dpkg-deb": { asks: "dpkg-deb unpacks and builds packages." },
};
