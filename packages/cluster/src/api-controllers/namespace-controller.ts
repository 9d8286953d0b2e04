import type { Logger } from "@kubewright/core/log";
import {
  type Draft,
  deleteRecord,
  draftOf,
  metadataOf,
  namespacesBucket,
  objectAt,
  type Registry,
  textAt,
  textsAt,
  timestamp,
  writeRecord,
} from "../registry/index.js";
import type { Change } from "../storage/index.js";
import { WorkSet } from "./work-set.js";

/** Deletes the content of a terminating namespace, then removes the finalizer `kubernetes` from its spec. */
export class NamespaceController {
  readonly #registry: Registry;
  readonly #work: WorkSet;

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#work = new WorkSet((name) => this.#sync(name), logger);
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

  #sync(name: string): void {
    if (!this.#isTerminating(name)) return;
    const remaining: string[] = [];
    const finalizers = new Map<string, number>();
    for (const resource of this.#registry.storedResources()) {
      if (!resource.namespaced) continue;
      const bucket = this.#registry.store.bucket(resource.bucket);
      for (const record of bucket.list(`${name}/`))
        if (metadataOf(record.object)["deletionTimestamp"] === undefined)
          deleteRecord(this.#registry, resource, record, { dryRun: false, propagationPolicy: "Background" });
      const left = bucket.list(`${name}/`);
      if (left.length > 0) remaining.push(`${resource.plural}.${resource.group} has ${left.length} resource instances`);
      for (const { object } of left)
        for (const finalizer of textsAt(metadataOf(object), "finalizers"))
          finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
    }
    this.#finish(name, remaining, finalizers);
  }

  #finish(name: string, remaining: readonly string[], finalizers: ReadonlyMap<string, number>): void {
    const record = this.#registry.store.bucket(namespacesBucket).get(name);
    const resource = this.#registry.find("", "v1", "namespaces");
    if (!record || !resource) return;
    const draft = draftOf(record.object);
    if (remaining.length === 0) {
      const finalizers = textsAt(objectAt(draft, "spec"), "finalizers");
      const left = finalizers.filter((one) => one !== "kubernetes");
      // Other controllers remove the remaining finalizers. A write here would only trigger this controller again.
      if (left.length === finalizers.length && (left.length > 0 || textsAt(metadataOf(draft), "finalizers").length > 0))
        return;
      draft["spec"] = left.length === 0 ? {} : { finalizers: left };
    } else {
      const conditions = remainingConditions(remaining, finalizers, timestamp(this.#registry.clock));
      const before = objectAt(record.object, "status");
      const known = before["conditions"];
      if (Array.isArray(known) && textAt(known[3] ?? {}, "message") === conditions[3]?.["message"]) return;
      draft["status"] = { phase: "Terminating", conditions };
    }
    writeRecord({ context: this.#registry, resource, record, dryRun: false }, draft);
  }
}

/** The conditions of a namespace whose content is not deleted yet. */
function remainingConditions(
  remaining: readonly string[],
  finalizers: ReadonlyMap<string, number>,
  lastTransitionTime: string,
): Draft[] {
  const held = [...finalizers].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const conditions = [
    {
      message: "All resources successfully discovered",
      reason: "ResourcesDiscovered",
      status: "False",
      type: "NamespaceDeletionDiscoveryFailure",
    },
    {
      message: "All legacy kube types successfully parsed",
      reason: "ParsedGroupVersions",
      status: "False",
      type: "NamespaceDeletionGroupVersionParsingFailure",
    },
    {
      message: "All content successfully deleted, may be waiting on finalization",
      reason: "ContentDeleted",
      status: "False",
      type: "NamespaceDeletionContentFailure",
    },
    {
      message: `Some resources are remaining: ${remaining.join(", ")}`,
      reason: "SomeResourcesRemain",
      status: "True",
      type: "NamespaceContentRemaining",
    },
    {
      message: `Some content in the namespace has finalizers remaining: ${held.join(", ")}`,
      reason: "SomeFinalizersRemain",
      status: "True",
      type: "NamespaceFinalizersRemaining",
    },
  ];
  return conditions.map((condition) => ({ lastTransitionTime, ...condition }));
}
