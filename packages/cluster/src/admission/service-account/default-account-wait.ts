import type { Clock } from "@kubewright/core/clock";
import type { Store } from "../../storage/index.js";

/** The bucket of ServiceAccounts. */
export const accountsBucket = "serviceaccounts";

/** How long kube-apiserver looks for a default ServiceAccount: ten attempts, 100 to 200 ms apart. */
const waitMs = 1_500;

/** Waits for the ServiceAccounts that the ServiceAccount controller creates. */
export interface DefaultAccounts {
  /** Resolves once the ServiceAccount `default` exists in the namespace, or when the wait is over. */
  arrival(namespace: string): Promise<void>;
}

/** Waits for an event of the store, after the controllers have started. */
export class DefaultAccountWait implements DefaultAccounts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #startControllers: () => Promise<void>;

  constructor(store: Store, clock: Clock, startControllers: () => Promise<void>) {
    this.#store = store;
    this.#clock = clock;
    this.#startControllers = startControllers;
  }

  async arrival(namespace: string): Promise<void> {
    await this.#startControllers();
    const key = `${namespace}/default`;
    if (this.#store.bucket(accountsBucket).get(key) !== undefined) return;
    await new Promise<void>((resolve) => {
      const end = (): void => {
        stopListening();
        timer.cancel();
        resolve();
      };
      const timer = this.#clock.startTimer(waitMs, end);
      const stopListening = this.#store.listen((bucket, change) => {
        if (bucket === accountsBucket && change.key === key) end();
      });
    });
  }
}
