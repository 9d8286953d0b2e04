import type { JsonObject } from "@kubewright/core/json";

/** A pod template with one container, labelled `app`; `spec` adds to its spec. */
export function template(app: string, { image = "app:1", labels = {}, spec = {} }: TemplateOptions = {}): JsonObject {
  return { metadata: { labels: { app, ...labels } }, spec: { containers: [{ name: "app", image }], ...spec } };
}

/** Options of a pod template. */
export interface TemplateOptions {
  readonly image?: string;
  readonly labels?: JsonObject;
  readonly spec?: JsonObject;
}

/** A merge patch that sets the image of a pod template. */
export function image(name: string): JsonObject {
  return { spec: { template: { spec: { containers: [{ name: "app", image: name }] } } } };
}

function workload(apiVersion: string, kind: string) {
  return (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name, ...metadata },
    spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
  });
}

/** A Deployment whose pods are labelled with its name. */
export const deployment = workload("apps/v1", "Deployment");

/** A ReplicaSet whose pods are labelled with its name. */
export const replicaSet = workload("apps/v1", "ReplicaSet");

/** A DaemonSet whose pods are labelled with its name. */
export const daemonSet = workload("apps/v1", "DaemonSet");

/** A StatefulSet whose pods are labelled with its name. */
export function statefulSet(name: string, spec: JsonObject = {}): JsonObject {
  return workload("apps/v1", "StatefulSet")(name, { serviceName: name, ...spec });
}

/** A ReplicationController whose pods are labelled with its name. */
export function replicationController(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "ReplicationController",
    metadata: { name },
    spec: { selector: { app: name }, template: template(name), ...spec },
  };
}

/** A Job whose pods are labelled with its name, with restartPolicy Never unless `pod` sets another. */
export function job(name: string, spec: JsonObject = {}, pod: JsonObject = {}): JsonObject {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: { template: template(name, { spec: { restartPolicy: "Never", ...pod } }), ...spec },
  };
}

/** A pod with one container, labelled `app` with its name unless `metadata` sets other labels. */
export function pod(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels: { app: name }, ...metadata },
    spec: { containers: [{ name: "app", image: "app:1" }], ...spec },
  };
}

/** A container's requests, as part of a pod's spec. */
export function requesting(requests: JsonObject): JsonObject {
  return { containers: [{ name: "app", image: "app:1", resources: { requests } }] };
}

/** A Service that selects the pods of an app. */
export function service(name: string, spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80 }], ...spec },
  };
}

/** A PodDisruptionBudget of the pods of an app. */
export function budget(app: string, spec: JsonObject): JsonObject {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: app },
    spec: { selector: { matchLabels: { app } }, ...spec },
  };
}

/** A PersistentVolumeClaim of 1 GiB of the class `{ns}`, which has no provisioner. */
export function claim(name: string, spec: JsonObject = {}): JsonObject {
  const resources = { requests: { storage: "1Gi" } };
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name },
    spec: { storageClassName: "{ns}", accessModes: ["ReadWriteOnce"], resources, ...spec },
  };
}

/** A PersistentVolume of 1 GiB of the class `{ns}`; its name is `<name>-{ns}`, because it is cluster-scoped. */
export function volume(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const basic = {
    storageClassName: "{ns}",
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    hostPath: { path: "/data" },
  };
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `${name}-{ns}`, ...metadata },
    spec: { ...basic, ...spec },
  };
}

/** A ResourceQuota. */
export function quota(name: string, hard: JsonObject, spec: JsonObject = {}): JsonObject {
  return { apiVersion: "v1", kind: "ResourceQuota", metadata: { name }, spec: { hard, ...spec } };
}
