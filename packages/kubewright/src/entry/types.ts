/**
 * Types that public signatures name and that few programs write: for annotating helpers of a `reconcile`. No values.
 *
 * @module
 */
export type {
  AnyRead,
  CachedListOptions,
  CacheEntry,
  Change,
  EntryKind,
  InCache,
  IndexBy,
  Indexed,
  IndexedSelectOptions,
  IndexValues,
  LookupIndex,
  LookupListOptions,
  LookupOf,
  Selection,
} from "../cache/index.js";
export type {
  DynamicTypes,
  GeneratedMeta,
  MetadataTypes,
  NamedMeta,
  PatchedMeta,
  PatchedObject,
  Stage,
  StageCause,
  StageDetail,
  StageListener,
  StrategicFieldsOf,
} from "../client/index.js";
export type {
  AnyObjectSchema,
  AnyStatusSchema,
  ClusterKind,
  ConditionReasons,
  Conversions,
  Declared,
  KindTypes,
  PrinterColumn,
  Rejected,
  ScalePaths,
  Scope,
  ScopeOf,
  TypesOf,
  ValidationRule,
  VersionBody,
  VersionConversion,
  VersionKind,
  VersionTypes,
  WithDefinition,
} from "../definition/index.js";
export type { LeaseTimingOptions } from "../lease/index.js";
export type { StartCluster } from "../manager/index.js";
export type {
  AllowedKind,
  AnyContext,
  AnyRawContext,
  AnyUse,
  CachedKindOf,
  ChildNameFor,
  ChildOf,
  ContextDeleteOptions,
  ContextListOptions,
  ContextWaitOptions,
  CreatedBy,
  IndexOf,
  InitialChildOf,
  ListableKind,
  Live,
  May,
  MayVerb,
  NameFor,
  NewChildOf,
  NoNamespace,
  OwnedKind,
  ReadableKind,
  ReconcileReturn,
  Untracked,
  Use,
  WorkOptions,
  WorkSettings,
  WritableKind,
} from "../reconcile/index.js";
export type { AnyWatch, EventsSource, EverySource, Targets } from "../route/index.js";
export type { ConditionInput, ConditionSetter, EventType, RecordedEvent, RelatedObject } from "../status/index.js";
