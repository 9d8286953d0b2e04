/** How a run ended, and so what happens to its key. */
export type Outcome =
  /** Wait for the next change. */
  | { readonly kind: "done" }
  /** Come back after a time, or at the next change. */
  | { readonly kind: "requeue"; readonly afterMs: number }
  /** Try again, with a delay that grows with each failure. */
  | { readonly kind: "retry"; readonly error: Error }
  /** Trying again cannot help: wait for the next change. */
  | { readonly kind: "terminal"; readonly error: Error };

/** What `requeueAfter` gives, to be returned from `reconcile`. */
export interface RequeueAfter {
  readonly afterMs: number;
}
