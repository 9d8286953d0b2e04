import { deepEqual } from "@kubewright/core/json";
import type { CacheLookup, ChangeView, ReadOf } from "kubewright";
import { type Pod, Service } from "kubewright/k8s/core/v1";
import { isPodReady, isPodTerminal } from "../pod/index.js";

export type ReadService = ReadOf<typeof Service>;
export type ReadPod = ReadOf<typeof Pod>;
type ServicePort = NonNullable<NonNullable<ReadService["spec"]>["ports"]>[number];

/** Whether the controllers manage the endpoints of a Service: it has a selector and is not of type ExternalName. */
export function selectsPods({ spec }: ReadService): boolean {
  return spec?.type !== "ExternalName" && spec?.selector !== undefined;
}

/** Whether a Service selects a Pod. */
export function isOfService({ spec, metadata }: ReadService, pod: ReadPod): boolean {
  if (metadata.namespace !== pod.metadata.namespace || spec?.selector === undefined) return false;
  const labels = pod.metadata.labels ?? {};
  return Object.entries(spec.selector).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** Whether a Pod is an endpoint: it has an IP address and is not terminal. */
export function hasEndpoint(pod: ReadPod, withTerminating: boolean): boolean {
  if (isPodTerminal(pod) || (pod.status?.podIP === undefined && (pod.status?.podIPs ?? []).length === 0)) return false;
  return withTerminating || pod.metadata.deletionTimestamp === undefined;
}

/** The Services that a Pod change affects. */
export function servicesOf(
  pod: ReadPod,
  cached: CacheLookup<typeof Service>,
): { readonly namespace: string; readonly name: string }[] {
  const { namespace = "" } = pod.metadata;
  return cached
    .list(Service, { namespace })
    .flatMap((service) =>
      selectsPods(service) && isOfService(service, pod) ? [{ namespace, name: service.metadata.name }] : [],
    );
}

/** Whether a Pod change can change endpoints. */
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

/** The Pod IPs of one address family. */
export function addressesOf({ status }: ReadPod, family: "IPv4" | "IPv6"): string[] {
  const all = status?.podIPs?.map(({ ip }) => ip) ?? (status?.podIP === undefined ? [] : [status.podIP]);
  return all.filter((ip) => ip.includes(":") === (family === "IPv6"));
}

/** Whether an endpoint of the Service has the Pod's hostname. */
export function isNamedBy({ metadata }: ReadService, { spec }: ReadPod): boolean {
  return spec?.hostname !== undefined && spec.hostname !== "" && spec.subdomain === metadata.name;
}

/** The port number of a Service port on a Pod; undefined if the Pod has no port of that name. */
export function portIn({ spec }: ReadPod, { targetPort, port, protocol = "TCP" }: ServicePort): number | undefined {
  if (targetPort === undefined) return port;
  if (typeof targetPort === "number") return targetPort;
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always");
  return [...(spec?.containers ?? []), ...sidecars]
    .flatMap(({ ports = [] }) => ports)
    .find((one) => one.name === targetPort && (one.protocol ?? "TCP") === protocol)?.containerPort;
}

/** Whether a Service has no cluster IP. */
export function isHeadless({ spec }: ReadService): boolean {
  return spec?.clusterIP === "None" || spec?.clusterIP === undefined || spec.clusterIP === "";
}

/** The IP families of a Service, the primary first. */
export function familiesOf({ spec }: ReadService): readonly ("IPv4" | "IPv6")[] {
  const families = (spec?.ipFamilies ?? []).filter((family) => family !== "");
  return families.length === 0 ? ["IPv4"] : families;
}
