import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { itemsAt, type KubeObject, textAt } from "./kube-object.js";
import type { Names } from "./names.js";

/** Compared metadata; the rest is random, or covered by the request cases. */
const metadataKept = [
  "labels",
  "annotations",
  "ownerReferences",
  "finalizers",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
] as const;

/** Annotations that depend on how a controller batched events. */
const annotationsDropped = ["endpoints.kubernetes.io/last-change-trigger-time", "node.alpha.kubernetes.io/ttl"];

/** Fields of a pod's status that the fake kubelet writes, or that follow from the spec. */
const podStatusDropped = ["containerStatuses", "hostIP", "hostIPs", "podIP", "podIPs", "startTime", "qosClass"];

/** Defaults of pod specs and containers, covered by the request cases; dropped to keep recordings small. */
const defaults: Readonly<Record<string, JsonValue>> = {
  restartPolicy: "Always",
  dnsPolicy: "ClusterFirst",
  schedulerName: "default-scheduler",
  securityContext: {},
  resources: {},
  terminationGracePeriodSeconds: 30,
  terminationMessagePath: "/dev/termination-log",
  terminationMessagePolicy: "File",
  imagePullPolicy: "IfNotPresent",
  serviceAccount: "default",
  serviceAccountName: "default",
  enableServiceLinks: true,
  preemptionPolicy: "PreemptLowerPriority",
  priority: 0,
};

const defaultTolerations = ["not-ready", "unreachable"].map((what) => ({
  key: `node.kubernetes.io/${what}`,
  operator: "Exists",
  effect: "NoExecute",
  tolerationSeconds: 300,
}));

/** An object without nondeterministic fields and fields that no controller writes. */
export function snapshotObject(kind: string, object: KubeObject, names: Names): JsonObject {
  const { metadata, apiVersion: _, kind: __, ...rest } = object;
  const kept: Record<string, JsonValue> = {};
  for (const key of metadataKept) {
    const value = metadata[key];
    if (value !== undefined) kept[key] = value;
  }
  const annotations = kept["annotations"];
  if (isJsonObject(annotations)) {
    const left = Object.entries(annotations).filter(([key]) => !annotationsDropped.includes(key));
    if (left.length === 0) delete kept["annotations"];
    else kept["annotations"] = Object.fromEntries(left);
  }
  const own: Record<string, JsonValue> = { metadata: kept, ...rest };
  // Whether the controller updates or recreates a slice is nondeterministic.
  if (kind === "EndpointSlice") delete kept["generation"];
  if (kind === "Pod" || kind === "Node") own["status"] = statusOf(kind, object);
  if (kind === "CertificateSigningRequest") own["spec"] = { signerName: textAt(object, "spec", "signerName") };
  return sorted(named(own, names));
}

function statusOf(kind: string, object: KubeObject): JsonObject {
  const status = object["status"];
  if (!isJsonObject(status)) return {};
  if (kind === "Node") return { conditions: itemsAt(status, "conditions") };
  return Object.fromEntries(Object.entries(status).filter(([key]) => !podStatusDropped.includes(key)));
}

/** Sorts fields by name, and lists that are sets by content: their order is nondeterministic. */
function sorted(value: JsonObject): JsonObject;
function sorted(value: JsonValue, key?: string): JsonValue;
function sorted(value: JsonValue, key = ""): JsonValue {
  if (Array.isArray(value)) {
    const items: JsonValue[] = value.map((item: JsonValue) => sorted(item));
    return unordered.has(key) ? items.sort((a, b) => order(JSON.stringify(a), JSON.stringify(b))) : items;
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.keys(value)
    .sort(order)
    .map((name): [string, JsonValue] => [name, sorted(value[name] ?? null, name)]);
  return Object.fromEntries(entries);
}

const unordered = new Set([
  "addresses",
  "notReadyAddresses",
  "endpoints",
  "ownerReferences",
  "finalizers",
  "taints",
  "active",
  "subsets",
  "uncountedTerminatedPods",
]);

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function named(value: JsonObject, names: Names): JsonObject {
  const out: Record<string, JsonValue> = {};
  for (const [key, child] of Object.entries(value)) {
    if (child === null || dropped.has(key)) continue;
    const fallback = defaults[key];
    if (fallback !== undefined && deepEqual(fallback, child)) continue;
    const given = namedValue(key, child, names);
    if (given !== undefined) out[names.of(key)] = given;
  }
  return out;
}

/** Different in every run. */
const dropped = new Set(["uid", "resourceVersion", "creationTimestamp", "lastHeartbeatTime", "lastProbeTime"]);

function namedValue(key: string, value: JsonValue, names: Names): JsonValue | undefined {
  if (typeof value === "string") return names.of(value);
  if (key === "conditions" && Array.isArray(value)) return conditionsByType(value, names);
  if (Array.isArray(value)) {
    const items = value.filter((item: JsonValue) => !isOfAdmission(key, item));
    if (items.length === 0 && value.length > 0) return undefined;
    return items.map((item: JsonValue) => namedValue("", item, names) ?? null);
  }
  return isJsonObject(value) ? named(value, names) : value;
}

/** Conditions by type, because their order is nondeterministic; without times, but a missing time is noted. */
function conditionsByType(conditions: readonly JsonValue[], names: Names): JsonObject {
  const entries = conditions.filter(isJsonObject).map((condition): [string, JsonObject] => {
    const { type, lastTransitionTime, lastUpdateTime: _, ...rest } = condition;
    return [String(type), named(lastTransitionTime ? rest : { ...rest, lastTransitionTime: "missing" }, names)];
  });
  return Object.fromEntries(entries);
}

/** Whether an item comes from pod admission: the token volume or a default toleration. */
function isOfAdmission(key: string, item: JsonValue): boolean {
  if (key === "tolerations") return defaultTolerations.some((one) => deepEqual(one, item));
  if (key !== "volumes" && key !== "volumeMounts") return false;
  return textAt(item, "name").startsWith("kube-api-access-");
}
