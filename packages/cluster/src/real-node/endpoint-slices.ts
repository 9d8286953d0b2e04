import type { Transport } from "@kubewright/core/transport";

/** A port of an endpoint. */
interface EndpointPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: "TCP" | "UDP";
}

/** An EndpointSlice with one address, of a Service without selector. */
interface EndpointSliceContent {
  readonly namespace: string;
  readonly name: string;
  readonly service: string;
  readonly address: string;
  readonly ports: readonly EndpointPort[];
}

/** Publishes the address of the API server in the Service "kubernetes", by which pods reach it. kube-apiserver does that itself. */
export async function publishApiServer(transport: Transport, url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  await applyEndpointSlice(transport, {
    namespace: "default",
    name: "kubernetes",
    service: "kubernetes",
    address: hostname,
    ports: [{ name: "https", port: Number(port), protocol: "TCP" }],
  });
}

/** Creates or replaces an EndpointSlice. */
export async function applyEndpointSlice(
  transport: Transport,
  { namespace, name, service, address, ports }: EndpointSliceContent,
): Promise<void> {
  const { status, body } = await transport.send({
    method: "PATCH",
    path: pathOf(namespace, name),
    query: { fieldManager: "kubewright", force: "true" },
    headers: { "content-type": "application/apply-patch+yaml" },
    body: {
      apiVersion: "discovery.k8s.io/v1",
      kind: "EndpointSlice",
      metadata: { name, labels: { "kubernetes.io/service-name": service } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [...ports],
    },
  });
  if (status >= 300) throw new Error(`Cannot publish an address of Service ${service}: ${JSON.stringify(body)}`);
}

/** Deletes an EndpointSlice, if it exists. */
export async function deleteEndpointSlice(transport: Transport, namespace: string, name: string): Promise<void> {
  const { status, body } = await transport.send({ method: "DELETE", path: pathOf(namespace, name) });
  if (status >= 300 && status !== 404) throw new Error(`Cannot delete EndpointSlice ${name}: ${JSON.stringify(body)}`);
}

function pathOf(namespace: string, name: string): string {
  return `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices/${name}`;
}
