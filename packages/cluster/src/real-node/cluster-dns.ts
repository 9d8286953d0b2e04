import { isJsonObject } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";
import { applyEndpointSlice, deleteEndpointSlice } from "./endpoint-slices.js";
import { create, serviceAccountToken } from "./join-cluster.js";

const namespace = "kube-system";
const service = "kube-dns";

const ports = [
  { name: "dns", port: 53, protocol: "UDP" },
  { name: "dns-tcp", port: 53, protocol: "TCP" },
] as const;

/** How pods reach the DNS servers of a cluster, and how these reach the API server. */
export interface ClusterDns {
  /** The ClusterIP of the Service `kube-dns`. */
  readonly address: string;
  /** Of the ServiceAccount of CoreDNS. */
  readonly token: string;
}

/** Creates the Service `kube-dns`, and the ServiceAccount of CoreDNS with the permissions that kubeadm gives it. */
export async function prepareClusterDns(transport: Transport): Promise<ClusterDns> {
  const services = `/api/v1/namespaces/${namespace}/services`;
  await create(transport, services, {
    metadata: { name: service, labels: { "k8s-app": "kube-dns", "kubernetes.io/name": "CoreDNS" } },
    // No selector: CoreDNS runs beside the kubelet, and each node publishes its address.
    spec: { ports },
  });
  const { status, body } = await transport.send({ method: "GET", path: `${services}/${service}` });
  const address = isJsonObject(body) && isJsonObject(body["spec"]) ? body["spec"]["clusterIP"] : undefined;
  if (typeof address !== "string" || address === "None")
    throw new Error(`Service ${namespace}/${service} has no ClusterIP: ${status} ${JSON.stringify(body)}`);
  const role = "system:coredns";
  const verbs = ["list", "watch"];
  await create(transport, "/apis/rbac.authorization.k8s.io/v1/clusterroles", {
    metadata: { name: role },
    rules: [
      { apiGroups: [""], resources: ["endpoints", "services", "pods", "namespaces"], verbs },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs },
    ],
  });
  return { address, token: await serviceAccountToken(transport, "coredns", { binding: role, role }) };
}

/** Lets pods use the DNS server at the address of this node. */
export async function publishDnsServer(transport: Transport, node: string, address: string): Promise<void> {
  await applyEndpointSlice(transport, { namespace, name: sliceOf(node), service, address, ports });
}

/** Pods no longer use the DNS server of this node. */
export async function withdrawDnsServer(transport: Transport, node: string): Promise<void> {
  await deleteEndpointSlice(transport, namespace, sliceOf(node));
}

function sliceOf(node: string): string {
  return `${service}-${node}`;
}
