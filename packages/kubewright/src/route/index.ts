/**
 * Stage 3 of 7 · route: which objects to reconcile after a change.
 *
 * Takes: `Change`s from `cache`, and targets from other sources. Gives: `Request`s with their causes to `queue`.
 * Next: `../queue/index.ts`
 *
 * @module
 */
export { type Cause, changedPaths, describeCause, priorityOf, shownCause } from "./cause.js";
export { managerOf, ownerAnnotation, ownerLabel } from "./managed-owner.js";
export { OwnWrites } from "./own-writes.js";
export { ownersOf } from "./owners-of.js";
export {
  allOf,
  annotationsChanged,
  anyOf,
  type ChangeView,
  generationChanged,
  hasLabels,
  labelsChanged,
  not,
  type Predicate,
  resourceVersionChanged,
} from "./predicates.js";
export { refersTo } from "./refers-to.js";
export type { Request, Target } from "./request.js";
export { Router, type RouterOptions } from "./router.js";
export { type EventsSource, type EverySource, events, every, runSource, type Source } from "./sources.js";
export { type TrackedKind, TrackedReads } from "./tracked-reads.js";
export { type AnyWatch, type Targets, type Watch, watch } from "./watch-mapping.js";
