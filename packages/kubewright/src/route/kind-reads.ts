import type { Change, Discriminator, ListQuery, ObjectIndex } from "../cache/index.js";
import { objectMeta } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";

/** What runs have read: one object, or a list; with all that depend on it. */
export interface Read<D extends object> {
  readonly of: KindReads<D>;
  /** "" for a cluster-scoped object, and for a list of all namespaces. */
  readonly namespace: string;
  /** The name of the object, or the id of the query. */
  readonly id: string;
  readonly query: ListQuery | undefined;
  /** One, or several: most objects are read by one. */
  dependents: D | Set<D>;
}

/** The reads of lists in one bucket: mostly one. */
type Bucket<D extends object> = Read<D> | Map<string, Read<D>>;

/**
 * The reads of one cached kind, found by a change: objects by key; lists by namespace and by one label or index value that all of their objects
 * have, so that a change evaluates only the selectors that it may concern.
 */
export class KindReads<D extends object> {
  /** By namespace and name. Not by one string of both, which each change would have to make and hash. */
  readonly #objects = new Map<string, Map<string, Read<D>>>();
  /** By namespace and token. */
  readonly #lists = new Map<string, Map<string, Bucket<D>>>();
  /** How many lists have a token of a label key, or of an index. */
  readonly #labels = new Map<string, number>();
  readonly #indexes = new Map<ObjectIndex["id"], { readonly index: ObjectIndex; count: number }>();

  /** Adds a dependent of an object. */
  addObject(namespace: string, name: string, dependent: D): Read<D> {
    const inNamespace = nested(this.#objects, namespace);
    const known = inNamespace.get(name);
    if (known !== undefined) return join(known, dependent);
    const read: Read<D> = { of: this, namespace, id: name, query: undefined, dependents: dependent };
    inNamespace.set(name, read);
    return read;
  }

  /** Adds a dependent of a list. */
  addList(query: ListQuery, dependent: D): Read<D> {
    const { id, namespace = "", discriminator } = query;
    const inNamespace = nested(this.#lists, namespace);
    const token = tokenOf(discriminator);
    const bucket = inNamespace.get(token);
    const known = bucket instanceof Map ? bucket.get(id) : bucket?.id === id ? bucket : undefined;
    if (known !== undefined) return join(known, dependent);
    const read: Read<D> = { of: this, namespace, id, query, dependents: dependent };
    if (bucket instanceof Map) bucket.set(id, read);
    else if (bucket === undefined) inNamespace.set(token, read);
    else
      inNamespace.set(
        token,
        new Map([
          [bucket.id, bucket],
          [id, read],
        ]),
      );
    this.#count(discriminator, 1);
    return read;
  }

  /** Removes a dependent. The last one takes the read with it. */
  remove(read: Read<D>, dependent: D): void {
    const { dependents, namespace, id, query } = read;
    if (dependents instanceof Set) {
      if (!dependents.delete(dependent) || dependents.size > 0) return;
    } else if (dependents !== dependent) return;
    if (query === undefined) {
      const inNamespace = this.#objects.get(namespace);
      if (inNamespace?.get(id) === read) inNamespace.delete(id);
      if (inNamespace?.size === 0) this.#objects.delete(namespace);
      return;
    }
    const { discriminator } = query;
    const token = tokenOf(discriminator);
    const inNamespace = this.#lists.get(namespace);
    const bucket = inNamespace?.get(token);
    if (bucket instanceof Map ? bucket.get(id) !== read : bucket !== read) return;
    if (bucket instanceof Map) bucket.delete(id);
    if (!(bucket instanceof Map) || bucket.size === 0) inNamespace?.delete(token);
    if (inNamespace?.size === 0) this.#lists.delete(namespace);
    this.#count(discriminator, -1);
  }

  /** The dependents of what the change concerns, each once; undefined for none. */
  dependentsOf(change: Change<AnyKind>): D | ReadonlySet<D> | undefined {
    if (this.#objects.size === 0 && this.#lists.size === 0) return undefined;
    const { namespace = "", name } = objectMeta(change.new ?? change.old);
    const object = this.#objects.get(namespace)?.get(name);
    if (this.#lists.size === 0) return object?.dependents;
    const lists = this.#listsOf(namespace, change);
    if (lists.length === 0) return object?.dependents;
    const [first, ...more] = lists;
    if (object === undefined && first !== undefined && more.length === 0) return first.dependents;
    const found = new Set<D>(object === undefined ? undefined : listOf(object.dependents));
    for (const { dependents } of lists) for (const dependent of listOf(dependents)) found.add(dependent);
    return found;
  }

  /** The lists that return the object before or after the change. */
  #listsOf(namespace: string, { old, new: next }: Change<AnyKind>): Read<D>[] {
    const states: readonly ReadOf<AnyKind>[] = next === undefined ? [old] : old === undefined ? [next] : [old, next];
    const found: Read<D>[] = [];
    const scopes = [this.#lists.get(namespace), namespace === "" ? undefined : this.#lists.get("")];
    if (scopes.every((scope) => scope === undefined)) return found;
    const add = (read: Read<D>): void => {
      if (states.some((state) => read.query?.matches(state))) found.push(read);
    };
    for (const token of this.#tokensOf(states)) {
      for (const scope of scopes) {
        const bucket = scope?.get(token);
        if (bucket instanceof Map) for (const read of bucket.values()) add(read);
        else if (bucket !== undefined) add(bucket);
      }
    }
    return found;
  }

  /** The tokens of the lists that may return one of these states. */
  #tokensOf(states: readonly ReadOf<AnyKind>[]): Iterable<string> {
    if (this.#labels.size === 0 && this.#indexes.size === 0) return [""];
    const tokens = new Set([""]);
    for (const state of states) {
      const { labels } = objectMeta(state);
      if (labels !== undefined)
        for (const key of this.#labels.keys())
          if (Object.hasOwn(labels, key)) tokens.add(labelToken(key, labels[key] ?? ""));
      for (const { index } of this.#indexes.values()) {
        const values = index.valuesOf(state);
        if (typeof values === "string") tokens.add(indexToken(index, values));
        else for (const value of values ?? []) tokens.add(indexToken(index, value));
      }
    }
    return tokens;
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

/** The dependents as a list. */
export function listOf<D extends object>(dependents: D | ReadonlySet<D>): Iterable<D> {
  return dependents instanceof Set ? (dependents as ReadonlySet<D>) : [dependents as D];
}

function nested<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let map = maps.get(key);
  if (map === undefined) {
    map = new Map();
    maps.set(key, map);
  }
  return map;
}

function join<D extends object>(read: Read<D>, dependent: D): Read<D> {
  const { dependents } = read;
  if (dependents instanceof Set) dependents.add(dependent);
  else if (dependents !== dependent) read.dependents = new Set([dependents, dependent]);
  return read;
}

/** "" for lists whose objects have no value in common. */
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
