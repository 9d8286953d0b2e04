/**
 * Audit: observes every stage of a request and changes none.
 *
 * @module
 */
export type { Audit, AuditedRequest } from "./audit.js";
export type { RequestStage } from "./request-stage.js";
