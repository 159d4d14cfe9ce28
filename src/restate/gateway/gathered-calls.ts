// Joins calls that come while one is under way: what only one call at a time can do, such as handing
// in runs of one tenant, is then done for all of them at once, in the order in which they came.

export type GatheredCalls<I, O> = {
  /** Does it for several; an answer for each, in their order. */
  work: (inputs: I[]) => Promise<O[]>;
  sizeOf: (input: I) => number;
  /** Of one call; an input that is larger goes alone. */
  mostSize: number;
};

type Waiting<I, O> = {
  input: I;
  size: number;
  resolve: (output: O) => void;
  reject: (error: unknown) => void;
};

/** A function that does it for one, and waits for as long as that takes. */
export function gatherCalls<I, O>(calls: GatheredCalls<I, O>): (input: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let isBusy = false;
  const workOff = async (): Promise<void> => {
    isBusy = true;
    for (let next = taken(waiting, calls.mostSize); next.length > 0;) {
      try {
        const outputs = await calls.work(next.map(({ input }) => input));
        for (const [index, { resolve }] of next.entries()) resolve(outputs[index]!);
      } catch (error) {
        for (const { reject } of next) reject(error);
      }
      next = taken(waiting, calls.mostSize);
    }
    isBusy = false;
  };
  return (input) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ input, size: calls.sizeOf(input), resolve, reject });
      if (!isBusy) void workOff();
    });
}

function taken<I, O>(waiting: Waiting<I, O>[], mostSize: number): Waiting<I, O>[] {
  let size = 0;
  let count = 0;
  for (; count < waiting.length; count += 1) {
    size += waiting[count]!.size;
    if (size > mostSize && count > 0) break;
  }
  return waiting.splice(0, count);
}
