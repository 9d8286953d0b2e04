import type { LeaseHold } from "./lease-hold.js";

/** Indexes into the shared memory; both values are microseconds. */
const deadlineIndex = 0;
const heartbeatIndex = 1;

const none = 0n;
const closed = -1n;

/** A hold shared by the renewal thread and the main thread. Also carries the heartbeat of the main thread. */
export class SharedHold implements LeaseHold {
  /** Posted to the other thread. */
  readonly memory: SharedArrayBuffer;
  readonly #values: BigInt64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(2 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#values = new BigInt64Array(memory);
  }

  get deadlineMs(): number | undefined {
    const deadline = Atomics.load(this.#values, deadlineIndex);
    return deadline === none || deadline === closed ? undefined : toMs(deadline);
  }

  get closed(): boolean {
    return Atomics.load(this.#values, deadlineIndex) === closed;
  }

  extend(deadlineMs: number): void {
    for (;;) {
      const before = Atomics.load(this.#values, deadlineIndex);
      if (before === closed) return;
      // The other thread may close it between load and store; then it stays closed.
      if (Atomics.compareExchange(this.#values, deadlineIndex, before, fromMs(deadlineMs)) === before) return;
    }
  }

  close(): void {
    Atomics.store(this.#values, deadlineIndex, closed);
  }

  /** The last heartbeat of the main thread, by the monotonic clock. */
  get heartbeatMs(): number {
    return toMs(Atomics.load(this.#values, heartbeatIndex));
  }

  recordHeartbeat(nowMs: number): void {
    Atomics.store(this.#values, heartbeatIndex, fromMs(nowMs));
  }
}

function toMs(micros: bigint): number {
  return Number(micros) / 1_000;
}

/** Rounds down: too early is safe, too late is not. */
function fromMs(ms: number): bigint {
  return BigInt(Math.floor(ms * 1_000));
}
