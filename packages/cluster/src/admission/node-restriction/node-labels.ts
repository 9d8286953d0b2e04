import { goQuote, type JsonObject } from "@kubewright/core/json";
import { type AdmissionRequest, metadataOf, objectAt } from "../../registry/index.js";
import { rejected } from "../rejection.js";

/** Labels in the domains of Kubernetes that kubelet sets. */
const kubeletLabels = new Set([
  "kubernetes.io/hostname",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "node.kubernetes.io/instance-type",
  "kubernetes.io/os",
  "kubernetes.io/arch",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);

/** Rejects labels of a new Node that its kubelet may not set. */
export function checkNewNodeLabels(request: AdmissionRequest, node: string): void {
  const wrong = forbiddenChanges(labelsOf(request.object), {});
  if (wrong.length > 0)
    throw rejected(request, `node ${goQuote(node)} is not allowed to set the following labels: ${wrong.join(", ")}`);
}

/** Rejects changes of labels that a kubelet may not set. */
export function checkNodeLabels(request: AdmissionRequest): void {
  const wrong = forbiddenChanges(labelsOf(request.object), labelsOf(request.old ?? {}));
  if (wrong.length > 0) throw rejected(request, `is not allowed to modify labels: ${wrong.join(", ")}`);
}

function labelsOf(object: JsonObject): JsonObject {
  return objectAt(metadataOf(object), "labels");
}

function forbiddenChanges(after: JsonObject, before: JsonObject): string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
  return [...keys].filter((key) => after[key] !== before[key] && isForbidden(key)).sort();
}

function isForbidden(label: string): boolean {
  const slash = label.indexOf("/");
  const domain = slash < 0 ? "" : label.slice(0, slash);
  if (isIn(domain, "node-restriction.kubernetes.io")) return true;
  const isOfKubernetes = isIn(domain, "kubernetes.io") || isIn(domain, "k8s.io");
  const isOfKubelet = isIn(domain, "kubelet.kubernetes.io") || isIn(domain, "node.kubernetes.io");
  return isOfKubernetes && !isOfKubelet && !kubeletLabels.has(label);
}

function isIn(domain: string, parent: string): boolean {
  return domain === parent || domain.endsWith(`.${parent}`);
}
