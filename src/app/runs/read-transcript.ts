// A transcript for programs: Retinue's or Claude Code's, in whatever state it is. Changes nothing.
import {
  loadTranscript,
  type LoadedTranscript,
} from "../../transcripts/reading/load-transcript.ts";

/**
 * Reads a transcript of Retinue or of Claude Code. Never throws for what a file holds: what could
 * not be read is among the `problems`, a file that is not there too.
 */
export const readTranscript = (path: string): Promise<LoadedTranscript> => loadTranscript(path);
