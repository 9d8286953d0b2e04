import { parseApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import {
  andThen,
  type Draft,
  type Eventually,
  listAt,
  metadataOf,
  type Registry,
  type Resource,
  textAt,
  textsAt,
} from "../registry/index.js";
import type { Change, StoredRecord } from "../storage/index.js";
import { allWritten, ControllerWrites } from "./controller-writes.js";
import { WorkSet } from "./work-set.js";

interface Node {
  readonly bucket: string;
  readonly key: string;
  readonly namespace: string;
  readonly owners: readonly string[];
}

/** An ownerReference as kube's garbage collector classifies it; "unknown" where its kind is not served. */
type OwnerState = "solid" | "dangling" | "waitingForDependentsDeletion" | "unknown";

/**
 * Deletes objects whose owners are all absent, and processes the finalizers `orphan` and `foregroundDeletion`.
 *
 * It maintains a graph of owners and dependents by uid from storage events, without polling.
 */
export class GarbageCollector {
  readonly #registry: Registry;
  readonly #writes: ControllerWrites;
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<string>>();
  /** Objects with an owner whose kind is not served: the next write to the object checks it again. */
  readonly #unresolved = new Set<string>();
  readonly #work: WorkSet;
  /** The served resources, cached for one generation of the registry. */
  #resources: { readonly generation: number; readonly byBucket: ReadonlyMap<string, Resource> } = {
    generation: -1,
    byBucket: new Map(),
  };

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#writes = new ControllerWrites(registry, "generic-garbage-collector");
    this.#work = new WorkSet((uid) => this.#process(uid), { clock: registry.clock, logger });
  }

  /** Whether no object is waiting to be processed. */
  get idle(): boolean {
    return this.#work.idle;
  }

  /** Call this after every write to the store. */
  onChange(bucket: string, change: Change): void {
    const metadata = metadataOf(change.object);
    const uid = textAt(metadata, "uid");
    if (change.kind === "put" && metadata["deletionTimestamp"] === undefined) {
      const { ownerReferences } = metadata;
      // Most writes leave the ownerReferences unchanged, and an Event without owners is no part of the graph.
      const before = change.previous && metadataOf(change.previous.object);
      if (before !== undefined && before["ownerReferences"] === ownerReferences && !this.#unresolved.has(uid)) return;
      if (bucket === "events" && before === undefined && ownerReferences === undefined) return;
    }
    const owners = ownerUids(change.object);
    if (change.kind === "delete") {
      this.#unlink(uid);
      this.#unresolved.delete(uid);
      for (const dependent of this.#dependents.get(uid) ?? []) this.#work.add(dependent);
      // This may have been the last dependent that blocked a foreground deletion.
      for (const owner of owners) this.#work.add(owner);
      return;
    }
    const known = this.#nodes.get(uid);
    if (!known || !isSame(known.owners, owners)) {
      this.#unlink(uid);
      this.#nodes.set(uid, { bucket, key: change.key, namespace: textAt(metadata, "namespace"), owners });
      for (const owner of owners) this.#link(owner, uid);
      for (const owner of known?.owners ?? []) this.#work.add(owner);
    }
    if (owners.length > 0 || metadata["deletionTimestamp"] !== undefined) this.#work.add(uid);
  }

  close(): void {
    this.#work.close();
  }

  #link(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner) ?? new Set();
    dependents.add(dependent);
    this.#dependents.set(owner, dependents);
  }

  #unlink(uid: string): void {
    for (const owner of this.#nodes.get(uid)?.owners ?? []) {
      const dependents = this.#dependents.get(owner);
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner);
    }
    this.#nodes.delete(uid);
  }

  #process(uid: string): Eventually<void> {
    const found = this.#find(uid);
    if (!found) return undefined;
    const { record, resource } = found;
    const metadata = metadataOf(record.object);
    if (metadata["deletionTimestamp"] !== undefined) {
      return this.#finishDeletion(uid, record, resource);
    }
    const owners = ownersOf(record.object);
    if (owners.length === 0) return undefined;
    const namespace = textAt(metadata, "namespace");
    const states = owners.map((owner) => this.#stateOf(owner, namespace));
    // An owner whose kind is not served cannot be looked up. Keep the dependent rather than delete it wrongly.
    if (states.includes("unknown")) {
      this.#unresolved.add(uid);
      return undefined;
    }
    this.#unresolved.delete(uid);
    if (states.includes("solid")) {
      const absent = new Set(
        owners.filter((_, index) => states[index] !== "solid").map((owner) => textAt(owner, "uid")),
      );
      return absent.size === 0 ? undefined : this.#removeOwners(record, resource, absent);
    }
    const hasDependents = (this.#dependents.get(uid)?.size ?? 0) > 0;
    const policy = states.includes("waitingForDependentsDeletion") && hasDependents ? "Foreground" : "Background";
    return this.#writes.delete(resource, record, { propagationPolicy: policy });
  }

  #stateOf(owner: JsonObject, namespace: string): OwnerState {
    const node = this.#nodes.get(textAt(owner, "uid"));
    if (!node || (node.namespace !== "" && node.namespace !== namespace))
      return this.#isServed(owner) ? "dangling" : "unknown";
    const record = this.#registry.store.bucket(node.bucket).get(node.key);
    if (!record) return "dangling";
    const metadata = metadataOf(record.object);
    const isWaiting =
      metadata["deletionTimestamp"] !== undefined && textsAt(metadata, "finalizers").includes("foregroundDeletion");
    return isWaiting ? "waitingForDependentsDeletion" : "solid";
  }

  #isServed(owner: JsonObject): boolean {
    const parsed = parseApiVersion(textAt(owner, "apiVersion"));
    return (
      parsed !== undefined && this.#registry.findKind(parsed.group, parsed.version, textAt(owner, "kind")) !== undefined
    );
  }

  /** Orphans the dependents or waits for their deletion, as the object's finalizers require. */
  #finishDeletion(uid: string, record: StoredRecord, resource: Resource): Eventually<void> {
    const finalizers = textsAt(metadataOf(record.object), "finalizers");
    const dependents = [...(this.#dependents.get(uid) ?? [])];
    if (finalizers.includes("orphan")) {
      const orphaned = allWritten(dependents.map((dependent) => () => this.#orphan(dependent, uid)));
      return andThen(orphaned, () => this.#removeFinalizer(record, resource, "orphan"));
    }
    if (finalizers.includes("foregroundDeletion")) {
      const blocking = dependents.filter((dependent) => this.#blocks(dependent, uid));
      if (blocking.length === 0) return this.#removeFinalizer(record, resource, "foregroundDeletion");
      for (const dependent of dependents) this.#work.add(dependent);
    }
    return undefined;
  }

  #blocks(dependent: string, owner: string): boolean {
    const found = this.#find(dependent);
    return (
      found !== undefined &&
      ownersOf(found.record.object).some((one) => textAt(one, "uid") === owner && one["blockOwnerDeletion"] === true)
    );
  }

  #orphan(dependent: string, owner: string): Eventually<void> {
    const found = this.#find(dependent);
    return found && this.#removeOwners(found.record, found.resource, new Set([owner]));
  }

  #removeOwners(record: StoredRecord, resource: Resource, uids: ReadonlySet<string>): Eventually<void> {
    return this.#writes.changeMetadata(resource, record, (metadata) => {
      const kept = listAt(metadata, "ownerReferences").filter(
        (one) => isJsonObject(one) && !uids.has(textAt(one, "uid")),
      );
      if (kept.length === 0) delete metadata["ownerReferences"];
      else metadata["ownerReferences"] = kept as Draft[];
    });
  }

  #removeFinalizer(record: StoredRecord, resource: Resource, finalizer: string): Eventually<void> {
    return this.#writes.changeMetadata(resource, record, (metadata) => {
      const kept = textsAt(metadata, "finalizers").filter((one) => one !== finalizer);
      if (kept.length === 0) delete metadata["finalizers"];
      else metadata["finalizers"] = kept;
    });
  }

  #find(uid: string): { readonly record: StoredRecord; readonly resource: Resource } | undefined {
    const node = this.#nodes.get(uid);
    const record = node && this.#registry.store.bucket(node.bucket).get(node.key);
    const resource = node && record && this.#resourceOf(node.bucket);
    return resource && { record, resource };
  }

  #resourceOf(bucket: string): Resource | undefined {
    const { generation } = this.#registry;
    if (this.#resources.generation !== generation) {
      const byBucket = new Map(this.#registry.storedResources().map((resource) => [resource.bucket, resource]));
      this.#resources = { generation, byBucket };
    }
    return this.#resources.byBucket.get(bucket);
  }
}

const none: readonly string[] = [];

function ownerUids(object: JsonObject): readonly string[] {
  const owners = ownersOf(object);
  return owners.length === 0 ? none : owners.map((owner) => textAt(owner, "uid"));
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((uid, at) => uid === others[at]);
}

function ownersOf(object: JsonObject): JsonObject[] {
  return listAt(metadataOf(object), "ownerReferences").filter(isJsonObject);
}
