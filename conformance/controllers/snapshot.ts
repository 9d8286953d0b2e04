import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { type KubeObject, textAt } from "./kube-object.js";
import { Names } from "./names.js";
import { namespaceOf, type Scenario } from "./scenario.js";
import { snapshotObject } from "./snapshot-object.js";
import type { View } from "./view.js";

/**
 * All compared objects of a scenario, by kind and name. Objects with a generated name are grouped by prefix, as a set: equal objects once,
 * with their count.
 */
export type Snapshot = Readonly<Record<string, JsonObject>>;

const kindsOfAll = [
  ...["Pod", "ReplicationController", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "ControllerRevision"],
  ...["Job", "CronJob", "EndpointSlice", "Endpoints", "PersistentVolumeClaim", "PersistentVolume"],
  ...["PodDisruptionBudget", "ResourceQuota", "HorizontalPodAutoscaler"],
];

/** Watched kinds: those that are compared, and those whose names are replaced by placeholders. */
export const watchedKinds: readonly string[] = [
  ...kindsOfAll,
  ...["Event", "Node", "Service", "ServiceAccount", "ConfigMap", "Secret", "CertificateSigningRequest"],
  "ValidatingAdmissionPolicy",
];

/** The names of the shared nodes. */
export const sharedNodes = ["node-1", "node-2", "node-3"] as const;

/** The placeholders for random names, as known so far. */
export function namesOf(view: View, scenario: Scenario): Names {
  const ownNodes = scenario.nodes?.map(({ name }) => name);
  const anyOf = ownNodes === undefined ? sharedNodes : scenario.anyNode === true ? ownNodes : [];
  return new Names(view, namespaceOf(scenario), anyOf);
}

/** Takes a snapshot of a scenario's objects and events. */
export function takeSnapshot(view: View, scenario: Scenario, names: Names): Snapshot {
  const namespace = namespaceOf(scenario);
  const groups = new Map<string, JsonObject[]>();
  const kinds = [...kindsOfAll, ...(scenario.kinds ?? []), ...(scenario.nodes ? ["Node"] : [])];
  for (const kind of kinds) {
    for (const { type, object } of view.list(kind, namespace)) {
      const { name } = object.metadata;
      if (!type.namespaced && kind !== "Node" && !name.includes(namespace)) continue;
      const key = `${kind} ${names.of(name)}`;
      groups.set(key, [...(groups.get(key) ?? []), snapshotObject(kind, object, names)]);
    }
  }
  const entries = [...groups].map(([key, objects]): [string, JsonObject] => [
    key,
    /\*$|\{minute\}/.test(key) ? asSet(objects) : (objects[0] ?? {}),
  ]);
  return Object.fromEntries([...entries, ...eventsOf(view, namespace, names)].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function asSet(objects: readonly JsonObject[]): JsonObject {
  const counts = new Map<string, { readonly object: JsonObject; count: number }>();
  for (const object of objects) {
    const text = JSON.stringify(object);
    const known = counts.get(text);
    if (known) known.count++;
    else counts.set(text, { object, count: 1 });
  }
  const ordered = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  return Object.fromEntries(ordered.map(({ object, count }, index) => [String(index + 1), { count, ...object }]));
}

/**
 * Messages that depend on timing: update conflicts, the scheduler picking up a terminating pod, and scheduling before a PVC is bound or before
 * the node of a DaemonSet pod is in its cache. The condition of a pod that stays unscheduled covers the latter two.
 */
const timingDependent =
  /the object has been modified|skip schedule deleting pod|pod has unbound immediate PersistentVolumeClaims|didn't satisfy plugin\(s\) \[NodeAffinity\]/;

/** Events by involved object: type, reason and message once each, with the reporter; without count and times. */
function eventsOf(view: View, namespace: string, names: Names): [string, JsonObject][] {
  const about = new Map<string, Map<string, JsonValue>>();
  for (const { object } of view.list("Event", namespace)) {
    const key = `Event ${textAt(object, "involvedObject", "kind")} ${names.of(textAt(object, "involvedObject", "name"))}`;
    const text = textAt(object, "message").replace("(combined from similar events): ", "");
    if (timingDependent.test(text)) continue;
    const events = about.get(key) ?? new Map<string, JsonValue>();
    events.set(names.of(`${textAt(object, "type")} ${textAt(object, "reason")}: ${text}`), reporterOf(object));
    about.set(key, events);
  }
  return [...about].map(([key, events]) => [key, Object.fromEntries([...events].sort(([a], [b]) => (a < b ? -1 : 1)))]);
}

function reporterOf(event: KubeObject): string {
  return textAt(event, "source", "component") || textAt(event, "reportingComponent");
}
