/** The result of {@link slowStart}. */
export interface SlowStart {
  readonly succeeded: number;
  /** The first error of the last batch. */
  readonly error?: unknown;
}

/**
 * Calls a function `count` times in batches of 1, 2, 4, … calls. It stops after a batch with an error, so that a persistent failure such as an
 * exceeded quota does not cause thousands of requests. Never rejects.
 */
export async function slowStart(count: number, call: (index: number) => Promise<unknown>): Promise<SlowStart> {
  let succeeded = 0;
  let started = 0;
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - started)) {
    const first = started;
    started += size;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => call(first + index)));
    const failures = results.filter((result) => result.status === "rejected");
    succeeded += size - failures.length;
    if (failures[0] !== undefined) return { succeeded, error: failures[0].reason };
  }
  return { succeeded };
}
