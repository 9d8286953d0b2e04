/** The requested revision has been compacted. */
export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
  /** The requested revision. */
  readonly revision: number;
  /** The oldest revision that is still available. */
  readonly oldest: number;

  constructor(revision: number, oldest: number) {
    super(`Cannot read at revision ${revision}: the history starts at ${oldest}`);
    this.revision = revision;
    this.oldest = oldest;
  }
}
