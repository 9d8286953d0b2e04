/**
 * Aborts with the first of several signals, or through `abort()`.
 *
 * Dispose it after use: `AbortSignal.any` would leak memory in signals that live as long as the process.
 */
export class JoinedSignal implements Disposable {
  readonly #abort = new AbortController();
  readonly #parts: readonly AbortSignal[];

  constructor(...parts: readonly AbortSignal[]) {
    this.#parts = parts;
    const aborted = parts.find((part) => part.aborted);
    if (aborted !== undefined) this.#abort.abort(aborted.reason);
    else for (const part of parts) part.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: Error): void {
    this.#abort.abort(reason);
  }

  [Symbol.dispose](): void {
    for (const part of this.#parts) part.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = ({ target }: Event): void => {
    if (target instanceof AbortSignal) this.#abort.abort(target.reason);
  };
}
