import type { Endpoints } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../decoded.js";

/** The labels by which controllers mark the Endpoints and EndpointSlices that they write. */
const managers: readonly (readonly [label: string, name: string])[] = [
  ["endpoints.kubernetes.io/managed-by", "endpoint-controller"],
  ["endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"],
  ["endpointslice.kubernetes.io/managed-by", "endpointslicemirroring-controller.k8s.io"],
];

/** Whether a controller of Kubernetes writes this object, so that its addresses need no warnings. */
export function isManaged({ metadata }: Decoded<Pick<Endpoints, "metadata">>): boolean {
  return managers.some(([label, name]) => metadata?.labels?.[label] === name);
}

/** How many addresses a table shows. */
const shownAddresses = 3;

/** The first addresses of a list, and how many more there are. */
export function printFirst(all: readonly string[]): string {
  const printed = all.slice(0, shownAddresses).join(",");
  return all.length > shownAddresses ? `${printed} + ${all.length - shownAddresses} more...` : printed;
}
