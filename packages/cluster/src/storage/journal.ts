import type { JsonObject } from "@kubewright/core/json";
import type { Change } from "./record.js";

/** An object that a journal restores. */
export interface JournalRecord {
  readonly bucket: string;
  readonly key: string;
  readonly revision: number;
  readonly object: JsonObject;
}

/** The state that a journal restores. */
export interface JournalContent {
  /** The revision of the latest write on disk. */
  readonly revision: number;
  readonly records: Iterable<JournalRecord>;
}

/**
 * Persists writes.
 *
 * Guarantees: changes reach the disk in the order of `append`, and none without all earlier ones.
 */
export interface Journal {
  /** The persisted state. Call it once, before the first `append`. */
  load(): JournalContent;
  /** Queues a change; it is on disk when {@link whenDurable} resolves. */
  append(bucket: string, change: Change): void;
  /** All changes up to this revision are on disk. */
  readonly durable: number;
  /** Resolves when all changes up to `revision` are on disk. Rejects after a write failure, and immediately from then on. */
  whenDurable(revision: number): Promise<void>;
  /** Writes queued changes and releases the folder. */
  close(): Promise<void>;
}
