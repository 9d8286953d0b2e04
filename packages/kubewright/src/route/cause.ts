import { deepEqual, isJsonObject } from "@kubewright/core/json";
import type { Change } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";

/** Why an object is reconciled. */
export type Cause =
  | {
      /** `for`: the object itself; `owns`: a child; `manages`: a managed object; `watches`: an object that a watch mapping maps to it; `reads`: an object that its runs have read. */
      readonly source: "for" | "owns" | "manages" | "watches" | "reads";
      /** `replayed`: no change, a `resync` of the cache. */
      readonly change: "added" | "updated" | "deleted" | "replayed";
      /** The object was in the initial list. */
      readonly initial: boolean;
      /** The changed object's kind, as `group/version/Kind`. */
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
      /** The fields that an update changed, at most twenty; computed on first read. */
      readonly changedPaths: readonly string[];
    }
  /** `gained`: this replica acquired the object's shard. */
  | { readonly source: "every" | "events" | "requeue" | "gained" }
  | { readonly source: "retry"; readonly error: string };

/**
 * Returns the priority of a cause, with controller-runtime's numbers: 0, and -100 (LowPriority) for objects of the initial list, resyncs, periodic
 * sources and newly acquired shards.
 */
export function priorityOf(cause: Cause): number {
  const isUrgent =
    cause.source !== "every" &&
    cause.source !== "gained" &&
    !("initial" in cause && (cause.initial || cause.change === "replayed"));
  return isUrgent ? 0 : -100;
}

type ChangeSource = "for" | "owns" | "manages" | "watches" | "reads";

let lastChange: Change<AnyKind> | undefined;
let lastCauses: Partial<Record<ChangeSource, Cause>> = {};

/** Returns the cause of a change. Consecutive calls for the same change share one object. */
export function causeOf(source: ChangeSource, kind: AnyKind, change: Change<AnyKind>): Cause {
  if (change !== lastChange) {
    lastChange = change;
    lastCauses = {};
  }
  lastCauses[source] ??= new ChangeCause(source, kind, change);
  return lastCauses[source];
}

/** An internal cause: there are thousands, and few are read. {@link shownCause} converts one for user code. */
class ChangeCause {
  readonly source: ChangeSource;
  readonly change: "added" | "updated" | "deleted" | "replayed";
  readonly initial: boolean;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly #change: Change<AnyKind>;
  #paths: readonly string[] | undefined;

  constructor(source: ChangeSource, kind: AnyKind, change: Change<AnyKind>) {
    const { namespace = "", name } = objectMeta(change.new ?? change.old);
    this.source = source;
    this.change = isReplay(change) ? "replayed" : change.kind;
    this.initial = change.kind === "added" && change.initial;
    this.kind = kind.id;
    this.namespace = namespace;
    this.name = name;
    this.#change = change;
  }

  get changedPaths(): readonly string[] {
    this.#paths ??= this.#change.kind === "updated" ? changedPaths(this.#change.old, this.#change.new) : [];
    return this.#paths;
  }
}

/** Converts a cause to a plain object for user code, which may log or destructure it. */
export function shownCause(cause: Cause): Cause {
  if (!("change" in cause)) return cause;
  const { source, change, initial, kind, namespace, name } = cause;
  return {
    source,
    change,
    initial,
    kind,
    namespace,
    name,
    get changedPaths() {
      return cause.changedPaths;
    },
  };
}

/** A cause as one line: `read Secret default/a-token, changed .data.token`. Contains paths, no values. */
export function describeCause(cause: Cause): string {
  if (!("change" in cause)) return cause.source === "retry" ? `retry after: ${cause.error}` : cause.source;
  const { source, change, kind, namespace, name, changedPaths: paths } = cause;
  const object = `${kind.slice(kind.lastIndexOf("/") + 1)} ${namespace === "" ? name : `${namespace}/${name}`}`;
  const relation = { for: "", owns: "child ", manages: "managed ", watches: "watched ", reads: "read " }[source];
  return `${relation}${object}, ${paths.length === 0 ? change : `changed ${paths.join(", ")}`}`;
}

/** Whether an update is a resync: the informer delivered the cached object again. */
function isReplay<K extends AnyKind>(change: Change<K>): boolean {
  return change.kind === "updated" && change.old === change.new;
}

const maxPaths = 20;
const maxDepth = 12;
/** They change with every write, so they explain no reconcile. */
const bookkeeping = new Set([".metadata.resourceVersion", ".metadata.managedFields", ".metadata.generation"]);

/** Returns the paths at which two objects differ, such as `.spec.replicas`; at most twenty, without fields that every write changes. */
export function changedPaths(before: unknown, after: unknown): readonly string[] {
  const paths: string[] = [];
  const collect = (before: unknown, after: unknown, path: string, depth: number): void => {
    if (before === after || paths.length >= maxPaths || bookkeeping.has(path)) return;
    if (isJsonObject(before) && isJsonObject(after) && depth < maxDepth) {
      for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
        const field = /^[A-Za-z0-9_-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
        const old = Object.hasOwn(before, key) ? before[key] : undefined;
        const next = Object.hasOwn(after, key) ? after[key] : undefined;
        collect(old, next, path + field, depth + 1);
      }
    } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length && depth < maxDepth) {
      for (const [index, item] of before.entries()) collect(item, after[index], `${path}[${index}]`, depth + 1);
    } else if (!deepEqual(before, after)) {
      paths.push(path);
    }
  };
  collect(before, after, "", 0);
  return paths;
}
