// Measures the processor time of a piece of work: other processes on a busy machine change it
// little.

/** Milliseconds of processor time, the best of `tries` attempts. */
export function cpuMs(work: () => void, tries = 3): number {
  const samples = Array.from({ length: tries }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...samples);
}
