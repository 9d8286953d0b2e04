import { Session } from "node:inspector/promises";
import type { Readable } from "node:stream";
import { getHeapSnapshot } from "node:v8";
import { type Clock, sleep } from "@kubewright/core/clock";

/** Records CPU and heap profiles of this process, one at a time: recording slows the process down. */
export class Profiles {
  readonly #clock: Clock;
  readonly #takeSnapshot: () => Readable;
  #recording = false;

  constructor(clock: Clock, takeSnapshot: () => Readable = getHeapSnapshot) {
    this.#clock = clock;
    this.#takeSnapshot = takeSnapshot;
  }

  /** Whether one is being recorded. */
  get recording(): boolean {
    return this.#recording;
  }

  /** Records a CPU profile for a time, as JSON of the format `.cpuprofile`. Rejects with the reason of the signal when it aborts. */
  async cpu(durationMs: number, signal: AbortSignal): Promise<string> {
    this.#recording = true;
    const session = new Session();
    try {
      session.connect();
      await session.post("Profiler.enable");
      await session.post("Profiler.start");
      await sleep(this.#clock, durationMs, signal);
      signal.throwIfAborted();
      const { profile } = await session.post("Profiler.stop");
      return JSON.stringify(profile);
    } finally {
      session.disconnect();
      this.#recording = false;
    }
  }

  /**
   * A heap snapshot, as JSON of the format `.heapsnapshot`. It stops the process while it is taken, needs as much memory again, and contains all strings
   * of the process, also those of Secrets.
   */
  heap(): Readable {
    this.#recording = true;
    const snapshot = this.#takeSnapshot();
    snapshot.once("close", () => {
      this.#recording = false;
    });
    return snapshot;
  }
}
