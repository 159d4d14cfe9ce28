// What Grep and Glob need of an engine. Two of them stand behind it, ripgrep and a built-in one, and a table of tests holds them to the same answers.

export type SearchMode = "content" | "files_with_matches" | "count";

export type SearchPlan = {
  pattern: string;
  ignoreCase: boolean;
  multiline: boolean;
  mode: SearchMode;
  before: number;
  after: number;
};

/** `path` is relative to the root. A file hit carries no more, a count its number, a line its number, text and whether it matched or is context. */
export type SearchHit = {
  path: string;
  count?: number;
  line?: number;
  text?: string;
  matched?: boolean;
};

/** The pattern cannot be read by the engine. */
export class PatternProblem extends Error {}

export type SearchEngine = {
  /** Regular files below `root`, sorted by path: .gitignore honoured, links not followed, version control left out. */
  list(root: string, signal: AbortSignal): AsyncGenerator<string>;
  /** Hits in the order of `files`; throws PatternProblem. */
  search(
    plan: SearchPlan & { root: string; files: readonly string[]; signal: AbortSignal },
  ): AsyncGenerator<SearchHit>;
};
