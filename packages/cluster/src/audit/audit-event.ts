import type { ApiStatus } from "@kubewright/core/errors";
import type { JsonValue } from "@kubewright/core/json";

/** How much of a request is recorded. */
export type AuditLevel = "None" | "Metadata" | "Request" | "RequestResponse";

/** When an event of a request is recorded: on arrival, when a watch starts, and at the end. */
export type AuditStage = "RequestReceived" | "ResponseStarted" | "ResponseComplete";

/** A user as audit events name it. */
export interface AuditUser {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The object or the collection of a request. */
export interface AuditedObject {
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** An audit event, with the fields of `audit.k8s.io/v1`. */
export interface AuditEvent {
  readonly kind: "Event";
  readonly apiVersion: "audit.k8s.io/v1";
  readonly level: AuditLevel;
  /** The same for all events of a request. */
  readonly auditID: string;
  readonly stage: AuditStage;
  readonly requestURI: string;
  readonly verb: string;
  /** The authenticated user. */
  readonly user: AuditUser;
  readonly impersonatedUser?: AuditUser;
  /** Empty in process. */
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  /** Absent for a non-resource request. */
  readonly objectRef?: AuditedObject;
  readonly responseStatus?: Partial<ApiStatus>;
  /** The body as the client sent it, from the level Request. */
  readonly requestObject?: JsonValue;
  /** At the level RequestResponse. */
  readonly responseObject?: JsonValue;
  /** RFC 3339, with microseconds. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  /** Of the authorizer, admission plugins, policies and webhooks. */
  readonly annotations?: Readonly<Record<string, string>>;
}
