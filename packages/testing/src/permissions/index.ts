/**
 * What an operator does, held against what it may do.
 *
 * @module
 */
export { type PermissionCheckOptions, type PermissionDifferences, PermissionLog } from "./permission-log.js";
export { RecordingTransport } from "./recording-transport.js";
