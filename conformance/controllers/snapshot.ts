import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { type KubeObject, textAt } from "./kube-object.js";
import { Names } from "./names.js";
import { namespaceOf, type Scenario } from "./scenario.js";
import { snapshotObject } from "./snapshot-object.js";
import type { View } from "./view.js";

/**
 * All that a scenario looks at, by kind and name. Objects with a generated name stand under what it was generated from, as a set: equal
 * ones once, with how many there are.
 */
export type Snapshot = Readonly<Record<string, JsonObject>>;

const kindsOfAll = [
  ...["Pod", "ReplicationController", "ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "ControllerRevision"],
  ...["Job", "CronJob", "EndpointSlice", "Endpoints", "PersistentVolumeClaim", "PersistentVolume"],
  ...["PodDisruptionBudget", "ResourceQuota", "HorizontalPodAutoscaler"],
];

/** What a cluster is watched for: what scenarios look at, and what names stand for. */
export const watchedKinds: readonly string[] = [
  ...kindsOfAll,
  ...["Event", "Node", "Service", "ServiceAccount", "ConfigMap", "Secret", "CertificateSigningRequest"],
];

/** The names of the nodes that scenarios share. */
export const sharedNodes = ["node-1", "node-2", "node-3"] as const;

/** What stands in place of what chance decides, as far as it is known now. */
export function namesOf(view: View, scenario: Scenario): Names {
  const ownNodes = scenario.nodes?.map(({ name }) => name);
  const anyOf = ownNodes === undefined ? sharedNodes : scenario.anyNode === true ? ownNodes : [];
  return new Names(view, namespaceOf(scenario), anyOf);
}

/** Looks at what a scenario is about. */
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
 * Whether two programs write at the same moment is chance; whether the scheduler takes a pod up that is being deleted; and whether it does so
 * before a claim is bound or before it has heard of the node that a DaemonSet means, which the condition of a pod that stays unscheduled
 * tells too.
 */
const byChance =
  /the object has been modified|skip schedule deleting pod|pod has unbound immediate PersistentVolumeClaims|didn't satisfy plugin\(s\) \[NodeAffinity\]/;

/** Events by what they are about: type, reason and text once each, with who told it; not how often and when. */
function eventsOf(view: View, namespace: string, names: Names): [string, JsonObject][] {
  const about = new Map<string, Map<string, JsonValue>>();
  for (const { object } of view.list("Event", namespace)) {
    const key = `Event ${textAt(object, "involvedObject", "kind")} ${names.of(textAt(object, "involvedObject", "name"))}`;
    const text = textAt(object, "message").replace("(combined from similar events): ", "");
    if (byChance.test(text)) continue;
    const told = about.get(key) ?? new Map<string, JsonValue>();
    told.set(names.of(`${textAt(object, "type")} ${textAt(object, "reason")}: ${text}`), whoTold(object));
    about.set(key, told);
  }
  return [...about].map(([key, told]) => [key, Object.fromEntries([...told].sort(([a], [b]) => (a < b ? -1 : 1)))]);
}

function whoTold(event: KubeObject): string {
  return textAt(event, "source", "component") || textAt(event, "reportingComponent");
}
