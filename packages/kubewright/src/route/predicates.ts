import { deepEqual, deepFreeze } from "@kubewright/core/json";
import type { Change } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/** The argument of a predicate: `old` is undefined for an added object, `new` for a deleted one. */
export interface ChangeView<K extends AnyKind = AnyKind> {
  readonly kind: "added" | "updated" | "deleted";
  readonly old: ReadOf<K> | undefined;
  readonly new: ReadOf<K> | undefined;
}

/** Returns whether a change triggers a reconcile. Must be fast; if it throws, the error is logged and the change triggers a reconcile. */
export type Predicate<K extends AnyKind = AnyKind> = (change: ChangeView<K>) => boolean;

/**
 * Passes updates that change `metadata.generation` (the desired state), and all adds and deletes.
 *
 * Drops updates of metadata only, and of the status of kinds with a status subresource, even if another client cleared the status. Combine it with
 * {@link labelsChanged} or {@link annotationsChanged} to react to those.
 */
export const generationChanged: Predicate = (change) => differs(change, (object) => objectMeta(object).generation);

/** Passes updates that change `metadata.labels`, and all adds and deletes. */
export const labelsChanged: Predicate = (change) => differs(change, (object) => objectMeta(object).labels ?? {});

/** Passes updates that change `metadata.annotations`, and all adds and deletes. */
export const annotationsChanged: Predicate = (change) =>
  differs(change, (object) => objectMeta(object).annotations ?? {});

/** Passes updates that change `metadata.resourceVersion`, which drops resyncs, and all adds and deletes. */
export const resourceVersionChanged: Predicate = (change) =>
  differs(change, (object) => objectMeta(object).resourceVersion);

/** Passes changes of objects that have all these labels before or after the change. */
export function hasLabels(labels: Readonly<Record<string, string>>): Predicate {
  return (change) =>
    [change.old, change.new].some((object) => {
      const present = object === undefined ? undefined : objectMeta(object).labels;
      return (
        present !== undefined &&
        Object.entries(labels).every(([key, value]) => Object.hasOwn(present, key) && present[key] === value)
      );
    });
}

/**
 * Passes changes that all predicates pass.
 *
 * @example
 * controller(Website, { when: allOf(generationChanged, hasLabels({ tier: "web" })), reconcile });
 */
export function allOf<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** Passes changes that at least one predicate passes. */
export function anyOf<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** Passes changes that the predicate drops. */
export function not<K extends AnyKind>(predicate: Predicate<K>): Predicate<K> {
  return (change) => !predicate(change);
}

let lastChange: Change<AnyKind> | undefined;
let lastView: ChangeView | undefined;

/** Returns the frozen view of a change for predicates and mappings. Consecutive calls for the same change share one object. */
export function viewOf(change: Change<AnyKind>): ChangeView {
  if (lastView !== undefined && change === lastChange) return lastView;
  const { kind, old, new: next } = change;
  lastView = {
    kind,
    old: old && (deepFreeze(old) as ReadOf<AnyKind>),
    new: next && (deepFreeze(next) as ReadOf<AnyKind>),
  };
  lastChange = change;
  return lastView;
}

function differs({ old, new: next }: ChangeView, part: (object: ReadOf<AnyKind>) => unknown): boolean {
  return old === undefined || next === undefined || !deepEqual(part(old), part(next));
}
