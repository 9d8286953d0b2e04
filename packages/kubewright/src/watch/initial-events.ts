import { formatKey, keyOf } from "@kubewright/core/identity";
import { objectMeta, type ServerWatchEvent } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/**
 * Gathers what a watch shows of the objects that are there, until its bookmark says that this was all.
 *
 * Nothing of it is handed on before: a stream that breaks off has shown an unknown part.
 */
export class InitialEvents<K extends AnyKind> {
  readonly #objects = new Map<string, ReadOf<K>>();

  /** Takes an event in. Gives everything that is there once it is complete; the caller then uses this no more. */
  take(
    event: Exclude<ServerWatchEvent<K>, { type: "ERROR" | "UNEXPECTED" }>,
  ): { readonly objects: readonly ReadOf<K>[]; readonly resourceVersion: string } | undefined {
    if (event.type === "BOOKMARK") {
      // Bookmarks before the end tell how far the stream has come, not that a watch could begin there.
      if (!event.initialEventsEnd) return undefined;
      return { objects: [...this.#objects.values()], resourceVersion: event.resourceVersion };
    }
    const key = formatKey(keyOf({ metadata: objectMeta(event.object) }));
    // A server that begins from storage may tell of a change before it has told of everything.
    if (event.type === "DELETED") this.#objects.delete(key);
    else this.#objects.set(key, event.object);
    return undefined;
  }
}
