import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import {
  ApiFailure,
  badRequest,
  getStored,
  isTrue,
  listAt,
  notFound,
  objectAt,
  type Registry,
  type Resource,
  type Subresource,
  textAt,
} from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import { chooseContainer } from "./container-run.js";
import type { ResourcePath } from "./request-path.js";

/** A request to connect to a container, node or Service. */
export interface ConnectionRequest {
  readonly registry: Registry;
  readonly resource: Resource;
  readonly path: ResourcePath;
  readonly query: Readonly<Record<string, string>>;
}

/** Validates as kube-apiserver does before it connects, and throws the same rejection. */
type Check = (request: ConnectionRequest) => void;

const noContainers =
  "Pods are simulated and run no containers; declare their status and logs with a PodStage, or use a cluster with real nodes";

/** Subresources that need a kubelet or a running container: the validation, and the message of the 501. */
const connections: ReadonlyMap<string, { readonly check: Check; readonly why: string }> = new Map([
  ["pods/attach", { check: checkStream, why: noContainers }],
  ["pods/exec", { check: checkStream, why: noContainers }],
  ["pods/portforward", { check: checkHost, why: noContainers }],
  ["pods/proxy", { check: checkPodAddress, why: noContainers }],
  [
    "nodes/proxy",
    {
      check: (request) => void checkNode(request, partsOf(request, "node").name),
      why: "nodes are simulated and run no kubelet; read their objects from the API server instead",
    },
  ],
  [
    "services/proxy",
    { check: checkEndpoints, why: "Pods are simulated and run no containers; use a cluster with real nodes" },
  ],
]);

/** Whether a subresource is a connection to a container, node or Service. */
export function isConnection({ group, plural }: Resource, subresource: string): boolean {
  return group === "" && connections.has(`${plural}/${subresource}`);
}

/** Throws the rejection of a connection to a container, node or Service. */
export function rejectConnection(request: ConnectionRequest): never {
  const { resource, path } = request;
  const what = `${resource.plural}/${path.subresource}`;
  const connection = connections.get(what);
  if (connection === undefined) throw new Error(`"${what}" is no connection`);
  connection.check(request);
  throw new ApiFailure(501, "NotImplemented", `Cannot serve "${what}": ${connection.why}`);
}

/** The parameters of connections that are not strings. */
const flags = ["stdin", "stdout", "stderr", "tty"];

/** The options of a connection from its query, as admission sees them: PodExecOptions and the like. */
export function connectionOptions({ kind }: Subresource, { path, query }: ApiRequest): JsonObject {
  const options: Record<string, JsonValue> = { kind, apiVersion: "v1" };
  for (const flag of flags) if (query[flag] !== undefined && isTrue(query[flag])) options[flag] = true;
  if (query["container"]) options["container"] = query["container"];
  const proxied = path.indexOf("/proxy/");
  if (proxied >= 0) options["path"] = path.slice(proxied + "/proxy".length);
  // A repeated parameter is not kept: only the first argument is known.
  if (query["command"] !== undefined) options["command"] = [query["command"]];
  return options;
}

function podOf({ registry, resource, path }: ConnectionRequest, name = path.name): JsonObject {
  return getStored(registry.store, resource, { namespace: path.namespace, name });
}

function checkStream(request: ConnectionRequest): void {
  chooseContainer(podOf(request), request.query["container"] ?? "");
  checkHost(request);
}

function checkHost(request: ConnectionRequest): void {
  const node = textAt(objectAt(podOf(request), "spec"), "nodeName");
  if (node === "") throw badRequest(`pod ${request.path.name} does not have a host assigned`);
  checkNode(request, node);
}

function checkNode(request: ConnectionRequest, name: string): void {
  objectOf(request, "nodes", "", name);
}

function checkPodAddress(request: ConnectionRequest): void {
  const pod = podOf(request, partsOf(request, "pod").name);
  if (textAt(objectAt(pod, "status"), "podIP") === "") throw badRequest("address not allowed");
}

function checkEndpoints(request: ConnectionRequest): void {
  const { namespace } = request.path;
  const { name, port } = partsOf(request, "service");
  if (/^\d+$/.test(port)) {
    const service = objectOf(request, "services", namespace, name);
    const ports = listAt(objectAt(service, "spec"), "ports").filter(isJsonObject);
    const isThere = ports.some((one) => one["port"] === Number(port));
    if (!isThere) throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  }
  if (listAt(objectOf(request, "endpoints", namespace, name), "subsets").length === 0)
    throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
}

/** Another object that the check needs. As in kube-apiserver, the 404 names the requested resource, not the missing one. */
function objectOf(
  { registry, resource }: ConnectionRequest,
  bucket: string,
  namespace: string,
  name: string,
): JsonObject {
  const record = registry.store.bucket(bucket).get(namespace === "" ? name : `${namespace}/${name}`);
  if (!record) throw notFound(resource, name);
  return record.object;
}

/** `name`, `name:port` or `scheme:name:port`. */
function partsOf({ path }: ConnectionRequest, what: string): { readonly name: string; readonly port: string } {
  const parts = path.name.split(":");
  const [name = "", port = ""] = parts.length === 3 ? parts.slice(1) : parts;
  const isScheme = parts.length < 3 || ["", "http", "https"].includes(parts[0] ?? "");
  if (parts.length > 3 || !isScheme || name === "")
    throw badRequest(`invalid ${what} request ${JSON.stringify(path.name)}`);
  return { name, port };
}

function unavailable(message: string): ApiFailure {
  return new ApiFailure(503, "ServiceUnavailable", message);
}
