import { Service } from "kubewright/k8s/core/v1";
import type { ClusterContext } from "./context.js";
import { clientPort, clusterLabels, peerPort } from "./names.js";

/** The name of the Service for clients. */
export function clientServiceName(cluster: string): string {
  return `${cluster}-client`;
}

/** Applies the Service for clients, and the headless one by which members find each other. */
export async function applyServices({ object, apply }: ClusterContext): Promise<void> {
  const { name } = object.metadata;
  const labels = clusterLabels(name);
  const client = { name: "client", port: clientPort, protocol: "TCP", targetPort: clientPort } as const;
  const peer = { name: "peer", port: peerPort, protocol: "TCP", targetPort: peerPort } as const;
  await apply(Service, {
    metadata: { name, labels },
    // A member must be found before it is ready: it becomes ready when the others have found it.
    spec: { clusterIP: "None", publishNotReadyAddresses: true, selector: labels, ports: [client, peer] },
  });
  await apply(Service, {
    metadata: { name: clientServiceName(name), labels },
    spec: { selector: labels, ports: [client] },
  });
}
