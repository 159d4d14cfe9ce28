// The interface of a search engine for Grep and Glob. There are two, ripgrep and a built-in one;
// one table of tests requires the same answers of both.

export type SearchMode = "content" | "files_with_matches" | "count";

export type SearchPlan = {
  pattern: string;
  ignoreCase: boolean;
  multiline: boolean;
  mode: SearchMode;
  before: number;
  after: number;
};

/**
 * `path` is relative to the root. A count has its number; a line has its number, its text, and
 * whether it matched or is context.
 */
export type SearchHit = {
  path: string;
  count?: number;
  line?: number;
  text?: string;
  matched?: boolean;
};

/** The engine cannot read the pattern. */
export class PatternProblem extends Error {}

export type SearchEngine = {
  /**
   * Regular files below `root`, sorted by path: .gitignore is honoured, links are not followed,
   * version control is left out.
   */
  list(root: string, signal: AbortSignal): AsyncGenerator<string>;
  /** Hits in the order of `files`; throws PatternProblem. */
  search(
    plan: SearchPlan & { root: string; files: readonly string[]; signal: AbortSignal },
  ): AsyncGenerator<SearchHit>;
};
