// The system calls that a sandboxed command is refused, as a seccomp program: sockets but those of
// the internet family, name spaces, mounts, keys, and what goes around such a filter.
import { constants } from "node:os";

type Calls = {
  arch: number;
  refused: readonly number[];
  clone: number;
  clone3: number;
  socket: number;
  ioctl: number;
  hasX32: boolean;
};

// In this order: mount, umount2, pivot_root, chroot, unshare, setns, open_by_handle_at, add_key,
// request_key, keyctl, bpf, perf_event_open, userfaultfd, kexec_load, kexec_file_load, init_module,
// finit_module, delete_module, reboot, swapon, settimeofday, clock_settime, acct, syslog; then
// those that have one number everywhere.
const everywhere = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442];
const machines: Partial<Record<NodeJS.Architecture, Calls>> = {
  x64: {
    arch: 0xc000003e,
    clone: 56,
    clone3: 435,
    socket: 41,
    ioctl: 16,
    hasX32: true,
    refused: [
      165,
      166,
      155,
      161,
      272,
      308,
      304,
      248,
      249,
      250,
      321,
      298,
      323,
      246,
      320,
      175,
      313,
      176,
      169,
      167,
      164,
      227,
      163,
      103,
      ...everywhere,
    ],
  },
  arm64: {
    arch: 0xc00000b7,
    clone: 220,
    clone3: 435,
    socket: 198,
    ioctl: 29,
    hasX32: false,
    refused: [
      40,
      39,
      41,
      51,
      97,
      268,
      265,
      217,
      218,
      219,
      280,
      241,
      282,
      104,
      294,
      105,
      273,
      106,
      142,
      224,
      170,
      112,
      89,
      116,
      ...everywhere,
    ],
  },
};

const load = 0x20;
const equal = 0x15;
const atLeast = 0x35;
const anyBit = 0x45;
const answer = 0x06;
const allow = 0x7fff0000;
const kill = 0x80000000;
const refuse = (error: number): number => 0x00050000 | error;

/** CLONE_NEW*: user, mount, pid, network, ipc, host name, cgroup. */
const nameSpaces = 0x7e020000;
const inet = 2;
const inet6 = 10;
const netlink = 16;
/** Typing into the terminal of another: TIOCSTI and TIOCLINUX. */
const typing = [0x5412, 0x541c] as const;

type Step = [code: number, ifTrue: number, ifFalse: number, value: number];

/** The program for this machine, or undefined where none is known. The kernel takes it as it is. */
export function sandboxFilter(
  architecture: NodeJS.Architecture = process.arch,
): Buffer | undefined {
  const calls = machines[architecture];
  return calls && assemble(stepsFor(calls));
}

function stepsFor({ arch, refused, clone, clone3, socket, ioctl, hasX32 }: Calls): Step[] {
  const { EPERM, ENOSYS } = constants.errno;
  return [
    [load, 0, 0, 4],
    [equal, 1, 0, arch],
    [answer, 0, 0, kill],
    [load, 0, 0, 0],
    // A second table of the same calls under other numbers.
    ...(hasX32
      ? ([
          [atLeast, 0, 1, 0x40000000],
          [answer, 0, 0, refuse(ENOSYS)],
        ] satisfies Step[])
      : []),
    ...refused.flatMap((call): Step[] => [
      [equal, 0, 1, call],
      [answer, 0, 0, refuse(EPERM)],
    ]),
    // Its flags lie in memory, where no filter can look; the C library falls back to clone.
    [equal, 0, 1, clone3],
    [answer, 0, 0, refuse(ENOSYS)],
    ...onCall(clone, [
      [load, 0, 0, 16],
      [anyBit, 0, 1, nameSpaces],
      [answer, 0, 0, refuse(EPERM)],
      [answer, 0, 0, allow],
    ]),
    ...onCall(socket, [
      [load, 0, 0, 16],
      [equal, 2, 0, inet],
      [equal, 1, 0, inet6],
      [equal, 0, 1, netlink],
      [answer, 0, 0, allow],
      [answer, 0, 0, refuse(EPERM)],
    ]),
    ...onCall(ioctl, [
      [load, 0, 0, 24],
      [equal, 1, 0, typing[0]],
      [equal, 0, 1, typing[1]],
      [answer, 0, 0, refuse(EPERM)],
      [answer, 0, 0, allow],
    ]),
    [answer, 0, 0, allow],
  ];
}

function onCall(call: number, steps: Step[]): Step[] {
  return [[equal, 0, steps.length, call], ...steps];
}

function assemble(steps: readonly Step[]): Buffer {
  const program = Buffer.alloc(steps.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of steps.entries()) {
    program.writeUInt16LE(code, at * 8);
    program.writeUInt8(ifTrue, at * 8 + 2);
    program.writeUInt8(ifFalse, at * 8 + 3);
    program.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return program;
}
