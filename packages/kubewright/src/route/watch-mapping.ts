import { type AnyRead, type CacheLookup, type LookupOf, Selection, type SelectOptions } from "../cache/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { ChangeView } from "./predicates.js";
import type { Target } from "./request.js";

/** The result of a watch mapping: none, one or many objects. */
export type Targets = Target | undefined | readonly Target[];

/** A watch of another kind whose changes trigger reconciles. */
export interface Watch<K extends AnyKind> {
  readonly role: "watch";
  readonly kind: K;
  /** Declared as a method, so that watches of all kinds are assignable to one list. */
  to(object: ReadOf<K>, cached: CacheLookup): Targets;
  /** Predicate. @default all changes */
  when?(change: ChangeView<K>): boolean;
  /** Which objects of the kind to watch, and which parts to cache. */
  readonly selection: Selection;
  /** Kinds that `to` reads from the cache, or selections of them with indexes. */
  readonly reads: readonly AnyRead[];
}

/** A watch of any kind. */
export type AnyWatch = Watch<AnyKind>;

/**
 * Reconciles the objects that `to` returns whenever an object of `kind` changes; on an update for its old and its new state.
 *
 * A name without a namespace is in the namespace of the changed object. `to` can read cached objects of the kinds in `reads`, for instance to find
 * those whose selector matches. It must be fast; if it throws, the error is logged and the change is ignored. With `labels` or `fields` only matching objects
 * are watched and cached; one that stops matching counts as deleted.
 *
 * @example
 * watch(ConfigMap, { labels: { part: "website" }, to: (configMap) => configMap.metadata.labels?.["website"] });
 *
 * @example
 * watch(Pod, { reads: [Service], to: ({ metadata }, cached) => cached.list(Service, { namespace: metadata.namespace }).filter(fits).map(nameOf) });
 *
 * @example
 * watch(Secret, { reads: [select(Route, { indexes: { secret: ({ spec }) => spec.tls?.secretName } })], to: refersTo(Route, "secret") });
 */
export function watch<K extends AnyKind, const Reads extends readonly AnyRead[] = readonly []>(
  kind: K,
  options: SelectOptions<K> & {
    /**
     * Kinds beside `kind` that `to` reads from the cache; `select(kind, { indexes })` gives it indexes. They are cached, a plain kind with the
     * controller's selection where it declares one. @default none
     */
    readonly reads?: Reads;
    readonly to: (object: ReadOf<K>, cached: LookupOf<K | Reads[number]>) => Targets;
    /** Predicate, such as `generationChanged`. @default all changes */
    readonly when?: (change: ChangeView<K>) => boolean;
  },
): Watch<K> {
  const { to, when, reads = [] } = options;
  return {
    role: "watch",
    kind,
    // The types have checked what it reads.
    to: to as unknown as Watch<K>["to"],
    ...(when && { when }),
    reads,
    selection: new Selection(options as SelectOptions<AnyKind>),
  };
}
