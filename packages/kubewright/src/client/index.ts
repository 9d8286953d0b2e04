/**
 * Stage 6 of 7 · client: objects are read and written.
 *
 * Takes: objects and patches from `reconcile` and `status`. Gives: requests to the API server, and its responses as typed objects.
 * Next: `../status/index.ts`
 *
 * @module
 */
export { isGone, metadataPart } from "./answer.js";
export { apiVersionOf } from "./api-version.js";
export type { Client } from "./client.js";
export type {
  ApplyOptions,
  CallOptions,
  ClientOptions,
  DeleteAllOptions,
  DeleteOptions,
  GeneratedMeta,
  ListOptions,
  ListPage,
  ListPageOptions,
  LogOptions,
  NamedMeta,
  NewObject,
  ReadOptions,
  ScaleOptions,
  StatusObject,
  WatchOptions,
  WriteOptions,
  WrittenObject,
} from "./client-options.js";
export {
  type DiscoveredKind,
  type DynamicKind,
  type DynamicObject,
  type DynamicTypes,
  dynamic,
} from "./discovered-kind.js";
export type { Discovered } from "./discovery.js";
export type { AttachOptions, ExecOptions, ExecResult, PodKind } from "./exec.js";
export type { KindName } from "./kind-name.js";
export { matchesSelector } from "./matches-selector.js";
export {
  type MetadataOnlyKind,
  type MetadataOnlyObject,
  type MetadataTypes,
  metadataId,
  metadataOnly,
  wholeId,
} from "./metadata-only.js";
export { isOlderVersion, objectMeta } from "./object-meta.js";
export { type NameOf, nameOfKey, resolveName } from "./object-name.js";
export type {
  JsonPatchOperation,
  MergePatchOf,
  ObjectPatch,
  PatchedMeta,
  PatchedObject,
  StrategicFieldsOf,
  StrategicPatchOf,
} from "./object-patch.js";
export type { PortForward, PortForwardOptions } from "./port-forward.js";
export type { RawRequest, RawResponse } from "./raw-request.js";
export { type RetryOnConflictOptions, retryOnConflict } from "./retry-on-conflict.js";
export {
  formatFields,
  formatLabels,
  type LabelSelectorInput,
  type LabelSelectorObject,
  type SelectorInput,
} from "./selector-input.js";
export type { Health, HealthOptions, ServerVersion } from "./server-facts.js";
export type { Stage, StageCause, StageDetail, StageListener } from "./stage.js";
export type { Subresource, SubresourceBody } from "./subresource.js";
export { Binding, Eviction, Scale, TokenRequest, type TokenRequestSpec } from "./subresource-kinds.js";
export type { Table, TableColumn, TableOptions, TableRow } from "./table.js";
export { createClient } from "./transport-client.js";
export { untilAborted } from "./until-aborted.js";
export type { ServerWatchEvent } from "./watch-stream.js";
