import { type CacheLookup, Selection, type SelectOptions } from "../cache/index.js";
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
}

/** A watch of any kind. */
export type AnyWatch = Watch<AnyKind>;

/**
 * Reconciles the objects that `to` returns whenever an object of `kind` changes; on an update for its old and its new state.
 *
 * A name without a namespace is in the namespace of the changed object. `to` can read the controller's caches, for instance to find the objects whose
 * selector matches. It must be fast; if it throws, the error is logged and the change is ignored. With `labels` or `fields` only matching objects
 * are watched and cached; one that stops matching counts as deleted.
 *
 * @example
 * watch(ConfigMap, { labels: { part: "website" }, to: (configMap) => configMap.metadata.labels?.["website"] });
 */
export function watch<K extends AnyKind>(
  kind: K,
  options: SelectOptions<K> & {
    readonly to: (object: ReadOf<K>, cached: CacheLookup) => Targets;
    /** Predicate, such as `generationChanged`. @default all changes */
    readonly when?: (change: ChangeView<K>) => boolean;
  },
): Watch<K> {
  const { to, when } = options;
  return {
    role: "watch",
    kind,
    to,
    ...(when && { when }),
    selection: new Selection(options as SelectOptions<AnyKind>),
  };
}
