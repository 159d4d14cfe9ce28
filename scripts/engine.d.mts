/** Its path; undefined where it is not installed. */
export function enginePath(): string | undefined;
/** Installs it where it can run and is not there yet. Undefined where it cannot be had. */
export function provideEngine(): string | undefined;
