/**
 * Compares the requests of an operator with its RBAC rules.
 *
 * @module
 */
export { type PermissionCheckOptions, type PermissionDifferences, PermissionLog } from "./permission-log.js";
export { RecordingTransport } from "./recording-transport.js";
