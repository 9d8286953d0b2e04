import { isIPv6 } from "node:net";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { listAt, objectAt, textAt } from "../../registry/index.js";

/** In the order in which kubeadm lets kube-apiserver prefer them: names need a DNS that knows the nodes. */
const preferredAddresses = ["InternalIP", "ExternalIP", "Hostname", "InternalDNS", "ExternalDNS"];

/** Where the kubelet of a node listens. */
export interface KubeletEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Where the kubelet of a node listens; undefined for a simulated node, which reports no port of a kubelet. */
export function kubeletOf(node: JsonObject): KubeletEndpoint | undefined {
  const status = objectAt(node, "status");
  const port = objectAt(objectAt(status, "daemonEndpoints"), "kubeletEndpoint")["Port"];
  if (typeof port !== "number" || port <= 0) return undefined;
  const addresses = listAt(status, "addresses").filter(isJsonObject);
  for (const type of preferredAddresses) {
    const host = addresses.find((one) => one["type"] === type && textAt(one, "address") !== "");
    if (host !== undefined) return { host: textAt(host, "address"), port };
  }
  return undefined;
}

/** `host:port`, as in a URL. */
export function hostPort(host: string, port: number | string): string {
  return `${isIPv6(host) ? `[${host}]` : host}${port === "" ? "" : `:${port}`}`;
}
