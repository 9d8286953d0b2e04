import { OperatorError } from "@kubewright/core/errors";
import type { ObjectKey } from "@kubewright/core/identity";
import type { AnyKind, Declared, ReadOf } from "../definition/index.js";
import type { Informer } from "./informer.js";
import type { InformerSet } from "./informer-set.js";
import { type CachedListOptions, ListQuery } from "./list-query.js";
import type { Selected } from "./selected.js";
import type { Selection } from "./selection.js";

/** What `reads` of a watch declares: a kind, or a selection of it with indexes. */
export type AnyRead = AnyKind | Selected<AnyKind>;

/** An index of a kind, as a type only. */
export interface Indexed<K extends AnyKind, Index extends string> {
  readonly indexed: K;
  readonly by: Index;
}

/** The lookup of a mapping that declares these reads. */
export type LookupOf<Reads extends AnyRead> = CacheLookup<
  Reads extends Selected<infer K, infer Index> ? K | Indexed<K, Index> : Extract<Reads, AnyKind>
>;

/** The names of the indexes that a lookup has of a kind. */
export type LookupIndex<Reads, K extends AnyKind> =
  Reads extends Indexed<infer C, infer Index> ? (K extends C ? Index : never) : never;

/** Which objects a lookup lists. */
export interface LookupListOptions<Index extends string> extends Pick<CachedListOptions, "labels" | "fields"> {
  /** @default all namespaces */
  readonly namespace?: string | undefined;
  /** Values of indexes that `select(kind, { indexes })` declares in `reads`; all must match. */
  readonly index?: [Index] extends [never] ? never : Readonly<Partial<Record<Index, string>>>;
}

/**
 * Synchronous reads from the informer caches. Before the initial list they return nothing; watch mappings can use them because they run again for
 * every object that arrives later.
 */
export interface CacheLookup<in Reads extends AnyKind | Indexed<AnyKind, string> = AnyKind> {
  /** Returns the frozen objects of a kind that the watch declares in `reads`, of all namespaces by default. */
  list<K extends AnyKind>(
    kind: Declared<K, Reads, "declare this kind in `reads` of the watch">,
    options?: LookupListOptions<LookupIndex<Reads, K>>,
  ): readonly ReadOf<K>[];
  /** Returns one frozen object of a kind that the watch declares in `reads`. */
  find<K extends AnyKind>(
    kind: Declared<K, Reads, "declare this kind in `reads` of the watch">,
    key: ObjectKey,
  ): ReadOf<K> | undefined;
}

/**
 * Creates a lookup in these informers, which the caller must hold while it is used. `selectionOf` returns the selection of a kind that has these
 * indexes; undefined: not cached.
 */
export function cacheLookup(
  informers: InformerSet,
  selectionOf: (kind: AnyKind, indexes?: readonly string[]) => Selection | undefined,
): CacheLookup<AnyKind | Indexed<AnyKind, string>> {
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
    throw undeclared(kind, `declare ${kind.id}`);
  };
  const query = <K extends AnyKind>(kind: K, options: LookupListOptions<string>): readonly ReadOf<K>[] => {
    const { namespace, index = {}, labels, fields } = options;
    const values: Record<string, string> = {};
    for (const [name, value] of Object.entries(index)) if (value !== undefined) values[name] = value;
    const names = Object.keys(values);
    const selection = selectionOf(kind, names.length === 0 ? undefined : names);
    if (selection === undefined)
      throw undeclared(kind, `declare \`select(${kind.kind}, { indexes: { ${names.join(", ")} } })\``);
    const selectors = { ...(labels !== undefined && { labels }), ...(fields !== undefined && { fields }) };
    return informers
      .informer(kind, selection)
      .query(new ListQuery({ ...selectors, index: values }, { namespace, selection }));
  };
  return {
    list: <K extends AnyKind>(kind: K, options: LookupListOptions<string> = {}) => {
      const { index, labels, fields, namespace } = options;
      if (index === undefined && labels === undefined && fields === undefined) return informerOf(kind).list(namespace);
      return query(kind, options);
    },
    find: <K extends AnyKind>(kind: K, key: ObjectKey) => informerOf(kind).find(key),
  } as CacheLookup<AnyKind | Indexed<AnyKind, string>>;
}

function undeclared(kind: AnyKind, how: string): OperatorError {
  return new OperatorError(
    "CONFIG_INVALID",
    `Cannot read ${kind.kind} objects in a watch mapping: the controller does not cache them; ${how} in \`reads\` of the watch`,
  );
}
