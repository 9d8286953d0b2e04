import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { readJson, type Server } from "./api-server.js";

/** The RBAC objects that kube-apiserver creates at its start, without what differs between clusters. */
export interface BootstrapPolicy {
  readonly clusterRoles: readonly JsonObject[];
  readonly clusterRoleBindings: readonly JsonObject[];
  readonly roles: readonly JsonObject[];
  readonly roleBindings: readonly JsonObject[];
}

/** Reads the bootstrap policy of a new server, on which nothing else has created RBAC objects. */
export async function readBootstrapPolicy(server: Server): Promise<BootstrapPolicy> {
  const read = async (plural: string): Promise<JsonObject[]> => {
    const list = (await readJson(server, `/apis/rbac.authorization.k8s.io/v1/${plural}`)) as { items: JsonObject[] };
    return list.items.map(withoutIdentity);
  };
  return {
    clusterRoles: await read("clusterroles"),
    clusterRoleBindings: await read("clusterrolebindings"),
    roles: await read("roles"),
    roleBindings: await read("rolebindings"),
  };
}

function withoutIdentity(object: JsonObject): JsonObject {
  const { name, namespace, labels, annotations } = isJsonObject(object["metadata"]) ? object["metadata"] : {};
  const metadata = { name, ...(namespace && { namespace }), annotations, labels };
  // Roles with an aggregationRule have null rules until a controller aggregates them.
  return Object.fromEntries(
    Object.entries({ ...object, metadata }).filter(([, value]) => value !== null && value !== undefined),
  ) as JsonObject;
}
