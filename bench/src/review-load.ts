import { type Review, ReviewConnection } from "./review-connection.js";

/** What a load generator measured. */
export interface ReviewLoad {
  /** Of each review, in the order of completion. */
  readonly latencyMs: readonly number[];
  readonly perSecond: number;
}

/** Calls a webhook server as an API server does. */
export class ReviewCaller {
  readonly #port: number;
  readonly #ca: string;

  constructor(port: number, ca: string) {
    this.#port = port;
    this.#ca = ca;
  }

  /** Sends reviews in turn over `concurrency` connections without a pause. Rejects when a response is another one than expected. */
  async call(reviews: readonly Review[], concurrency: number, durationMs: number): Promise<ReviewLoad> {
    const opened = await Promise.all(
      Array.from({ length: concurrency }, () => ReviewConnection.open(this.#port, this.#ca)),
    );
    const latencyMs: number[] = [];
    let sent = 0;
    const startMs = performance.now();
    const lane = async (connection: ReviewConnection): Promise<void> => {
      for (let beforeMs = startMs; beforeMs - startMs < durationMs; ) {
        const review = reviews[sent++ % reviews.length];
        if (review === undefined) throw new Error("There are no reviews");
        beforeMs = performance.now();
        await connection.send(review);
        latencyMs.push(performance.now() - beforeMs);
      }
    };
    try {
      await Promise.all(opened.map(lane));
      return { latencyMs, perSecond: (latencyMs.length * 1_000) / (performance.now() - startMs) };
    } finally {
      for (const connection of opened) connection.close();
    }
  }

  /** Waits until the server responds. */
  async untilServing(review: Review): Promise<void> {
    for (const endMs = performance.now() + 20_000; ; ) {
      try {
        await this.call([review], 1, 1);
        return;
      } catch (error) {
        if (performance.now() > endMs) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}
