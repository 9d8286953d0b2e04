import { Histogram } from "./histogram.js";
import { labelsOf, sample } from "./metrics-text.js";

/** The event stream of a watch. */
export interface CountedStream {
  readonly closed: boolean;
}

/** The requests of one verb and scope to one resource. */
export class RequestSeries {
  readonly durations = new Histogram();
  readonly #labels: string;
  readonly #codes = new Map<number, number>();
  readonly #streams = new Set<CountedStream>();
  #maxStreams = 0;

  constructor(labels: Readonly<Record<string, string>>) {
    this.#labels = labelsOf({ component: "apiserver", dry_run: "", ...labels });
  }

  /** Counts a response with this HTTP status. */
  count(code: number): void {
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
  }

  /** Counts a watch until it is closed. */
  add(stream: CountedStream): void {
    this.#streams.add(stream);
    if (this.#streams.size > this.#maxStreams) this.#maxStreams = 64 + 2 * this.#open();
  }

  writeTotal(name: string): string {
    return [...this.#codes].map(([code, count]) => sample(name, `${this.#labels},code="${code}"`, count)).join("");
  }

  writeDurations(name: string): string {
    return this.durations.write(name, this.#labels);
  }

  /** Empty for requests other than watches. */
  writeOpen(name: string): string {
    return this.#maxStreams === 0 ? "" : sample(name, this.#labels, this.#open());
  }

  /** Drops closed streams and returns the number of open ones. */
  #open(): number {
    for (const stream of this.#streams) if (stream.closed) this.#streams.delete(stream);
    return this.#streams.size;
  }
}
