import type { Transport } from "@kubewright/core/transport";

/** Publishes the address of the API server in the Service "kubernetes", by which pods reach it. kube-apiserver does that itself. */
export async function publishApiServer(transport: Transport, url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  const body = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { name: "kubernetes", labels: { "kubernetes.io/service-name": "kubernetes" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [hostname], conditions: { ready: true } }],
    ports: [{ name: "https", port: Number(port), protocol: "TCP" }],
  };
  const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
  const { status, body: rejection } = await transport.send({
    method: "PATCH",
    path,
    query: { fieldManager: "kubewright", force: "true" },
    headers: { "content-type": "application/apply-patch+yaml" },
    body,
  });
  if (status >= 300) throw new Error(`Cannot publish the address of the API server: ${JSON.stringify(rejection)}`);
}
