import { deepEqual } from "@kubewright/core/json";
import { type Controller, controller, isForbidden, watch } from "kubewright";
import { Node, Pod, Service } from "kubewright/k8s/core/v1";
import { type Endpoint, EndpointSlice } from "kubewright/k8s/discovery/v1";
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
import { planSlices, type SliceContent } from "./slice-plan.js";
import { TriggerTimes, triggerAnnotation } from "./trigger-times.js";

const serviceLabel = "kubernetes.io/service-name";
const managedLabel = "endpointslice.kubernetes.io/managed-by";
const headlessLabel = "service.kubernetes.io/headless";
const reserved: ReadonlySet<string> = new Set([serviceLabel, managedLabel, headlessLabel]);
const manager = "endpointslice-controller.k8s.io";
const zoneLabel = "topology.kubernetes.io/zone";

/** The EndpointSlice controller: maintains the EndpointSlices of Services with a selector. */
export function endpointSliceController(): Controller {
  const triggers = new TriggerTimes();
  return controller(Service, {
    name: "endpoint-slice-controller",
    fieldManager: "kube-controller-manager",
    workers: 5,
    owns: [EndpointSlice],
    watches: [
      watch(Pod, { reads: [Service], to: servicesOf, when: changesEndpoints }),
      watch(Node, {
        reads: [Pod, Service],
        to: ({ metadata }, cached) =>
          cached.list(Pod).flatMap((pod) => (pod.spec?.nodeName === metadata.name ? servicesOf(pod, cached) : [])),
        when: ({ old, new: now }) => old?.metadata.labels?.[zoneLabel] !== now?.metadata.labels?.[zoneLabel],
      }),
    ],
    reconcile: async ({ object: service, list, find, create, patch, delete: remove }) => {
      if (!selectsPods(service)) return;
      const { namespace = "", name } = service.metadata;
      const pods = (await list(Pod)).filter((pod) => isOfService(service, pod));
      const triggered = triggers.next(`${namespace}/${name}`, service, pods);
      const zones = new Map<string, string | undefined>();
      for (const { spec } of pods)
        if (spec?.nodeName !== undefined && !zones.has(spec.nodeName))
          zones.set(spec.nodeName, (await find(Node, spec.nodeName))?.metadata.labels?.[zoneLabel]);
      const existing = (
        await list(EndpointSlice, { labels: { [serviceLabel]: name, [managedLabel]: manager } })
      ).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      const labels = labelsOf(service);
      const families = familiesOf(service);
      for (const stale of existing.filter(({ addressType }) => !families.some((family) => family === addressType)))
        await remove(EndpointSlice, stale.metadata.name);
      for (const family of families) {
        const desired = contentsOf(service, pods, family, zones);
        const ofFamily = existing.filter(({ addressType }) => addressType === family);
        const plan = planSlices(ofFamily, desired);
        for (const { metadata } of plan.remove) await remove(EndpointSlice, metadata.name);
        for (const [slice, content] of plan.keep) {
          const isSame =
            deepEqual(plainLabels(slice.metadata.labels), plainLabels(labels)) &&
            deepEqual(slice.metadata.labels, labels);
          if (content === undefined && isSame) continue;
          const gone = Object.keys(slice.metadata.labels ?? {}).filter((label) => !Object.hasOwn(labels, label));
          const metadata = {
            resourceVersion: slice.metadata.resourceVersion,
            labels: { ...labels, ...Object.fromEntries(gone.map((label) => [label, null])) },
            annotations: { [triggerAnnotation]: triggered ?? null },
          };
          await patch(EndpointSlice, slice.metadata.name, { merge: { metadata, ...content } });
        }
        for (const content of plan.create) {
          const annotations = triggered === undefined ? {} : { annotations: { [triggerAnnotation]: triggered } };
          try {
            const metadata = { generateName: `${name}-`, labels, ...annotations };
            await create(EndpointSlice, { metadata, addressType: family, ...content });
          } catch (error) {
            // A terminating namespace rejects new objects.
            if (!isForbidden(error)) throw error;
          }
        }
      }
    },
  });
}

function plainLabels(labels: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(labels).filter(([key]) => !reserved.has(key)));
}

function labelsOf(service: ReadService): Record<string, string> {
  return {
    ...plainLabels(service.metadata.labels),
    ...(isHeadless(service) ? { [headlessLabel]: "" } : {}),
    [serviceLabel]: service.metadata.name,
    [managedLabel]: manager,
  };
}

/** The endpoints of a Service in one address family, grouped by ports. */
function contentsOf(
  service: ReadService,
  pods: readonly ReadPod[],
  family: "IPv4" | "IPv6",
  zones: ReadonlyMap<string, string | undefined>,
): SliceContent[] {
  const publishNotReady = service.spec?.publishNotReadyAddresses === true;
  const groups = new Map<string, { ports: NonNullable<SliceContent["ports"]>; endpoints: Endpoint[] }>();
  for (const pod of pods) {
    if (!hasEndpoint(pod, true)) continue;
    const addresses = addressesOf(pod, family);
    const ports = (service.spec?.ports ?? []).flatMap((port) => {
      const number = portIn(pod, port);
      if (number === undefined) return [];
      const { name = "", protocol = "TCP", appProtocol } = port;
      return [{ name, port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
    });
    const id = JSON.stringify(ports);
    const group = groups.get(id) ?? { ports, endpoints: [] };
    groups.set(id, group);
    if (addresses.length === 0) continue;
    const serving = isPodReady(pod);
    const terminating = pod.metadata.deletionTimestamp !== undefined;
    const { nodeName } = pod.spec ?? {};
    const zone = nodeName === undefined ? undefined : zones.get(nodeName);
    group.endpoints.push({
      addresses,
      conditions: { ready: publishNotReady || (serving && !terminating), serving, terminating },
      ...(isNamedBy(service, pod) ? { hostname: pod.spec?.hostname } : {}),
      targetRef: { kind: "Pod", namespace: pod.metadata.namespace, name: pod.metadata.name, uid: pod.metadata.uid },
      ...(nodeName === undefined ? {} : { nodeName }),
      ...(zone === undefined || zone === "" ? {} : { zone }),
    });
  }
  return [...groups.values()];
}
