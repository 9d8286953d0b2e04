import { OperatorError } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import type { AnyKind, Declared, ReadOf } from "../definition/index.js";
import type { Informer } from "./informer.js";
import type { InformerSet } from "./informer-set.js";
import type { Selection } from "./selection.js";

/**
 * Synchronous reads from the informer caches. Before the initial list they return nothing; watch mappings can use them because they run again for
 * every object that arrives later.
 */
export interface CacheLookup<in Reads extends AnyKind = AnyKind> {
  /** Returns the frozen objects of a kind that the watch declares in `reads`, of all namespaces by default. */
  list<K extends AnyKind>(
    kind: Declared<K, Reads, "declare this kind in `reads` of the watch">,
    options?: { readonly namespace?: string },
  ): readonly ReadOf<K>[];
  /** Returns one frozen object of a kind that the watch declares in `reads`. */
  find<K extends AnyKind>(
    kind: Declared<K, Reads, "declare this kind in `reads` of the watch">,
    key: ObjectKey,
  ): ReadOf<K> | undefined;
}

/** Creates a lookup in these informers, which the caller must hold while it is used. `selectionOf` returns the selection of a kind; undefined: not cached. */
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
      `Cannot read ${kind.kind} objects in a watch mapping: the controller does not cache them; declare ${kind.id} in \`reads\` of the watch`,
    );
  };
  return {
    list: (kind, { namespace } = {}) => informerOf(kind).list(namespace),
    find: (kind, key) => informerOf(kind).find(key),
  };
}
