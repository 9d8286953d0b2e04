import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, numberAt, objectAt, optionalNumber, textAt } from "../../draft.js";
import type { Column } from "../../strategy.js";
import {
  checkLabelSelector,
  checkNotNegative,
  type Errors,
  immutable,
  isEmptySelector,
  printSelector,
  selects,
} from "../../validation/index.js";
import { checkPodTemplate } from "../core/pod-spec/index.js";

/** The pod template of a workload. */
export function templateOf(object: JsonObject): JsonObject {
  return objectAt(objectAt(object, "spec"), "template");
}

/** Validates a required, non-empty selector. `kind` is for the message. */
export function checkRequiredSelector(spec: JsonObject, kind: string, errors: Errors): void {
  const selector = spec["selector"];
  if (!isJsonObject(selector)) return void errors.push(required("spec.selector"));
  checkLabelSelector(selector, "spec.selector", errors);
  if (isEmptySelector(selector))
    errors.push(invalid("spec.selector", selector, `empty selector is invalid for ${kind}`));
}

/** Whether the selector is valid; the template is validated only then. */
export function isSound(spec: JsonObject): boolean {
  const errors: FieldError[] = [];
  checkLabelSelector(spec["selector"], "", errors);
  return errors.length === 0;
}

/** The selector must match the labels of the template. {@link checkRequiredSelector} reports an empty one. */
export function checkSelectorFits(spec: JsonObject, errors: Errors): void {
  const { selector } = spec;
  if (isJsonObject(selector) && isEmptySelector(selector)) return;
  const labels = objectAt(objectAt(spec, "template"), "metadata")["labels"] ?? null;
  if (!selects(selector, isJsonObject(labels) ? labels : {}))
    errors.push(invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"));
}

/** Validates the pod template of a workload that keeps its pods running. `owner` is for the message. */
export function checkRunningTemplate(spec: JsonObject, owner: string, errors: Errors): void {
  const template = objectAt(spec, "template");
  checkPodTemplate(template, "spec.template", errors);
  checkKeptRunning(template, owner, errors);
}

/** Pods of a workload that keeps them running have restartPolicy Always and no activeDeadlineSeconds. */
export function checkKeptRunning(template: JsonObject, owner: string, errors: Errors): void {
  const pod = objectAt(template, "spec");
  if (textAt(pod, "restartPolicy") !== "Always")
    errors.push(notSupported("spec.template.spec.restartPolicy", textAt(pod, "restartPolicy"), ["Always"]));
  if (pod["activeDeadlineSeconds"] !== undefined)
    errors.push(
      forbidden("spec.template.spec.activeDeadlineSeconds", `activeDeadlineSeconds in ${owner} is not Supported`),
    );
}

/** Rejects a change of an immutable field of the spec. */
export function checkImmutable(object: JsonObject, old: JsonObject, key: string, errors: Errors): void {
  const value = objectAt(object, "spec")[key] ?? null;
  if (!deepEqual(value, objectAt(old, "spec")[key] ?? null)) errors.push(invalid(`spec.${key}`, value, immutable));
}

/** Validates the counts of a status: none below zero, none of `parts` above `replicas`. */
export function checkCounts(
  object: JsonObject,
  old: JsonObject | undefined,
  {
    counts,
    parts,
    ready = "readyReplicas",
  }: { readonly counts: readonly string[]; readonly parts: readonly string[]; readonly ready?: string },
): Errors {
  const status = objectAt(object, "status");
  const errors: Errors = [];
  checkNotNegative(status, counts, "status", errors);
  for (const key of parts)
    if (numberAt(status, key) > numberAt(status, "replicas"))
      errors.push(invalid(`status.${key}`, numberAt(status, key), "cannot be greater than status.replicas"));
  if (parts.includes("availableReplicas") && numberAt(status, "availableReplicas") > numberAt(status, "readyReplicas"))
    errors.push(
      invalid("status.availableReplicas", numberAt(status, "availableReplicas"), `cannot be greater than ${ready}`),
    );
  const before = old && optionalNumber(objectAt(old, "status"), "collisionCount");
  if (counts.includes("collisionCount") && before !== undefined && numberAt(status, "collisionCount") < before)
    errors.push(invalid("status.collisionCount", numberAt(status, "collisionCount"), "cannot be decremented"));
  return errors;
}

function containerPart(pod: JsonObject, part: string): string {
  return listAt(pod, "containers")
    .map((container) => (isJsonObject(container) ? textAt(container, part) : ""))
    .join(",");
}

/** The columns Containers and Images. */
export function containerColumns(podOf: (object: JsonObject) => JsonObject, priority: 0 | 1 = 1): readonly Column[] {
  return [
    { name: "Containers", type: "string", priority, cell: (object) => containerPart(podOf(object), "name") },
    { name: "Images", type: "string", priority, cell: (object) => containerPart(podOf(object), "image") },
  ];
}

/** The columns of `-o wide`: Containers, Images, Selector. */
export const wideColumns: readonly Column[] = [
  ...containerColumns((object) => objectAt(templateOf(object), "spec")),
  {
    name: "Selector",
    type: "string",
    priority: 1,
    cell: (object) => printSelector(objectAt(object, "spec")["selector"]),
  },
];
