import type { Clock } from "@kubewright/core/clock";

/** How many reviews are cached; the oldest is evicted first. */
const maxKept = 1_024;

/** A result, and how long it is valid. */
export interface Verdict<V> {
  readonly value: V;
  readonly holdsMs: number;
}

/**
 * Caches results of reviews. Concurrent lookups of one key share a request; failures are not cached.
 *
 * Bounded, because unauthenticated clients choose the keys.
 */
export class VerdictCache<V> {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly value: V; readonly untilMs: number }>();
  readonly #asking = new Map<string, Promise<V>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The result for a key; calls `ask` where none is valid, and rejects when `ask` does. */
  get(key: string, ask: () => Promise<Verdict<V>>): Promise<V> {
    const kept = this.#kept.get(key);
    if (kept !== undefined && this.#clock.monotonic() < kept.untilMs) return Promise.resolve(kept.value);
    const asking = this.#asking.get(key) ?? this.#ask(key, ask);
    this.#asking.set(key, asking);
    return asking;
  }

  async #ask(key: string, ask: () => Promise<Verdict<V>>): Promise<V> {
    try {
      const { value, holdsMs } = await ask();
      this.#kept.delete(key);
      this.#kept.set(key, { value, untilMs: this.#clock.monotonic() + holdsMs });
      for (const oldest of this.#kept.keys()) {
        if (this.#kept.size <= maxKept) break;
        this.#kept.delete(oldest);
      }
      return value;
    } finally {
      this.#asking.delete(key);
    }
  }
}
