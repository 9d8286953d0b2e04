/**
 * Stage 1 of 7 · watch: lists and watches a kind, and delivers its changes in order and without gaps.
 *
 * Takes: lists and watch streams from the API server. Gives: `WatchEvent`s to `cache`.
 * Next: `../cache/index.ts`
 *
 * @module
 */
export { ListWatch, type ListWatchOptions } from "./list-watch.js";
export type { ListWatchState, WatchActivity } from "./list-watch-state.js";
export { type WaitForOptions, waitFor } from "./wait-for.js";
export { WatchBackoff } from "./watch-backoff.js";
export type { WatchEvent } from "./watch-event.js";
export { wentBack } from "./went-back.js";
