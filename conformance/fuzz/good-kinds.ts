import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Subject } from "../case.js";
import { subjects } from "../cases/index.js";
import { readRecording } from "../recording.js";
import { goodAccess } from "./good-access.js";
import { goodCluster } from "./good-cluster.js";
import type { GoodKind } from "./good-kind.js";
import { goodNetwork } from "./good-network.js";
import { goodStorage } from "./good-storage.js";
import { goodWorkloads } from "./good-workloads.js";

const written: readonly GoodKind[] = [...goodWorkloads, ...goodStorage, ...goodNetwork, ...goodCluster, ...goodAccess];

/**
 * Kinds whose disturbed objects both servers answer alike, over tens of thousands of requests. The others of the good objects differ now
 * and then still: their kinds are named here once they do not.
 */
const alike: ReadonlySet<string> = new Set([
  "APIService",
  "CSIDriver",
  "CSINode",
  "CSIStorageCapacity",
  "ClusterRoleBinding",
  "DaemonSet",
  "Deployment",
  "Endpoints",
  "Event",
  "Ingress",
  "IngressClass",
  "Job",
  "Lease",
  "LimitRange",
  "MutatingAdmissionPolicyBinding",
  "Namespace",
  "ReplicaSet",
  "ReplicationController",
  "ResourceQuota",
  "RoleBinding",
  "RuntimeClass",
  "ServiceCIDR",
  "StorageClass",
  "ValidatingAdmissionPolicyBinding",
  "VolumeAttachment",
  "VolumeAttributesClass",
]);

/**
 * Kinds with their good objects: those that were written down, and those that a real server took in a recorded case. Only those that
 * differ in nothing known, unless `all` are asked for.
 */
export function goodKinds(all: boolean): readonly GoodKind[] {
  const taken = takenObjects(subjects);
  return written
    .filter(({ kind }) => all || alike.has(kind))
    .map((kind) => {
      const objects = [...kind.objects, ...(taken.get(kind.path) ?? [])];
      return { ...kind, objects: kind.seesEmpty ? objects.filter((object) => !hasEmptyList(object)) : objects };
    });
}

function hasEmptyList(value: JsonValue): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (Array.isArray(value) && value.length === 0) || Object.values(value).some(hasEmptyList);
}

/** By the path of the collection: different bodies that a real server answered with 201. */
function takenObjects(all: readonly Subject[]): ReadonlyMap<string, readonly JsonObject[]> {
  const byPath = new Map<string, Map<string, JsonObject>>();
  for (const subject of all) {
    const recording = readRecording(subject);
    for (const { name, steps } of subject.cases) {
      const seen = recording.cases[name] ?? [];
      const compared = steps.filter((step) => step.kind === "read" || step.silent !== true);
      for (const [index, step] of compared.entries()) {
        if (step.kind !== "request" || step.method !== "POST" || !isJsonObject(step.body)) continue;
        if (seen[index]?.["status"] !== 201) continue;
        const { apiVersion: _, kind: __, metadata, ...content } = step.body;
        const path = step.path.split("?")[0] ?? "";
        const known = byPath.get(path) ?? new Map<string, JsonObject>();
        byPath.set(path, known);
        const labels = isJsonObject(metadata) && isJsonObject(metadata["labels"]) ? { labels: metadata["labels"] } : {};
        known.set(JSON.stringify(content), { metadata: labels, ...content });
      }
    }
  }
  return new Map([...byPath].map(([path, known]) => [path, [...known.values()]]));
}
