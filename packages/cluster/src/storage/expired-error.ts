/** A revision that was asked for has left the history. */
export class ExpiredError extends Error {
  override readonly name = "ExpiredError";
  /** The revision that was asked for. */
  readonly revision: number;
  /** The oldest revision that can still be asked for. */
  readonly oldest: number;

  constructor(revision: number, oldest: number) {
    super(`Cannot read at revision ${revision}: the history begins at ${oldest}`);
    this.revision = revision;
    this.oldest = oldest;
  }
}
