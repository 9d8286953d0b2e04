import type { Duration } from "@kubewright/core/meta";
import { type Outcome, type RequeueAfter, requeueAfterOf } from "./outcome.js";

const none: readonly Promise<void>[] = [];
const done: Outcome = { kind: "done" };

/** What a run leaves behind: events that are being written, and when it wants to come back. */
export class RunRemains {
  #events: Promise<void>[] | undefined;
  #requeue: RequeueAfter | undefined;

  /** Takes an event that is being written. */
  record(event: Promise<void>): void {
    this.#events ??= [];
    this.#events.push(event);
  }

  /** Takes when the run wants to come back; the earliest counts. */
  requeueAfter(delay: Duration): RequeueAfter {
    const asked = requeueAfterOf(delay);
    if (this.#requeue === undefined || asked.afterMs < this.#requeue.afterMs) this.#requeue = asked;
    return asked;
  }

  /** The outcome of a run that did not throw. */
  get outcome(): Outcome {
    return this.#requeue === undefined ? done : { kind: "requeue", afterMs: this.#requeue.afterMs };
  }

  /** Those that are being written. */
  get events(): readonly Promise<void>[] {
    return this.#events ?? none;
  }
}
