/**
 * Objects under one revision, with the history that watches and paged lists need; in memory, and in a folder where that is asked for.
 *
 * Takes: whole objects from `registry`. Gives: frozen values, ordered changes.
 *
 * @module
 */
export type { Bucket, Scan, ScanOptions, WatchOptions } from "./bucket.js";
export { DataFolder } from "./data-folder.js";
export { ExpiredError } from "./expired-error.js";
export type { Journal, JournalContent, JournalRecord } from "./journal.js";
export { jsonText } from "./json-text.js";
export { LmdbJournal } from "./lmdb-journal.js";
export type { Change, StoredRecord } from "./record.js";
export { isLost, type Lost, Store, type StoreListener, type StoreOptions } from "./store.js";
export { Watcher, type WatchStep } from "./watcher.js";
