// What a piece of work costs this process in processor time: neighbours on a busy machine change it
// little, as they do not the clock.

/** Milliseconds of processor time, the best of so many tries. */
export function cpuMs(work: () => void, tries = 3): number {
  const samples = Array.from({ length: tries }, () => {
    const start = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  });
  return Math.min(...samples);
}
