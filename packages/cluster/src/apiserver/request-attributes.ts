import { parseFieldSelector, parseLabelSelector } from "@kubewright/core/selector";
import type { AccessAttributes, User } from "../access/index.js";
import type { TrailedRequest } from "../audit/index.js";
import { ApiFailure, forbidden, isTrue } from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import type { ResourcePath } from "./request-path.js";

const verbs: Readonly<Record<string, string>> = { POST: "create", PUT: "update", PATCH: "patch" };

/** The parts of a request that authorization depends on. */
interface AuthorizedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** The authorization attributes of a request; `path` is undefined for a non-resource request. */
export function attributesOf(request: AuthorizedRequest, path: ResourcePath | undefined): AccessAttributes {
  if (path === undefined) return { kind: "path", verb: request.method.toLowerCase(), path: request.path };
  const { group, plural, subresource, name } = path;
  // For authorization, a Namespace object is in the namespace of its own name.
  const namespace = path.namespace === "" && group === "" && plural === "namespaces" ? name : path.namespace;
  const verb = verbOf(request, path);
  const attributes = { kind: "resource", verb, group, resource: plural, subresource, namespace, name } as const;
  const { fieldSelector = "" } = request.query;
  if (fieldSelector === "" || name !== "" || path.isWatch) return attributes;
  const fields = requiredFields(fieldSelector);
  // A list of one name is authorized like a read of that object, so that rules with resourceNames allow it.
  const isOfOne = verb !== "deletecollection" && hasReadableOptions(request.query);
  const selected = isOfOne ? (fields["metadata.name"] ?? "") : "";
  return { ...attributes, fields, name: isPathSegment(selected) ? selected : "" };
}

/** A GET of a named object is a get, whatever its `watch` parameter. */
function verbOf({ method, query }: AuthorizedRequest, { name, isWatch }: ResourcePath): string {
  const isCollection = name === "";
  if (method === "DELETE") return isCollection ? "deletecollection" : "delete";
  if (isWatch) return "watch";
  if (method !== "GET" && method !== "HEAD") return verbs[method] ?? "";
  if (!isCollection) return "get";
  return isTrue(query["watch"]) ? "watch" : "list";
}

/** The fields that a selector requires to have one value; none if it cannot be parsed. */
export function requiredFields(selector: string): Readonly<Record<string, string>> {
  try {
    const requirements = parseFieldSelector(selector).requirements.filter(({ operator }) => operator !== "!=");
    return Object.fromEntries(requirements.map(({ field, value }) => [field, value]));
  } catch {
    return {};
  }
}

/** Whether the options of a list can be decoded: kube-apiserver ignores all of them for authorization if one cannot. */
function hasReadableOptions({
  labelSelector = "",
  limit = "",
  timeoutSeconds = "",
}: AuthorizedRequest["query"]): boolean {
  if (![limit, timeoutSeconds].every((one) => /^[+-]?\d*$/.test(one))) return false;
  try {
    parseLabelSelector(labelSelector);
    return true;
  } catch {
    return false;
  }
}

function isPathSegment(name: string): boolean {
  return name !== "." && name !== ".." && !/[/%]/.test(name);
}

/** What the audit events of a request show. */
export function trailedRequest(request: ApiRequest, path: ResourcePath | undefined): TrailedRequest {
  const { user, headers, body, source, query } = request;
  const parameters = new URLSearchParams(query).toString();
  return {
    user,
    uri: parameters === "" ? request.path : `${request.path}?${parameters}`,
    attributes: attributesOf(request, path),
    apiVersion: path?.version ?? "",
    userAgent: headers["user-agent"],
    source,
    body: body.value,
  };
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
