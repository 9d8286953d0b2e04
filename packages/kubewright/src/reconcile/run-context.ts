import type { Clock } from "@kubewright/core/clock";
import type { Logger } from "@kubewright/core/log";
import type { Duration } from "@kubewright/core/meta";
import { type Cause, shownCause } from "../route/index.js";
import type { EventType, RecordedEvent } from "../status/index.js";
import type { RequeueAfter } from "./outcome.js";
import type { RunEnvironment } from "./run-environment.js";
import type { RunRemains } from "./run-remains.js";

/**
 * What every context has.
 *
 * `causes`, `signal` and `log` are created on first use. They are own properties, because contexts are destructured (`{ object, ...rest }`); their
 * getters are shared, because per-object getters would give each context its own hidden class in V8, which is slow to read.
 */
export class RunContext {
  declare readonly causes: readonly Cause[];
  declare readonly signal: AbortSignal;
  declare readonly log: Logger;
  readonly clock: Clock;
  readonly requeueAfter: (delay: Duration) => RequeueAfter;
  readonly #environment: RunEnvironment;
  readonly #causes: readonly Cause[];
  #shownCauses: readonly Cause[] | undefined;
  static readonly #causesShown: PropertyDescriptor & ThisType<RunContext> = {
    enumerable: true,
    get() {
      this.#shownCauses ??= this.#causes.map(shownCause);
      return this.#shownCauses;
    },
  };
  static readonly #signal: PropertyDescriptor & ThisType<RunContext> = {
    enumerable: true,
    get() {
      return this.#environment.signal;
    },
  };
  static readonly #log: PropertyDescriptor & ThisType<RunContext> = {
    enumerable: true,
    get() {
      return this.#environment.logger;
    },
  };

  constructor(environment: RunEnvironment, causes: readonly Cause[], remains: RunRemains) {
    this.#environment = environment;
    this.#causes = causes;
    this.clock = environment.clock;
    this.requeueAfter = (delay) => remains.requeueAfter(delay);
    Object.defineProperty(this, "causes", RunContext.#causesShown);
    Object.defineProperty(this, "signal", RunContext.#signal);
    Object.defineProperty(this, "log", RunContext.#log);
  }
}

/** An event as it is recorded. */
export function eventOf(
  type: EventType,
  reason: string,
  note: string,
  options: Pick<RecordedEvent, "action" | "related"> | undefined,
): RecordedEvent {
  return options === undefined ? { type, reason, note } : { type, reason, note, ...options };
}
