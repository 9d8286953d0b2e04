import { type CacheLookup, Selection, type SelectOptions } from "../cache/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { ChangeView } from "./predicates.js";
import type { Target } from "./request.js";

/** The objects that a mapping leads to; none, one or many. */
export type Targets = Target | undefined | readonly Target[];

/** Objects of another kind whose changes are a reason to reconcile. */
export interface Watch<K extends AnyKind> {
  readonly role: "watch";
  readonly kind: K;
  /** A method, so that watches of all kinds fit in one list. */
  to(object: ReadOf<K>, cached: CacheLookup): Targets;
  /** Which changes count; all where it is left out. */
  when?(change: ChangeView<K>): boolean;
  /** Which objects of the kind are watched, and what of them is kept. */
  readonly selection: Selection;
}

/** A watch of whatever kind. */
export type AnyWatch = Watch<AnyKind>;

/**
 * Reconciles the objects that `to` names whenever an object of `kind` changes; on an update for its old and its new state.
 *
 * A name alone means the namespace of the object that changed. `to` can look at what the controller's caches hold at that moment, for
 * instance for the objects whose selector fits; it must be quick and must not throw; what it throws is
 * reported, and the change leads nowhere. With `labels` or `fields` only those objects are watched and kept; one that leaves the
 * selection counts as deleted.
 *
 * @example
 * watch(ConfigMap, { labels: { part: "website" }, to: (configMap) => configMap.metadata.labels?.["website"] });
 */
export function watch<K extends AnyKind>(
  kind: K,
  options: SelectOptions<K> & {
    readonly to: (object: ReadOf<K>, cached: CacheLookup) => Targets;
    /** Which changes count, such as `generationChanged`. @default all */
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
