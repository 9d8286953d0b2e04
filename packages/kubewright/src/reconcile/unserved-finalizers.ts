import type { Logger } from "@kubewright/core/log";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { EventRecorder } from "../status/index.js";

/** A bound on the finalizers that are remembered as reported: objects name them, so there may be many. */
const maxReported = 100;

/** Where they are reported: a run. */
export interface FinalizerReport {
  readonly logger: Logger;
  readonly services: { readonly recorder: EventRecorder };
}

/**
 * Finds finalizers of the kind's own group that no controller of the operator serves, such as those of a controller that was renamed or removed: the
 * deletion of such an object never completes.
 *
 * Each finalizer is logged once per controller; a terminating object also gets a Warning event.
 */
export class UnservedFinalizers {
  readonly #isServed: (finalizer: string) => boolean;
  readonly #reported = new Set<string>();

  /** `isServed` is asked for finalizers of the kind's group. */
  constructor(isServed: (finalizer: string) => boolean) {
    this.#isServed = isServed;
  }

  /** Reports those of an object. */
  check(kind: AnyKind, object: ReadOf<AnyKind>, report: FinalizerReport): void {
    const { finalizers, deletionTimestamp } = objectMeta(object);
    if (finalizers === undefined || finalizers.length === 0) return;
    const group = `${kind.group === "" ? "core" : kind.group}/`;
    for (const finalizer of finalizers) {
      if (!finalizer.startsWith(group) || this.#isServed(finalizer)) continue;
      if (!this.#reported.has(finalizer) && this.#reported.size < maxReported) {
        this.#reported.add(finalizer);
        const why = "objects with it cannot be deleted; name its controller in `formerNames`, or remove it";
        report.logger.warn({ finalizer }, `No controller of this operator serves a finalizer of its group: ${why}`);
      }
      if (deletionTimestamp === undefined) continue;
      const note = `The deletion waits for the finalizer "${finalizer}", which no controller of this operator serves`;
      report.services.recorder.record(kind, object, { type: "Warning", reason: "FinalizerNotServed", note });
    }
  }
}
