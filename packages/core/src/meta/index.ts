/**
 * Helpers for metadata and status: owner references, finalizers, conditions, times, generated names, versions.
 *
 * @module
 */

export { compareVersions } from "./compare-versions.js";
export {
  type Condition,
  type ConditionContext,
  findCondition,
  isConditionTrue,
  type NextCondition,
  removeCondition,
  setCondition,
} from "./conditions.js";
export { asDuration, type Duration, durationMs, parseDuration } from "./duration.js";
export { addFinalizer, containsFinalizer, type Finalized, removeFinalizer } from "./finalizers.js";
export { generateName } from "./generate-name.js";
export { isLoadedForGeneration, loadForGeneration } from "./generation-load.js";
export { resolveIntOrPercent } from "./int-or-percent.js";
export { withoutManagedFields } from "./managed-fields.js";
export {
  controllerOf,
  hasOwnerReference,
  type Owned,
  type Owner,
  ownerReferenceTo,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from "./owner-reference.js";
export { formatMicroTime, formatTime } from "./time.js";
