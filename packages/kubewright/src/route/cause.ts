import { deepEqual, isJsonObject } from "@kubewright/core/json";
import type { Change } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind } from "../definition/index.js";

/** Why an object is to be reconciled. */
export type Cause =
  | {
      /** `for`: the object itself; `owns`: a child of it; `watches`: an object that a mapping leads from. */
      readonly source: "for" | "owns" | "watches";
      /** `replayed`: nothing changed, what is known is looked at again (`resync`). */
      readonly change: "added" | "updated" | "deleted" | "replayed";
      /** The object was there before the program began to look. */
      readonly initial: boolean;
      /** What changed: kind as `group/version/Kind`. */
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
      /** Which fields an update changed, at most twenty; computed when it is first asked for. */
      readonly changedPaths: readonly string[];
    }
  /** `gained`: the object became this process', which shares the work with others. */
  | { readonly source: "every" | "events" | "requeue" | "gained" }
  | { readonly source: "retry"; readonly error: string };

/**
 * How urgent a cause is, as controller-runtime numbers it: 0, and -100 for what nobody waits for: objects that were there before the
 * program began to look, replays of what is known, and rounds through many of them.
 */
export function priorityOf(cause: Cause): number {
  const isUrgent =
    cause.source !== "every" &&
    cause.source !== "gained" &&
    !("initial" in cause && (cause.initial || cause.change === "replayed"));
  return isUrgent ? 0 : -100;
}

type ChangeSource = "for" | "owns" | "watches";

let lastChange: Change<AnyKind> | undefined;
let lastCauses: Partial<Record<ChangeSource, Cause>> = {};

/** The cause that a change of an object is; one for all who ask for it in turn. */
export function causeOf(source: ChangeSource, kind: AnyKind, change: Change<AnyKind>): Cause {
  if (change !== lastChange) {
    lastChange = change;
    lastCauses = {};
  }
  lastCauses[source] ??= new ChangeCause(source, kind, change);
  return lastCauses[source];
}

/** Causes come by the thousand, and hardly anyone reads them: what is shown of one is made by {@link shownCause}. */
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

/** A cause for whoever may write it down or take it apart: everything in it is a property of its own. */
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

/** Whether an update says nothing new: the informer gave what it keeps once more. */
function isReplay<K extends AnyKind>(change: Change<K>): boolean {
  return change.kind === "updated" && change.old === change.new;
}

const maxPaths = 20;
const maxDepth = 12;
/** They change with every write, and so explain none. */
const bookkeeping = new Set([".metadata.resourceVersion", ".metadata.managedFields", ".metadata.generation"]);

/** The paths at which two objects differ, such as `.spec.replicas`; at most twenty, and without the server's bookkeeping. */
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
