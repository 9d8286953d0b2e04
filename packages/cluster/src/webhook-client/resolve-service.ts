import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Store } from "../storage/index.js";
import type { ServiceResolver } from "./webhook-caller.js";

/**
 * Resolves Services by the stored objects: a ready address of their EndpointSlices, else their ClusterIP or external name.
 *
 * Throws kube-apiserver's error for a Service that does not exist or has no such port.
 */
export function serviceResolver(store: Store): ServiceResolver {
  return (namespace, name, port) => {
    const service = store.bucket("services").get(`${namespace}/${name}`)?.object;
    if (!service) throw new Error(`service ${JSON.stringify(name)} not found`);
    const spec = objectAt(service, "spec");
    if (spec["type"] === "ExternalName") return { host: String(spec["externalName"] ?? ""), port };
    const declared = listAt(spec, "ports").find((one) => one["port"] === port);
    if (!declared) throw new Error(`no service port ${port} found for service ${JSON.stringify(name)}`);
    const endpoint = readyEndpoint(store, namespace, name, String(declared["name"] ?? ""));
    if (endpoint) return endpoint;
    const clusterIp = spec["clusterIP"];
    if (typeof clusterIp !== "string" || clusterIp === "" || clusterIp === "None")
      throw new Error(`no endpoints available for service ${JSON.stringify(name)}`);
    return { host: clusterIp, port };
  };
}

function readyEndpoint(
  store: Store,
  namespace: string,
  name: string,
  portName: string,
): { readonly host: string; readonly port: number } | undefined {
  for (const { object: slice } of store.bucket("endpointslices.discovery.k8s.io").list(`${namespace}/`)) {
    if (objectAt(objectAt(slice, "metadata"), "labels")["kubernetes.io/service-name"] !== name) continue;
    const port = listAt(slice, "ports").find((one) => (one["name"] ?? "") === portName)?.["port"];
    const ready = listAt(slice, "endpoints").find((one) => objectAt(one, "conditions")["ready"] !== false);
    const [host] = Array.isArray(ready?.["addresses"]) ? ready["addresses"] : [];
    if (typeof host === "string" && typeof port === "number") return { host, port };
  }
  return undefined;
}

function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isJsonObject(value) ? value : {};
}

function listAt(parent: JsonObject, key: string): readonly JsonObject[] {
  const value: JsonValue | undefined = parent[key];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
