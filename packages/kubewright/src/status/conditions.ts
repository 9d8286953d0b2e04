import { deepEqual } from "@kubewright/core/json";
import { type Condition, findCondition } from "@kubewright/core/meta";

/** The new state of one condition. */
export interface ConditionInput<Reason> {
  readonly status: boolean | "Unknown";
  readonly reason: Reason;
  /** Human-readable. @default "" */
  readonly message?: string;
}

/** Reads and changes the conditions in the status draft, by the types and reasons that the kind declares. */
export interface ConditionSetter<Declared> {
  /**
   * Sets one condition. Its transition time is now if its status changes, else unchanged; its `observedGeneration` is that of the run's object, also
   * when the run fails later.
   */
  readonly set: <Type extends keyof Declared & string>(type: Type, value: ConditionInput<Declared[Type]>) => void;
  /** Returns one condition as the run has left it so far; undefined if there is none. */
  readonly get: <Type extends keyof Declared & string>(type: Type) => Condition | undefined;
  /** Removes one condition; nothing happens if there is none. */
  readonly remove: (type: keyof Declared & string) => void;
}

/** The conditions of a run: from which it started, and as it left them. `set` are the types that it has set. */
export interface ConditionChanges {
  readonly base: readonly Condition[];
  readonly drafted: readonly Condition[];
  readonly set: ReadonlySet<string>;
}

/**
 * Makes a run's changes of conditions on `current`, which may be newer than what the run started from. Each type is merged on its own: types that
 * the run did not change, which another controller may own, stay as they are.
 */
export function mergeConditions(current: readonly Condition[], { base, drafted, set }: ConditionChanges): Condition[] {
  const isRemoved = ({ type }: Condition): boolean =>
    findCondition(base, type) !== undefined && findCondition(drafted, type) === undefined;
  const merged = current.filter((condition) => !isRemoved(condition));
  for (const condition of drafted) {
    const { type, status } = condition;
    if (!set.has(type) && deepEqual(condition, findCondition(base, type))) continue;
    const at = merged.findIndex((other) => other.type === type);
    const now = merged[at];
    const isSameState = set.has(type) && now?.status === status;
    const next = isSameState ? { ...condition, lastTransitionTime: now.lastTransitionTime } : condition;
    if (at < 0) merged.push(next);
    else merged[at] = next;
  }
  return merged;
}
