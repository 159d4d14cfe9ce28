// How much a model is to think, in Claude Code's words, from little to much.

export const efforts = ["low", "medium", "high", "xhigh", "max"] as const;
