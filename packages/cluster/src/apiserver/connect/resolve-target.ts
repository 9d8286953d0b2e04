import { isIP } from "node:net";
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
} from "../../registry/index.js";
import type { ApiRequest } from "../api-request.js";
import { chooseContainer } from "../container-run.js";
import type { ResourcePath } from "../request-path.js";
import type { ConnectTarget } from "./connect-target.js";
import { hostPort, type KubeletEndpoint, kubeletOf } from "./kubelet-endpoint.js";

/** A request to connect to a container, node or Service. */
export interface ConnectionRequest {
  readonly registry: Registry;
  readonly resource: Resource;
  readonly path: ResourcePath;
  readonly request: ApiRequest;
}

/** Validates as kube-apiserver does, and throws the same rejection. Undefined if the target is simulated. */
type Resolve = (request: ConnectionRequest) => ConnectTarget | undefined;

const noContainers =
  "Pods are simulated and run no containers; declare their status and logs with a PodStage, or use a cluster with real nodes";

/** Subresources that need a kubelet or a running container: their target, and the message of the 501 if that is simulated. */
const connections: ReadonlyMap<string, { readonly resolve: Resolve; readonly why: string }> = new Map([
  ["pods/attach", { resolve: (request) => streamOf(request, "attach"), why: noContainers }],
  ["pods/exec", { resolve: (request) => streamOf(request, "exec"), why: noContainers }],
  ["pods/portforward", { resolve: portForwardOf, why: noContainers }],
  ["pods/proxy", { resolve: podProxyOf, why: noContainers }],
  [
    "nodes/proxy",
    {
      resolve: nodeProxyOf,
      why: "nodes are simulated and run no kubelet; read their objects from the API server instead",
    },
  ],
  [
    "services/proxy",
    { resolve: serviceProxyOf, why: "Pods are simulated and run no containers; use a cluster with real nodes" },
  ],
]);

/** Whether a subresource is a connection to a container, node or Service. */
export function isConnection({ group, plural }: Resource, subresource: string): boolean {
  return group === "" && connections.has(`${plural}/${subresource}`);
}

/** Where a connection goes. Throws the rejection of an invalid one, and a 501 if its target is simulated. */
export function resolveTarget(request: ConnectionRequest): ConnectTarget {
  const { resource, path } = request;
  const what = `${resource.plural}/${path.subresource}`;
  const connection = connections.get(what);
  if (connection === undefined) throw new Error(`"${what}" is no connection`);
  const target = connection.resolve(request);
  if (target === undefined) throw new ApiFailure(501, "NotImplemented", `Cannot serve "${what}": ${connection.why}`);
  return target;
}

/** The options of a connection that are not strings, and what the kubelet calls them. */
const flags = new Map([
  ["stdin", "input"],
  ["stdout", "output"],
  ["stderr", "error"],
  ["tty", "tty"],
]);

/** The options of a connection from its query, as admission sees them: PodExecOptions and the like. */
export function connectionOptions({ kind }: Subresource, request: ApiRequest): JsonObject {
  const { query } = request;
  const options: Record<string, JsonValue> = { kind, apiVersion: "v1" };
  for (const flag of flags.keys()) if (query[flag] !== undefined && isTrue(query[flag])) options[flag] = true;
  if (query["container"]) options["container"] = query["container"];
  const proxied = proxiedPath(request);
  if (proxied !== "") options["path"] = proxied;
  const command = valuesOf(request, "command");
  if (command.length > 0) options["command"] = command;
  return options;
}

/** All values of a parameter. Without the query string there is at most one. */
function valuesOf({ query, search }: ApiRequest, name: string): readonly string[] {
  if (search !== undefined) return new URLSearchParams(search).getAll(name);
  return query[name] === undefined ? [] : [query[name]];
}

/** Connections, whose bodies are forwarded and not read. */
const streamed =
  /^\/api\/v1\/(nodes|namespaces\/[^/]+\/(pods|services))\/[^/]+\/(proxy(\/.*)?|exec|attach|portforward)$/;

/** Whether the body of a request is forwarded. */
export function isStreamed(path: string): boolean {
  return streamed.test(path);
}

/** Where a read of a proxied root without a slash is redirected, so that relative links of its page work. */
export function redirectToRoot(method: string, url: string): string | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const [path = "", ...query] = url.split("?");
  return path.endsWith("/proxy") ? [`${path}/`, ...query].join("?") : undefined;
}

/** What follows `/proxy` in the path of a request. */
function proxiedPath({ path }: ApiRequest): string {
  const at = path.indexOf("/proxy/");
  return at < 0 ? "" : path.slice(at + "/proxy".length);
}

function streamOf(asked: ConnectionRequest, verb: "attach" | "exec"): ConnectTarget | undefined {
  const { path, request } = asked;
  const container = chooseContainer(podOf(asked), request.query["container"] ?? "");
  const kubelet = kubeletOfPod(asked);
  if (kubelet === undefined) return undefined;
  const parameters = new URLSearchParams();
  for (const [option, parameter] of flags)
    if (request.query[option] !== undefined && isTrue(request.query[option])) parameters.append(parameter, "1");
  if (verb === "exec") for (const one of valuesOf(request, "command")) parameters.append("command", one);
  return upgradeOf(kubelet, `${verb}/${path.namespace}/${path.name}/${container}`, parameters);
}

function portForwardOf(asked: ConnectionRequest): ConnectTarget | undefined {
  const { path, request } = asked;
  const kubelet = kubeletOfPod(asked);
  if (kubelet === undefined) return undefined;
  const parameters = new URLSearchParams();
  const ports = valuesOf(request, "ports").flatMap((one) => one.split(","));
  if (ports.length > 0) parameters.append("port", ports.join(","));
  return upgradeOf(kubelet, `portForward/${path.namespace}/${path.name}`, parameters);
}

function upgradeOf({ host, port }: KubeletEndpoint, path: string, parameters: URLSearchParams): ConnectTarget {
  const query = parameters.toString();
  const url = `https://${hostPort(host, port)}/${path}${query === "" ? "" : `?${query}`}`;
  return { url, peer: "kubelet", isUpgrade: true };
}

function nodeProxyOf(asked: ConnectionRequest): ConnectTarget | undefined {
  const { scheme, name, port } = partsOf(asked, "node");
  const kubelet = kubeletOfNode(asked, name);
  if (kubelet === undefined) return undefined;
  requireProxyable(kubelet.host);
  if (port === "" || port === String(kubelet.port))
    return proxyTo("https", hostPort(kubelet.host, kubelet.port), asked, "kubelet");
  return proxyTo(scheme, hostPort(kubelet.host, port), asked, "workload");
}

function podProxyOf(asked: ConnectionRequest): ConnectTarget | undefined {
  const { scheme, name, port } = partsOf(asked, "pod");
  const pod = podOf(asked, name);
  const address = textAt(objectAt(pod, "status"), "podIP");
  requireProxyable(address);
  if (!runsForReal(asked.registry, pod)) return undefined;
  return proxyTo(scheme, hostPort(address, port === "" ? firstPortOf(pod) : port), asked, "workload");
}

function firstPortOf(pod: JsonObject): string {
  for (const container of listAt(objectAt(pod, "spec"), "containers").filter(isJsonObject)) {
    const [first] = listAt(container, "ports").filter(isJsonObject);
    if (first !== undefined) return String(first["containerPort"]);
  }
  return "";
}

function serviceProxyOf(asked: ConnectionRequest): ConnectTarget | undefined {
  const { namespace, name: id } = asked.path;
  const { scheme, name, port } = partsOf(asked, "service");
  const portName = /^\d+$/.test(port) ? portNameOf(asked, name, Number(port)) : port;
  const subsets = listAt(objectOf(asked, "endpoints", namespace, name), "subsets").filter(isJsonObject);
  if (subsets.length === 0) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  const { registry } = asked;
  let isSimulated = false;
  const places: string[] = [];
  for (const subset of subsets)
    for (const one of listAt(subset, "ports").filter(isJsonObject)) {
      if (textAt(one, "name") !== portName) continue;
      for (const address of listAt(subset, "addresses").filter(isJsonObject)) {
        const pod = podAt(registry, namespace, address);
        if (pod === undefined) continue;
        if (runsForReal(registry, pod)) places.push(hostPort(textAt(address, "ip"), String(one["port"])));
        else isSimulated = true;
      }
    }
  const place = places[Math.floor(registry.random() * places.length)];
  if (place !== undefined) return proxyTo(scheme, place, asked, "workload");
  if (isSimulated) return undefined;
  throw unavailable(`no endpoints available for service ${JSON.stringify(id)}`);
}

function portNameOf(asked: ConnectionRequest, name: string, port: number): string {
  const service = objectOf(asked, "services", asked.path.namespace, name);
  const ports = listAt(objectAt(service, "spec"), "ports").filter(isJsonObject);
  const found = ports.find((one) => one["port"] === port);
  if (found === undefined) throw unavailable(`no service port ${port} found for service ${JSON.stringify(name)}`);
  return textAt(found, "name");
}

/** The Pod behind an address of Endpoints: only Pods are proxied to. */
function podAt({ store }: Registry, namespace: string, address: JsonObject): JsonObject | undefined {
  const reference = objectAt(address, "targetRef");
  if (textAt(reference, "kind") !== "Pod") return undefined;
  const pod = store.bucket("pods").get(`${namespace}/${textAt(reference, "name")}`)?.object;
  return pod && textAt(objectAt(pod, "status"), "podIP") === textAt(address, "ip") ? pod : undefined;
}

function proxyTo(
  scheme: string,
  place: string,
  { request }: ConnectionRequest,
  peer: ConnectTarget["peer"],
): ConnectTarget {
  const { search = "" } = request;
  const url = `${scheme === "" ? "http" : scheme}://${place}${proxiedPath(request)}${search === "" ? "" : `?${search}`}`;
  return { url, peer, isUpgrade: false };
}

/** Throws unless an address is one that a Pod or a node may have: neither loopback nor link-local. */
function requireProxyable(address: string): void {
  const isForbidden =
    isIP(address) === 0 || /^(127\.|0\.|169\.254\.|2(2[4-9]|3\d)\.|255\.)|^(::1?|fe[89ab].*|ff.*)$/i.test(address);
  if (isForbidden) throw badRequest("address not allowed");
}

function podOf({ registry, resource, path }: ConnectionRequest, name = path.name): JsonObject {
  return getStored(registry.store, resource, { namespace: path.namespace, name });
}

/** Throws if the Pod is not assigned to a node. */
function kubeletOfPod(asked: ConnectionRequest): KubeletEndpoint | undefined {
  const node = textAt(objectAt(podOf(asked), "spec"), "nodeName");
  if (node === "") throw badRequest(`pod ${asked.path.name} does not have a host assigned`);
  return kubeletOfNode(asked, node);
}

function kubeletOfNode(asked: ConnectionRequest, name: string): KubeletEndpoint | undefined {
  return kubeletOf(objectOf(asked, "nodes", "", name));
}

/** Whether a Pod runs on a node with a kubelet: the address of a simulated Pod leads nowhere, or to a stranger. */
function runsForReal({ store }: Registry, pod: JsonObject): boolean {
  const node = store.bucket("nodes").get(textAt(objectAt(pod, "spec"), "nodeName"))?.object;
  return node !== undefined && kubeletOf(node) !== undefined;
}

/** Another object that the target depends on. As in kube-apiserver, the 404 names the requested resource, not the missing one. */
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
function partsOf(
  { path }: ConnectionRequest,
  what: string,
): { readonly scheme: string; readonly name: string; readonly port: string } {
  const parts = path.name.split(":");
  const [scheme = "", name = "", port = ""] = parts.length === 3 ? parts : ["", ...parts];
  if (parts.length > 3 || !["", "http", "https"].includes(scheme) || name === "")
    throw badRequest(`invalid ${what} request ${JSON.stringify(path.name)}`);
  return { scheme, name, port };
}

function unavailable(message: string): ApiFailure {
  return new ApiFailure(503, "ServiceUnavailable", message);
}
