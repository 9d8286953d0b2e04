/**
 * The promise of a call of a context. Knows whether the user's function observes it, by `await` or `then`: a rejection that it does not observe belongs
 * to the run, and must not end the process.
 */
export class ContextCall<T> extends Promise<T> {
  /** Derived promises are plain. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  isObserved = false;

  // biome-ignore lint/suspicious/noThenProperty: `await` calls it, which is how an await is observed
  override then<A = T, B = never>(
    onFulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isObserved = true;
    return super.then(onFulfilled, onRejected);
  }

  /** Keeps a rejection from counting as unhandled, without counting as observed. */
  shield(): void {
    super.then(undefined, () => {});
  }
}

/** The calls of one run. */
export class ContextCalls {
  readonly #pending = new Map<ContextCall<unknown>, Promise<unknown>>();
  #rejected: { readonly call: ContextCall<unknown>; readonly error: unknown }[] | undefined;

  /** Returns the promise for the user's function. */
  add<T>(made: Promise<T>): Promise<T> {
    const call: ContextCall<T> = new ContextCall<T>((resolve, reject) => {
      made.then(
        (value) => {
          this.#pending.delete(call);
          resolve(value);
        },
        (error: unknown) => {
          this.#pending.delete(call);
          if (!call.isObserved) {
            call.shield();
            this.#rejected ??= [];
            this.#rejected.push({ call, error });
          }
          reject(error);
        },
      );
    });
    this.#pending.set(call, made);
    return call;
  }

  /** Whether no call is pending, and the user's function observed all rejections. */
  get areSettled(): boolean {
    return this.#pending.size === 0 && this.#rejected === undefined;
  }

  /** Resolves when no call is pending. Throws the first rejection that the user's function did not observe. */
  async settle(): Promise<void> {
    while (this.#pending.size > 0) await Promise.allSettled(this.#pending.values());
    const lost = this.#rejected?.find(({ call }) => !call.isObserved);
    if (lost !== undefined) throw lost.error;
  }
}
