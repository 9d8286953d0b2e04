/**
 * Stage 5 of 7 · reconcile: the user's function compares one object with the actual state and acts.
 *
 * Takes: one key at a time from `queue`. Gives: an `Outcome` back to the queue, writes to `client` and `status`.
 * Next: `../client/index.ts`
 *
 * @module
 */

export { Access } from "./access.js";
export type { AllowedActions } from "./allowed-actions.js";
export { type AnyController, CachedKinds, type CacheReader } from "./cached-kinds.js";
export type { ChildKind } from "./child-kinds.js";
export type { AnyContext, ContextListOptions, ReconcileContext } from "./context.js";
export type {
  AllowedKind,
  ApplyChildOptions,
  CachedKindOf,
  ChildNameFor,
  ChildOf,
  ContextDeleteOptions,
  ContextExecOptions,
  ContextWaitOptions,
  CreatedBy,
  IndexOf,
  InitialChildOf,
  Listable,
  ListableKind,
  NameFor,
  NewChildOf,
  NoNamespace,
  OwnedKind,
  OwnerFor,
  Readable,
  ReadableKind,
  ServiceAccountToken,
  WritableKind,
} from "./context-types.js";
export { type Controller, type ControllerOptions, controller } from "./controller.js";
export { ControllerLoop, type ControllerLoopOptions } from "./controller-loop.js";
export { servesFinalizer } from "./finalizer.js";
export { isApplied } from "./is-applied.js";
export type { KeyOwnership, KeyTurn } from "./key-ownership.js";
export type { Gone } from "./known-objects.js";
export type { Outcome, ReconcileReturn, RequeueAfter, RequeueOptions } from "./outcome.js";
export {
  type AnyRawContext,
  type RawContext,
  type RawController,
  type RawControllerOptions,
  rawController,
} from "./raw-controller.js";
export type { Run, Services, Subject } from "./run.js";
export { isTerminalError, TerminalError } from "./terminal-error.js";
export {
  type AnyUse,
  type Live,
  live,
  type May,
  type MayVerb,
  may,
  type Untracked,
  type Use,
  untracked,
  usesOf,
} from "./uses.js";
export type { FailedRun, RetryDelay, WorkOptions, WorkSettings } from "./work-options.js";
export type { AroundRun, ReconcileObserver } from "./worker.js";
