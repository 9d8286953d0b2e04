import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject } from "@kubewright/core/json";
import type { TransportRequest } from "@kubewright/core/transport";
import type { AnyKind } from "kubewright";

/** A permission that a request needs. */
export interface RequestedAccess {
  readonly group: string;
  /** With the subresource: `pods/eviction`. */
  readonly resource: string;
  readonly verb: string;
  /** Checked only if the client does not have the permissions that it grants itself: `bind` and `escalate`. @default false */
  readonly isAlternative?: boolean;
}

/**
 * The permissions that an API server checks for a request with this response status; empty for non-resource paths, such as discovery.
 *
 * An apply with status 201 needs `create` too. `blockOwnerDeletion` needs `update` of the finalizers of an owner among `kinds`. A watch with
 * `sendInitialEvents` counts as a list too, which the client falls back to on servers without streaming lists. To write a binding or a role, the client must hold all granted permissions,
 * or have the alternative `bind` or `escalate`.
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
  // After a namespace's name follows a resource in it, or a subresource of the namespace.
  const isNamespaced = rest[0] === "namespaces" && rest.length > 2 && !["status", "finalize"].includes(rest[2] ?? "");
  const [plural = "", name, subresource] = isNamespaced ? rest.slice(2) : rest;
  const resource = subresource === undefined ? plural : `${plural}/${subresource}`;
  const verb = verbOf(method, name !== undefined, query?.["watch"]);
  const isList = verb === "watch" && query?.["sendInitialEvents"] === "true";
  const more = [...(isList ? ["list"] : []), ...(verb === "patch" && status === 201 ? ["create"] : [])];
  return [
    ...[verb, ...more].map((one) => ({ group, resource, verb: one })),
    ...blockedOwners(body, kinds),
    ...(group === rbac ? grantedRoles(resource, body) : []),
  ];
}

const rbac = "rbac.authorization.k8s.io";

/** What the API server's check against privilege escalation accepts for a written binding or role. */
function grantedRoles(resource: string, body: unknown): RequestedAccess[] {
  const { roleRef, rules } = isJsonObject(body) ? body : {};
  const alternative = { group: rbac, isAlternative: true };
  if (isJsonObject(roleRef))
    return [{ ...alternative, resource: roleRef["kind"] === "Role" ? "roles" : "clusterroles", verb: "bind" }];
  return rules === undefined ? [] : [{ ...alternative, resource, verb: "escalate" }];
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
