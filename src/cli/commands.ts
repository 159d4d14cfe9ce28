// The table of commands. Only the one that is called is loaded, so `--version` costs nothing.
import type { CommandModule } from "./command.ts";

export type CommandEntry = { name: string; summary: string; load(): Promise<CommandModule> };

export const commands: CommandEntry[] = [
];
