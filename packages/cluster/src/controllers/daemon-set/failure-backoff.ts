const baseDelayMs = 1_000;
const maxDelayMs = 15 * 60_000;

/**
 * Exponential backoff before a failed Pod on a node is replaced, from 1 s to 15 min, so that a DaemonSet and a node that rejects its Pods
 * do not loop. It is kept in memory, so a restart resets it.
 */
export class FailureBackoff {
  readonly #entries = new Map<string, { readonly atMs: number; readonly delayMs: number }>();

  /** The remaining delay of a key; 0 if the Pod may be replaced now, which counts as a failure. */
  waitMs(key: string, nowMs: number): number {
    const known = this.#entries.get(key);
    if (known !== undefined && nowMs - known.atMs < known.delayMs) return known.delayMs - (nowMs - known.atMs);
    this.#forgetBefore(nowMs - 2 * maxDelayMs);
    const isRecent = this.#entries.has(key);
    const delayMs = known !== undefined && isRecent ? Math.min(2 * known.delayMs, maxDelayMs) : baseDelayMs;
    // Deletes before setting, so that the oldest entries stay first.
    this.#entries.delete(key);
    this.#entries.set(key, { atMs: nowMs, delayMs });
    return 0;
  }

  #forgetBefore(ms: number): void {
    for (const [key, { atMs }] of this.#entries) {
      if (atMs >= ms) return;
      this.#entries.delete(key);
    }
  }
}
