import { createRequire } from "node:module";
import { deepEqual, deepFreeze, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import {
  type AggregatedRole,
  administrator,
  aggregatedRoleOf,
  aggregatedRules,
  type PolicyRule,
  sameRules,
  uncoveredRules,
} from "../access/index.js";
import { changeObject } from "./change.js";
import { deleteRecord } from "./delete.js";
import { type Draft, draftOf, listAt, metadataOf, objectAt, textAt } from "./draft.js";
import { keyOfPrebuilt, type PrebuiltObject, prebuiltObject, storePrebuilt } from "./prebuilt-object.js";
import type { Registry } from "./registry.js";
import type { Resource } from "./resource.js";
import { recordKey } from "./write-context.js";

const manager = "kube-apiserver";
const aggregator = "clusterrole-aggregation-controller";
const group = "rbac.authorization.k8s.io";
const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

interface PolicyData {
  readonly clusterRoles: readonly JsonObject[];
  readonly clusterRoleBindings: readonly JsonObject[];
  readonly roles: readonly JsonObject[];
  readonly roleBindings: readonly JsonObject[];
}

/** The bootstrap objects of one RBAC resource. */
interface PolicyPart {
  readonly plural: string;
  readonly objects: readonly JsonObject[];
}

let loaded: readonly PolicyPart[] | undefined;

/** The RBAC objects of every cluster, which `tools/api-data` read off kube-apiserver. Frozen; clusters share their parts. */
function bootstrapPolicy(): readonly PolicyPart[] {
  if (loaded === undefined) {
    const data = createRequire(import.meta.url)("#bootstrap-policy") as PolicyData;
    loaded = deepFreeze([
      { plural: "clusterroles", objects: withAggregatedRules(data.clusterRoles) },
      { plural: "clusterrolebindings", objects: data.clusterRoleBindings },
      { plural: "roles", objects: data.roles },
      { plural: "rolebindings", objects: data.roleBindings },
    ]) as readonly PolicyPart[];
  }
  return loaded;
}

/** The rules of a bootstrap ClusterRole. */
export function bootstrapRules(name: string): readonly PolicyRule[] {
  const role = bootstrapPolicy()[0]?.objects.find((object) => textAt(metadataOf(object), "name") === name);
  return role === undefined ? [] : aggregatedRoleOf(role).rules;
}

/** Revisions that are reserved for the bootstrap policy; more than it has objects. */
const reserved = 200;

/**
 * Adds the bootstrap policy to a new cluster. Without a data folder the objects are made when an RBAC resource is first read: most clusters of tests
 * never do, and these objects would be a third of their start.
 */
export function createBootstrapPolicy(registry: Registry): void {
  const { store, newUid } = registry;
  if (store.isPersistent) {
    for (const { resource, objects } of partsOf(registry))
      for (const object of objects) storePrebuilt(registry, resource, prebuilt(object));
    return;
  }
  const nowMs = registry.clock.now();
  const context = { newUid, nowMs };
  const buckets = ["clusterroles", "clusterrolebindings", "roles", "rolebindings"].map(
    (plural) => `${plural}.${group}`,
  );
  let revision = store.reserve(reserved);
  store.seed(buckets, () =>
    partsOf(registry).flatMap(({ resource, objects }) =>
      objects.map((object) => {
        const one = prebuilt(object);
        const at = revision++;
        const record = { key: keyOfPrebuilt(one), revision: at, object: prebuiltObject(context, resource, one)(at) };
        return { bucket: resource.bucket, record };
      }),
    ),
  );
}

/**
 * Restores the bootstrap policy of an existing cluster, as kube-apiserver does at every start: creates missing objects, and adds missing rules,
 * subjects, labels and annotations. Additions of users stay. An object with the annotation `autoupdate: "false"` is left as it is.
 */
export function reconcileBootstrapPolicy(registry: Registry): void {
  for (const { resource, objects } of partsOf(registry))
    for (const object of objects) reconcile(registry, resource, object);
}

function partsOf(registry: Registry): { readonly resource: Resource; readonly objects: readonly JsonObject[] }[] {
  return bootstrapPolicy().flatMap(({ plural, objects }) => {
    const resource = registry.find(group, "v1", plural);
    return resource ? [{ resource, objects }] : [];
  });
}

function prebuilt(object: JsonObject): PrebuiltObject {
  const isAggregated = object["aggregationRule"] !== undefined;
  const applied = { manager: aggregator, fields: ["rules"] };
  return { body: object as Draft, manager, ...(isAggregated && { applied }) };
}

function reconcile(registry: Registry, resource: Resource, expected: JsonObject): void {
  const { name, namespace } = metadataOf(expected);
  const target = { name: String(name), namespace: typeof namespace === "string" ? namespace : "", subresource: "" };
  const record = registry.store.bucket(resource.bucket).get(recordKey(target.namespace, target.name));
  if (record === undefined) {
    storePrebuilt(registry, resource, prebuilt(expected));
    return;
  }
  const { object } = record;
  const annotations = objectAt(metadataOf(object), "annotations");
  if (annotations[autoUpdate] === "false") return;
  if (!deepEqual(object["roleRef"] ?? null, expected["roleRef"] ?? null)) {
    // A roleRef is immutable.
    deleteRecord(registry, resource, record, { dryRun: false, propagationPolicy: "Background" });
    storePrebuilt(registry, resource, prebuilt(expected));
    return;
  }
  const reconciled = reconciledObject(object, expected);
  if (deepEqual(reconciled, object)) return;
  const options = { dryRun: false, manager, fieldValidation: "Strict", user: administrator, warn() {} } as const;
  // No asynchronous admission plugin exists yet: the update completes in this turn.
  void changeObject({ context: registry, resource, target, options }, { make: () => draftOf(reconciled) });
}

/** The stored object with what the expected one has in addition. */
function reconciledObject(object: JsonObject, expected: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  const merged = (field: string): JsonObject => {
    const values = { ...objectAt(metadataOf(expected), field), ...objectAt(metadata, field) };
    return Object.keys(values).length === 0 ? {} : { [field]: values };
  };
  return {
    ...object,
    metadata: { ...metadata, ...merged("annotations"), ...merged("labels") },
    ...withMissing(object, expected, "subjects", missingItems),
    ...(expected["aggregationRule"] === undefined && withMissing(object, expected, "rules", missingRules)),
    ...aggregation(object, expected),
  };
}

function withMissing(
  object: JsonObject,
  expected: JsonObject,
  field: string,
  missing: (held: readonly JsonValue[], wanted: readonly JsonValue[]) => readonly JsonValue[],
): JsonObject {
  const held = listAt(object, field);
  const added = missing(held, listAt(expected, field));
  return added.length === 0 ? {} : { [field]: [...held, ...added] };
}

function missingRules(held: readonly JsonValue[], wanted: readonly JsonValue[]): readonly JsonValue[] {
  // Stored roles passed validation, so their rules have this type.
  return uncoveredRules(held as readonly PolicyRule[], wanted as readonly PolicyRule[]) as unknown as JsonValue[];
}

function missingItems(held: readonly JsonValue[], wanted: readonly JsonValue[]): readonly JsonValue[] {
  return wanted.filter((one) => !held.some((known) => deepEqual(known, one)));
}

/** The controller that aggregates rules then updates them. */
function aggregation(object: JsonObject, expected: JsonObject): JsonObject {
  const wanted = expected["aggregationRule"];
  if (!isJsonObject(wanted)) return object["aggregationRule"] === undefined ? {} : { aggregationRule: null };
  const { clusterRoleSelectors } = { clusterRoleSelectors: [], ...objectAt(object, "aggregationRule") };
  const held = clusterRoleSelectors as readonly JsonValue[];
  const missing = missingItems(held, listAt(wanted, "clusterRoleSelectors"));
  return missing.length === 0 ? {} : { aggregationRule: { clusterRoleSelectors: [...held, ...missing] } };
}

/** kube-apiserver leaves these rules to a controller. Roles may aggregate aggregated roles: `admin` has the rules of `edit`. */
function withAggregatedRules(objects: readonly JsonObject[]): readonly JsonObject[] {
  const roles: AggregatedRole[] = objects.map(aggregatedRoleOf);
  const aggregate = (): boolean => {
    let isChanged = false;
    for (const [index, role] of roles.entries()) {
      if (role.selectors === undefined) continue;
      const rules = aggregatedRules(role, roles);
      if (sameRules(rules, role.rules)) continue;
      roles[index] = { ...role, rules };
      isChanged = true;
    }
    return isChanged;
  };
  while (aggregate());
  return objects.map((object, index) =>
    object["aggregationRule"] === undefined
      ? object
      : { ...object, rules: (roles[index]?.rules ?? []) as unknown as JsonValue },
  );
}
