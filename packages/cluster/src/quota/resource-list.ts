import { Quantity } from "@kubewright/core/quantity";

/** Quantities by resource name. */
export type ResourceList = ReadonlyMap<string, Quantity>;

/** The quantity 1. */
export const one: Quantity = Quantity.of(1);

/** Parses the quantities of an object's field. */
export function parseResourceList(list: Readonly<Record<string, unknown>> | undefined): Map<string, Quantity> {
  return new Map(Object.entries(list ?? {}).map(([name, value]) => [name, Quantity.parse(String(value))]));
}

/** Formats quantities for an object's field, sorted by resource name. */
export function formatResourceList(resources: ResourceList): Record<string, string> {
  return Object.fromEntries(sorted(resources).map(([name, quantity]) => [name, quantity.toString()]));
}

/** Formats quantities as in kube-apiserver's quota errors: `cpu=1,pods=2`. */
export function resourceListString(resources: ResourceList): string {
  return sorted(resources)
    .map(([name, quantity]) => `${name}=${quantity}`)
    .join(",");
}

/** Adds `resources` to `sum`. */
export function addResources(sum: Map<string, Quantity>, resources: ResourceList): void {
  for (const [name, quantity] of resources) sum.set(name, sum.get(name)?.add(quantity) ?? quantity);
}

/** Whether both hold the same resources with equal quantities. */
export function equalResources(a: ResourceList, b: ResourceList): boolean {
  return a.size === b.size && [...a].every(([name, quantity]) => b.get(name)?.equals(quantity) === true);
}

function sorted(resources: ResourceList): [string, Quantity][] {
  return [...resources].sort(([a], [b]) => (a < b ? -1 : 1));
}
