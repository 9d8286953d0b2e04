/**
 * Stage 7 of 7 · storage: objects under one revision, with history for watches and paginated lists.
 *
 * Takes: whole objects from `registry`. Gives: frozen values and ordered changes, from memory or a data folder.
 * Next: the change comes back to `../registry/index.ts` as a watch event.
 *
 * @module
 */
export type { Bucket, Scan, ScanOptions, WatchOptions } from "./bucket.js";
export { DataFolder } from "./data-folder.js";
export { ExpiredError } from "./expired-error.js";
export type { Journal, JournalContent, JournalRecord } from "./journal.js";
export { LmdbJournal } from "./lmdb-journal.js";
export type { Change, StoredRecord } from "./record.js";
export { type Snapshot, StoreSnapshot } from "./snapshot.js";
export { isLost, type Lost, Store, type StoreListener, type StoreOptions } from "./store.js";
export { Watcher, type WatchStep } from "./watcher.js";
