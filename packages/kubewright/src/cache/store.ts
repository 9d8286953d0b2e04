import { OperatorError } from "@kubewright/core/errors";
import { formatKey, keyOf } from "@kubewright/core/identity";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/** The values under which an index finds an object; none, one or many. */
export type IndexFunction<K extends AnyKind> = (object: ReadOf<K>) => readonly string[];

/** The index by the uids of an object's owners. */
export const ownerIndex = "owner";
/** The index by namespace. */
const namespaceIndex = "namespace";

/** Keys of objects that are stored, as they are now: they change with the store. */
export type StoredKeys = Pick<ReadonlySet<string>, "has" | "keys" | "size">;

const none: StoredKeys = new Set();

interface Index<K extends AnyKind> {
  readonly valuesOf: IndexFunction<K>;
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
    this.addIndex(namespaceIndex, (object) => [objectMeta(object).namespace ?? ""]);
    this.addIndex(ownerIndex, (object) => (objectMeta(object).ownerReferences ?? []).map(({ uid }) => uid));
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
    if (this.#indexes.has(name))
      throw new OperatorError("CONFIG_INVALID", `Cannot add index "${name}": it is there already`);
    const index: Index<K> = { valuesOf, keys: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#byKey) addTo(index, key, valuesOf(object));
  }

  /** Stores an object under its key. Gives what was there before. */
  set(object: ReadOf<K>): ReadOf<K> | undefined {
    const key = formatKey(keyOf({ metadata: objectMeta(object) }));
    const before = this.#byKey.get(key);
    this.#byKey.set(key, object);
    for (const index of this.#indexes.values()) {
      const values = index.valuesOf(object);
      const old = before === undefined ? [] : index.valuesOf(before);
      // Mostly nothing that is searched by changes.
      if (old.length === values.length && old.every((value, at) => value === values[at])) continue;
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

function addTo<K extends AnyKind>({ keys: known }: Index<K>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const keys = known.get(value);
    if (keys === undefined) known.set(value, new Set([key]));
    else keys.add(key);
  }
}

function removeFrom<K extends AnyKind>({ keys: known }: Index<K>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const keys = known.get(value);
    keys?.delete(key);
    if (keys?.size === 0) known.delete(value);
  }
}
