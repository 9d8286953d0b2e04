/** A place for snapshots. Names are relative to it, and may contain slashes. */
export interface SnapshotStorage {
  /**
   * Stores a snapshot, and resolves when it is complete: until then no reader sees it. If the content throws, or the signal aborts, nothing is stored.
   * Memory is bounded, however large the content is.
   */
  save(name: string, content: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void>;
  /** Names that begin with a prefix, in no particular order. */
  list(prefix: string, signal: AbortSignal): Promise<readonly string[]>;
  /** The content of a snapshot. */
  read(name: string, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Deleting an absent snapshot is no error. */
  delete(name: string, signal: AbortSignal): Promise<void>;
}

/** Why a storage does not work. `unavailable` and `other` may work later; the others need a change by a person. */
export type StorageErrorReason =
  | "credentials"
  | "forbidden"
  | "bucketMissing"
  | "notFound"
  | "region"
  | "notSupported"
  | "unavailable"
  | "other";

/** A storage operation that failed. Test `reason`, not the message. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly reason: StorageErrorReason;

  constructor(reason: StorageErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
