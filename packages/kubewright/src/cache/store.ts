import { OperatorError } from "@kubewright/core/errors";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/** The values under which an index finds an object; none, one or many. */
export type IndexFunction<K extends AnyKind> = (object: ReadOf<K>) => IndexValues;

/** What an index function says of an object. */
export type IndexValues = string | readonly string[] | undefined;

/** The index by the uids of an object's owners. */
export const ownerIndex = "owner";
/** The index by namespace. */
const namespaceIndex = "namespace";

/** Keys of objects that are stored, as they are now: they change with the store. */
export type StoredKeys = Pick<ReadonlySet<string>, "has" | "keys" | "size">;

const none: StoredKeys = new Set();

interface Index<K extends AnyKind> {
  readonly valuesOf: IndexFunction<K>;
  /** Says without making the values that two states of an object have the same. */
  readonly isSame: (before: ReadOf<K>, after: ReadOf<K>) => boolean;
  readonly keys: Map<string, Set<string>>;
}

/**
 * Objects of one kind by `namespace/name`, with indexes that follow each change.
 *
 * Holds what it is given, not copies. Finding by index costs as much as there is to find.
 */
export class Store<K extends AnyKind> {
  readonly #byKey = new Map<string, ReadOf<K>>();
  readonly #indexes = new Map<string, Index<K>>();

  constructor() {
    // An object of the same key is in the same namespace.
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

  /** The keys of all objects; only those of one namespace where it is given. */
  keys(namespace?: string): StoredKeys {
    return namespace === undefined ? this.#byKey : this.keysUnder(namespaceIndex, namespace);
  }

  /** The keys of the objects that an index holds under `value`. Throws when there is no such index. */
  keysUnder(name: string, value: string): StoredKeys {
    const index = this.#indexes.get(name);
    if (index === undefined)
      throw new OperatorError("CONFIG_INVALID", `Cannot search by index "${name}": it was not added`);
    return index.keys.get(value) ?? none;
  }

  /** Every object. */
  list(): IterableIterator<ReadOf<K>> {
    return this.#byKey.values();
  }

  hasIndex(name: string): boolean {
    return this.#indexes.has(name);
  }

  /** Adds an index, also over what is stored already. Throws when the name is taken. */
  addIndex(name: string, valuesOf: IndexFunction<K>): void {
    this.#addIndex(name, valuesOf, () => false);
  }

  #addIndex(name: string, valuesOf: IndexFunction<K>, isSame: Index<K>["isSame"]): void {
    if (this.#indexes.has(name))
      throw new OperatorError("CONFIG_INVALID", `Cannot add index "${name}": it is there already`);
    const index: Index<K> = { valuesOf, isSame, keys: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#byKey) addTo(index, key, valuesOf(object));
  }

  /** Stores an object under its key. Gives what was there before. */
  set(key: string, object: ReadOf<K>): ReadOf<K> | undefined {
    const before = this.#byKey.get(key);
    this.#byKey.set(key, object);
    for (const index of this.#indexes.values()) {
      // Mostly nothing that is searched by changes.
      if (before !== undefined && index.isSame(before, object)) continue;
      const values = index.valuesOf(object);
      const old = before === undefined ? undefined : index.valuesOf(before);
      if (isEqual(old, values)) continue;
      removeFrom(index, key, old);
      addTo(index, key, values);
    }
    return before;
  }

  /** Takes an object out. Gives what was there. */
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
