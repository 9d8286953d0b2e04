import { type Condition, setCondition } from "@kubewright/core/meta";

/** The new state of one condition. */
export interface ConditionInput<Reason> {
  readonly status: boolean | "Unknown";
  readonly reason: Reason;
  /** Human-readable. @default "" */
  readonly message?: string;
}

/** Sets conditions by the types and reasons that the kind declares. */
export interface ConditionSetter<Declared> {
  /** Sets one condition. Its transition time changes only with its status; `observedGeneration` is filled in. */
  readonly set: <Type extends keyof Declared & string>(type: Type, value: ConditionInput<Declared[Type]>) => void;
}

/** Conditions that a run has set, so that they can be set again on a newer version of the object. */
export class ConditionChanges {
  readonly #inputs = new Map<string, ConditionInput<string>>();
  readonly #now: number;
  readonly #generation: number | undefined;

  constructor(now: number, generation: number | undefined) {
    this.#now = now;
    this.#generation = generation;
  }

  get size(): number {
    return this.#inputs.size;
  }

  set(type: string, input: ConditionInput<string>): void {
    this.#inputs.set(type, input);
  }

  /** The conditions after all changes. Other types, which another controller may own, stay as they are. */
  applyTo(conditions: readonly Condition[]): readonly Condition[] {
    const context = {
      now: this.#now,
      ...(this.#generation === undefined ? {} : { observedGeneration: this.#generation }),
    };
    let result = conditions;
    for (const [type, { status, reason, message = "" }] of this.#inputs) {
      const text = status === "Unknown" ? status : status ? "True" : "False";
      result = setCondition(result, { type, status: text, reason, message }, context);
    }
    return result;
  }
}
