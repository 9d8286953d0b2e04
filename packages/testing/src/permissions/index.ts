/**
 * Compares the requests of an operator with its RBAC rules, and explains those that were rejected.
 *
 * @module
 */
export type { Denial } from "./denial.js";
export { DenialTransport } from "./denial-transport.js";
export { describeDenial } from "./describe-denial.js";
export { type PermissionCheckOptions, type PermissionDifferences, PermissionLog } from "./permission-log.js";
export { RecordingTransport } from "./recording-transport.js";
