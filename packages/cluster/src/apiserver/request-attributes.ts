import type { AccessAttributes, User } from "../access/index.js";
import { ApiFailure, forbidden } from "../registry/index.js";
import type { ResourcePath } from "./request-path.js";

const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch" };

/** The authorization attributes of a request; `path` is undefined for a non-resource request. */
export function attributesOf(
  request: { readonly method: string; readonly path: string },
  path: ResourcePath | undefined,
  isWatch: boolean,
): AccessAttributes {
  if (path === undefined) return { kind: "path", verb: request.method.toLowerCase(), path: request.path };
  const { group, plural, subresource, name } = path;
  // For authorization, a Namespace object is in the namespace of its own name.
  const namespace = path.namespace === "" && group === "" && plural === "namespaces" ? name : path.namespace;
  const verb = verbOf(request.method, name === "", isWatch || path.isWatch);
  return { kind: "resource", verb, group, resource: plural, subresource, namespace, name };
}

function verbOf(method: string, isCollection: boolean, isWatch: boolean): string {
  if (method === "DELETE") return isCollection ? "deletecollection" : "delete";
  if (method !== "GET" && method !== "HEAD") return verbs[method] ?? method.toLowerCase();
  if (isWatch) return "watch";
  return isCollection ? "list" : "get";
}

/** 403, with kube-apiserver's message. */
export function accessDenied(user: User, attributes: AccessAttributes, reason = ""): ApiFailure {
  const who = `User ${JSON.stringify(user.name)} cannot ${attributes.verb}`;
  const because = reason === "" ? "" : `: ${reason}`;
  if (attributes.kind === "path")
    return new ApiFailure(403, "Forbidden", `forbidden: ${who} path ${JSON.stringify(attributes.path)}${because}`, {});
  const { group, resource, subresource, namespace, name } = attributes;
  const what = JSON.stringify(subresource === "" ? resource : `${resource}/${subresource}`);
  const where = namespace === "" ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const why = `${who} resource ${what} in API group ${JSON.stringify(group)} ${where}${because}`;
  return forbidden({ group, plural: resource, kind: resource }, name, why);
}
