import { keyOf } from "@kubewright/core/identity";
import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { HandlerRegistration, InformerSet } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import { RecentMap } from "../status/index.js";
import { type ChildKind, childId } from "./child-kinds.js";
import { appliedEntry } from "./is-applied.js";

interface Applied {
  readonly desired: JsonObject;
  /** The object after the apply, or a later state in which an apply changes no more. */
  live: JsonObject;
}

/** Bounds on remembered children; the least recently applied are dropped. */
const maxChildren = 5_000;

/**
 * Remembers what the server made of applied objects whose stored form differs from the applied one, whatever changed it: a Go struct, a default inside
 * of an atomic value, pruning, a mutating webhook. Without it such an object would be applied in each run.
 */
export class AppliedChildren {
  readonly #fieldManager: string;
  readonly #applied = new RecentMap<Applied>(maxChildren);

  constructor(fieldManager: string) {
    this.#fieldManager = fieldManager;
  }

  /**
   * Whether `desired` was applied last and led to the present state: the same object with the same fields and the same own managedFields entry, apart
   * from its status. A change by another client makes it false until the next apply, which is remembered in turn.
   */
  has(id: string, live: JsonObject, desired: JsonObject): boolean {
    const applied = this.#applied.get(id);
    if (applied === undefined || !deepEqual(applied.desired, desired)) return false;
    if (objectMeta(applied.live).resourceVersion !== objectMeta(live).resourceVersion && !this.#isSame(applied, live))
      return false;
    // Shared with the cache from here on.
    applied.live = live;
    return true;
  }

  /** Records that an apply of `desired` led to `live`. */
  add(id: string, live: JsonObject, desired: JsonObject): void {
    this.#applied.set(id, { desired, live });
  }

  /** Forgets children that are deleted from now on, until the result is removed. */
  follow(informers: InformerSet, children: readonly ChildKind[]): readonly HandlerRegistration[] {
    return children.map(({ kind, selection }) =>
      informers.informer(kind, selection).addHandler(({ kind: what, old }) => {
        if (what !== "deleted") return;
        const metadata = objectMeta(old);
        const id = childId(kind, keyOf({ metadata }));
        const applied = this.#applied.get(id);
        // A later object of its name may have been created meanwhile.
        if (applied !== undefined && objectMeta(applied.live).uid === metadata.uid) this.#applied.delete(id);
      }),
    );
  }

  #isSame({ desired, live: before }: Applied, live: JsonObject): boolean {
    const owned = (object: JsonObject): unknown => appliedEntry(object, this.#fieldManager)?.fieldsV1;
    const hasStatus = "status" in desired;
    return deepEqual(owned(before), owned(live)) && deepEqual(content(before, hasStatus), content(live, hasStatus));
  }
}

/** The object without what no apply changes: its version, and its status where that is not applied. */
function content({ apiVersion: _, kind: __, metadata, status, ...rest }: JsonObject, hasStatus: boolean): JsonObject {
  const {
    resourceVersion: _version,
    generation: _generation,
    managedFields: _fields,
    ...kept
  } = isJsonObject(metadata) ? metadata : {};
  return { ...rest, metadata: kept, ...(hasStatus && status !== undefined && { status }) } as JsonObject;
}
