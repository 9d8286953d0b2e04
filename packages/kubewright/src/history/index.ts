/**
 * What the last runs of each object did, for people: why they ran, what they read and wrote, and what happens next.
 *
 * @module
 */
export { type FieldChange, type FieldChangesOptions, fieldChanges, type ScalarValue } from "./field-changes.js";
export { formatRun, formatWrite, type RunMarks } from "./format-run.js";
export { OpenWrites } from "./open-writes.js";
export type {
  ConditionState,
  ConditionTransition,
  LoggedLine,
  RecordedCause,
  RecordedOutcome,
  RecordedRead,
  RecordedRun,
  RecordedWrite,
} from "./recorded-run.js";
export { RecordingLogger } from "./recording-logger.js";
export { RunHistory } from "./run-history.js";
export { RunRecording } from "./run-recording.js";
