import type { Clock } from "@kubewright/core/clock";

/** How many verdicts are kept; the oldest goes first. */
const maxKept = 1_024;

/** What was decided, and for how long that holds. */
export interface Verdict<V> {
  readonly value: V;
  readonly holdsMs: number;
}

/**
 * Remembers verdicts for a while. Several who ask at once share one question; one that fails is not remembered.
 *
 * Bounded, whoever asks: strangers choose the keys.
 */
export class VerdictCache<V> {
  readonly #clock: Clock;
  readonly #kept = new Map<string, { readonly value: V; readonly untilMs: number }>();
  readonly #asking = new Map<string, Promise<V>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The verdict for a key; `ask` is called where none holds. Rejects when it does. */
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
