/**
 * Stage 2 of 7 · cache: a local copy of the server's objects, and their changes.
 *
 * Takes: `WatchEvent`s from `watch`. Gives: `Change`s (old, new) to `route`, and frozen objects to readers.
 * Next: `../route/index.ts`
 *
 * @module
 */
export {
  type AnyRead,
  type CacheLookup,
  cacheLookup,
  type Indexed,
  type LookupIndex,
  type LookupListOptions,
  type LookupOf,
} from "./cache-lookup.js";
export { CachedClient } from "./cached-client.js";
export type { Change } from "./change.js";
export { Informer } from "./informer.js";
export type { HandlerOptions, HandlerRegistration, InformerOptions } from "./informer-options.js";
export { InformerSet, type InformerSetOptions } from "./informer-set.js";
export { type CachedListOptions, type Discriminator, ListQuery } from "./list-query.js";
export type { IndexBy, ObjectIndex } from "./object-index.js";
export { type IndexedSelectOptions, type Selected, select } from "./selected.js";
export { everything, Selection, type SelectOptions } from "./selection.js";
export {
  type CacheEntry,
  type EntryKind,
  type InCache,
  type ObjectCache,
  type StartCacheOptions,
  startCache,
} from "./start-cache.js";
export { type IndexFunction, type IndexValues, ownerIndex, Store } from "./store.js";
