/** The times of one benchmark. */
export interface Figure {
  readonly name: string;
  readonly runs: number;
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

/** Runs `once` several times, after one warm-up; it returns its cleanup, which is not measured. */
export async function measure(name: string, runs: number, once: () => Promise<() => Promise<void>>): Promise<Figure> {
  await (await once())();
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    const startedMs = performance.now();
    const cleanUp = await once();
    times.push(performance.now() - startedMs);
    await cleanUp();
  }
  return figureOf(name, times);
}

/** The figure of these times. */
export function figureOf(name: string, timesMs: readonly number[]): Figure {
  const times = timesMs.toSorted((a, b) => a - b);
  return { name, runs: times.length, medianMs: at(times, 0.5), minMs: at(times, 0), maxMs: at(times, 1) };
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
