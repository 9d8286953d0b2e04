import { formatKey, keyOf } from "@kubewright/core/identity";
import { objectMeta, type ServerWatchEvent } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/**
 * Collects the initial events of a watch with sendInitialEvents, until the bookmark with the annotation `k8s.io/initial-events-end`.
 *
 * Nothing is delivered before: an interrupted stream has sent an unknown part of the objects.
 */
export class InitialEvents<K extends AnyKind> {
  readonly #objects = new Map<string, ReadOf<K>>();

  /** Adds an event. Returns all objects once they are complete, and keeps none of them: the watch goes on, and replaces them one by one. */
  take(
    event: Exclude<ServerWatchEvent<K>, { type: "ERROR" | "UNEXPECTED" }>,
  ): { readonly objects: readonly ReadOf<K>[]; readonly resourceVersion: string } | undefined {
    if (event.type === "BOOKMARK") {
      // A bookmark before the end reports progress; a watch cannot resume from it.
      if (!event.initialEventsEnd) return undefined;
      const objects = [...this.#objects.values()];
      this.#objects.clear();
      return { objects, resourceVersion: event.resourceVersion };
    }
    const key = formatKey(keyOf({ metadata: objectMeta(event.object) }));
    // A server that reads from storage may send a change before all initial objects.
    if (event.type === "DELETED") this.#objects.delete(key);
    else this.#objects.set(key, event.object);
    return undefined;
  }
}
