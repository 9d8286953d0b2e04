import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import { containerAmounts, isOfWholePods } from "../../../../quota/index.js";
import {
  childDraft,
  type Draft,
  draftsIn,
  isDraft,
  keepFrom,
  listAt,
  metadataOf,
  numberAt,
  objectAt,
  partAt,
  setMissing,
  textAt,
} from "../../../draft.js";
import { subdomainName } from "../../../name-rules.js";
import type { Strategy } from "../../../strategy.js";
import { addressWarnings, changedPaths, type Errors, entriesAt } from "../../../validation/index.js";
import { specChanged } from "../../spec-and-status.js";
import { applyPodSpecDefaults, checkPodSpec } from "../pod-spec/index.js";
import { podColumns } from "./pod-columns.js";
import { checkPodResize, resizedSpec } from "./pod-resize.js";
import { checkPodStatus } from "./pod-status.js";
import { checkPodUpdate } from "./pod-update.js";
import { podWarnings } from "./pod-warnings.js";
import { type QosClass, qosClassOf } from "./qos-class.js";
import { mindsName, RecentPodSpecs } from "./recent-pod-specs.js";

const _pods = { group: "", plural: "pods", kind: "Pod" };
const recentSpecs = new RecentPodSpecs();

/** Pod. */
export const podStrategy: Strategy = {
  nameRule: subdomainName,
  allowUnconditionalUpdate: true,
  leavesFrozen: true,
  applyDefaults(draft) {
    const spec = childDraft(draft, "spec");
    if (!Object.isFrozen(spec)) applyDefaultsOfPod(spec);
    const status = childDraft(draft, "status");
    if (!Object.isFrozen(status)) agreeOnAddress(status);
  },
  prepareForCreate(draft) {
    const known = recentSpecs.find(objectAt(draft, "spec"));
    if (known !== undefined) draft["spec"] = known.spec as Draft;
    const spec = childDraft(draft, "spec");
    const status: Draft = { phase: "Pending", qosClass: known?.quality ?? qosClassOf(spec) };
    draft["status"] = status;
    if (listAt(spec, "schedulingGates").length > 0)
      status["conditions"] = [
        {
          lastProbeTime: null,
          lastTransitionTime: textAt(metadataOf(draft), "creationTimestamp"),
          message: "Scheduling is blocked due to non-empty scheduling gates",
          reason: "SchedulingGated",
          status: "False",
          type: "PodScheduled",
        },
      ];
  },
  prepareForUpdate(draft, old, { subresource }) {
    switch (subresource) {
      case "status": {
        keepFrom(draft, old, "spec");
        for (const field of ["ownerReferences", "deletionTimestamp"])
          keepFrom(childDraft(draft, "metadata"), metadataOf(old), field);
        const status = childDraft(draft, "status");
        if (textAt(status, "qosClass") === "" && !Object.isFrozen(status))
          keepFrom(status, objectAt(old, "status"), "qosClass");
        break;
      }
      case "ephemeralcontainers":
        keepAllBut(draft, old, withEphemeralContainers(draft, old));
        break;
      case "resize": {
        const spec = resizedSpec(objectAt(draft, "spec"), objectAt(old, "spec"));
        if (spec !== undefined) keepAllBut(draft, old, spec);
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
    const spec = objectAt(pod, "spec");
    checkDeletionCost(pod, errors);
    if (!old && recentSpecs.of(spec) !== undefined) return errors;
    checkPod(pod, errors);
    if (!old) {
      checkNew(spec, errors);
      if (errors.length === 0 && !mindsName(spec))
        recentSpecs.remember(spec, textAt(objectAt(pod, "status"), "qosClass") as QosClass);
    } else if (subresource === "ephemeralcontainers") checkEphemeralUpdate(pod, old, errors);
    else if (subresource === "resize") checkPodResize(pod, old, errors);
    else if (subresource === "") checkPodUpdate(spec, objectAt(old, "spec"), errors);
    return errors;
  },
  warn(pod, old) {
    if (old) return [];
    const known = recentSpecs.of(objectAt(pod, "spec"));
    const hasAnnotations = metadataOf(pod)["annotations"] !== undefined;
    if (known?.isSilent && !hasAnnotations) return [];
    const warnings = podWarnings(pod, "");
    if (known && warnings.length === 0) known.isSilent = true;
    return warnings;
  },
  warnStatus: (pod) =>
    ["podIPs", "hostIPs"].flatMap((list) =>
      [...entriesAt(objectAt(pod, "status"), list, "status")].flatMap(([entry, at]) =>
        addressWarnings(`${at}.ip`, textAt(entry, "ip")),
      ),
    ),
  selectableFields: {
    "spec.nodeName": (pod) => textAt(objectAt(pod, "spec"), "nodeName"),
    "spec.restartPolicy": (pod) => textAt(objectAt(pod, "spec"), "restartPolicy"),
    "spec.schedulerName": (pod) => textAt(objectAt(pod, "spec"), "schedulerName"),
    "spec.serviceAccountName": (pod) => textAt(objectAt(pod, "spec"), "serviceAccountName"),
    "spec.hostNetwork": (pod) => String(objectAt(pod, "spec")["hostNetwork"] === true),
    "status.phase": (pod) => textAt(objectAt(pod, "status"), "phase"),
    "status.podIP": (pod) => textAt(objectAt(pod, "status"), "podIP"),
    "status.nominatedNodeName": (pod) => textAt(objectAt(pod, "status"), "nominatedNodeName"),
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
    graceSeconds(pod, asked) {
      const spec = objectAt(pod, "spec");
      const phase = textAt(objectAt(pod, "status"), "phase");
      if (textAt(spec, "nodeName") === "" || phase === "Failed" || phase === "Succeeded") return 0;
      const wanted = asked ?? numberAt(spec, "terminationGracePeriodSeconds");
      return wanted < 0 ? 1 : wanted;
    },
    isHeld: (pod) => numberAt(metadataOf(pod), "deletionGracePeriodSeconds") > 0,
  },
  table: {
    columns: podColumns,
    rowConditions(pod) {
      const phase = textAt(objectAt(pod, "status"), "phase");
      if (phase === "Succeeded") return [completed("Succeeded", "The pod has completed successfully.")];
      return phase === "Failed" ? [completed("Failed", "The pod failed.")] : [];
    },
  },
};

function completed(reason: string, message: string): JsonObject {
  return { type: "Completed", status: "True", reason, message };
}

function applyDefaultsOfPod(spec: Draft): void {
  applyPodSpecDefaults(spec);
  for (const list of ["containers", "initContainers"])
    for (const container of draftsIn(spec[list])) requestLimits(childDraft(container, "resources"));
  if (isDraft(spec["resources"])) requestWholeLimits(spec, spec["resources"]);
  setMissing(spec, "enableServiceLinks", true);
  if (spec["hostNetwork"] === true) exposePorts(spec);
  if (numberAt(spec, "terminationGracePeriodSeconds") < 0) spec["terminationGracePeriodSeconds"] = 1;
}

/** podIP is the first of podIPs. */
function agreeOnAddress(status: Draft): void {
  const single = textAt(status, "podIP");
  const first = textAt(draftsIn(status["podIPs"])[0] ?? {}, "ip");
  if (single !== "" && first !== single) status["podIPs"] = [{ ip: single }];
  else if (single === "" && first !== "") status["podIP"] = first;
}

/** Requests default to limits. */
function requestLimits(resources: Draft): void {
  const limits = resources["limits"];
  if (!isDraft(limits)) return;
  const requests = childDraft(resources, "requests");
  for (const [name, amount] of Object.entries(limits)) setMissing(requests, name, amount);
}

/** Pod-level requests default to the sum of the containers' requests, else to the pod-level limits. */
function requestWholeLimits(spec: Draft, resources: Draft): void {
  const limits = resources["limits"];
  if (!isDraft(limits) || Object.keys(limits).length === 0) return;
  const requests = childDraft(resources, "requests");
  for (const [name, amount] of containerAmounts(spec, "requests"))
    if (name === "cpu" || name === "memory") setMissing(requests, name, amount.toString());
  for (const [name, amount] of Object.entries(limits)) if (isOfWholePods(name)) setMissing(requests, name, amount);
}

/** With hostNetwork the hostPort defaults to the containerPort. */
function exposePorts(spec: Draft): void {
  for (const list of ["containers", "initContainers"])
    for (const container of draftsIn(spec[list]))
      for (const port of draftsIn(container["ports"]))
        if (port["containerPort"] !== undefined && (port["hostPort"] ?? 0) === 0)
          port["hostPort"] = port["containerPort"];
}

/** A write to a subresource changes only this spec and managedFields. */
function keepAllBut(draft: Draft, old: JsonObject, spec: Draft): void {
  const metadata = { ...(metadataOf(old) as Draft) };
  keepFrom(metadata, metadataOf(draft), "managedFields");
  keepFrom(metadata, metadataOf(draft), "resourceVersion");
  draft["metadata"] = metadata;
  draft["spec"] = spec;
  keepFrom(draft, old, "status");
  if (deepEqual(spec, old["spec"])) return;
  metadata["generation"] = numberAt(metadata, "generation") + 1;
}

function withEphemeralContainers(draft: Draft, old: JsonObject): Draft {
  const spec = { ...(objectAt(old, "spec") as Draft) };
  keepFrom(spec, objectAt(draft, "spec"), "ephemeralContainers");
  if (listAt(spec, "ephemeralContainers").length === 0) delete spec["ephemeralContainers"];
  return spec;
}

function checkDeletionCost(pod: JsonObject, errors: Errors): void {
  const annotations = objectAt(metadataOf(pod), "annotations");
  const cost = annotations["controller.kubernetes.io/pod-deletion-cost"];
  if (typeof cost === "string" && !isInt32(cost))
    errors.push(
      invalid("metadata.annotations[controller.kubernetes.io/pod-deletion-cost]", cost, "must be a 32bit integer"),
    );
}

function checkPod(pod: JsonObject, errors: Errors): void {
  const spec = objectAt(pod, "spec");
  checkPodSpec(spec, "spec", { podName: textAt(metadataOf(pod), "name"), isPod: true, errors });
  if (textAt(spec, "serviceAccountName") === "")
    for (const [volume, at] of entriesAt(spec, "volumes", "spec"))
      for (const [source, place] of entriesAt(partAt(volume, "projected") ?? {}, "sources", `${at}.projected`))
        if (partAt(source, "serviceAccountToken") !== undefined)
          errors.push(
            forbidden(`${place}.serviceAccountToken`, "must not be specified when serviceAccountName is not set"),
          );
  for (const list of ["containers", "initContainers"])
    for (const [container, at] of entriesAt(spec, list, "spec")) {
      const image = textAt(container, "image");
      if (image !== image.trim())
        errors.push(invalid(`${at}.image`, image, "must not have leading or trailing whitespace"));
    }
}

function isInt32(text: string): boolean {
  return /^([+-]?[1-9]\d*|0)$/.test(text) && Math.abs(Number(text)) <= 2147483647;
}

function checkNew(spec: JsonObject, errors: Errors): void {
  if (listAt(spec, "ephemeralContainers").length > 0)
    errors.push(forbidden("spec.ephemeralContainers", "cannot be set on create"));
  if (textAt(spec, "nodeName") !== "" && listAt(spec, "schedulingGates").length > 0)
    errors.push(forbidden("spec.nodeName", "cannot be set until all schedulingGates have been cleared"));
}

function checkEphemeralUpdate(pod: JsonObject, old: JsonObject, errors: Errors): void {
  const now = listAt(objectAt(pod, "spec"), "ephemeralContainers").filter(isJsonObject);
  const field = "spec.ephemeralContainers";
  for (const before of listAt(objectAt(old, "spec"), "ephemeralContainers").filter(isJsonObject)) {
    const name = textAt(before, "name");
    const after = now.find((one) => textAt(one, "name") === name);
    const quoted = JSON.stringify(name);
    if (!after) errors.push(forbidden(field, `existing ephemeral containers ${quoted} may not be removed`));
    else if (!deepEqual(before, after)) {
      const paths = changedPaths(before, after, field);
      errors.push(forbidden(field, `existing ephemeral containers ${quoted} may not be changed: ${paths}`));
    }
  }
}
