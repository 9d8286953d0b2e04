import { OperatorError } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { Informer } from "./informer.js";
import type { InformerSet } from "./informer-set.js";
import type { Selection } from "./selection.js";

/**
 * Looks at what the caches hold now, without waiting: before their first list has arrived, at nothing. For mappings, which are called again
 * for every object that arrives later.
 */
export interface CacheLookup {
  /** The objects of a kind that the controller reads; of all namespaces where none is given. Frozen. */
  list<K extends AnyKind>(kind: K, options?: { readonly namespace?: string }): readonly ReadOf<K>[];
  /** One object of a kind that the controller reads. Frozen. */
  find<K extends AnyKind>(kind: K, key: ObjectKey): ReadOf<K> | undefined;
}

/** A lookup in these informers, which must be held as long as it is used; `selectionOf` says from which selection a kind is read, undefined where it is not. */
export function cacheLookup(
  informers: InformerSet,
  selectionOf: (kind: AnyKind) => Selection | undefined,
): CacheLookup {
  const known = new Map<AnyKind, Informer<AnyKind>>();
  const informerOf = <K extends AnyKind>(kind: K): Informer<K> => {
    const before = known.get(kind);
    if (before !== undefined) return before as unknown as Informer<K>;
    const selection = selectionOf(kind);
    if (selection !== undefined) {
      const informer = informers.informer(kind, selection);
      known.set(kind, informer as unknown as Informer<AnyKind>);
      return informer;
    }
    throw new OperatorError(
      "CONFIG_INVALID",
      `Cannot look at ${kind.kind} objects in a mapping: the controller keeps no copy of them; declare ${kind.id} in \`uses\``,
    );
  };
  return {
    list: (kind, { namespace } = {}) => informerOf(kind).list(namespace),
    find: (kind, key) => informerOf(kind).find(key),
  };
}
