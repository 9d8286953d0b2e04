import { isJsonObject } from "@kubewright/core/json";
import type { TransportRequest } from "@kubewright/core/transport";

/** A request of an operator that RBAC rejected. */
export interface Denial {
  readonly method: string;
  readonly path: string;
  /** The field manager of a write: the controller that sent it; empty for others. */
  readonly fieldManager: string;
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `pods/eviction`. Empty for a non-resource URL. */
  readonly resource: string;
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

/**
 * The denial of a response with status 403 and this body. Undefined if something else rejected the request, such as admission: only the authorizer's
 * messages name a ServiceAccount and what it cannot do.
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
  const [, plural] = escalation.exec(message) ?? [];
  if (plural === undefined) return undefined;
  const isBinding = plural.endsWith("bindings");
  const ofRole = path.includes("/clusterrole") || roleKindOf(request.body) === "ClusterRole" ? "clusterroles" : "roles";
  return {
    ...sent,
    verb: isBinding ? "bind" : "escalate",
    resource: isBinding ? ofRole : plural,
    group: "rbac.authorization.k8s.io",
    namespace: /\/namespaces\/([^/]+)\//.exec(path)?.[1] ?? "",
  };
}

function roleKindOf(body: unknown): unknown {
  const roleRef = isJsonObject(body) ? body["roleRef"] : undefined;
  return isJsonObject(roleRef) ? roleRef["kind"] : undefined;
}
