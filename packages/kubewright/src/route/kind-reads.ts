import { formatKey } from "@kubewright/core/identity";
import type { Change, Discriminator, ListQuery, ObjectIndex } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/** What runs have read: one object by its key, or a list; with all that depend on it. */
export interface Read<D extends object> {
  readonly of: KindReads<D>;
  /** The key of the object, or the id of the query. */
  readonly id: string;
  readonly query: ListQuery | undefined;
  /** One, or several: most objects are read by one. */
  dependents: D | Set<D>;
}

/**
 * The reads of one cached kind, found by a change: objects by key; lists by namespace and by one label or index value that all of their objects
 * have, so that a change evaluates only the selectors that it may concern.
 */
export class KindReads<D extends object> {
  readonly #objects = new Map<string, Read<D>>();
  /** By bucket, then by the id of the query. */
  readonly #lists = new Map<string, Map<string, Read<D>>>();
  /** How many lists are in buckets of a label key, or of an index. */
  readonly #labels = new Map<string, number>();
  readonly #indexes = new Map<ObjectIndex["id"], { readonly index: ObjectIndex; count: number }>();

  /** Adds a dependent of the object with this key. */
  addObject(key: string, dependent: D): Read<D> {
    const known = this.#objects.get(key);
    if (known !== undefined) return join(known, dependent);
    const read: Read<D> = { of: this, id: key, query: undefined, dependents: dependent };
    this.#objects.set(key, read);
    return read;
  }

  /** Adds a dependent of the list. */
  addList(query: ListQuery, dependent: D): Read<D> {
    const { id } = query;
    const bucket = bucketOf(query.namespace, tokenOf(query.discriminator));
    let lists = this.#lists.get(bucket);
    if (lists === undefined) {
      lists = new Map();
      this.#lists.set(bucket, lists);
    }
    const known = lists.get(id);
    if (known !== undefined) return join(known, dependent);
    const read: Read<D> = { of: this, id, query, dependents: dependent };
    lists.set(id, read);
    this.#count(query.discriminator, 1);
    return read;
  }

  /** Removes a dependent. The last one takes the read with it. */
  remove(read: Read<D>, dependent: D): void {
    const { dependents, id, query } = read;
    if (dependents instanceof Set) {
      dependents.delete(dependent);
      if (dependents.size > 0) return;
    } else if (dependents !== dependent) return;
    if (query === undefined) {
      if (this.#objects.get(id) === read) this.#objects.delete(id);
      return;
    }
    const bucket = bucketOf(query.namespace, tokenOf(query.discriminator));
    const lists = this.#lists.get(bucket);
    if (lists?.get(id) !== read) return;
    lists.delete(id);
    if (lists.size === 0) this.#lists.delete(bucket);
    this.#count(query.discriminator, -1);
  }

  /** The dependents of what the change concerns, each once; undefined for none. */
  dependentsOf(change: Change<AnyKind>): D | ReadonlySet<D> | undefined {
    if (this.#objects.size === 0 && this.#lists.size === 0) return undefined;
    const { namespace = "", name } = objectMeta(change.new ?? change.old);
    const object = this.#objects.size === 0 ? undefined : this.#objects.get(formatKey({ namespace, name }));
    if (this.#lists.size === 0) return object?.dependents;
    const lists = this.#listsOf(namespace, change);
    if (lists.length === 0) return object?.dependents;
    const found = new Set<D>(object === undefined ? undefined : listOf(object.dependents));
    for (const { dependents } of lists) for (const dependent of listOf(dependents)) found.add(dependent);
    return found;
  }

  /** The lists that return the object before or after the change. */
  #listsOf(namespace: string, { old, new: next }: Change<AnyKind>): Read<D>[] {
    const states =
      old === next || old === undefined || next === undefined ? [(old ?? next) as ReadOf<AnyKind>] : [old, next];
    const tokens = new Set([""]);
    for (const state of states) this.#addTokens(tokens, state);
    const found: Read<D>[] = [];
    for (const token of tokens) {
      for (const where of namespace === "" ? [undefined] : [namespace, undefined]) {
        for (const read of this.#lists.get(bucketOf(where, token))?.values() ?? [])
          if (states.some((state) => read.query?.matches(state))) found.push(read);
      }
    }
    return found;
  }

  /** Adds the tokens of the buckets whose lists may return the object. */
  #addTokens(tokens: Set<string>, object: ReadOf<AnyKind>): void {
    if (this.#labels.size > 0) {
      const { labels = {} } = objectMeta(object);
      for (const key of this.#labels.keys())
        if (Object.hasOwn(labels, key)) tokens.add(labelToken(key, labels[key] ?? ""));
    }
    for (const { index } of this.#indexes.values()) {
      const values = index.valuesOf(object);
      if (typeof values === "string") tokens.add(indexToken(index, values));
      else for (const value of values ?? []) tokens.add(indexToken(index, value));
    }
  }

  #count(discriminator: Discriminator | undefined, by: 1 | -1): void {
    if (discriminator?.by === "label") {
      const count = (this.#labels.get(discriminator.key) ?? 0) + by;
      if (count === 0) this.#labels.delete(discriminator.key);
      else this.#labels.set(discriminator.key, count);
    } else if (discriminator?.by === "index") {
      const { index } = discriminator;
      const entry = this.#indexes.get(index.id) ?? { index, count: 0 };
      entry.count += by;
      if (entry.count === 0) this.#indexes.delete(index.id);
      else this.#indexes.set(index.id, entry);
    }
  }
}

function join<D extends object>(read: Read<D>, dependent: D): Read<D> {
  const { dependents } = read;
  if (dependents instanceof Set) dependents.add(dependent);
  else if (dependents !== dependent) read.dependents = new Set([dependents, dependent]);
  return read;
}

/** The dependents as a list. */
export function listOf<D extends object>(dependents: D | ReadonlySet<D> | undefined): Iterable<D> {
  return dependents === undefined ? [] : dependents instanceof Set ? dependents : [dependents as D];
}

/** A namespace has no space; all namespaces are "". */
function bucketOf(namespace: string | undefined, token: string): string {
  return `${namespace ?? ""} ${token}`;
}

function tokenOf(discriminator: Discriminator | undefined): string {
  if (discriminator === undefined) return "";
  return discriminator.by === "label"
    ? labelToken(discriminator.key, discriminator.value)
    : indexToken(discriminator.index, discriminator.value);
}

function labelToken(key: string, value: string): string {
  return `label ${key}=${value}`;
}

function indexToken({ id }: ObjectIndex, value: string): string {
  return `index ${id}=${value}`;
}
