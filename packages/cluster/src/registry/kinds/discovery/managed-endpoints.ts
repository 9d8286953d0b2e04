import type { Endpoints } from "kubewright/k8s/core/v1";
import type { Decoded } from "../../decoded.js";

/** The managed-by labels of the Endpoints and EndpointSlices that Kubernetes' controllers write. */
const managers: readonly (readonly [label: string, name: string])[] = [
  ["endpoints.kubernetes.io/managed-by", "endpoint-controller"],
  ["endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io"],
  ["endpointslice.kubernetes.io/managed-by", "endpointslicemirroring-controller.k8s.io"],
];

/** Whether a Kubernetes controller manages this object: its addresses cause no warnings. */
export function isManaged({ metadata }: Decoded<Pick<Endpoints, "metadata">>): boolean {
  return managers.some(([label, name]) => metadata?.labels?.[label] === name);
}

/** The maximum number of addresses in a printer column. */
const printedAddresses = 3;

/** The first addresses of a list, and the number of the others. */
export function printFirst(all: readonly string[]): string {
  const printed = all.slice(0, printedAddresses).join(",");
  return all.length > printedAddresses ? `${printed} + ${all.length - printedAddresses} more...` : printed;
}
