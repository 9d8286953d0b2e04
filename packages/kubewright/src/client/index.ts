/**
 * Stage 6 of 7 · client: objects are read and written.
 *
 * Takes: objects and patches from `reconcile` and `status`. Gives: requests to the API server, and its answers as frozen typed objects.
 * Next: `../status/index.ts`
 *
 * @module
 */
export { isGone } from "./answer.js";
export { type Client, createClient } from "./client.js";
export type {
  ApplyOptions,
  ClientOptions,
  DeleteAllOptions,
  DeleteOptions,
  ListOptions,
  ListPage,
  ListPageOptions,
  NewObject,
  ObjectPatch,
  ReadOptions,
  StatusObject,
  WatchOptions,
  WriteOptions,
  WrittenObject,
} from "./client-options.js";
export { isOlderVersion, objectMeta } from "./object-meta.js";
export { type NameOf, nameOfKey, resolveName } from "./object-name.js";
export type { SelectorInput } from "./selector-input.js";
export type { Stage, Trace, TraceDetail } from "./trace.js";
export type { ServerWatchEvent } from "./watch-stream.js";
