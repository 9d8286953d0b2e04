import { isJsonObject } from "@kubewright/core/json";
import type { TransportRequest } from "@kubewright/core/transport";

/** A request of an operator that was rejected for a permission that it lacks. */
export interface Denial {
  readonly method: string;
  readonly path: string;
  /** The field manager of a write: the controller that sent it; empty for others. */
  readonly fieldManager: string;
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `pods/eviction`. Empty for a non-resource URL. */
  readonly resource: string;
  /** The kind of which it is the resource, where the response names none: of an owner whose finalizers the operator may not change. */
  readonly owner?: { readonly apiVersion: string; readonly kind: string };
  /** Empty for the cluster scope. */
  readonly namespace: string;
  readonly name: string;
  /** The message of the API server. */
  readonly message: string;
}

const forbidden =
  /User "system:serviceaccount:[^"]*" cannot (\S+) (?:path|resource "([^"]*)" in API group "([^"]*)"(?: in the namespace "([^"]*)")?)/;
const escalation =
  /^(\S+?)(?:\.\S+)? (?:"([^"]*)" )?is forbidden: user "system:serviceaccount:.* is attempting to grant RBAC permissions/;

const blockedOwner =
  "cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on";

/**
 * The denial of a response with status 403 and this body. Undefined if something else rejected the request, such as a webhook: only the
 * messages of the authorizer, of RBAC's escalation checks and of OwnerReferencesPermissionEnforcement are recognized.
 */
export function denialOf(request: TransportRequest, body: unknown): Denial | undefined {
  const { message, details } = isJsonObject(body) ? body : {};
  if (typeof message !== "string") return undefined;
  const { method, path, query } = request;
  const { name } = isJsonObject(details) ? details : {};
  const sent = {
    method,
    path,
    fieldManager: query?.["fieldManager"] ?? "",
    name: typeof name === "string" ? name : "",
    message,
  };
  const [, verb, resource = "", group = "", namespace = ""] = forbidden.exec(message) ?? [];
  if (verb !== undefined) return { ...sent, verb, resource, group, namespace };
  const owner = message.includes(blockedOwner) ? blockingOwnerOf(request.body) : undefined;
  if (owner !== undefined) {
    const [ownerGroup = ""] = owner.apiVersion.includes("/") ? owner.apiVersion.split("/") : [];
    return { ...sent, verb: "update", resource: "finalizers", group: ownerGroup, namespace: namespaceOf(path), owner };
  }
  const [, plural] = escalation.exec(message) ?? [];
  if (plural === undefined) return undefined;
  const isBinding = plural.endsWith("bindings");
  const ofRole = path.includes("/clusterrole") || roleKindOf(request.body) === "ClusterRole" ? "clusterroles" : "roles";
  return {
    ...sent,
    verb: isBinding ? "bind" : "escalate",
    resource: isBinding ? ofRole : plural,
    group: "rbac.authorization.k8s.io",
    namespace: namespaceOf(path),
  };
}

function namespaceOf(path: string): string {
  return /\/namespaces\/([^/]+)\//.exec(path)?.[1] ?? "";
}

function blockingOwnerOf(body: unknown): Denial["owner"] {
  const metadata = isJsonObject(body) ? body["metadata"] : undefined;
  const owners =
    isJsonObject(metadata) && Array.isArray(metadata["ownerReferences"]) ? metadata["ownerReferences"] : [];
  const owner = owners.filter(isJsonObject).find(({ blockOwnerDeletion }) => blockOwnerDeletion === true);
  return owner && { apiVersion: String(owner["apiVersion"]), kind: String(owner["kind"]) };
}

function roleKindOf(body: unknown): unknown {
  const roleRef = isJsonObject(body) ? body["roleRef"] : undefined;
  return isJsonObject(roleRef) ? roleRef["kind"] : undefined;
}
