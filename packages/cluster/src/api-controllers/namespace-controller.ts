import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import {
  andThen,
  type Draft,
  draftOf,
  type Eventually,
  metadataOf,
  namespacesBucket,
  objectAt,
  type Registry,
  type Resource,
  textAt,
  textsAt,
  timestamp,
  writeRecord,
} from "../registry/index.js";
import type { Change } from "../storage/index.js";
import { allWritten, ControllerWrites, orElse } from "./controller-writes.js";
import { WorkSet } from "./work-set.js";

/** Deletes the content of a terminating namespace, then removes the finalizer `kubernetes` from its spec. */
export class NamespaceController {
  readonly #registry: Registry;
  readonly #writes: ControllerWrites;
  readonly #work: WorkSet;

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#writes = new ControllerWrites(registry, "namespace-controller");
    this.#work = new WorkSet((name) => this.#sync(name), { clock: registry.clock, logger });
  }

  /** Whether no namespace is waiting to be synced. */
  get idle(): boolean {
    return this.#work.idle;
  }

  /** Call this after every write to the store. */
  onChange(bucket: string, change: Change): void {
    if (bucket === namespacesBucket) {
      const isTerminating = metadataOf(change.object)["deletionTimestamp"] !== undefined;
      if (change.kind === "put" && isTerminating) this.#work.add(change.key);
      return;
    }
    if (change.kind !== "delete") return;
    const namespace = textAt(metadataOf(change.object), "namespace");
    if (namespace !== "" && this.#isTerminating(namespace)) this.#work.add(namespace);
  }

  close(): void {
    this.#work.close();
  }

  #isTerminating(name: string): boolean {
    const record = this.#registry.store.bucket(namespacesBucket).get(name);
    return record !== undefined && metadataOf(record.object)["deletionTimestamp"] !== undefined;
  }

  #sync(name: string): Eventually<void> {
    if (!this.#isTerminating(name)) return undefined;
    const namespaced = this.#registry.storedResources().filter((resource) => resource.namespaced);
    const failures = new Map<Resource, unknown>();
    const deletions = namespaced.map((resource) => () => this.#deleteAll(resource, name, failures));
    return andThen(allWritten(deletions), () => {
      this.#finish(name, namespaced, failures);
      if (failures.size > 0) throw [...failures.values()][0];
    });
  }

  /** Deletes a collection as kube-controller-manager does; admission may reject each object. */
  #deleteAll(resource: Resource, namespace: string, failures: Map<Resource, unknown>): Eventually<void> {
    const records = this.#registry.store.bucket(resource.bucket).list(`${namespace}/`);
    const pending = records.filter(({ object }) => metadataOf(object)["deletionTimestamp"] === undefined);
    const options = { propagationPolicy: "Background", isOfCollection: true } as const;
    return orElse(
      () => allWritten(pending.map((record) => () => this.#writes.delete(resource, record, options))),
      (error) => void failures.set(resource, error),
    );
  }

  #finish(name: string, namespaced: readonly Resource[], failures: ReadonlyMap<Resource, unknown>): void {
    const record = this.#registry.store.bucket(namespacesBucket).get(name);
    const resource = this.#registry.find("", "v1", "namespaces");
    if (!record || !resource) return;
    const draft = draftOf(record.object);
    // As kube-controller-manager, which does not count objects that it failed to delete.
    const counted = namespaced.filter((one) => !failures.has(one));
    const remaining = this.#remainingIn(name, counted);
    if (remaining.counts.length === 0 && failures.size === 0) {
      const finalizers = textsAt(objectAt(draft, "spec"), "finalizers");
      const left = finalizers.filter((one) => one !== "kubernetes");
      // Other controllers remove the remaining finalizers. A write here would only trigger this controller again.
      if (left.length === finalizers.length && (left.length > 0 || textsAt(metadataOf(draft), "finalizers").length > 0))
        return;
      draft["spec"] = left.length === 0 ? {} : { finalizers: left };
    } else {
      const known = objectAt(record.object, "status")["conditions"];
      const conditions = deletionConditions(
        { ...remaining, failures: [...failures.values()].map(messageOf) },
        { known: Array.isArray(known) ? known.filter(isJsonObject) : [], time: timestamp(this.#registry.clock) },
      );
      if (deepEqual(known ?? [], conditions)) return;
      draft["status"] = { phase: "Terminating", conditions };
    }
    writeRecord({ context: this.#registry, resource, record, dryRun: false }, draft);
  }

  #remainingIn(namespace: string, resources: readonly Resource[]): Remaining {
    const counts: string[] = [];
    const finalizers = new Map<string, number>();
    for (const { bucket, plural, group } of resources) {
      const left = this.#registry.store.bucket(bucket).list(`${namespace}/`);
      if (left.length > 0) counts.push(`${plural}.${group} has ${left.length} resource instances`);
      for (const { object } of left)
        for (const finalizer of textsAt(metadataOf(object), "finalizers"))
          finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
    return { counts, finalizers };
  }
}

/** What keeps a namespace from being removed. */
interface Remaining {
  /** For each resource with objects. */
  readonly counts: readonly string[];
  readonly finalizers: ReadonlyMap<string, number>;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The conditions of a namespace whose content is not deleted yet. A condition keeps its time while its status is the same. */
function deletionConditions(
  { counts, finalizers, failures }: Remaining & { readonly failures: readonly string[] },
  { known, time }: { readonly known: readonly JsonObject[]; readonly time: string },
): Draft[] {
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const condition = (type: string, isTrue: boolean, [reason, message]: readonly [string, string]): Draft => {
    const status = isTrue ? "True" : "False";
    const before = known.find((one) => one["type"] === type && one["status"] === status);
    return { lastTransitionTime: textAt(before ?? {}, "lastTransitionTime") || time, message, reason, status, type };
  };
  return [
    condition("NamespaceDeletionDiscoveryFailure", false, [
      "ResourcesDiscovered",
      "All resources successfully discovered",
    ]),
    condition("NamespaceDeletionGroupVersionParsingFailure", false, [
      "ParsedGroupVersions",
      "All legacy kube types successfully parsed",
    ]),
    condition(
      "NamespaceDeletionContentFailure",
      failures.length > 0,
      failures.length > 0
        ? [
            "ContentDeletionFailed",
            `Failed to delete all resource types, ${failures.length} remaining: ${failures.toSorted().join(", ")}`,
          ]
        : ["ContentDeleted", "All content successfully deleted, may be waiting on finalization"],
    ),
    condition(
      "NamespaceContentRemaining",
      counts.length > 0,
      counts.length > 0
        ? ["SomeResourcesRemain", `Some resources are remaining: ${counts.join(", ")}`]
        : ["ContentRemoved", "All content successfully removed"],
    ),
    condition(
      "NamespaceFinalizersRemaining",
      held.length > 0,
      held.length > 0
        ? ["SomeFinalizersRemain", `Some content in the namespace has finalizers remaining: ${held.join(", ")}`]
        : ["ContentHasNoFinalizers", "All content-preserving finalizers finished"],
    ),
  ];
}
