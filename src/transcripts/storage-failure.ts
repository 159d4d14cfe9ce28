// The error of a transcript that cannot be written: the run that owns it must end as
// failed(storage).

/** Thrown by a transcript writer; after that the writer refuses every line. */
export class StorageFailure extends Error {
  readonly path: string;

  constructor(path: string, detail: string, options?: ErrorOptions) {
    super(`The transcript ${path} cannot be written: ${detail}`, options);
    this.name = "StorageFailure";
    this.path = path;
  }
}
