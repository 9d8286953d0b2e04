/**
 * Kubernetes operators in TypeScript.
 *
 * Define a resource, describe a controller, put both into an operator, run it. This entry point has what the author of an operator writes;
 * `kubewright/client`, `/crd`, `/errors`, `/metrics`, `/permissions`, `/transport`, `/webhook` and `/types` have the rest.
 *
 * @module
 */

// Define: a kind, with its schema, versions and conditions.

export { z } from "#zod";
export {
  type AnyKind,
  type Condition,
  type ConditionsOf,
  crdOf,
  defineKind,
  defineResource,
  isResource,
  type Kind,
  type KnownOptions,
  type ObjectOf,
  type ReadMeta,
  type ReadOf,
  type Resource,
  type ResourceOptions,
  type StatusOf,
  type VersionOptions,
  type WriteMeta,
  type WriteOf,
} from "./definition/index.js";
export { k } from "./schemas/index.js";

// Reconcile: what a controller does, and what it may read and write.

export { asDuration, type Duration } from "@kubewright/core/meta";
export { type CacheLookup, type Selected, type SelectOptions, select } from "./cache/index.js";
export {
  type AnyController,
  type Controller,
  type ControllerOptions,
  controller,
  type FailedRun,
  isTerminalError,
  live,
  may,
  type RawContext,
  type RawController,
  type RawControllerOptions,
  type ReconcileContext,
  type RequeueAfter,
  type RequeueOptions,
  type RetryDelay,
  rawController,
  TerminalError,
  untracked,
} from "./reconcile/index.js";

// Route: which changes reconcile which objects.

export {
  allOf,
  annotationsChanged,
  anyOf,
  type Cause,
  type ChangeView,
  describeCause,
  events,
  every,
  generationChanged,
  hasLabels,
  labelsChanged,
  not,
  ownersOf,
  type Predicate,
  refersTo,
  resourceVersionChanged,
  type Source,
  type Target,
  type Watch,
  watch,
} from "./route/index.js";

// Admit: how objects are defaulted and validated before they are stored; `kubewright/webhook` has the server and the types of handlers.

export {
  type RawWebhookOptions,
  rawWebhook,
  type Webhook,
  type WebhookOptions,
  webhooks,
} from "./webhook/index.js";

// Operate: controllers as one process, with leader election, health and metrics.

export type { LogFields, Logger } from "@kubewright/core/log";
export { ofCluster } from "./definition/index.js";
export { formatRun, type RecordedRun } from "./history/index.js";
export type { LeaderElectionOptions } from "./lease/index.js";
export {
  type ClusterConnection,
  type HealthCheck,
  installCRDs,
  type LogLevel,
  type Operator,
  type OperatorOptions,
  operator,
  type PrunedKind,
  type RunFilter,
  type RunFromArgsOptions,
  type RunningOperator,
  type RunOptions,
  type SecureMetricsOptions,
  type StartInstallOptions,
  type StartOptions,
  type Task,
  type TaskContext,
  type WebhookCertificateOptions,
  type WebhookServingOptions,
} from "./manager/index.js";
export type { ShardingOptions } from "./sharding/index.js";

// Client: requests from outside a controller; `kubewright/client` has all of it.

export { type ObjectCache, type StartCacheOptions, startCache } from "./cache/index.js";
export {
  type Client,
  type ClientOptions,
  createClient,
  dynamic,
  matchesSelector,
  metadataOnly,
  type NameOf,
  type NewObject,
  type ObjectPatch,
  retryOnConflict,
  type WrittenObject,
} from "./client/index.js";
export { type ConnectedClient, connect } from "./connect.js";
export { type WaitForOptions, waitFor } from "./watch/index.js";

// Errors: what went wrong, by predicate; `kubewright/errors` has all of them.

export {
  ApiError,
  type ErrorCode,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotControlled,
  isNotFound,
  isOperatorError,
  OperatorError,
} from "@kubewright/core/errors";
