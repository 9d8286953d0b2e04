import { OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf, type ObjectKey } from "@kubewright/core/identity";
import { durationMs } from "@kubewright/core/meta";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import { type AnyController, CachedKinds } from "./cached-kinds.js";
import { childKindOf } from "./child-kinds.js";
import type { ContextWaitOptions } from "./context-types.js";
import type { Run } from "./run.js";

/**
 * Waits until an object in the cache satisfies a condition, and returns it. Sends no request. Rejects with WAIT_TIMEOUT, with the reason of the run's
 * signal, and with what `until` throws.
 */
export async function waitInCache<K extends AnyKind>(
  run: Run<AnyController>,
  kind: K,
  key: ObjectKey,
  { until, timeout }: ContextWaitOptions<K>,
): Promise<ReadOf<K> | undefined> {
  const { access, informers, controller, clock, waiting } = run.services;
  const timeoutMs = durationMs("timeout", timeout);
  access.mustAllow("get", kind);
  const selection =
    childKindOf(controller, kind)?.selection ??
    (access.isCached(kind) ? new CachedKinds(controller).readFrom(kind) : undefined);
  const fail = (code: "CONFIG_INVALID" | "WAIT_TIMEOUT", why: string) =>
    new OperatorError(code, `Cannot wait for ${kind.kind} "${formatKey(key)}": ${why}`);
  if (selection === undefined)
    throw fail("CONFIG_INVALID", "it is not cached; declare it in `owns`, `uses` or `watches`");
  const informer = informers.informer(kind, selection);
  const { signal } = run;
  signal.throwIfAborted();
  let end = (): void => {};
  try {
    return await new Promise<ReadOf<K> | undefined>((resolve, reject) => {
      const check = (): void => {
        try {
          const object = informer.find(key);
          if (until(object)) resolve(object);
          else return;
        } catch (error) {
          reject(error);
        }
        // Before the promise settles: from here on the run works again.
        waiting.delete(run.key);
      };
      const onAbort = (): void => reject(signal.reason);
      const timer = clock.startTimer(timeoutMs, () =>
        reject(fail("WAIT_TIMEOUT", `the condition did not hold within ${timeoutMs / 1_000} s`)),
      );
      signal.addEventListener("abort", onAbort, { once: true });
      waiting.add(run.key);
      const wanted = formatKey(key);
      const changes = informer.addHandler((change) => {
        const object = change.new ?? change.old;
        if (formatKey(keyOf({ metadata: objectMeta(object) })) === wanted) check();
      });
      end = () => {
        timer.cancel();
        signal.removeEventListener("abort", onAbort);
        changes.remove();
      };
      check();
    });
  } finally {
    waiting.delete(run.key);
    end();
  }
}
