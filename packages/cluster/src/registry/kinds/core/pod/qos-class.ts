import type { Quantity } from "@kubewright/core/quantity";
import type { PodSpec, PodStatus } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../../decoded.js";
import { quantityOf } from "../../../validation/index.js";

const qosResources = ["cpu", "memory"];

/** A QoS class. */
export type QosClass = NonNullable<PodStatus["qosClass"]>;

/** The QoS class of a pod. */
export function qosClassOf({ resources, containers, initContainers }: Decoded<PodSpec>): QosClass {
  const parts =
    resources && Object.keys(resources).length > 0
      ? [resources]
      : [...(containers ?? []), ...(initContainers ?? [])].map((container) => container.resources ?? {});
  const limits = new Map<string, Quantity>();
  const requests = new Map<string, Quantity>();
  let isLimited = true;
  for (const part of parts) {
    const own = qosQuantities(part.limits);
    if (own.size !== qosResources.length) isLimited = false;
    addAll(limits, own);
    addAll(requests, qosQuantities(part.requests));
  }
  if (limits.size === 0 && requests.size === 0) return "BestEffort";
  const isEqual = requests.size === limits.size && [...requests].every(([name, sum]) => limits.get(name)?.equals(sum));
  return isLimited && isEqual ? "Guaranteed" : "Burstable";
}

function addAll(sums: Map<string, Quantity>, quantities: ReadonlyMap<string, Quantity>): void {
  for (const [name, quantity] of quantities) sums.set(name, sums.get(name)?.add(quantity) ?? quantity);
}

/** The quantities of cpu and memory above zero. */
function qosQuantities(resources: Readonly<Record<string, string | number>> | undefined): Map<string, Quantity> {
  const found = new Map<string, Quantity>();
  for (const name of qosResources) {
    const quantity = quantityOf(resources?.[name] ?? "0");
    if (quantity.sign > 0) found.set(name, quantity);
  }
  return found;
}
