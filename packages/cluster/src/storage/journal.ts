import type { JsonObject } from "@kubewright/core/json";
import type { Change } from "./record.js";

/** An object as a journal gives it back at a start. */
export interface JournalRecord {
  readonly bucket: string;
  readonly key: string;
  readonly revision: number;
  readonly object: JsonObject;
}

/** What a journal holds at a start. */
export interface JournalContent {
  /** The revision of the latest write that is on disk. */
  readonly revision: number;
  readonly records: Iterable<JournalRecord>;
}

/**
 * Where writes go to outlive the process.
 *
 * Guarantees: changes reach the disk in the order of `append`, and never one without all that came before it.
 */
export interface Journal {
  /** What was there at the start; read once. */
  load(): JournalContent;
  /** Takes a change; it is on disk when {@link whenDurable} says so. */
  append(bucket: string, change: Change): void;
  /** Everything up to this revision is on disk. */
  readonly durable: number;
  /** Resolves when everything up to `revision` is on disk; rejects when that has become impossible, from then on at once. */
  whenDurable(revision: number): Promise<void>;
  /** Writes what is left and lets go of the folder. */
  close(): Promise<void>;
}
