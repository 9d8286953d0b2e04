import { deepEqual, type JsonObject } from "@kubewright/core/json";
import { forbidden } from "@kubewright/core/schema";
import type { Container, Pod, PodSpec, PodStatus, ResourceRequirements } from "kubewright/k8s/core/v1";
import { containerResources, isPodLevelResource } from "../../../../quota/index.js";
import type { Decoded, Drafted } from "../../../decoded.js";
import { childDraft, type Draft, draftOf, drop, keepFrom } from "../../../draft.js";
import { subdomainName } from "../../../name-rules.js";
import { isStoredPart } from "../../../stored-part.js";
import type { Strategy } from "../../../strategy.js";
import { addressWarnings, changedPaths, type Errors, entriesAt } from "../../../validation/index.js";
import { specChanged } from "../../spec-and-status.js";
import { applyPodSpecDefaults, checkImagePadding, checkPodSpec } from "../pod-spec/index.js";
import { applyAppArmorAnnotations } from "./annotated-profiles.js";
import { checkAnnotationUpdate, checkPodAnnotations } from "./pod-annotations.js";
import { podColumns } from "./pod-columns.js";
import { checkPodResize, resizedSpec } from "./pod-resize.js";
import { checkPodStatus } from "./pod-status.js";
import { checkPodUpdate } from "./pod-update.js";
import { podWarnings } from "./pod-warnings.js";
import { qosClassOf } from "./qos-class.js";
import { dependsOnName, RecentPodSpecs } from "./recent-pod-specs.js";

const recentSpecs = new RecentPodSpecs();

/** Pod. */
export const podStrategy: Strategy<Pod> = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    if (!isStoredPart(spec)) applyPodDefaults(spec);
    const status = childDraft(draft, "status");
    if (!isStoredPart(status)) alignPodIPs(status);
  },
  prepareForCreate(draft, { warn }) {
    applyAppArmorAnnotations(draft, warn);
    const known = recentSpecs.find(draft.spec ?? {});
    if (known) keepFrom(draft, { spec: known.spec }, "spec");
    const spec = draft.spec ?? {};
    draft.status = { phase: "Pending", qosClass: known?.qosClass ?? qosClassOf(spec) };
    if (spec.schedulingGates?.length) draft.status.conditions = [gatedCondition(draft.metadata?.creationTimestamp)];
  },
  prepareForUpdate(draft, old, { subresource }) {
    const oldSpec = old.spec ?? {};
    switch (subresource) {
      case "status": {
        keepFrom(draft, old, "spec");
        for (const field of ["ownerReferences", "deletionTimestamp"] as const)
          keepFrom(childDraft(draft, "metadata"), old.metadata ?? {}, field);
        const status = childDraft(draft, "status");
        if (!status.qosClass && status !== old.status) keepFrom(status, old.status ?? {}, "qosClass");
        break;
      }
      case "ephemeralcontainers":
        replaceSpec(draft, old, withEphemeralContainers(draft.spec ?? {}, oldSpec));
        break;
      case "resize": {
        const spec = resizedSpec(draft.spec ?? {}, oldSpec);
        if (spec !== undefined) replaceSpec(draft, old, spec);
        break;
      }
      default:
        keepFrom(draft, old, "status");
    }
  },
  isNewGeneration: specChanged,
  validate(pod, old, { subresource }) {
    if (subresource === "status" && old) return checkPodStatus(pod, old);
    const errors: Errors = [];
    const { spec = {} } = pod;
    checkPodAnnotations(pod, errors);
    if (old) checkAnnotationUpdate(pod, old, errors);
    if (!old && recentSpecs.of(spec) !== undefined) return errors;
    checkPod(pod, errors);
    if (!old) {
      checkNew(spec, errors);
      if (errors.length === 0 && !dependsOnName(spec))
        recentSpecs.remember(spec, pod.status?.qosClass ?? qosClassOf(spec));
    } else if (subresource === "ephemeralcontainers") checkEphemeralUpdate(spec, old.spec ?? {}, errors);
    else if (subresource === "resize") checkPodResize(pod, old, errors);
    else if (subresource === "") checkPodUpdate(spec, old.spec ?? {}, errors);
    return errors;
  },
  warn(pod, old) {
    if (old) return [];
    const known = recentSpecs.of(pod.spec ?? {});
    if (known?.hasNoWarnings && !pod.metadata?.annotations) return [];
    const warnings = podWarnings(pod, "");
    if (known && warnings.length === 0) known.hasNoWarnings = true;
    return warnings;
  },
  warnStatus: ({ status = {} }) =>
    (["podIPs", "hostIPs"] as const).flatMap((list) =>
      entriesAt(status, list, "status").flatMap(([{ ip = "" }, at]) => addressWarnings(`${at}.ip`, ip)),
    ),
  selectableFields: {
    "spec.nodeName": ({ spec }) => spec?.nodeName ?? "",
    // The former name of spec.nodeName.
    "spec.host": ({ spec }) => spec?.nodeName ?? "",
    "spec.restartPolicy": ({ spec }) => spec?.restartPolicy ?? "",
    "spec.schedulerName": ({ spec }) => spec?.schedulerName ?? "",
    "spec.serviceAccountName": ({ spec }) => spec?.serviceAccountName ?? "",
    "spec.hostNetwork": ({ spec }) => String(spec?.hostNetwork ?? false),
    "status.phase": ({ status }) => status?.phase ?? "",
    "status.podIP": ({ status }) => status?.podIP ?? "",
    // kube-apiserver accepts it, and compares with nothing.
    "status.podIPs": () => "",
    "status.nominatedNodeName": ({ status }) => status?.nominatedNodeName ?? "",
  },
  fields: {
    ownAllOn: ["ephemeralcontainers", "resize"],
    resetOnStatus: [
      ["metadata", "deletionTimestamp"],
      ["metadata", "ownerReferences"],
    ],
  },
  deletion: {
    returnsObject: true,
    graceSeconds({ spec, status }, requestedSeconds) {
      if (!spec?.nodeName || status?.phase === "Failed" || status?.phase === "Succeeded") return 0;
      const seconds = requestedSeconds ?? spec.terminationGracePeriodSeconds ?? 0;
      return seconds < 0 ? 1 : seconds;
    },
    isHeld: ({ metadata }) => (metadata?.deletionGracePeriodSeconds ?? 0) > 0,
  },
  table: {
    columns: podColumns,
    rowConditions({ status }) {
      const phase = status?.phase;
      if (phase === "Succeeded") return [completed("Succeeded", "The pod has completed successfully.")];
      return phase === "Failed" ? [completed("Failed", "The pod failed.")] : [];
    },
  },
};

function completed(reason: string, message: string): JsonObject {
  return { type: "Completed", status: "True", reason, message };
}

/** The PodScheduled condition of a pod with scheduling gates. Untyped, because Go encodes an unset time as null. */
function gatedCondition(creationTimestamp = ""): Draft {
  return {
    lastProbeTime: null,
    lastTransitionTime: creationTimestamp,
    message: "Scheduling is blocked due to non-empty scheduling gates",
    reason: "SchedulingGated",
    status: "False",
    type: "PodScheduled",
  };
}

function applyPodDefaults(spec: Drafted<PodSpec>): void {
  applyPodSpecDefaults(spec);
  for (const container of regularContainers(spec)) applyRequestDefaults(childDraft(container, "resources"));
  if (spec.resources) applyPodRequestDefaults(spec, spec.resources);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork) applyHostPortDefaults(spec);
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
}

/** All containers except ephemeral ones. */
function regularContainers({ containers, initContainers }: Drafted<PodSpec>): Drafted<Container>[] {
  return [...(containers ?? []), ...(initContainers ?? [])];
}

/** podIP is the first of podIPs. */
function alignPodIPs(status: Drafted<PodStatus>): void {
  const { podIP, podIPs } = status;
  const first = podIPs?.[0]?.ip;
  if (podIP && first !== podIP) status.podIPs = [{ ip: podIP }];
  else if (!podIP && first) status.podIP = first;
}

/** Requests default to limits. */
function applyRequestDefaults(resources: Drafted<ResourceRequirements>): void {
  if (!resources.limits) return;
  const requests = childDraft(resources, "requests");
  for (const [name, quantity] of Object.entries(resources.limits)) requests[name] ??= quantity;
}

/** Pod-level requests default to the sum of the containers' requests, else to the pod-level limits. */
function applyPodRequestDefaults(spec: Drafted<PodSpec>, resources: Drafted<ResourceRequirements>): void {
  if (!resources.limits) return;
  const requests = childDraft(resources, "requests");
  for (const [name, quantity] of containerResources(spec, "requests"))
    if (name === "cpu" || name === "memory") requests[name] ??= quantity.toString();
  for (const [name, quantity] of Object.entries(resources.limits))
    if (isPodLevelResource(name)) requests[name] ??= quantity;
}

/** With hostNetwork the hostPort defaults to the containerPort. */
function applyHostPortDefaults(spec: Drafted<PodSpec>): void {
  for (const { ports } of regularContainers(spec))
    for (const port of ports ?? []) if (port.containerPort !== undefined) port.hostPort ||= port.containerPort;
}

/** A write to these subresources changes only the spec and managedFields. */
function replaceSpec(draft: Drafted<Pod>, old: Decoded<Pod>, spec: Drafted<PodSpec>): void {
  const metadata: Drafted<Pod["metadata"]> = draftOf(old.metadata ?? {});
  keepFrom(metadata, draft.metadata ?? {}, "managedFields");
  keepFrom(metadata, draft.metadata ?? {}, "resourceVersion");
  draft.metadata = metadata;
  draft.spec = spec;
  keepFrom(draft, old, "status");
  if (!deepEqual(spec, old.spec)) metadata.generation = (metadata.generation ?? 0) + 1;
}

function withEphemeralContainers(spec: Decoded<PodSpec>, old: Decoded<PodSpec>): Drafted<PodSpec> {
  const result: Drafted<PodSpec> = draftOf(old);
  keepFrom(result, spec, "ephemeralContainers");
  if (!result.ephemeralContainers?.length) drop(result, "ephemeralContainers");
  return result;
}

function checkPod({ metadata, spec = {} }: Decoded<Pod>, errors: Errors): void {
  checkPodSpec(spec, "spec", { podName: metadata?.name ?? "", isPod: true, errors });
  if (!spec.serviceAccountName)
    for (const [{ projected = {} }, at] of entriesAt(spec, "volumes", "spec"))
      for (const [{ serviceAccountToken }, place] of entriesAt(projected, "sources", `${at}.projected`))
        if (serviceAccountToken)
          errors.push(
            forbidden(`${place}.serviceAccountToken`, "must not be specified when serviceAccountName is not set"),
          );
  for (const list of ["containers", "initContainers"] as const)
    for (const [container, at] of entriesAt(spec, list, "spec")) checkImagePadding(container, at, errors);
}

function checkNew({ ephemeralContainers, nodeName, schedulingGates }: Decoded<PodSpec>, errors: Errors): void {
  if (ephemeralContainers?.length) errors.push(forbidden("spec.ephemeralContainers", "cannot be set on create"));
  if (nodeName && schedulingGates?.length)
    errors.push(forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
}

function checkEphemeralUpdate(spec: Decoded<PodSpec>, old: Decoded<PodSpec>, errors: Errors): void {
  const field = "spec.ephemeralContainers";
  for (const before of old.ephemeralContainers ?? []) {
    const after = spec.ephemeralContainers?.find((one) => one.name === before.name);
    const quoted = JSON.stringify(before.name);
    if (!after) errors.push(forbidden(field, `existing ephemeral containers ${quoted} may not be removed`));
    else if (!deepEqual(before, after)) {
      const paths = changedPaths(before, after, field);
      errors.push(forbidden(field, `existing ephemeral containers ${quoted} may not be changed: ${paths}`));
    }
  }
}
