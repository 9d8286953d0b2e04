import { setMaxListeners } from "node:events";
import type { Clock, Timer } from "@kubewright/core/clock";
import { OperatorError } from "@kubewright/core/errors";
import type { Logger } from "@kubewright/core/log";
import type { AnyController } from "./cached-kinds.js";
import type { RequestSignal } from "./request-signal.js";

/** What the runs of a controller have in common. */
export interface EnvironmentOptions {
  readonly controller: AnyController;
  readonly clock: Clock;
  /** Between 0 and 1. */
  readonly random: () => number;
  readonly logger: Logger;
  /** Aborts runs: shutdown. */
  readonly stopSignal: AbortSignal;
}

/** What every run has. Each part is created on first use, because most runs use little of it. */
export class RunEnvironment {
  readonly clock: Clock;
  readonly #options: EnvironmentOptions;
  readonly #key: string;
  readonly #requests: RequestSignal;
  readonly #turnSignal: AbortSignal | undefined;
  #reconcileId: string | undefined;
  #logger: Logger | undefined;
  #abort: AbortController | undefined;
  #unlisten: (() => void) | undefined;
  #timer: Timer | undefined;
  /** Whether the run exceeded its timeout. */
  expired = false;

  /** `turnSignal` aborts when the key moves to another replica. */
  constructor(options: EnvironmentOptions, key: string, requests: RequestSignal, turnSignal: AbortSignal | undefined) {
    this.clock = options.clock;
    this.#options = options;
    this.#key = key;
    this.#requests = requests;
    this.#turnSignal = turnSignal;
  }

  get reconcileId(): string {
    this.#reconcileId ??= randomId(this.#options.random);
    return this.#reconcileId;
  }

  /** Carries the controller, the key and the reconcileId. */
  get logger(): Logger {
    const { controller, logger } = this.#options;
    this.#logger ??= logger.child({
      controller: controller.name,
      ...(controller.kind && { kind: controller.kind.id }),
      key: this.#key,
      reconcileId: this.reconcileId,
    });
    return this.#logger;
  }

  /** Aborts on timeout, shutdown and lost lease. */
  get signal(): AbortSignal {
    this.#abort ??= this.#listen();
    return this.#abort.signal;
  }

  /** Aborts at the same moments; for requests, which remove their listener when they complete. */
  get requestSignal(): AbortSignal {
    const isShared = this.#options.controller.timeoutMs === undefined && this.#turnSignal === undefined;
    return isShared ? this.#requests.signal : this.signal;
  }

  /** Starts the timeout of the run, where it has one. */
  startTimer(): void {
    const { controller, clock } = this.#options;
    const { timeoutMs, name } = controller;
    if (timeoutMs === undefined) return;
    const abort = this.#abort ?? this.#listen();
    this.#abort = abort;
    this.#timer = clock.startTimer(timeoutMs, () => {
      this.expired = true;
      abort.abort(
        new OperatorError(
          "RECONCILE_TIMEOUT",
          `Cannot finish the run of controller "${name}": it took longer than ${timeoutMs} ms`,
        ),
      );
    });
  }

  /** The run has ended. */
  close(): void {
    this.#timer?.cancel();
    this.#unlisten?.();
  }

  #listen(): AbortController {
    const abort = new AbortController();
    // One listener per request in flight is no leak.
    setMaxListeners(0, abort.signal);
    const { stopSignal } = this.#options;
    const stops = this.#turnSignal === undefined ? [stopSignal] : [stopSignal, this.#turnSignal];
    const onStop = (): void => abort.abort(stops.find(({ aborted }) => aborted)?.reason);
    if (stops.some(({ aborted }) => aborted)) onStop();
    else for (const stop of stops) stop.addEventListener("abort", onStop, { once: true });
    this.#unlisten = () => {
      for (const stop of stops) stop.removeEventListener("abort", onStop);
    };
    return abort;
  }
}

/** Names one run in logs and traces, in the form of a UUID. */
function randomId(random: () => number): string {
  // Eight digits of each number: few calls, because `random` may be slow.
  const eight = (): string =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  const [second, third] = [eight(), eight()];
  return `${eight()}-${second.slice(0, 4)}-${second.slice(4)}-${third.slice(0, 4)}-${third.slice(4)}${eight()}`;
}
