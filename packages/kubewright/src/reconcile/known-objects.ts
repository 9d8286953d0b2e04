import { type ObjectKey, parseKey } from "@kubewright/core/identity";
import { callSafely, type Logger } from "@kubewright/core/log";

/** Called when an object that was reconciled has disappeared. */
export type Gone = (key: ObjectKey) => void;

/** The objects that a controller with `gone` has reconciled, so that it is called once for each of them. */
export class KnownObjects {
  readonly #gone: Gone;
  readonly #log: Logger;
  readonly #keys = new Set<string>();

  constructor(gone: Gone, log: Logger) {
    this.#gone = gone;
    this.#log = log;
  }

  /** A run of the object begins. */
  add(key: string): void {
    this.#keys.add(key);
  }

  /** The object has disappeared. What the user's function throws or rejects with is logged. */
  remove(key: string): void {
    if (!this.#keys.delete(key)) return;
    callSafely(
      () => this.#gone(parseKey(key)),
      (err) => this.#log.error({ err, key }, "Cannot handle that an object is gone: `gone` failed"),
    );
  }
}
