/**
 * The state of a `ListWatch`. Versions are resourceVersions.
 *
 * - `new`: until `run`.
 * - `stream`: reads all objects through a watch with sendInitialEvents, not older than `version`: "" (most recent) at first and after a 410, else
 *   the last version. Goes to `watch`, in the same request, at the initial-events-end bookmark; to `list` if the server rejects the request, ends
 *   the stream early or sends nothing; to `backoff` if the server is unreachable or throttles.
 * - `list`: reads all objects with list requests, if they cannot be streamed. `version` is "0" (any) at first, then as above. Goes to `watch`, or to
 *   `backoff` on a failure.
 * - `watch`: receives changes after `version`; `open` once the server accepted it. When the watch ends, or is silent for too long, resumes from the
 *   last version; a 410 causes a relist, and so does a bookmark of an older version (a restored etcd); failures and watches that end at once go to
 *   `backoff`, and the third internal server error in a row causes a relist. A watch that did not end by its timeout resumes only if the server still has
 *   the last change (see `LastChange`): it would accept the watch, and the changes between a restored state and our version would be missing.
 * - `backoff`: waits after a failure, then goes to `next`.
 * - `stopped`: the signal aborted.
 */
export type ListWatchState =
  | { readonly kind: "new" }
  | { readonly kind: "list" | "stream"; readonly version: string }
  | { readonly kind: "watch"; readonly version: string; readonly open: boolean }
  | {
      readonly kind: "backoff";
      readonly delayMs: number;
      readonly error: unknown;
      readonly next: Attempt;
    }
  | { readonly kind: "stopped" };

/** The next request, and its resourceVersion. */
export interface Attempt {
  /** "resume": a watch, after a check that the server has reached the version. */
  readonly kind: "list" | "stream" | "watch" | "resume";
  readonly version: string;
}

/** What a `ListWatch` does next. */
export type Step = Attempt | Extract<ListWatchState, { kind: "backoff" }>;

/** What a ListWatch has done so far. */
export interface WatchActivity {
  /** Watch requests. */
  readonly watches: number;
  /** Complete lists. */
  readonly lists: number;
  /** Rejected resourceVersions: status 410. */
  readonly expired: number;
  /** When the last event or list arrived. */
  readonly lastEventMs: number;
}
