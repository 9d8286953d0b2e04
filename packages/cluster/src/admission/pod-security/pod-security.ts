import type { JsonObject } from "@kubewright/core/json";
import { type FieldError, formatFieldError } from "@kubewright/core/schema";
import {
  type AdmissionRequest,
  invalid,
  listAt,
  metadataOf,
  namespacesBucket,
  objectAt,
  textAt,
} from "../../registry/index.js";
import type { Store } from "../../storage/index.js";
import type { AdmissionPlugin } from "../plugin.js";
import { rejected } from "../rejection.js";
import { checkedPod } from "./check.js";
import { detailText, violationsOf } from "./evaluate.js";
import { existingPodWarnings } from "./existing-pods.js";
import { compareLevels, isPrivileged, isSameLevel, type LevelVersion, levelText, policyOf } from "./policy.js";

const annotationPrefix = "pod-security.kubernetes.io/";

/** Subresources of pods that do not change the spec. */
const ignoredSubresources = ["exec", "attach", "binding", "eviction", "log", "portforward", "proxy", "status"];

/** Where the kinds that contain a pod template keep it. */
const templatePaths: Readonly<Record<string, readonly string[]>> = {
  replicationcontrollers: ["spec", "template"],
  podtemplates: ["template"],
  "replicasets.apps": ["spec", "template"],
  "deployments.apps": ["spec", "template"],
  "statefulsets.apps": ["spec", "template"],
  "daemonsets.apps": ["spec", "template"],
  "jobs.batch": ["spec", "template"],
  "cronjobs.batch": ["spec", "jobTemplate", "spec", "template"],
};

/**
 * PodSecurity: rejects pods that violate the level that the namespace enforces; warns and annotates for the levels of its other modes, for pods and for
 * the templates of workloads.
 */
export const podSecurity: AdmissionPlugin = {
  name: "PodSecurity",
  resources: [namespacesBucket, "pods", ...Object.keys(templatePaths)],
  validate(request, { store }) {
    const { operation, subresource, resource } = request;
    if (operation !== "CREATE" && operation !== "UPDATE") return;
    if (resource.bucket === "pods") {
      if (!ignoredSubresources.includes(subresource)) checkPod(request, store);
    } else if (subresource !== "") return;
    else if (resource.bucket === namespacesBucket) checkNamespace(request, store);
    else checkTemplate(request, store);
  },
};

function labelsOf(object: JsonObject): JsonObject {
  return objectAt(metadataOf(object), "labels");
}

function namespaceLabels({ namespace }: AdmissionRequest, store: Store): JsonObject {
  return labelsOf(store.bucket(namespacesBucket).get(namespace)?.object ?? {});
}

function checkNamespace(request: AdmissionRequest, store: Store): void {
  const { resource, object, old, name } = request;
  const after = policyOf(labelsOf(object));
  const before = old && policyOf(labelsOf(old));
  const isReported = after.errors.length > 0 && messagesOf(after.errors) !== messagesOf(before?.errors ?? []);
  if (isReported) throw invalid(resource, name, after.errors);
  if (before === undefined) return;
  const [enforce, former] = [after.policy.enforce, before.policy.enforce];
  const isRelaxed = enforce.version === former.version && compareLevels(enforce.level, former.level) <= 0;
  if (enforce.level === "privileged" || isSameLevel(enforce, former) || isRelaxed) return;
  for (const warning of existingPodWarnings(name, enforce, store)) request.warn(warning);
}

function messagesOf(errors: readonly FieldError[]): string {
  return errors.map(formatFieldError).join("\n");
}

function checkPod(request: AdmissionRequest, store: Store): void {
  const { object, old } = request;
  const labels = namespaceLabels(request, store);
  const { policy, errors } = policyOf(labels);
  if (errors.length === 0 && isPrivileged(policy)) {
    annotate(request, "enforce-policy", "privileged:latest");
    return;
  }
  if (old !== undefined && !changesImages(objectAt(object, "spec"), objectAt(old, "spec"))) return;
  evaluate(request, labels, { metadata: metadataOf(object), spec: objectAt(object, "spec"), isEnforced: true });
}

function checkTemplate(request: AdmissionRequest, store: Store): void {
  const labels = namespaceLabels(request, store);
  const { policy, errors } = policyOf(labels);
  if (errors.length === 0 && policy.warn.level === "privileged" && policy.audit.level === "privileged") return;
  const path = templatePaths[request.resource.bucket] ?? [];
  const template = path.reduce<JsonObject>((part, key) => objectAt(part, key), request.object);
  // A ReplicationController may have none.
  if (Object.keys(template).length === 0) return;
  evaluate(request, labels, { metadata: metadataOf(template), spec: objectAt(template, "spec"), isEnforced: false });
}

/** Whether an update adds a container or changes an image. Nothing else that a policy checks can change. */
function changesImages(after: JsonObject, before: JsonObject): boolean {
  if (after === before) return false;
  const imagesOf = (spec: JsonObject, list: string): string[] =>
    (listAt(spec, list) as readonly JsonObject[]).map((container) => textAt(container, "image"));
  for (const list of ["containers", "initContainers"]) {
    const [now, then] = [imagesOf(after, list), imagesOf(before, list)];
    if (now.length !== then.length || now.some((image, index) => image !== then[index])) return true;
  }
  const known = listAt(before, "ephemeralContainers") as readonly JsonObject[];
  return (listAt(after, "ephemeralContainers") as readonly JsonObject[]).some((container) => {
    const same = known.find((one) => textAt(one, "name") === textAt(container, "name"));
    return same === undefined || textAt(same, "image") !== textAt(container, "image");
  });
}

interface Evaluated {
  readonly metadata: JsonObject;
  readonly spec: JsonObject;
  /** Whether the mode `enforce` applies. */
  readonly isEnforced: boolean;
}

function evaluate(request: AdmissionRequest, labels: JsonObject, { metadata, spec, isEnforced }: Evaluated): void {
  const pod = checkedPod(metadata, spec);
  const { policy, errors } = policyOf(labels);
  const problemOf = (level: LevelVersion): string | undefined => {
    const violations = violationsOf(pod, level);
    return violations.length === 0 ? undefined : `violate PodSecurity "${levelText(level)}": ${detailText(violations)}`;
  };
  if (errors.length > 0) annotate(request, "error", `Failed to parse policy: ${joined(errors)}`);
  if (isEnforced) annotate(request, "enforce-policy", levelText(policy.enforce));
  const audited = problemOf(policy.audit);
  if (audited !== undefined) annotate(request, "audit-violations", `would ${audited}`);
  const enforced = isEnforced ? problemOf(policy.enforce) : undefined;
  if (enforced !== undefined) throw rejected(request, enforced.replace(/^violate/, "violates"));
  const warned = problemOf(policy.warn);
  if (warned !== undefined) request.warn(`would ${warned}`);
}

/** Several errors as Go aggregates them. */
function joined(errors: readonly FieldError[]): string {
  const messages = errors.map(formatFieldError);
  return messages.length === 1 ? (messages[0] ?? "") : `[${messages.join(", ")}]`;
}

function annotate(request: AdmissionRequest, key: string, value: string): void {
  request.annotate?.(annotationPrefix + key, value);
}
