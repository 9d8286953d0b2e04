import { type Clock, systemClock } from "@kubewright/core/clock";
import { isForbidden, isNotFound, isUnauthorized, OperatorError } from "@kubewright/core/errors";
import { formatKey } from "@kubewright/core/identity";
import { deepFreeze } from "@kubewright/core/json";
import { type Duration, durationMs } from "@kubewright/core/meta";
import { type Client, type NameOf, resolveName } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { ListWatch } from "./list-watch.js";
import type { WatchEvent } from "./watch-event.js";

/** Options of {@link waitFor}. */
export interface WaitForOptions<K extends AnyKind> {
  /** The condition. Receives undefined while the object does not exist. */
  readonly until: (object: ReadOf<K> | undefined) => boolean;
  /** How long to wait; rejects with WAIT_TIMEOUT then. */
  readonly timeout: Duration;
  /** Ends the wait, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** @default the machine's time */
  readonly clock?: Clock;
}

/**
 * Waits until an object satisfies a condition, and returns it. `until` receives undefined while the object does not exist, so that
 * `(pod) => pod === undefined` waits for its deletion.
 *
 * Watches this one object instead of polling; survives closed and expired watches. Needs the verbs `list` and `watch`; rejects at once when they are
 * forbidden or the kind is not served, and when `until` throws.
 *
 * @example
 * const ready = await waitFor(client, Deployment, "web", { until: (web) => web?.status?.readyReplicas === 3, timeout: "2m" });
 */
export async function waitFor<K extends AnyKind>(
  client: Client,
  kind: K,
  name: NameOf<K>,
  { until, timeout, signal, clock = systemClock }: WaitForOptions<K>,
): Promise<ReadOf<K> | undefined> {
  const timeoutMs = durationMs("timeout", timeout);
  signal?.throwIfAborted();
  const key = resolveName(kind, name, client.namespace);
  const end = new AbortController();
  let lastError: unknown;
  const result = new Promise<ReadOf<K> | undefined>((resolve, reject) => {
    const check = (object: ReadOf<K> | undefined): void => {
      if (end.signal.aborted) return;
      try {
        const shown = object === undefined ? undefined : (deepFreeze(object) as ReadOf<K>);
        if (until(shown)) resolve(shown);
      } catch (error) {
        reject(error);
      }
    };
    const timer = clock.startTimer(timeoutMs, () => {
      const why = `the condition did not hold within ${timeoutMs / 1_000} s`;
      reject(
        new OperatorError("WAIT_TIMEOUT", `Cannot wait for ${kind.kind} "${formatKey(key)}": ${why}`, {
          cause: lastError,
        }),
      );
    });
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    end.signal.addEventListener("abort", () => {
      timer.cancel();
      signal?.removeEventListener("abort", onAbort);
    });
    const listWatch = new ListWatch({
      kind,
      client,
      clock,
      random: Math.random,
      fields: { "metadata.name": key.name },
      ...(key.namespace !== "" && { namespace: key.namespace }),
      onFailure: (error) => {
        lastError = error;
        // These do not pass by waiting.
        if (isForbidden(error) || isUnauthorized(error) || isNotFound(error)) reject(error);
      },
      deliver: (event: WatchEvent<K>) => {
        if (event.type === "replaced") check(event.objects[0]);
        else if (event.type !== "bookmark") check(event.type === "deleted" ? undefined : event.object);
      },
    });
    void listWatch.run(end.signal);
  });
  try {
    return await result;
  } finally {
    end.abort();
  }
}
