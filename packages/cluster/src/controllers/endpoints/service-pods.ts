import { deepEqual } from "@kubewright/core/json";
import type { CacheLookup, ChangeView, ReadOf } from "kubewright";
import { type Pod, Service } from "kubewright/k8s/core/v1";
import { hasPodEnded, isPodReady } from "../pod/index.js";

export type ReadService = ReadOf<typeof Service>;
export type ReadPod = ReadOf<typeof Pod>;
type ServicePort = NonNullable<NonNullable<ReadService["spec"]>["ports"]>[number];

/** Whether a service has its endpoints from this controller: it selects pods, and is no mere name. */
export function selectsPods({ spec }: ReadService): boolean {
  return spec?.type !== "ExternalName" && spec?.selector !== undefined;
}

/** Whether a pod is one that a service selects. */
export function isOfService({ spec, metadata }: ReadService, pod: ReadPod): boolean {
  if (metadata.namespace !== pod.metadata.namespace || spec?.selector === undefined) return false;
  const labels = pod.metadata.labels ?? {};
  return Object.entries(spec.selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** Whether a pod is behind its services: it has an address and has not ended. */
export function hasEndpoint(pod: ReadPod, withTerminating: boolean): boolean {
  if (hasPodEnded(pod) || (pod.status?.podIP === undefined && (pod.status?.podIPs ?? []).length === 0)) return false;
  return withTerminating || pod.metadata.deletionTimestamp === undefined;
}

/** The services that a change of a pod concerns. */
export function servicesOf(pod: ReadPod, cached: CacheLookup): { readonly namespace: string; readonly name: string }[] {
  const { namespace = "" } = pod.metadata;
  return cached
    .list(Service, { namespace })
    .flatMap((service) =>
      selectsPods(service) && isOfService(service, pod) ? [{ namespace, name: service.metadata.name }] : [],
    );
}

/** Whether a change of a pod can change endpoints. */
export function changesEndpoints({ old, new: now }: ChangeView<typeof Pod>): boolean {
  return (
    old === undefined ||
    now === undefined ||
    old.metadata.deletionTimestamp !== now.metadata.deletionTimestamp ||
    old.spec?.nodeName !== now.spec?.nodeName ||
    old.spec?.hostname !== now.spec?.hostname ||
    old.spec?.subdomain !== now.spec?.subdomain ||
    old.status?.podIP !== now.status?.podIP ||
    old.status?.phase !== now.status?.phase ||
    isPodReady(old) !== isPodReady(now) ||
    !deepEqual(old.metadata.labels, now.metadata.labels) ||
    !deepEqual(old.status?.podIPs, now.status?.podIPs)
  );
}

/** The addresses of a pod in a family. */
export function addressesOf({ status }: ReadPod, family: "IPv4" | "IPv6"): string[] {
  const all = status?.podIPs?.map(({ ip }) => ip) ?? (status?.podIP === undefined ? [] : [status.podIP]);
  return all.filter((ip) => ip.includes(":") === (family === "IPv6"));
}

/** Whether a service knows a pod by its host name. */
export function isNamedBy({ metadata }: ReadService, { spec }: ReadPod): boolean {
  return spec?.hostname !== undefined && spec.hostname !== "" && spec.subdomain === metadata.name;
}

/** The number of a service's port in a pod; undefined where the pod has none of its name. */
export function portIn({ spec }: ReadPod, { targetPort, port, protocol = "TCP" }: ServicePort): number | undefined {
  if (targetPort === undefined) return port;
  if (typeof targetPort === "number") return targetPort;
  const staying = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...staying]
    .flatMap(({ ports = [] }) => ports)
    .find((one) => one.name === targetPort && (one.protocol ?? "TCP") === protocol)?.containerPort;
}

/** Whether a service has no address of its own. */
export function isHeadless({ spec }: ReadService): boolean {
  return spec?.clusterIP === "None" || spec?.clusterIP === undefined || spec.clusterIP === "";
}

/** The families of a service's addresses, the first one first. */
export function familiesOf({ spec }: ReadService): readonly ("IPv4" | "IPv6")[] {
  const families = (spec?.ipFamilies ?? []).filter((family) => family !== "");
  return families.length === 0 ? ["IPv4"] : families;
}
