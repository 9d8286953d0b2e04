import { sample } from "./metrics-text.js";

/** Upper bounds of kube-apiserver's request durations, in seconds. */
const bounds: readonly number[] = [
  0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60,
];

/** Counts durations by bucket. */
export class Histogram {
  readonly #counts: number[] = new Array(bounds.length + 1).fill(0);
  #sum = 0;

  observe(seconds: number): void {
    this.#sum += seconds;
    let at = 0;
    // Linear search, because nearly every request falls into the first bucket.
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
  }

  /** Cumulative buckets, sum and count in the Prometheus text format. Empty without observations. */
  write(name: string, labels: string): string {
    let count = 0;
    let text = "";
    for (const [at, inBucket] of this.#counts.entries()) {
      count += inBucket;
      text += sample(`${name}_bucket`, `${labels},le="${bounds[at] ?? "+Inf"}"`, count);
    }
    return count === 0 ? "" : text + sample(`${name}_sum`, labels, this.#sum) + sample(`${name}_count`, labels, count);
  }
}
