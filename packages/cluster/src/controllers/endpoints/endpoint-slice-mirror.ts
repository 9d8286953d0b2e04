import { deepEqual } from "@kubewright/core/json";
import { type Controller, controller, type ReadOf, watch } from "kubewright";
import { Endpoints, Service } from "kubewright/k8s/core/v1";
import { type Endpoint, EndpointSlice } from "kubewright/k8s/discovery/v1";
import { planSlices, type SliceContent } from "./slice-plan.js";
import { triggerAnnotation } from "./trigger-times.js";

type ReadEndpoints = ReadOf<typeof Endpoints>;
type ReadAddress = NonNullable<NonNullable<ReadEndpoints["subsets"]>[number]["addresses"]>[number];

const serviceLabel = "kubernetes.io/service-name";
const managedLabel = "endpointslice.kubernetes.io/managed-by";
const skipLabel = "endpointslice.kubernetes.io/skip-mirror";
const manager = "endpointslicemirroring-controller.k8s.io";
const notCopied: ReadonlySet<string> = new Set([triggerAnnotation, "kubectl.kubernetes.io/last-applied-configuration"]);
const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader";

/** The EndpointSliceMirroring controller: copies manually managed Endpoints of Services without a selector to EndpointSlices. */
export function endpointSliceMirror(): Controller {
  return controller(Endpoints, {
    name: "endpoint-slice-mirroring-controller",
    fieldManager: "kube-controller-manager",
    owns: [EndpointSlice],
    watches: [watch(Service, { to: ({ metadata }) => metadata })],
    reconcile: async ({ object: endpoints, find, list, create, patch, delete: remove }) => {
      const { name } = endpoints.metadata;
      const service = await find(Service, name);
      const existing = await list(EndpointSlice, { labels: { [serviceLabel]: name, [managedLabel]: manager } });
      const isMirrored = service !== undefined && service.spec?.selector === undefined && shouldMirror(endpoints);
      const labels = { ...endpoints.metadata.labels, [serviceLabel]: name, [managedLabel]: manager };
      const annotations = Object.fromEntries(
        Object.entries(endpoints.metadata.annotations ?? {}).filter(([key]) => !notCopied.has(key)),
      );
      for (const family of ["IPv4", "IPv6"] as const) {
        const ofFamily = existing.filter(({ addressType }) => addressType === family);
        const plan = planSlices(ofFamily, isMirrored ? contentsOf(endpoints, family) : [], "nothing");
        for (const { metadata } of plan.remove) await remove(EndpointSlice, metadata.name);
        for (const [{ metadata }, content] of plan.keep) {
          const isSame = deepEqual(metadata.labels, labels) && deepEqual(metadata.annotations ?? {}, annotations);
          if (content === undefined && isSame) continue;
          const without = (now: object, before: object = {}) =>
            Object.fromEntries(Object.keys(before).flatMap((key) => (Object.hasOwn(now, key) ? [] : [[key, null]])));
          const meta = {
            resourceVersion: metadata.resourceVersion,
            labels: { ...labels, ...without(labels, metadata.labels) },
            annotations: { ...annotations, ...without(annotations, metadata.annotations) },
          };
          await patch(EndpointSlice, metadata.name, { merge: { metadata: meta, ...content } });
        }
        for (const content of plan.create) {
          const metadata = { generateName: `${name}-`, labels, annotations };
          await create(EndpointSlice, { metadata, addressType: family, ...content });
        }
      }
    },
  });
}

function shouldMirror({ metadata }: ReadEndpoints): boolean {
  return metadata.labels?.[skipLabel] !== "true" && metadata.annotations?.[leaderAnnotation] === undefined;
}

function contentsOf({ subsets = [] }: ReadEndpoints, family: "IPv4" | "IPv6"): SliceContent[] {
  const asEndpoint =
    (ready: boolean) =>
    (address: ReadAddress): Endpoint[] => {
      const { ip, hostname, nodeName, targetRef } = address;
      if (ip.includes(":") !== (family === "IPv6")) return [];
      return [
        {
          addresses: [ip],
          conditions: { ready },
          ...(hostname === undefined || hostname === "" ? {} : { hostname }),
          ...(nodeName === undefined ? {} : { nodeName }),
          ...(targetRef === undefined ? {} : { targetRef: { ...targetRef } }),
        },
      ];
    };
  return subsets.flatMap(({ addresses = [], notReadyAddresses = [], ports = [] }) => {
    const endpoints = [...addresses.flatMap(asEndpoint(true)), ...notReadyAddresses.flatMap(asEndpoint(false))];
    const given = ports.map(({ name = "", port, protocol = "TCP", appProtocol }) => ({
      name,
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    return endpoints.length === 0 ? [] : [{ endpoints, ports: given }];
  });
}
