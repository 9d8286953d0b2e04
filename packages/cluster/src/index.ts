/**
 * A Kubernetes API server in this process.
 *
 * @module
 */
export { parseTokenFile, type TokenUser, type User } from "./access/index.js";
export type { AdmissionPluginName } from "./admission/index.js";
export type {
  Audit,
  AuditEvent,
  AuditedObject,
  AuditedRequest,
  AuditLevel,
  AuditListener,
  AuditPolicy,
  AuditRule,
  AuditStage,
  AuditUser,
  RequestStage,
} from "./audit/index.js";
export { type Cluster, type ClusterOptions, parseSnapshot, startCluster } from "./cluster.js";
export type { ActingUser } from "./cluster-transports.js";
export type { Listening, ListenOptions } from "./listener.js";
export type { NodeCapacity, NodeOptions } from "./node/index.js";
export type { ConversionWebhook, ObjectConverter } from "./registry/index.js";
export type { Snapshot } from "./storage/index.js";
export type { WebhookRequest, WebhookResponse, WebhookTransport } from "./webhook-client/index.js";
export type { WorkloadOptions } from "./workloads/index.js";
