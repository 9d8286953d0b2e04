import type { Duration } from "@kubewright/core/meta";
import { type Outcome, type RequeueAfter, requeueAfterOf } from "./outcome.js";

const none: readonly Promise<void>[] = [];
const done: Outcome = { kind: "done" };

/** What outlives a run: events in flight, and its requeue delay. */
export class RunRemains {
  #events: Promise<void>[] | undefined;
  #requeue: RequeueAfter | undefined;

  /** Adds an event in flight. */
  record(event: Promise<void>): void {
    this.#events ??= [];
    this.#events.push(event);
  }

  /** Sets the requeue delay; the shortest wins. */
  requeueAfter(delay: Duration): RequeueAfter {
    const asked = requeueAfterOf(delay);
    if (this.#requeue === undefined || asked.afterMs < this.#requeue.afterMs) this.#requeue = asked;
    return asked;
  }

  /** The outcome of a run that did not throw. */
  get outcome(): Outcome {
    return this.#requeue === undefined ? done : { kind: "requeue", afterMs: this.#requeue.afterMs };
  }

  /** The events in flight. */
  get events(): readonly Promise<void>[] {
    return this.#events ?? none;
  }
}
