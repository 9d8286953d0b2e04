import { OperatorError } from "@kubewright/core/errors";
import { formatKey, type ObjectKey } from "@kubewright/core/identity";
import { deepFreeze } from "@kubewright/core/json";
import { controllerOf } from "@kubewright/core/meta";
import type { CachedListOptions } from "../cache/index.js";
import { nameOfKey, objectMeta, resolveName } from "../client/index.js";
import type { AnyKind, ReadOf } from "../definition/index.js";
import type { AnyController } from "./cached-kinds.js";
import type { ContextListOptions } from "./context.js";
import type { Run } from "./run.js";

type Writable<T> = { -readonly [Field in keyof T]: T[Field] };
type Name = string | { readonly name: string; readonly namespace?: string };

/** Reads of one run: from the cache, where they are recorded, or from the server for live kinds. Names without a namespace mean the owner's. */
export class Reader {
  readonly #run: Run<AnyController>;
  readonly #namespace: string;

  /** `namespace` is what names without one mean, "" where they must have one. */
  constructor(run: Run<AnyController>, namespace: string) {
    this.#run = run;
    this.#namespace = namespace;
  }

  async get<C extends AnyKind>(kind: C, name: Name): Promise<ReadOf<C>> {
    const { access, client } = this.#run.services;
    access.mustAllow("get", kind);
    const key = resolveName(kind, name, this.#namespace);
    if (access.isCached(kind)) return (await this.#read(kind, key)) ?? client.get(kind, nameOfKey(key));
    this.#run.readLive(kind);
    this.#run.recording?.read(kind, formatKey(key));
    return frozen<C>(await client.live.get(kind, nameOfKey(key), { signal: this.#run.requestSignal }));
  }

  async find<C extends AnyKind>(kind: C, name: Name): Promise<ReadOf<C> | undefined> {
    const { access, client } = this.#run.services;
    access.mustAllow("get", kind);
    const key = resolveName(kind, name, this.#namespace);
    if (access.isCached(kind)) return this.#read(kind, key);
    this.#run.readLive(kind);
    this.#run.recording?.read(kind, formatKey(key));
    const found = await client.live.find(kind, nameOfKey(key), { signal: this.#run.requestSignal });
    return found === undefined ? undefined : frozen<C>(found);
  }

  async list<C extends AnyKind>(kind: C, options: ContextListOptions<string> = {}): Promise<readonly ReadOf<C>[]> {
    const { access, client, reads } = this.#run.services;
    access.mustAllow("list", kind);
    const namespace = options.namespace ?? this.#namespace;
    const everywhere = options.allNamespaces === true || namespace === "";
    const where: Writable<CachedListOptions> = everywhere ? { allNamespaces: true } : { namespace };
    if (options.labels !== undefined) where.labels = options.labels;
    if (options.index !== undefined) where.index = definedOnly(options.index);
    if (options.fields !== undefined) where.fields = options.fields;
    this.#run.recording?.read(kind, describeList(where));
    if (access.isCached(kind)) {
      const query = client.query(kind, where);
      reads.recordList(this.#run.key, kind, query);
      return client.readQuery(kind, query);
    }
    this.#run.readLive(kind);
    if (where.index !== undefined) {
      const why = "it is asked of the server each time, and only copies have indexes";
      throw new OperatorError("CONFIG_INVALID", `Cannot list ${kind.kind} objects by an index: ${why}`);
    }
    const objects: ReadOf<C>[] = [];
    for await (const object of client.live.list(kind, { ...where, signal: this.#run.requestSignal }))
      objects.push(frozen<C>(object));
    return objects;
  }

  /** Reads and records in one turn, so that no change comes in between. Changes of a child reach its owner anyway. */
  #read<C extends AnyKind>(kind: C, key: ObjectKey): ReadOf<C> | undefined | Promise<ReadOf<C> | undefined> {
    const { access, client, reads } = this.#run.services;
    const found = client.read(kind, key);
    this.#run.recording?.read(kind, formatKey(key));
    if (!access.owns(kind) || !this.#isChild(found)) reads.recordObject(this.#run.key, kind, key);
    return found;
  }

  #isChild(found: unknown): boolean {
    const { object } = this.#run;
    if (object === undefined || found === undefined || found instanceof Promise) return false;
    return controllerOf({ metadata: objectMeta(found) })?.uid === objectMeta(object).uid;
  }
}

/** What a list selects, for people: `list in default, labels {"app":"web"}`. */
function describeList({ namespace, labels, fields, index }: CachedListOptions): string {
  const selectors = Object.entries({ labels, fields, index }).filter(([, value]) => value !== undefined);
  const by = selectors.map(([name, value]) => `, ${name} ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return `list${namespace === undefined ? "" : ` in ${namespace}`}${by.join("")}`;
}

function definedOnly(index: Readonly<Partial<Record<string, string>>>): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(index)) if (value !== undefined) defined[name] = value;
  return defined;
}

/** Freezes what a run reads from the server, so that live and cached kinds behave alike. */
function frozen<C extends AnyKind>(object: ReadOf<C>): ReadOf<C> {
  return deepFreeze(object) as ReadOf<C>;
}
