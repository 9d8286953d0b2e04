/**
 * Stage 2 of 7 · cache: a local copy of what the server has, and what changed in it.
 *
 * Takes: `WatchEvent`s from `watch`. Gives: `Change`s (old, new) to `route`, and frozen objects to whoever reads.
 * Next: `../route/index.ts`
 *
 * @module
 */
export { type CacheLookup, cacheLookup } from "./cache-lookup.js";
export { CachedClient, type CachedListOptions } from "./cached-client.js";
export type { Change } from "./change.js";
export { type HandlerOptions, type HandlerRegistration, Informer, type InformerOptions } from "./informer.js";
export { InformerSet, type InformerSetOptions } from "./informer-set.js";
export type { IndexBy } from "./object-index.js";
export { everything, Selection, type SelectOptions } from "./selection.js";
export { type IndexFunction, type IndexValues, ownerIndex, Store } from "./store.js";
