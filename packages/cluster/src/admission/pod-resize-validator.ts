import { goQuote, type JsonObject } from "@kubewright/core/json";
import { containerResources, parseResourceList, type ResourceList } from "../quota/index.js";
import { type AdmissionRequest, forbidden, metadataOf, objectAt, quantityOf, textAt } from "../registry/index.js";
import type { AdmissionPlugin } from "./plugin.js";
import { rejected } from "./rejection.js";

/** PodResizeValidator: the requests of a resized pod fit within the allocatable resources of its Node. */
export const podResizeValidator: AdmissionPlugin = {
  name: "PodResizeValidator",
  resources: ["pods"],
  validate(request, { store }) {
    const { operation, subresource, object, old } = request;
    if (operation !== "UPDATE" || subresource !== "resize" || old === undefined) return;
    const spec = objectAt(object, "spec");
    const nodeName = textAt(spec, "nodeName");
    if (nodeName === "" || metadataOf(old)["generation"] === metadataOf(object)["generation"]) return;
    const node = store.bucket("nodes").get(nodeName)?.object;
    if (node === undefined) throw rejected(request, `node ${goQuote(nodeName)} not found`);
    const os = textAt(objectAt(metadataOf(node), "labels"), "kubernetes.io/os");
    if (os !== "" && os !== "linux")
      throw infeasible(
        request,
        `pod resize is only supported on linux nodes, node ${goQuote(nodeName)} is ${goQuote(os)}`,
        "UnsupportedPlatform",
      );
    const problems = excess(requestsOf(spec), parseResourceList(objectAt(objectAt(node, "status"), "allocatable")));
    if (problems.length > 0)
      throw infeasible(
        request,
        `node didn't have enough allocatable resources: ${problems.join("; ")}`,
        "NodeCapacity",
      );
  },
};

/** The requests of a pod: pod-level requests override the sum over its containers; the overhead is added. */
function requestsOf(spec: JsonObject): ResourceList {
  const requests = containerResources(spec, "requests");
  for (const [name, amount] of parseResourceList(objectAt(objectAt(spec, "resources"), "requests")))
    requests.set(name, amount);
  for (const [name, amount] of parseResourceList(objectAt(spec, "overhead")))
    requests.set(name, (requests.get(name) ?? quantityOf(0)).add(amount));
  return requests;
}

function excess(requests: ResourceList, allocatable: ResourceList): string[] {
  const none = quantityOf(0);
  const isMore = (name: string): boolean => (requests.get(name) ?? none).compare(allocatable.get(name) ?? none) > 0;
  const describe = (name: string, unit: "toMilliUnits" | "toUnits"): string =>
    `${name}, requested: ${(requests.get(name) ?? none)[unit]()}, allocatable: ${(allocatable.get(name) ?? none)[unit]()}`;
  return [
    ...(isMore("cpu") ? [describe("cpu", "toMilliUnits")] : []),
    ...(isMore("memory") ? [describe("memory", "toUnits")] : []),
  ];
}

function infeasible({ resource, name }: AdmissionRequest, why: string, reason: string): Error {
  return forbidden(resource, name, why, [{ reason }]);
}
