/**
 * What a request does, stage by stage: observes every stage and changes none.
 *
 * @module
 */
export type { Audit, AuditedRequest } from "./audit.js";
export type { RequestStage } from "./request-stage.js";
