import type { LeaseHold } from "./lease-hold.js";

/** Places in the shared memory; both hold microseconds. */
const deadlinePlace = 0;
const signPlace = 1;

const none = 0n;
const closed = -1n;

/** A hold that two threads share: one renews, one works. Also carries the sign of life of the one that works. */
export class SharedHold implements LeaseHold {
  /** Travels to the other thread. */
  readonly memory: SharedArrayBuffer;
  readonly #places: BigInt64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#places = new BigInt64Array(memory);
  }

  get deadlineMs(): number | undefined {
    const deadline = Atomics.load(this.#places, deadlinePlace);
    return deadline === none || deadline === closed ? undefined : toMs(deadline);
  }

  get closed(): boolean {
    return Atomics.load(this.#places, deadlinePlace) === closed;
  }

  extend(deadlineMs: number): void {
    for (;;) {
      const before = Atomics.load(this.#places, deadlinePlace);
      if (before === closed) return;
      // The other thread may close it between the look and the write; then the close stands.
      if (Atomics.compareExchange(this.#places, deadlinePlace, before, fromMs(deadlineMs)) === before) return;
    }
  }

  close(): void {
    Atomics.store(this.#places, deadlinePlace, closed);
  }

  /** When the thread that works last gave a sign of life, by the monotonic clock. */
  get signMs(): number {
    return toMs(Atomics.load(this.#places, signPlace));
  }

  giveSign(nowMs: number): void {
    Atomics.store(this.#places, signPlace, fromMs(nowMs));
  }
}

function toMs(micros: bigint): number {
  return Number(micros) / 1_000;
}

/** Down: rather a moment too early than too late. */
function fromMs(ms: number): bigint {
  return BigInt(Math.floor(ms * 1_000));
}
