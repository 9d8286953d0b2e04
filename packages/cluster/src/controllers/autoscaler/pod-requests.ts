import { Quantity } from "@kubewright/core/quantity";
import type { ReadPod } from "./autoscaler-objects.js";

/** The requests of each Pod, or of one container of each, in milli-units. Throws if a request is missing. */
export function podRequests(
  pods: readonly ReadPod[],
  resource: string,
  container: string | undefined,
): ReadonlyMap<string, bigint> {
  return new Map(pods.map((pod) => [pod.metadata.name, requestOf(pod, resource, container)]));
}

function requestOf({ metadata, spec }: ReadPod, resource: string, container: string | undefined): bigint {
  const ofPod = spec?.resources?.requests;
  if (container === undefined && ofPod !== undefined && Object.keys(ofPod).length > 0) {
    const request = ofPod[resource];
    if (request === undefined) throw new Error(`missing pod-level request for ${resource} in Pod ${metadata.name}`);
    return milliOf(request);
  }
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  const containers = [...(spec?.containers ?? []), ...sidecars].filter(
    ({ name }) => container === undefined || name === container,
  );
  if (container !== undefined && containers.length === 0)
    throw new Error(`container ${container} not found in Pod ${metadata.name}`);
  let sum = 0n;
  for (const { name, resources } of containers) {
    const request = resources?.requests?.[resource];
    if (request === undefined)
      throw new Error(`missing request for ${resource} in container ${name} of Pod ${metadata.name}`);
    sum += milliOf(request);
  }
  return sum;
}

/** A quantity in milli-units. */
export function milliOf(quantity: string | number): bigint {
  return Quantity.parse(String(quantity)).toMilliUnits();
}
