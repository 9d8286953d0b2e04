import { formatTime } from "./time.js";

/** A condition in `status.conditions`. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  /** When `status` last changed. */
  readonly lastTransitionTime: string;
  /** The generation of the object that the condition was computed from. */
  readonly observedGeneration?: number;
}

/** The desired state of a condition; the framework sets the other fields. */
export interface NextCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  /** @default "" */
  readonly message?: string;
}

/** Time and generation of a condition. */
export interface ConditionContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly observedGeneration?: number;
}

/**
 * Sets a condition. `lastTransitionTime` changes only if the status changes.
 *
 * Returns the same array if nothing changes, so that the caller can skip the write. Does not modify its input.
 */
export function setCondition(
  conditions: readonly Condition[],
  { type, status, reason, message = "" }: NextCondition,
  { now, observedGeneration }: ConditionContext,
): readonly Condition[] {
  const index = conditions.findIndex((condition) => condition.type === type);
  const current = conditions[index];
  const next: Condition = {
    type,
    status,
    reason,
    message,
    lastTransitionTime: current?.status === status ? current.lastTransitionTime : formatTime(now),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  };
  if (current === undefined) return [...conditions, next];
  if (isSame(current, next)) return conditions;
  return conditions.with(index, next);
}

/** Removes the condition of a type. Returns the same array if there is none. */
export function removeCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}

/** The condition of a type; undefined if there is none. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of a type exists and is true. */
export function isConditionTrue(conditions: readonly Condition[] | undefined, type: string): boolean {
  return findCondition(conditions, type)?.status === "True";
}

function isSame(a: Condition, b: Condition): boolean {
  return (
    a.status === b.status &&
    a.reason === b.reason &&
    a.message === b.message &&
    a.observedGeneration === b.observedGeneration
  );
}
