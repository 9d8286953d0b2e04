/**
 * Stage 7 of 7 · status: status, conditions and events are written.
 *
 * Takes: the draft of a run's status, its conditions and events from `reconcile`. Gives: one status write at the end, and events.
 * Next: `../watch/index.ts`, where the write comes back
 *
 * @module
 */
export type { ConditionInput, ConditionSetter } from "./conditions.js";
export { DroppedFields } from "./dropped-fields.js";
export {
  EventRecorder,
  type EventRecorderOptions,
  type EventType,
  type RecordedEvent,
  type RelatedObject,
} from "./event-recorder.js";
export { type KstatusOutcome, keepKstatus } from "./kstatus.js";
export { RecentMap } from "./recent-map.js";
export { StatusSession, type StatusSessionOptions } from "./status-session.js";
