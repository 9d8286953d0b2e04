import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, numberAt, objectAt, optionalNumber, textAt } from "../../draft.js";
import type { Column } from "../../resource.js";
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

/** The template of the pods that a workload makes. */
export function templateOf(object: JsonObject): JsonObject {
  return objectAt(objectAt(object, "spec"), "template");
}

/** What is wrong with a selector that must be there and choose something. `kind` stands in the text. */
export function checkRequiredSelector(spec: JsonObject, kind: string, errors: Errors): void {
  const selector = spec["selector"];
  if (!isJsonObject(selector)) return void errors.push(required("spec.selector"));
  checkLabelSelector(selector, "spec.selector", errors);
  if (isEmptySelector(selector))
    errors.push(invalid("spec.selector", selector, `empty selector is invalid for ${kind}`));
}

/** Whether a selector is one at all; a malformed one keeps a real server from looking at the template. */
export function isSound(spec: JsonObject): boolean {
  const errors: FieldError[] = [];
  checkLabelSelector(spec["selector"], "", errors);
  return errors.length === 0;
}

/** A selector must choose the pods of the template; one that says nothing is told of elsewhere. */
export function checkSelectorFits(spec: JsonObject, errors: Errors): void {
  const { selector } = spec;
  if (isJsonObject(selector) && isEmptySelector(selector)) return;
  const labels = objectAt(objectAt(spec, "template"), "metadata")["labels"] ?? null;
  if (!selects(selector, isJsonObject(labels) ? labels : {}))
    errors.push(invalid("spec.template.metadata.labels", labels, "`selector` does not match template `labels`"));
}

/** What is wrong with the template of pods that are kept running. `owner` stands in the text. */
export function checkRunningTemplate(spec: JsonObject, owner: string, errors: Errors): void {
  const template = objectAt(spec, "template");
  checkPodTemplate(template, "spec.template", errors);
  checkKeptRunning(template, owner, errors);
}

/** Pods that are kept running begin again, and have no deadline. */
export function checkKeptRunning(template: JsonObject, owner: string, errors: Errors): void {
  const pod = objectAt(template, "spec");
  if (textAt(pod, "restartPolicy") !== "Always")
    errors.push(notSupported("spec.template.spec.restartPolicy", textAt(pod, "restartPolicy"), ["Always"]));
  if (pod["activeDeadlineSeconds"] !== undefined)
    errors.push(
      forbidden("spec.template.spec.activeDeadlineSeconds", `activeDeadlineSeconds in ${owner} is not Supported`),
    );
}

/** A part of the spec that may not change. */
export function checkImmutable(object: JsonObject, old: JsonObject, key: string, errors: Errors): void {
  const value = objectAt(object, "spec")[key] ?? null;
  if (!deepEqual(value, objectAt(old, "spec")[key] ?? null)) errors.push(invalid(`spec.${key}`, value, immutable));
}

/** Counts of a status: none below zero, and none of `parts` above `replicas`. */
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

/** The names and images of the containers of a workload's pods. */
export function containerColumns(podOf: (object: JsonObject) => JsonObject, priority: 0 | 1 = 1): readonly Column[] {
  return [
    { name: "Containers", type: "string", priority, cell: (object) => containerPart(podOf(object), "name") },
    { name: "Images", type: "string", priority, cell: (object) => containerPart(podOf(object), "image") },
  ];
}

/** Containers, images and the selector: what workloads show when they are shown wide. */
export const wideColumns: readonly Column[] = [
  ...containerColumns((object) => objectAt(templateOf(object), "spec")),
  {
    name: "Selector",
    type: "string",
    priority: 1,
    cell: (object) => printSelector(objectAt(object, "spec")["selector"]),
  },
];
