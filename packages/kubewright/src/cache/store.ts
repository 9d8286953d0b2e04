import { OperatorError } from "@kubewright/core/errors";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/** Returns the index values of an object. */
export type IndexFunction<K extends AnyKind> = (object: ReadOf<K>) => IndexValues;

/** None, one or many index values. */
export type IndexValues = string | readonly string[] | undefined;

/** Index by the uids of the ownerReferences. */
export const ownerIndex = "owner";
/** Index by namespace. */
const namespaceIndex = "namespace";

/** A live view of the keys of stored objects. */
export type StoredKeys = Pick<ReadonlySet<string>, "has" | "keys" | "size">;

const none: StoredKeys = new Set();

interface Index<K extends AnyKind> {
  readonly valuesOf: IndexFunction<K>;
  /** Cheap check whether two states of an object have the same index values. */
  readonly isSame: (before: ReadOf<K>, after: ReadOf<K>) => boolean;
  readonly keys: Map<string, Set<string>>;
}

/**
 * Objects of one kind by `namespace/name`, with indexes that are updated on each change.
 *
 * Stores references, not copies. An index lookup is proportional to its result.
 */
export class Store<K extends AnyKind> {
  readonly #byKey = new Map<string, ReadOf<K>>();
  readonly #indexes = new Map<string, Index<K>>();

  constructor() {
    // Objects with the same key have the same namespace.
    this.#addIndex(
      namespaceIndex,
      (object) => objectMeta(object).namespace ?? "",
      () => true,
    );
    this.#addIndex(ownerIndex, ownersOf, haveSameOwners);
  }

  get size(): number {
    return this.#byKey.size;
  }

  get(key: string): ReadOf<K> | undefined {
    return this.#byKey.get(key);
  }

  /** Returns the keys of all objects, or of one namespace. */
  keys(namespace?: string): StoredKeys {
    return namespace === undefined ? this.#byKey : this.keysUnder(namespaceIndex, namespace);
  }

  /** Returns the keys of the objects under an index value. Throws if there is no such index. */
  keysUnder(name: string, value: string): StoredKeys {
    const index = this.#indexes.get(name);
    if (index === undefined)
      throw new OperatorError("CONFIG_INVALID", `Cannot look up index "${name}": it does not exist`);
    return index.keys.get(value) ?? none;
  }

  /** All objects. */
  list(): IterableIterator<ReadOf<K>> {
    return this.#byKey.values();
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** Adds an index and indexes the stored objects. Throws if the name is taken. */
  addIndex(name: string, valuesOf: IndexFunction<K>): void {
    this.#addIndex(name, valuesOf, () => false);
  }

  #addIndex(name: string, valuesOf: IndexFunction<K>, isSame: Index<K>["isSame"]): void {
    if (this.#indexes.has(name))
      throw new OperatorError("CONFIG_INVALID", `Cannot add index "${name}": it already exists`);
    const index: Index<K> = { valuesOf, isSame, keys: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#byKey) addTo(index, key, valuesOf(object));
  }

  /** Stores an object under its key. Returns the previous object. */
  set(key: string, object: ReadOf<K>): ReadOf<K> | undefined {
    const before = this.#byKey.get(key);
    this.#byKey.set(key, object);
    for (const index of this.#indexes.values()) {
      // Most updates do not change an indexed value.
      if (before !== undefined && index.isSame(before, object)) continue;
      const values = index.valuesOf(object);
      const old = before === undefined ? undefined : index.valuesOf(before);
      if (isEqual(old, values)) continue;
      removeFrom(index, key, old);
      addTo(index, key, values);
    }
    return before;
  }

  /** Removes an object. Returns the removed object. */
  delete(key: string): ReadOf<K> | undefined {
    const before = this.#byKey.get(key);
    if (before === undefined) return undefined;
    this.#byKey.delete(key);
    for (const index of this.#indexes.values()) removeFrom(index, key, index.valuesOf(before));
    return before;
  }
}

function ownersOf(object: unknown): IndexValues {
  return objectMeta(object).ownerReferences?.map(({ uid }) => uid);
}

function haveSameOwners(before: unknown, after: unknown): boolean {
  const { ownerReferences: old } = objectMeta(before);
  const { ownerReferences: owners } = objectMeta(after);
  if (old === owners) return true;
  return old?.length === owners?.length && old?.every(({ uid }, at) => uid === owners?.[at]?.uid) === true;
}

function isEqual(a: IndexValues, b: IndexValues): boolean {
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return a.length === b.length && a.every((value, at) => value === b[at]);
}

function addTo<K extends AnyKind>({ keys: known }: Index<K>, key: string, values: IndexValues): void {
  for (const value of listOf(values)) {
    let keys = known.get(value);
    if (keys === undefined) {
      keys = new Set();
      known.set(value, keys);
    }
    keys.add(key);
  }
}

function removeFrom<K extends AnyKind>({ keys: known }: Index<K>, key: string, values: IndexValues): void {
  for (const value of listOf(values)) {
    const keys = known.get(value);
    keys?.delete(key);
    if (keys?.size === 0) known.delete(value);
  }
}

function listOf(values: IndexValues): readonly string[] {
  return values === undefined ? [] : typeof values === "string" ? [values] : values;
}
