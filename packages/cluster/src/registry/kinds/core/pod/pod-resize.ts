import { deepEqual, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import { type Draft, keepFrom, listAt, metadataOf, objectAt, textAt } from "../../../draft.js";
import type { Errors } from "../../../validation/index.js";
import { qosClassOf } from "./qos-class.js";

const lists = ["containers", "initContainers"] as const;

/**
 * The fields that a resize may change: the resources of the pod, and resources and resizePolicy of its containers. Undefined if containers
 * were added or removed, which validation rejects.
 */
export function resizedSpec(spec: JsonObject, old: JsonObject): Draft | undefined {
  if (lists.some((list) => listAt(spec, list).length !== listAt(old, list).length)) return undefined;
  const result = { ...(old as Draft) };
  keepFrom(result, spec, "resources");
  for (const list of lists) {
    const given = listAt(spec, list) as readonly JsonObject[];
    const before = listAt(old, list) as readonly JsonObject[];
    if (given.length === 0) continue;
    const isInOrder = given.every((container, at) => textAt(container, "name") === textAt(before[at] ?? {}, "name"));
    result[list] = isInOrder
      ? before.map((container, at) => {
          const merged = { ...(container as Draft) };
          for (const key of ["resources", "resizePolicy"]) keepFrom(merged, given[at] ?? {}, key);
          return merged;
        })
      : (given as Draft[]);
  }
  return result;
}

/** Validates a resize. */
export function checkPodResize(pod: JsonObject, old: JsonObject, errors: Errors): void {
  const spec = objectAt(pod, "spec");
  const before = objectAt(old, "spec");
  const reason = notResizable(old);
  if (reason !== undefined) {
    errors.length = 0;
    return void errors.push(forbidden("[]", reason));
  }
  const quality = textAt(objectAt(old, "status"), "qosClass") || qosClassOf(before);
  if (quality !== qosClassOf(spec))
    errors.push(
      invalid(
        "spec",
        textAt(objectAt(pod, "status"), "qosClass"),
        "Pod QOS Class may not change as a result of resizing",
      ),
    );
  if (!isSupported(old)) errors.push(forbidden("spec", "Pod running on node without support for resize"));
  checkPodAmounts(spec, before, errors);
  if (!checkOrder(spec, before, errors)) return;
  for (const list of [...lists].reverse())
    eachContainer(spec, before, list, (container, was, at) => {
      for (const key of ["requests", "limits"])
        if (isRemoved(amounts(container, key), amounts(was, key)))
          errors.push(forbidden(`spec.${list}[${at}].resources.${key}`, `resource ${key} cannot be removed`));
    });
  eachContainer(spec, before, "containers", (container, was) => {
    if (!changesProcessorAndMemoryOnly(container, was))
      errors.push(forbidden("spec", "only cpu and memory resources are mutable"));
  });
  eachContainer(spec, before, "initContainers", (container, was, at) => {
    const field = `spec.initContainers[${at}]`;
    if (!changesProcessorAndMemoryOnly(container, was))
      errors.push(forbidden(field, "only cpu and memory resources for init or sidecar containers are mutable"));
    if (textAt(container, "restartPolicy") === "Always" || deepEqual(container, was)) return;
    for (const policy of listAt(container, "resizePolicy"))
      if (isJsonObject(policy) && policy["restartPolicy"] === "RestartContainer")
        errors.push(
          forbidden(field, "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"),
        );
  });
}

/** The reason why a pod cannot be resized; undefined if it can. */
function notResizable(old: JsonObject): string | undefined {
  const annotations = objectAt(metadataOf(old), "annotations");
  if (Object.hasOwn(annotations, "kubernetes.io/config.mirror")) return "static pods cannot be resized";
  const system = textAt(objectAt(objectAt(old, "spec"), "os"), "name");
  return system === "windows" ? "windows pods cannot be resized" : undefined;
}

/** A kubelet that does not report the resources of a running container cannot resize it. */
function isSupported(old: JsonObject): boolean {
  const running = listAt(objectAt(old, "status"), "containerStatuses")
    .filter(isJsonObject)
    .find((status) => isJsonObject(objectAt(status, "state")["running"]));
  return running === undefined || isJsonObject(running["resources"]);
}

function checkPodAmounts(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const isSet = (one: JsonObject): boolean =>
    ["requests", "limits"].some((key) => Object.keys(amounts(one, key)).length > 0);
  if (!isSet(spec) && !isSet(old)) return;
  if (isJsonObject(old["resources"])) {
    if (!isJsonObject(spec["resources"]))
      return void errors.push(forbidden("spec.resources", "pod-level resources cannot be removed"));
    for (const key of ["requests", "limits"])
      if (isRemoved(amounts(spec, key), amounts(old, key)))
        errors.push(forbidden(`spec.resources.${key}`, `pod-level resource ${key} cannot be removed`));
  }
  if (!changesProcessorAndMemoryOnly(spec, old))
    errors.push(forbidden("spec", "only cpu and memory resources are mutable at pod-level"));
}

/** Whether the containers are the same, in the same order. */
function checkOrder(spec: JsonObject, old: JsonObject, errors: Errors): boolean {
  const count = errors.length;
  for (const list of lists) {
    if (listAt(spec, list).length !== listAt(old, list).length)
      errors.push(forbidden(`spec.${list}`, `${list} may not be added or removed on resize`));
    else
      eachContainer(spec, old, list, (container, was, at) => {
        if (textAt(container, "name") !== textAt(was, "name"))
          errors.push(forbidden(`spec.${list}[${at}].name`, `${list} may not be renamed or reordered on resize`));
      });
  }
  return errors.length === count;
}

function eachContainer(
  spec: JsonObject,
  old: JsonObject,
  list: (typeof lists)[number],
  look: (container: JsonObject, was: JsonObject, at: number) => void,
): void {
  const before = listAt(old, list);
  listAt(spec, list).forEach((container, at) => {
    const was = before[at];
    if (isJsonObject(container) && isJsonObject(was)) look(container, was, at);
  });
}

function amounts(owner: JsonObject, key: string): JsonObject {
  return objectAt(objectAt(owner, "resources"), key);
}

function isRemoved(now: JsonObject, before: JsonObject): boolean {
  return Object.keys(before).some((name) => !Object.hasOwn(now, name));
}

function changesProcessorAndMemoryOnly(owner: JsonObject, old: JsonObject): boolean {
  const others = (one: JsonObject, key: string): JsonObject => {
    const { cpu: _, memory: __, ...rest } = amounts(one, key);
    return rest;
  };
  // resizePolicy is immutable too.
  const { resizePolicy } = owner;
  return (
    deepEqual(resizePolicy, old["resizePolicy"]) &&
    ["requests", "limits"].every((key) => deepEqual(others(owner, key), others(old, key)))
  );
}
