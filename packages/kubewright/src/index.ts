/**
 * Kubernetes operators in TypeScript.
 *
 * Define a resource, describe a controller, put both into an operator, run it. See `docs/` and the README.
 *
 * @module
 */
export {
  ApiError,
  type ApiStatus,
  type ErrorCode,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isInvalid,
  isNotControlled,
  isNotFound,
  isOperatorError,
  OperatorError,
} from "@kubewright/core/errors";
export type { LogFields, Logger } from "@kubewright/core/log";
export { z } from "zod";
export {
  type ApplyOptions,
  type Client,
  type ClientOptions,
  createClient,
  type DeleteOptions,
  type ListOptions,
  type NameOf,
  type NewObject,
  type ObjectPatch,
  type Stage,
  type Trace,
  type TraceDetail,
  type WriteOptions,
  type WrittenObject,
} from "./client/index.js";
export { type ConnectedClient, connect } from "./connect.js";
export {
  type AnyKind,
  type Condition,
  type ConditionsOf,
  type CustomResourceDefinition,
  crdOf,
  defineKind,
  defineResource,
  isResource,
  type Kind,
  type KindTypes,
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
export {
  type InstallOptions,
  installDefinitions,
  type LogLevel,
  type Operator,
  type OperatorOptions,
  operator,
  type RunningOperator,
  type RunOptions,
  type StartOptions,
} from "./manager/index.js";
export { type DeriveRulesOptions, deriveRules, type PolicyRule } from "./permissions/index.js";
export {
  type Controller,
  type ControllerOptions,
  controller,
  isTerminalError,
  live,
  may,
  type Outcome,
  type ReconcileContext,
  TerminalError,
} from "./reconcile/index.js";
export {
  allOf,
  annotationsChanged,
  anyOf,
  type ChangeView,
  events,
  every,
  generationChanged,
  hasLabels,
  labelsChanged,
  not,
  type Predicate,
  resourceVersionChanged,
  type Source,
  type Target,
  watch,
} from "./route/index.js";
