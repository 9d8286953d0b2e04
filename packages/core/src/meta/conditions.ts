import { formatTime } from "./time.js";

/** One aspect of an object's state, as `status.conditions` carries it. */
export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  /** When `status` last changed. */
  readonly lastTransitionTime: string;
  /** The generation of the object that this says something about. */
  readonly observedGeneration?: number;
}

/** What a condition is to be; the framework keeps the rest. */
export interface NextCondition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  /** @default "" */
  readonly message?: string;
}

/** When, and about which generation. */
export interface ConditionContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly observedGeneration?: number;
}

/**
 * The conditions with one of them set. The transition time changes with the status only.
 *
 * Returns the very same array when nothing changes, so that a write can be left out. Changes no input.
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

/** The conditions without one type; the very same array when it is not there. */
export function removeCondition(conditions: readonly Condition[], type: string): readonly Condition[] {
  return conditions.some((condition) => condition.type === type)
    ? conditions.filter((condition) => condition.type !== type)
    : conditions;
}

/** The condition of a type; undefined where there is none. */
export function findCondition(conditions: readonly Condition[] | undefined, type: string): Condition | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** Whether the condition of a type is there and true. */
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
