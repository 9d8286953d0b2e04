import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Quantity } from "@kubewright/core/quantity";
import { listAt, objectAt, partAt } from "../../../draft.js";
import { quantityOf } from "../../../validation/index.js";

const counted = ["cpu", "memory"];

/** A QoS class. */
export type QosClass = "Guaranteed" | "Burstable" | "BestEffort";

/** The QoS class of a pod. */
export function qosClassOf(spec: JsonObject): QosClass {
  const whole = partAt(spec, "resources");
  const parts =
    whole !== undefined && Object.keys(whole).length > 0
      ? [whole]
      : ["containers", "initContainers"].flatMap((list) =>
          listAt(spec, list).map((one) => (isJsonObject(one) ? objectAt(one, "resources") : {})),
        );
  const limits = new Map<string, Quantity>();
  const requests = new Map<string, Quantity>();
  let isLimited = true;
  for (const part of parts) {
    const own = amountsOf(part, "limits");
    if (own.size !== counted.length) isLimited = false;
    addAll(limits, own);
    addAll(requests, amountsOf(part, "requests"));
  }
  if (limits.size === 0 && requests.size === 0) return "BestEffort";
  const isEqual = requests.size === limits.size && [...requests].every(([name, sum]) => limits.get(name)?.equals(sum));
  return isLimited && isEqual ? "Guaranteed" : "Burstable";
}

function addAll(sums: Map<string, Quantity>, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of amounts) sums.set(name, sums.get(name)?.add(amount) ?? amount);
}

/** The quantities of cpu and memory above zero. */
function amountsOf(resources: JsonObject, kind: string): Map<string, Quantity> {
  const given = objectAt(resources, kind);
  const found = new Map<string, Quantity>();
  for (const name of counted) {
    const text = given[name] ?? undefined;
    if (text === undefined) continue;
    const amount = quantityOf(text);
    if (amount.sign > 0) found.set(name, amount);
  }
  return found;
}
