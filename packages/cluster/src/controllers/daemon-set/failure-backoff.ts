const firstMs = 1_000;
const maxMs = 15 * 60_000;

/**
 * How long a failed pod on a node is left alone before it is replaced: each time twice as long, up to a quarter of an hour, so that a set
 * and a node that refuses its pods do not keep each other busy. Kept in memory: after a restart it begins anew.
 */
export class FailureBackoff {
  readonly #entries = new Map<string, { readonly atMs: number; readonly delayMs: number }>();

  /** How much longer the pod at this place is left alone; 0 when it may go now, which is then counted. */
  waitMs(place: string, nowMs: number): number {
    const known = this.#entries.get(place);
    if (known !== undefined && nowMs - known.atMs < known.delayMs) return known.delayMs - (nowMs - known.atMs);
    this.#forgetBefore(nowMs - 2 * maxMs);
    const isRecent = this.#entries.has(place);
    const delayMs = known !== undefined && isRecent ? Math.min(2 * known.delayMs, maxMs) : firstMs;
    // Taken out first, so that the oldest entries stay in front.
    this.#entries.delete(place);
    this.#entries.set(place, { atMs: nowMs, delayMs });
    return 0;
  }

  #forgetBefore(ms: number): void {
    for (const [place, { atMs }] of this.#entries) {
      if (atMs >= ms) return;
      this.#entries.delete(place);
    }
  }
}
