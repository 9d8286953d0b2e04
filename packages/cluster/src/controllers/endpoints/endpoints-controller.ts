import { deepEqual } from "@kubewright/core/json";
import { isForbidden, may, type RawController, type ReadOf, rawController, watch } from "kubewright";
import { type EndpointSubset, Endpoints, Pod, Service } from "kubewright/k8s/core/v1";
import { isPodReady } from "../pod/index.js";
import {
  addressesOf,
  changesEndpoints,
  familiesOf,
  hasEndpoint,
  isHeadless,
  isNamedBy,
  isOfService,
  portIn,
  type ReadPod,
  type ReadService,
  selectsPods,
  servicesOf,
} from "./service-pods.js";
import { TriggerTimes, triggerAnnotation } from "./trigger-times.js";

type Address = NonNullable<EndpointSubset["addresses"]>[number];
type Port = NonNullable<EndpointSubset["ports"]>[number];

const capacityAnnotation = "endpoints.kubernetes.io/over-capacity";
const headlessLabel = "service.kubernetes.io/headless";
const managedLabel = "endpoints.kubernetes.io/managed-by";
const maxAddresses = 1_000;

/** The Endpoints controller: maintains the Endpoints of Services with a selector. */
export function endpointsController(): RawController {
  const triggers = new TriggerTimes();
  return rawController({
    name: "endpoint-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    uses: [may(Endpoints, "create", "patch", "delete")],
    watches: [
      watch(Service, { to: ({ metadata }) => metadata }),
      watch(Pod, { reads: [Service], to: servicesOf, when: changesEndpoints }),
      // Only deletions: like kube-controller-manager, it corrects manual changes only when a Service or Pod changes.
      watch(Endpoints, { to: ({ metadata }) => metadata, when: ({ kind }) => kind === "deleted" }),
    ],
    reconcile: async ({ key, find, list, create, patch, delete: remove }) => {
      const [namespace = "", name = ""] = key.split("/");
      const where = { namespace, name };
      const service = await find(Service, where);
      if (service === undefined) {
        triggers.forget(key);
        const left = await find(Endpoints, where);
        // Endpoints without the label, such as the API server's own, are not managed here.
        if (left !== undefined && left.metadata.labels?.[managedLabel] !== undefined) await remove(Endpoints, where);
        return;
      }
      if (!selectsPods(service)) return;
      const pods = (await list(Pod, { namespace })).filter((pod) => isOfService(service, pod));
      const triggered = triggers.next(key, service, pods);
      const { subsets, isTruncated } = subsetsOf(service, pods);
      const { [headlessLabel]: _, ...own } = service.metadata.labels ?? {};
      const labels = {
        ...own,
        ...(isHeadless(service) ? { [headlessLabel]: "" } : {}),
        [managedLabel]: "endpoint-controller",
      };
      const existing = await find(Endpoints, where);
      const wasTruncated = existing?.metadata.annotations?.[capacityAnnotation] === "truncated";
      if (
        existing !== undefined &&
        deepEqual(sorted(existing.subsets), sorted(subsets)) &&
        deepEqual(existing.metadata.labels ?? {}, labels) &&
        wasTruncated === isTruncated
      )
        return;
      const annotations = {
        [triggerAnnotation]: triggered ?? null,
        [capacityAnnotation]: isTruncated ? "truncated" : null,
      };
      if (existing === undefined) {
        const given = Object.fromEntries(Object.entries(annotations).filter(([, value]) => value !== null));
        const metadata = { ...where, labels, annotations: given as Record<string, string> };
        try {
          await create(Endpoints, { metadata, ...(subsets.length > 0 ? { subsets } : {}) });
        } catch (error) {
          // A terminating namespace rejects new objects.
          if (!isForbidden(error)) throw error;
        }
        return;
      }
      const { resourceVersion } = existing.metadata;
      const gone = Object.keys(existing.metadata.labels ?? {}).filter((label) => !Object.hasOwn(labels, label));
      const metadata = {
        resourceVersion,
        labels: { ...labels, ...Object.fromEntries(gone.map((label) => [label, null])) },
        annotations,
      };
      await patch(Endpoints, where, { merge: { metadata, subsets: subsets.length > 0 ? subsets : null } });
    },
  });
}

function subsetsOf(
  service: ReadService,
  pods: readonly ReadPod[],
): { readonly subsets: EndpointSubset[]; readonly isTruncated: boolean } {
  const publishNotReady = service.spec?.publishNotReadyAddresses === true;
  const [family = "IPv4"] = familiesOf(service);
  /** The addresses of each port, in the order of the Service's ports. */
  const byPort = new Map<string, { readonly ports: Port[]; readonly ready: Address[]; readonly unready: Address[] }>();
  for (const pod of pods) {
    if (!hasEndpoint(pod, publishNotReady)) continue;
    const [ip] = addressesOf(pod, family);
    if (ip === undefined) continue;
    const { namespace, name, uid } = pod.metadata;
    const address: Address = {
      ip,
      ...(isNamedBy(service, pod) ? { hostname: pod.spec?.hostname } : {}),
      nodeName: pod.spec?.nodeName,
      targetRef: { kind: "Pod", namespace, name, uid },
    };
    for (const port of portsOf(service, pod)) {
      const id = JSON.stringify(port) ?? "";
      const subset = byPort.get(id) ?? { ports: port === undefined ? [] : [port], ready: [], unready: [] };
      byPort.set(id, subset);
      (publishNotReady || isPodReady(pod) ? subset.ready : subset.unready).push(address);
    }
  }
  /** Ports with the same addresses share a subset. */
  const groups = new Map<string, { readonly ports: Port[]; readonly ready: Address[]; readonly unready: Address[] }>();
  for (const subset of byPort.values()) {
    const id = JSON.stringify([subset.ready, subset.unready].map((addresses) => addresses.map(({ ip }) => ip).sort()));
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { ...subset, ports: [...subset.ports] });
    else group.ports.push(...subset.ports);
  }
  let left = maxAddresses;
  let isTruncated = false;
  const truncate = (addresses: Address[]): Address[] => {
    const kept = addresses.slice(0, left);
    if (kept.length < addresses.length) isTruncated = true;
    left -= kept.length;
    return kept;
  };
  const all = [...groups.values()];
  const kept = all
    .map((group) => ({ ...group, ready: truncate(group.ready) }))
    .map((group) => ({ ...group, unready: truncate(group.unready) }));
  const subsets = kept.map(({ ports, ready, unready }) => ({
    ...(ready.length > 0 ? { addresses: ready } : {}),
    ...(unready.length > 0 ? { notReadyAddresses: unready } : {}),
    ...(ports.length > 0 ? { ports } : {}),
  }));
  return { subsets, isTruncated };
}

/** The ports of a Service on a Pod; `[undefined]` for a headless Service without ports. */
function portsOf({ spec }: ReadService, pod: ReadPod): (Port | undefined)[] {
  const ports = spec?.ports ?? [];
  if (ports.length === 0) return spec?.clusterIP === "None" ? [undefined] : [];
  return ports.flatMap((port): Port[] => {
    const number = portIn(pod, port);
    if (number === undefined) return [];
    const { name, protocol = "TCP", appProtocol } = port;
    return [
      { ...(name ? { name } : {}), port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) },
    ];
  });
}

/** Subsets in canonical order, for comparison. */
function sorted(subsets: ReadOf<typeof Endpoints>["subsets"] = []): EndpointSubset[] {
  const byAddress = (addresses: EndpointSubset["addresses"]) => addresses?.toSorted((a, b) => compare(a.ip, b.ip));
  return (subsets as readonly EndpointSubset[])
    .map(({ addresses, notReadyAddresses, ports }) => ({
      ...(addresses === undefined ? {} : { addresses: byAddress(addresses) }),
      ...(notReadyAddresses === undefined ? {} : { notReadyAddresses: byAddress(notReadyAddresses) }),
      ...(ports === undefined
        ? {}
        : { ports: ports.toSorted((a, b) => compare(JSON.stringify(a), JSON.stringify(b))) }),
    }))
    .toSorted((a, b) => compare(JSON.stringify(a.ports), JSON.stringify(b.ports)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
