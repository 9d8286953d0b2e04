/**
 * Objects under one revision, with the history that watches and paged lists need.
 *
 * Takes: whole objects from `registry`. Gives: frozen values, ordered changes.
 *
 * @module
 */
export type { Bucket, WatchOptions } from "./bucket.js";
export { ExpiredError } from "./expired-error.js";
export type { Change, StoredRecord } from "./record.js";
export { isLost, type Lost, Store, type StoreListener, type StoreOptions } from "./store.js";
export { Watcher, type WatchStep } from "./watcher.js";
