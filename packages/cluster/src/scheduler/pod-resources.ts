import { Quantity } from "@kubewright/core/quantity";
import type { ReadPod } from "./scheduler-objects.js";

/** Resource quantities: CPU in milli-units, all others in units. */
export type Resources = ReadonlyMap<string, number>;

const known = new WeakMap<object, Resources>();

/**
 * The requests of a Pod: per resource, the larger of the sum of its containers and its largest init container, both with sidecars; plus overhead.
 * Cached per frozen object.
 */
export function podResources(pod: ReadPod): Resources {
  const before = known.get(pod);
  if (before !== undefined) return before;
  const spec = pod.spec;
  const sum = new Map<string, number>();
  for (const container of spec?.containers ?? []) addTo(sum, parseResources(container.resources?.requests));
  // A sidecar runs beside the init containers after it. Other init containers run one after another.
  const sidecars = new Map<string, number>();
  const largest = new Map<string, number>();
  for (const init of spec?.initContainers ?? []) {
    const requests = parseResources(init.resources?.requests);
    const isSidecar = init.restartPolicy === "Always";
    if (isSidecar) addTo(sidecars, requests);
    const during = new Map(sidecars);
    if (!isSidecar) addTo(during, requests);
    for (const [name, quantity] of during) largest.set(name, Math.max(quantity, largest.get(name) ?? 0));
  }
  addTo(sum, sidecars);
  for (const [name, quantity] of largest) sum.set(name, Math.max(quantity, sum.get(name) ?? 0));
  for (const [name, quantity] of parseResources(spec?.resources?.requests)) sum.set(name, quantity);
  addTo(sum, parseResources(spec?.overhead));
  known.set(pod, sum);
  return sum;
}

/** The requests of a Pod for scoring, with kube-scheduler's defaults for missing ones: 100m CPU, 200Mi memory. */
export function nonZeroRequests(pod: ReadPod): { readonly cpu: number; readonly memory: number } {
  const resources = podResources(pod);
  return { cpu: resources.get("cpu") || 100, memory: resources.get("memory") || 200 * 1_024 * 1_024 };
}

/** Parses the quantities of an object's field. */
export function parseResources(list: Readonly<Record<string, string | number>> | undefined): Resources {
  const resources = new Map<string, number>();
  for (const [name, value] of Object.entries(list ?? {})) {
    const quantity = Quantity.parse(String(value));
    resources.set(name, name === "cpu" ? Number(quantity.toMilliUnits()) : quantity.toNumber());
  }
  return resources;
}

/** Adds quantities to a sum, or subtracts them. */
export function addTo(sum: Map<string, number>, resources: Resources, sign: 1 | -1 = 1): void {
  for (const [name, quantity] of resources) sum.set(name, (sum.get(name) ?? 0) + sign * quantity);
}
