import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject } from "@kubewright/core/json";
import type { TransportRequest } from "@kubewright/core/transport";
import type { AnyKind } from "kubewright";

/** What a request needs a permission for. */
export interface RequestedAccess {
  readonly group: string;
  /** With its subresource: `pods/eviction`. */
  readonly resource: string;
  readonly verb: string;
}

/**
 * What an API server asks its authorizer about a request that it answered with `status`; nothing for paths that are no resources, such as
 * discovery.
 *
 * An apply that created an object needed that permission too; owner references that block the deletion of an owner among `kinds` need to
 * update its finalizers; and a watch that begins with what is there stands for a list, which other servers are asked for.
 */
export function requestedAccess(
  request: TransportRequest,
  status: number,
  kinds: readonly AnyKind[],
): RequestedAccess[] {
  const { method, path, query, body } = request;
  const [root, ...rest] = path.split("/").filter((part) => part !== "");
  const group = root === "apis" ? rest.shift() : "";
  const version = rest.shift();
  if ((root !== "api" && root !== "apis") || group === undefined || version === undefined || rest.length === 0)
    return [];
  // A namespace is a resource itself; what stands behind its name is in it, but for its own subresources.
  const isInside = rest[0] === "namespaces" && rest.length > 2 && !["status", "finalize"].includes(rest[2] ?? "");
  const [plural = "", name, subresource] = isInside ? rest.slice(2) : rest;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const verb = verbOf(method, name !== undefined, query?.["watch"]);
  const isList = verb === "watch" && query?.["sendInitialEvents"] === "true";
  const more = [...(isList ? ["list"] : []), ...(verb === "patch" && status === 201 ? ["create"] : [])];
  return [...[verb, ...more].map((one) => ({ group, resource, verb: one })), ...blockedOwners(body, kinds)];
}

function blockedOwners(body: unknown, kinds: readonly AnyKind[]): RequestedAccess[] {
  const metadata = isJsonObject(body) ? body["metadata"] : undefined;
  const owners =
    isJsonObject(metadata) && Array.isArray(metadata["ownerReferences"]) ? metadata["ownerReferences"] : [];
  return owners.filter(isJsonObject).flatMap(({ apiVersion, kind, blockOwnerDeletion }) => {
    const owner = kinds.find((one) => one.kind === kind && formatApiVersion(one.group, one.version) === apiVersion);
    return owner === undefined || blockOwnerDeletion !== true
      ? []
      : [{ group: owner.group, resource: `${owner.plural}/finalizers`, verb: "update" }];
  });
}

function verbOf(method: TransportRequest["method"], isNamed: boolean, watch: string | undefined): string {
  switch (method) {
    case "GET":
      return isNamed ? "get" : watch === "true" || watch === "1" ? "watch" : "list";
    case "POST":
      return "create";
    case "PUT":
      return "update";
    case "PATCH":
      return "patch";
    case "DELETE":
      return isNamed ? "delete" : "deletecollection";
    default:
      return method satisfies never;
  }
}
