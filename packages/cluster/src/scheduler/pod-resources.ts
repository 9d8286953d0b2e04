import { Quantity } from "@kubewright/core/quantity";
import type { ReadPod } from "./scheduler-objects.js";

/** Amounts of resources: cpu in thousandths, everything else in units. */
export type Resources = ReadonlyMap<string, number>;

const known = new WeakMap<object, Resources>();

/**
 * What a pod asks for: the sum of its containers, or its largest init container beside those that stay, whatever is more, and its overhead. Kept with
 * the object, which is frozen.
 */
export function podResources(pod: ReadPod): Resources {
  const before = known.get(pod);
  if (before !== undefined) return before;
  const spec = pod.spec;
  const sum = new Map<string, number>();
  for (const container of spec?.containers ?? []) addTo(sum, parseResources(container.resources?.requests));
  // Init containers that stay are there beside those that follow; the others come one after the other.
  const staying = new Map<string, number>();
  const largest = new Map<string, number>();
  for (const init of spec?.initContainers ?? []) {
    const requests = parseResources(init.resources?.requests);
    const isStaying = init.restartPolicy === "Always";
    if (isStaying) addTo(staying, requests);
    const during = new Map(staying);
    if (!isStaying) addTo(during, requests);
    for (const [name, amount] of during) largest.set(name, Math.max(amount, largest.get(name) ?? 0));
  }
  addTo(sum, staying);
  for (const [name, amount] of largest) sum.set(name, Math.max(amount, sum.get(name) ?? 0));
  for (const [name, amount] of parseResources(spec?.resources?.requests)) sum.set(name, amount);
  addTo(sum, parseResources(spec?.overhead));
  known.set(pod, sum);
  return sum;
}

/** What a pod counts for when nodes are compared: one that asks for nothing still needs something. */
export function scoredResources(pod: ReadPod): { readonly cpu: number; readonly memory: number } {
  const resources = podResources(pod);
  return { cpu: resources.get("cpu") || 100, memory: resources.get("memory") || 200 * 1_024 * 1_024 };
}

/** Amounts as an object has them. One that is none counts as nothing. */
export function parseResources(texts: Readonly<Record<string, string | number>> | undefined): Resources {
  const amounts = new Map<string, number>();
  for (const [name, text] of Object.entries(texts ?? {})) {
    const quantity = Quantity.parse(String(text));
    amounts.set(name, name === "cpu" ? Number(quantity.toMilliUnits()) : quantity.toNumber());
  }
  return amounts;
}

/** Adds amounts, or takes them away. */
export function addTo(sum: Map<string, number>, amounts: Resources, sign: 1 | -1 = 1): void {
  for (const [name, amount] of amounts) sum.set(name, (sum.get(name) ?? 0) + sign * amount);
}
