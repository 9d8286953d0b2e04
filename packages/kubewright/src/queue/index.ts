/**
 * Stage 4 of 7 · queue: which key to reconcile next.
 *
 * Takes: keys from `route`. Gives: one key at a time to `reconcile`, never the same key to two workers.
 * Next: `../reconcile/index.ts`
 *
 * @module
 */
export { ItemBackoff } from "./item-backoff.js";
export { type QueueEntry, type QueueObserver, type QueueOptions, WorkQueue } from "./work-queue.js";
