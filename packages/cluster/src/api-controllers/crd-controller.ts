import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Logger } from "@kubewright/core/log";
import { administrator } from "../access/index.js";
import {
  approvalOf,
  calledConverter,
  changeObject,
  cleanUpFinalizer,
  conditionStatus,
  customResources,
  type Draft,
  definitionsBucket,
  deleteRecord,
  draftOf,
  draftsIn,
  isProtectedGroup,
  metadataOf,
  objectAt,
  type Registry,
  type Resource,
  textAt,
  textsAt,
  timestamp,
  withCondition,
} from "../registry/index.js";
import type { Change } from "../storage/index.js";
import { WorkSet } from "./work-set.js";

const approvalReasons = {
  missing: ["False", "MissingAnnotation"],
  invalid: ["False", "InvalidAnnotation"],
  approved: ["True", "ApprovedAnnotation"],
  bypassed: ["False", "UnapprovedAnnotation"],
} as const;

/**
 * The controllers of apiextensions in one: naming, establishing, API approval policy and finalizing.
 *
 * It sets the conditions of a CustomResourceDefinition and serves it once it is established. When a CRD is deleted, it deletes the
 * custom resources first.
 */
export class CrdController {
  readonly #registry: Registry;
  readonly #work: WorkSet;

  constructor(registry: Registry, logger: Logger) {
    this.#registry = registry;
    this.#work = new WorkSet((name) => this.#sync(name), { clock: registry.clock, logger });
  }

  /** Whether no CRD is waiting to be synced. */
  get idle(): boolean {
    return this.#work.idle;
  }

  /** Call this after every write to the store. */
  onChange(bucket: string, change: Change): void {
    if (bucket !== definitionsBucket) {
      // A CRD that is being deleted waits for its last custom resource.
      if (change.kind === "delete" && this.#definition(bucket)) this.#work.add(bucket);
      return;
    }
    if (change.kind === "put") this.#work.add(change.key);
    else this.#forget(change.key, textAt(objectAt(change.object, "spec"), "group"));
  }

  close(): void {
    this.#work.close();
  }

  #definition(name: string): JsonObject | undefined {
    return this.#registry.store.bucket(definitionsBucket).get(name)?.object;
  }

  #forget(name: string, group: string): void {
    this.#registry.uninstall((resource) => resource.bucket === name);
    this.#registry.store.drop(name);
    // Another CRD of the group may now get the names that were in use.
    for (const { object, key } of this.#registry.store.bucket(definitionsBucket).list())
      if (textAt(objectAt(object, "spec"), "group") === group) this.#work.add(key);
  }

  #sync(name: string): void {
    const definition = this.#definition(name);
    if (!definition) return;
    const status = this.#statusOf(definition);
    const next = { ...definition, status } as JsonObject;
    if (conditionStatus(next, "Established") === "True") this.#serve(name, next);
    if (!deepEqual(status, objectAt(definition, "status"))) this.#write(name, status, undefined);
    if (metadataOf(definition)["deletionTimestamp"] !== undefined) this.#cleanUp(name);
  }

  #serve(name: string, definition: JsonObject): void {
    const { converters, webhooks } = this.#registry.extensions;
    const converter =
      converters?.get(name) ??
      (webhooks && calledConverter(definition, { caller: webhooks, newUid: this.#registry.newUid }));
    const resources = customResources(definition, converter);
    const served = new Set(resources.map((resource) => resource.version));
    this.#registry.uninstall((resource) => resource.bucket === name && !served.has(resource.version));
    for (const resource of resources) this.#registry.install(resource);
  }

  #statusOf(definition: JsonObject): Draft {
    const spec = objectAt(definition, "spec");
    const status = draftOf(objectAt(definition, "status"));
    const time = timestamp(this.#registry.clock);
    const { names, problem } = this.#acceptNames(definition);
    status["acceptedNames"] = names;
    let conditions = draftsIn(status["conditions"]);
    const set = (type: string, value: string, reason: string, message: string): void => {
      conditions = withCondition(conditions, { lastTransitionTime: time, message, reason, status: value, type });
    };
    if (problem) set("NamesAccepted", "False", problem.reason, problem.message);
    else set("NamesAccepted", "True", "NoConflicts", "no conflicts found");
    // Established never returns to False: a later conflict rejects only the new names.
    if (conditionStatus(definition, "Established") !== "True") {
      if (problem) set("Established", "False", "NotAccepted", "not all names are accepted");
      else set("Established", "True", "InitialNamesAccepted", "the initial names have been accepted");
    }
    if (isProtectedGroup(textAt(spec, "group"))) {
      const approval = approvalOf(definition);
      const [value, reason] = approvalReasons[approval.kind];
      set("KubernetesAPIApprovalPolicyConformant", value, reason, approval.reason);
    }
    status["conditions"] = conditions;
    return status;
  }

  /** The names of the spec that no other CRD of the group uses, and the last conflict if there is one. */
  #acceptNames(definition: JsonObject): { names: Draft; problem?: { reason: string; message: string } } {
    const spec = objectAt(definition, "spec");
    const requested = objectAt(spec, "names");
    const accepted = objectAt(objectAt(definition, "status"), "acceptedNames");
    const used = this.#usedNames(definition);
    const names = draftOf(accepted);
    let problem: { reason: string; message: string } | undefined;
    const take = (field: string, reason: string, taken: ReadonlySet<string>): void => {
      const name = textAt(requested, field);
      if (name !== textAt(accepted, field) && taken.has(name))
        problem = { reason, message: `${JSON.stringify(name)} is already in use` };
      else names[field] = name;
    };
    take("plural", "PluralConflict", used.resources);
    take("singular", "SingularConflict", used.resources);
    const known = textsAt(accepted, "shortNames");
    const conflicts = textsAt(requested, "shortNames").filter(
      (name) => !known.includes(name) && used.resources.has(name),
    );
    if (conflicts.length > 0) {
      const messages = conflicts.map((name) => `${JSON.stringify(name)} is already in use`);
      problem = {
        reason: "ShortNamesConflict",
        message: messages.length === 1 ? (messages[0] ?? "") : `[${messages.join(", ")}]`,
      };
    } else setList(names, "shortNames", textsAt(requested, "shortNames"));
    take("kind", "KindConflict", used.kinds);
    take("listKind", "ListKindConflict", used.kinds);
    setList(names, "categories", textsAt(requested, "categories"));
    return problem ? { names, problem } : { names };
  }

  #usedNames(definition: JsonObject): { resources: Set<string>; kinds: Set<string> } {
    const own = textAt(metadataOf(definition), "name");
    const group = textAt(objectAt(definition, "spec"), "group");
    const resources = new Set<string>();
    const kinds = new Set<string>();
    for (const { key, object } of this.#registry.store.bucket(definitionsBucket).list()) {
      if (key === own || textAt(objectAt(object, "spec"), "group") !== group) continue;
      const names = objectAt(objectAt(object, "status"), "acceptedNames");
      for (const name of [textAt(names, "plural"), textAt(names, "singular"), ...textsAt(names, "shortNames")])
        resources.add(name);
      for (const name of [textAt(names, "kind"), textAt(names, "listKind")]) kinds.add(name);
    }
    return { resources, kinds };
  }

  /** Deletes the custom resources of a CRD, and removes its finalizer once none is left. */
  #cleanUp(name: string): void {
    const resource = this.#registry.storedResources().find((one) => one.bucket === name);
    if (resource) this.#deleteObjects(resource);
    const left = this.#registry.store.bucket(name).size;
    const definition = this.#definition(name);
    if (!definition) return;
    const status = draftOf(objectAt(definition, "status"));
    const condition =
      left > 0
        ? {
            status: "True",
            reason: "InstanceDeletionInProgress",
            message: `CustomResource deletion is in progress. ${left} remaining`,
          }
        : { status: "False", reason: "InstanceDeletionCompleted", message: "removed all instances" };
    status["conditions"] = withCondition(draftsIn(status["conditions"]), {
      lastTransitionTime: timestamp(this.#registry.clock),
      ...condition,
      type: "Terminating",
    });
    const finalizers = textsAt(metadataOf(definition), "finalizers").filter((one) => one !== cleanUpFinalizer);
    this.#write(name, status, left > 0 ? undefined : finalizers);
  }

  #deleteObjects(resource: Resource): void {
    for (const record of this.#registry.store.bucket(resource.bucket).list())
      if (metadataOf(record.object)["deletionTimestamp"] === undefined)
        deleteRecord(this.#registry, resource, record, { dryRun: false, propagationPolicy: "Background" });
  }

  #write(name: string, status: Draft, finalizers: string[] | undefined): void {
    const resource = this.#registry.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
    if (!resource) return;
    const options = {
      dryRun: false,
      manager: "kube-apiserver",
      fieldValidation: "Ignore",
      user: administrator,
      warn() {},
    } as const;
    const target = { namespace: "", name, subresource: "status" };
    // Admission of CRDs waits for nothing: no webhook may intercept the server's own status updates.
    void changeObject(
      { context: this.#registry, resource, target, options },
      {
        make(old) {
          const draft = draftOf(old);
          draft["status"] = status;
          if (finalizers && isJsonObject(draft["metadata"])) (draft["metadata"] as Draft)["finalizers"] = finalizers;
          return draft;
        },
      },
    );
  }
}

function setList(names: Draft, key: string, values: readonly string[]): void {
  if (values.length === 0) delete names[key];
  else names[key] = [...values];
}
