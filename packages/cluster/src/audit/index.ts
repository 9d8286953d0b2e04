/**
 * Audit: observes every stage of a request and changes none; records audit events by a policy.
 *
 * @module
 */
export type { Audit, AuditedRequest } from "./audit.js";
export { AuditAnnotations } from "./audit-annotations.js";
export type { AuditEvent, AuditedObject, AuditLevel, AuditStage, AuditUser } from "./audit-event.js";
export { AuditLog } from "./audit-log.js";
export { type AuditPolicy, type AuditRule, checkAuditPolicy } from "./audit-policy.js";
export type { AuditTrail, TrailedRequest } from "./audit-trail.js";
export { type AuditListener, Auditor } from "./auditor.js";
export type { RequestStage } from "./request-stage.js";
