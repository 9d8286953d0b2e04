import { ApiError, type ApiStatus, isApiStatus, OperatorError } from "@kubewright/core/errors";
import { isJsonObject } from "@kubewright/core/json";
import type { Transport, TransportResponse } from "@kubewright/core/transport";

/**
 * Explains a response to a discovery request that lists no resources. Resolves if the server is Kubernetes and does not serve that API group and
 * version.
 *
 * Rejects with API_UNAUTHORIZED after a 401, API_FORBIDDEN after a 403, API_UNAVAILABLE or
 * API_INTERNAL after a failure of a proxy in between, and CONFIG_INVALID if the server is not Kubernetes.
 */
export async function requireDiscovery(
  { status, body }: TransportResponse,
  path: string,
  transport: Transport,
): Promise<void> {
  const server = transport.host === undefined ? "the server" : `the server "${transport.host}"`;
  if (status === 401 || status === 403) {
    const why =
      status === 401
        ? `${server} does not accept the credentials (401 Unauthorized); check the user of the kubeconfig's context, or log in again`
        : `${server} forbids this user to discover API groups (403 Forbidden); bind the ClusterRole "system:discovery" to it`;
    throw new ApiError(status, `Cannot start: ${why}`, statusOf(status, body));
  }
  if (status >= 500 && !isApiStatus(body))
    throw new ApiError(
      status,
      `Cannot start: ${server} responded to GET "${path}" with ${status}; check whether the API server is up`,
      statusOf(status, body),
    );
  // kube-apiserver responds to an unknown group with plain text, as any web server does.
  if (isApiStatus(body) || (await isKubernetes(path, transport))) return;
  throw new OperatorError(
    "CONFIG_INVALID",
    `Cannot start: ${server} is not a Kubernetes API server: it responded to GET "${path}" with ${status} and no API resources; check the server's address`,
  );
}

/** Whether the server has a Kubernetes version. A server that does not show it gets the benefit of the doubt. */
async function isKubernetes(path: string, transport: Transport): Promise<boolean> {
  const base = path.replace(/\/apis?\/.*$/, "");
  const { status, body } = await transport.send({ method: "GET", path: `${base}/version` });
  if (status === 401 || status === 403) return true;
  return status === 200 && isJsonObject(body) && typeof body["gitVersion"] === "string";
}

function statusOf(code: number, body: unknown): ApiStatus {
  if (isApiStatus(body)) return body;
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code };
}
