import { deepEqual, type JsonValue } from "@kubewright/core/json";
import { forbidden, invalid } from "@kubewright/core/schema";
import type { Container, Pod, PodSpec } from "kubewright/k8s/core/v1";
import type { Decoded, Drafted } from "../../../decoded.js";
import { draftOf, keepFrom } from "../../../draft.js";
import type { Errors } from "../../../validation/index.js";
import { qosClassOf } from "./qos-class.js";

const lists = ["containers", "initContainers"] as const;
const kinds = ["requests", "limits"] as const;

/**
 * The old spec with the new values of the fields that a resize may set: the resources of the pod, and resources and resizePolicy of its
 * containers. Undefined if containers were added or removed, which validation rejects.
 */
export function resizedSpec(spec: Decoded<PodSpec>, old: Decoded<PodSpec>): Drafted<PodSpec> | undefined {
  if (lists.some((list) => spec[list]?.length !== old[list]?.length)) return undefined;
  const result: Drafted<PodSpec> = draftOf(old);
  keepFrom(result, spec, "resources");
  for (const list of lists) {
    const given = spec[list] ?? [];
    const containers = result[list] ?? [];
    if (containers.some(({ name }, at) => name !== given[at]?.name)) keepFrom(result, spec, list);
    else
      for (const [at, container] of containers.entries())
        for (const key of ["resources", "resizePolicy"] as const) keepFrom(container, given[at] ?? {}, key);
  }
  return result;
}

/** Validates a resize. */
export function checkPodResize({ spec = {}, status }: Decoded<Pod>, old: Decoded<Pod>, errors: Errors): void {
  const before = old.spec ?? {};
  const reason = notResizable(old);
  if (reason !== undefined) {
    errors.length = 0;
    return void errors.push(forbidden("[]", reason));
  }
  if ((old.status?.qosClass || qosClassOf(before)) !== qosClassOf(spec))
    errors.push(invalid("spec", status?.qosClass ?? "", "Pod QOS Class may not change as a result of resizing"));
  if (!isSupported(old)) errors.push(forbidden("spec", "Pod running on node without support for resize"));
  checkPodLevel(spec, before, errors);
  if (!checkOrder(spec, before, errors)) return;
  for (const list of ["initContainers", "containers"] as const)
    for (const [container, was, at] of containerPairs(spec, before, list))
      for (const kind of kinds)
        if (isRemoved(container, was, kind))
          errors.push(forbidden(`spec.${list}[${at}].resources.${kind}`, `resource ${kind} cannot be removed`));
  for (const [container, was] of containerPairs(spec, before, "containers"))
    if (!changesCpuAndMemoryOnly(container, was))
      errors.push(forbidden("spec", "only cpu and memory resources are mutable"));
  for (const [container, was, at] of containerPairs(spec, before, "initContainers")) {
    const field = `spec.initContainers[${at}]`;
    if (!changesCpuAndMemoryOnly(container, was))
      errors.push(forbidden(field, "only cpu and memory resources for init or sidecar containers are mutable"));
    if (container.restartPolicy === "Always" || deepEqual(container, was)) continue;
    for (const policy of container.resizePolicy ?? [])
      if (policy.restartPolicy === "RestartContainer")
        errors.push(
          forbidden(field, "non-sidecar init containers with a resize policy of RestartContainer cannot be resized"),
        );
  }
}

/** The reason why a pod cannot be resized; undefined if it can. */
function notResizable({ metadata, spec }: Decoded<Pod>): string | undefined {
  if (Object.hasOwn(metadata?.annotations ?? {}, "kubernetes.io/config.mirror")) return "static pods cannot be resized";
  return spec?.os?.name === "windows" ? "windows pods cannot be resized" : undefined;
}

/** A kubelet that does not report the resources of a running container cannot resize it. */
function isSupported({ status }: Decoded<Pod>): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running);
  return running === undefined || running.resources !== undefined;
}

function checkPodLevel(spec: Decoded<PodSpec>, old: Decoded<PodSpec>, errors: Errors): void {
  const isSet = ({ resources }: Decoded<PodSpec>): boolean => Boolean(resources?.requests ?? resources?.limits);
  if (!isSet(spec) && !isSet(old)) return;
  if (old.resources) {
    if (!spec.resources) return void errors.push(forbidden("spec.resources", "pod-level resources cannot be removed"));
    for (const kind of kinds)
      if (isRemoved(spec, old, kind))
        errors.push(forbidden(`spec.resources.${kind}`, `pod-level resource ${kind} cannot be removed`));
  }
  if (!changesCpuAndMemoryOnly(spec, old))
    errors.push(forbidden("spec", "only cpu and memory resources are mutable at pod-level"));
}

/** Whether the containers are the same, in the same order. */
function checkOrder(spec: Decoded<PodSpec>, old: Decoded<PodSpec>, errors: Errors): boolean {
  const count = errors.length;
  for (const list of lists) {
    if (spec[list]?.length !== old[list]?.length)
      errors.push(forbidden(`spec.${list}`, `${list} may not be added or removed on resize`));
    else
      for (const [container, was, at] of containerPairs(spec, old, list))
        if (container.name !== was.name)
          errors.push(forbidden(`spec.${list}[${at}].name`, `${list} may not be renamed or reordered on resize`));
  }
  return errors.length === count;
}

/** The new and the old container at every index. */
function containerPairs(
  spec: Decoded<PodSpec>,
  old: Decoded<PodSpec>,
  list: (typeof lists)[number],
): (readonly [container: Decoded<Container>, was: Decoded<Container>, at: number])[] {
  return (spec[list] ?? []).map((container, at) => [container, old[list]?.[at] ?? {}, at]);
}

/** A container, or a pod with pod-level resources. */
type Resizable = Pick<Decoded<Container>, "resources" | "resizePolicy">;

function isRemoved(now: Resizable, before: Resizable, kind: (typeof kinds)[number]): boolean {
  const left = now.resources?.[kind] ?? {};
  return Object.keys(before.resources?.[kind] ?? {}).some((name) => !Object.hasOwn(left, name));
}

function changesCpuAndMemoryOnly(now: Resizable, before: Resizable): boolean {
  const others = ({ resources, resizePolicy }: Resizable): JsonValue => [
    // A resize cannot change the resizePolicy.
    resizePolicy ?? [],
    ...kinds.map((kind) => {
      const { cpu: _, memory: __, ...rest } = resources?.[kind] ?? {};
      return rest;
    }),
  ];
  return deepEqual(others(now), others(before));
}
