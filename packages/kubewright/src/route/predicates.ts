import { deepEqual, deepFreeze } from "@kubewright/core/json";
import type { Change } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/** A change as a predicate sees it: `old` is missing when the object appeared, `new` when it went. */
export interface ChangeView<K extends AnyKind = AnyKind> {
  readonly kind: "added" | "updated" | "deleted";
  readonly old: ReadOf<K> | undefined;
  readonly new: ReadOf<K> | undefined;
}

/** Says whether a change is a reason to reconcile. Must be quick; what it throws is reported, and the change counts. */
export type Predicate<K extends AnyKind = AnyKind> = (change: ChangeView<K>) => boolean;

/**
 * The desired state changed: `metadata.generation` differs. Lets objects that appear or go pass.
 *
 * Drops changes of metadata alone, and of the status of kinds with a status subresource; so also a status that somebody else wiped.
 * A change of labels, annotations or finalizers needs {@link labelsChanged} or {@link annotationsChanged} beside it.
 */
export const generationChanged: Predicate = (change) => differs(change, (object) => objectMeta(object).generation);

/** `metadata.labels` differ. Lets objects that appear or go pass. */
export const labelsChanged: Predicate = (change) => differs(change, (object) => objectMeta(object).labels ?? {});

/** `metadata.annotations` differ. Lets objects that appear or go pass. */
export const annotationsChanged: Predicate = (change) =>
  differs(change, (object) => objectMeta(object).annotations ?? {});

/** Anything differs: replays of what is known do not pass. */
export const resourceVersionChanged: Predicate = (change) =>
  differs(change, (object) => objectMeta(object).resourceVersion);

/** The object has all these labels, before or after the change. */
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
 * All predicates hold.
 *
 * @example
 * controller(Website, { when: allOf(generationChanged, hasLabels({ tier: "web" })), reconcile });
 */
export function allOf<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.every((predicate) => predicate(change));
}

/** At least one of them says yes. */
export function anyOf<K extends AnyKind>(...predicates: readonly Predicate<K>[]): Predicate<K> {
  return (change) => predicates.some((predicate) => predicate(change));
}

/** It says no. */
export function not<K extends AnyKind>(predicate: Predicate<K>): Predicate<K> {
  return (change) => !predicate(change);
}

let lastChange: Change<AnyKind> | undefined;
let lastView: ChangeView | undefined;

/** What predicates and mappings are given of a change: frozen, as everything that leaves the cache. One for all who ask for it in turn. */
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
