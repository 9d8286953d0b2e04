import type { Change } from "../cache/index.js";
import { isOlderVersion, objectMeta } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";

/** The writes of one object whose watch events have not arrived yet. */
interface TrackedWrites {
  /** How many have no response yet. */
  inFlight: number;
  /** Changes that arrived meanwhile: a watch event can be faster than the response. */
  held: { readonly change: Change<AnyKind>; readonly route: (change: Change<AnyKind>) => void }[];
  /** The resourceVersion on which each write was based, by the resourceVersion that it created. */
  readonly bases: Map<string, string>;
}

/**
 * The writes of a controller to the objects that it reconciles, so that their watch events (echoes) trigger no run: a failing run that writes its
 * status would otherwise cancel its own backoff.
 *
 * Guarantees: a change is dropped only if it came from a watch, goes from exactly the version on which a write was based to the version that this
 * write created, and the run that wrote has seen both. Every other change is routed, at the latest when the write has its response.
 */
export class OwnWrites {
  readonly #byKey = new Map<string, TrackedWrites>();

  /** Whether no echo is awaited: the common case. */
  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  /** Sends a write of the object with this key that is based on `before`. */
  async track<T extends object>(key: string, before: object, write: () => Promise<T>): Promise<T> {
    const tracked = this.#byKey.get(key) ?? { inFlight: 0, held: [], bases: new Map() };
    this.#byKey.set(key, tracked);
    tracked.inFlight += 1;
    try {
      const after = await write();
      const { resourceVersion: base = "" } = objectMeta(before);
      const { resourceVersion: created = "" } = objectMeta(after);
      // A write that changes nothing has no watch event.
      if (base !== created) tracked.bases.set(created, base);
      return after;
    } finally {
      tracked.inFlight -= 1;
      if (tracked.inFlight === 0) this.#release(key, tracked);
    }
  }

  /** Whether a change of the object with this key needs no routing now: it is an echo, or it may be one, and `route` is called if it is not. */
  takes(key: string, change: Change<AnyKind>, route: (change: Change<AnyKind>) => void): boolean {
    const tracked = this.#byKey.get(key);
    if (tracked === undefined) return false;
    if (change.kind !== "updated" || change.listed) {
      // The changes in between are unknown.
      tracked.bases.clear();
      this.#tidy(key, tracked);
      return false;
    }
    if (tracked.inFlight > 0) {
      tracked.held.push({ change, route });
      return true;
    }
    const isEcho = takeEcho(tracked, change);
    this.#tidy(key, tracked);
    return isEcho;
  }

  #release(key: string, tracked: TrackedWrites): void {
    const { held } = tracked;
    tracked.held = [];
    for (const { change, route } of held) if (change.kind !== "updated" || !takeEcho(tracked, change)) route(change);
    this.#tidy(key, tracked);
  }

  #tidy(key: string, { inFlight, bases }: TrackedWrites): void {
    if (inFlight === 0 && bases.size === 0) this.#byKey.delete(key);
  }
}

/** Whether the change is one of the writes. Forgets the writes that the watch has reached. */
function takeEcho({ bases }: TrackedWrites, change: Extract<Change<AnyKind>, { readonly kind: "updated" }>): boolean {
  const { resourceVersion: before } = objectMeta(change.old);
  const { resourceVersion: after = "" } = objectMeta(change.new);
  const isEcho = before !== undefined && bases.get(after) === before;
  for (const created of bases.keys()) if (!isOlderVersion(after, created)) bases.delete(created);
  return isEcho;
}
