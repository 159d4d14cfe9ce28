// Texts about code are no code: what a report, a note or a log repeats does not stand there.

const prose = /\.(?:md|mdx|markdown|txt|rst|adoc|log|orig)$/i;

/** Whether what was said to stand in `claimed` may be found in `path`: a claim about code is not proven by a text that repeats it. */
export const mayStandIn = (path: string, claimed: string): boolean =>
  !prose.test(path) || prose.test(claimed);
