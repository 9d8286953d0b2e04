import { type Clock, sleep } from "@kubewright/core/clock";

/** How long a Service may still route to a pod whose deletion has begun: its endpoints, and then every kube-proxy, follow it. */
const routedMs = 5_000;

/** What a {@link WebhookDrain} depends on. */
export interface WebhookDrainOptions {
  readonly clock: Clock;
  /** Aborts when the process is asked to stop. */
  readonly stopRequested: AbortSignal;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Keeps the webhooks of a pod served after it was asked to stop, until no Service routes to it any more: a rollout of the operator would otherwise make
 * requests of other clients fail.
 */
export class WebhookDrain {
  readonly #clock: Clock;
  readonly #isPod: boolean;
  #stoppedMs: number | undefined;

  constructor({ clock, stopRequested, environment }: WebhookDrainOptions) {
    this.#clock = clock;
    this.#isPod = (environment["KUBERNETES_SERVICE_HOST"] ?? "") !== "";
    stopRequested.addEventListener("abort", () => {
      this.#stoppedMs = clock.monotonic();
    });
  }

  /** Resolves when the webhooks may end: at once outside of a pod, and after a failure. */
  async ended(): Promise<void> {
    if (!this.#isPod || this.#stoppedMs === undefined) return;
    const leftMs = this.#stoppedMs + routedMs - this.#clock.monotonic();
    if (leftMs > 0) await sleep(this.#clock, leftMs);
  }
}
