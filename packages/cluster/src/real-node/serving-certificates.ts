import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import type { Transport } from "@kubewright/core/transport";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

/**
 * Approves the serving certificates that a node's kubelet asks for, until the signal is aborted. Kubernetes leaves that to the administrator, who
 * knows the machine; here it is the one that this process started.
 */
export async function approveServingCertificates(
  transport: Transport,
  node: string,
  signal: AbortSignal,
  onError: (error: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const query = { watch: "true", fieldSelector: "spec.signerName=kubernetes.io/kubelet-serving" };
      const stream = await transport.stream({ method: "GET", path, query, signal });
      if (stream.kind !== "stream") throw new Error(`GET ${path} returned ${stream.response.status}`);
      for await (const event of stream.items) {
        if (!isJsonObject(event) || !isJsonObject(event["object"])) continue;
        if (isToApprove(event["object"], node)) await approve(transport, event["object"]);
      }
    } catch (error) {
      if (signal.aborted) return;
      onError(error);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

function isToApprove({ spec, status }: JsonObject, node: string): boolean {
  if (!isJsonObject(spec) || spec["username"] !== `system:node:${node}`) return false;
  const conditions = isJsonObject(status) ? status["conditions"] : undefined;
  return !Array.isArray(conditions) || conditions.length === 0;
}

async function approve(transport: Transport, request: JsonObject): Promise<void> {
  const name = isJsonObject(request["metadata"]) ? String(request["metadata"]["name"]) : "";
  const condition = {
    type: "Approved",
    status: "True",
    reason: "KubewrightNode",
    message: "The kubelet was started together with the cluster.",
  };
  const response = await transport.send({
    method: "PUT",
    path: `${path}/${name}/approval`,
    body: { ...request, status: { conditions: [condition] } },
  });
  // Another write in between: the next event comes with it.
  if (response.status >= 300 && response.status !== 409)
    throw new Error(`Cannot approve the certificate of a kubelet: ${JSON.stringify(response.body)}`);
}
