// The error of a transcript that cannot be written: the run that owns it must end as
// failed(storage).

/** Thrown by a transcript writer; after that the writer refuses every line. */
export class StorageFailure extends Error {
  readonly path: string;

  constructor(path: string, detail: string, options?: ErrorOptions) {
    super(
      `The transcript ${path} cannot be written: ${detail}${adviceFor(options?.cause)}`,
      options,
    );
    this.name = "StorageFailure";
    this.path = path;
  }
}

/** What to do about a folder that cannot be written. */
export const writableAdvice = "make it writable, or set CLAUDE_CONFIG_DIR to a folder that is";

const ofFolders = new Set<unknown>(["ENOTDIR", "EACCES", "EPERM", "EROFS", "ENOENT"]);

const adviceFor = (cause: unknown): string =>
  cause instanceof Error && "code" in cause && ofFolders.has(cause.code)
    ? `. The folder of your runs cannot be used: ${writableAdvice}`
    : "";
