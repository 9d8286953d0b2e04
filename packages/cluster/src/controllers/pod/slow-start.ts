/** What came of a number of calls that began slowly. */
export interface SlowStart {
  readonly succeeded: number;
  /** The first failure of the batch that ended it. */
  readonly error?: unknown;
}

/**
 * Calls a function `count` times: once, then twice at a time, then four times, ever doubling. After a batch with a failure no other
 * begins, so that what is bound to fail (a quota that is used up) is not tried a thousand times. Never rejects.
 */
export async function slowStart(count: number, call: (index: number) => Promise<unknown>): Promise<SlowStart> {
  let succeeded = 0;
  let begun = 0;
  for (let size = Math.min(count, 1); size > 0; size = Math.min(2 * size, count - begun)) {
    const first = begun;
    begun += size;
    const results = await Promise.allSettled(Array.from({ length: size }, (_, index) => call(first + index)));
    const failures = results.filter((result) => result.status === "rejected");
    succeeded += size - failures.length;
    if (failures[0] !== undefined) return { succeeded, error: failures[0].reason };
  }
  return { succeeded };
}
