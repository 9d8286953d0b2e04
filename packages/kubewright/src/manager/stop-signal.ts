import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";

/**
 * Aborts at the first SIGINT or SIGTERM, or with the given signal; a second SIGINT or SIGTERM terminates the process at once. Disposing it removes the
 * signal handlers.
 */
export class StopSignal implements Disposable {
  readonly #abort = new AbortController();
  readonly #logger: Logger;
  readonly #given: AbortSignal | undefined;

  constructor(logger: Logger, given?: AbortSignal) {
    this.#logger = logger;
    this.#given = given;
    process.on("SIGINT", this.#onSignal).on("SIGTERM", this.#onSignal);
    if (given?.aborted) this.#stop();
    else given?.addEventListener("abort", this.#stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#onSignal).off("SIGTERM", this.#onSignal);
    this.#given?.removeEventListener("abort", this.#stop);
  }

  readonly #stop = (): void => {
    this.#abort.abort(new OperatorError("STOPPED", "Cannot continue: the process received a signal to stop"));
  };

  readonly #onSignal = (name: NodeJS.Signals): void => {
    if (this.#abort.signal.aborted) process.exit(1);
    this.#logger.info({ signal: name }, "Stopping; a second signal exits at once");
    this.#stop();
  };
}
