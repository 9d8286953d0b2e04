/** Requests of one user that are handled in one turn of the event loop; the rest waits for the next turns. */
const perTurn = 16;

/** Requests of one user that may be in flight: as many as kube-apiserver handles at once (400 reads and 200 writes). */
const maxInFlight = 600;

/** The rejection of a request of a user who has too many in flight. */
export class TooManyRequests extends Error {
  override readonly name = "TooManyRequests";
}

/**
 * Shares the event loop between users, so that one who floods the server delays the others by few requests only.
 *
 * Each user gets a share of every turn of the event loop. A flooding client gets its responses later, and so sends its next requests later.
 */
export class FairQueue {
  readonly #inFlight = new Map<string, number>();
  /** How many requests of a user were handled in this turn. */
  readonly #handled = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();
  #isScheduled = false;

  /** Counts a request as in flight until the returned function is called. Throws {@link TooManyRequests}. */
  arrive(user: string): () => void {
    const count = this.#inFlight.get(user) ?? 0;
    if (count >= maxInFlight) throw new TooManyRequests();
    this.#inFlight.set(user, count + 1);
    return () => {
      const left = (this.#inFlight.get(user) ?? 1) - 1;
      if (left === 0) this.#inFlight.delete(user);
      else this.#inFlight.set(user, left);
    };
  }

  /** Resolves when it is the user's turn; undefined if it is now. */
  turn(user: string): Promise<void> | undefined {
    const waiting = this.#waiting.get(user);
    const handled = this.#handled.get(user) ?? 0;
    this.#schedule();
    if (waiting === undefined && handled < perTurn) {
      this.#handled.set(user, handled + 1);
      return undefined;
    }
    return new Promise((resolve) => {
      if (waiting === undefined) this.#waiting.set(user, [resolve]);
      else waiting.push(resolve);
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#nextTurn());
  }

  #nextTurn(): void {
    this.#isScheduled = false;
    this.#handled.clear();
    for (const [user, waiting] of this.#waiting) {
      const now = waiting.splice(0, perTurn);
      this.#handled.set(user, now.length);
      if (waiting.length === 0) this.#waiting.delete(user);
      for (const resolve of now) resolve();
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}
