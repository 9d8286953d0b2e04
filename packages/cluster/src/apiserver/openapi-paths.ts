import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { acceptedPatchTypes, type Resource } from "../registry/index.js";

const patchSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch" };

/** The paths of a resource, as clients look them up: which kind lies where, and which options a verb takes. */
export function operationsOf(resource: Resource, component: string): Record<string, JsonValue> {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scoped = resource.namespaced
    ? `${root}/namespaces/{namespace}/${resource.plural}`
    : `${root}/${resource.plural}`;
  const collection: Record<string, JsonValue> = {
    get: operation(resource, component, "list"),
    post: operation(resource, component, "post"),
    parameters: parameters(resource.namespaced ? ["namespace"] : []),
  };
  if (resource.verbs.includes("deletecollection"))
    collection["delete"] = operation(resource, component, "deletecollection");
  const one: JsonObject = {
    get: operation(resource, component, "get"),
    put: operation(resource, component, "put"),
    patch: operation(resource, component, "patch"),
    delete: operation(resource, component, "delete"),
    parameters: parameters(resource.namespaced ? ["name", "namespace"] : ["name"]),
  };
  const paths: Record<string, JsonValue> = { [scoped]: collection, [`${scoped}/{name}`]: one };
  if (resource.namespaced) paths[`${root}/${resource.plural}`] = { get: operation(resource, component, "list") };
  if (resource.subresources.some((part) => part.name === "status"))
    paths[`${scoped}/{name}/status`] = {
      get: operation(resource, component, "get"),
      put: operation(resource, component, "put"),
      patch: operation(resource, component, "patch"),
    };
  return paths;
}

const writeOptions = ["dryRun", "fieldManager", "fieldValidation"];
const options: Readonly<Record<string, readonly string[]>> = {
  post: writeOptions,
  put: writeOptions,
  patch: [...writeOptions, "force"],
  delete: ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"],
  list: [
    "allowWatchBookmarks",
    "continue",
    "fieldSelector",
    "labelSelector",
    "limit",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "timeoutSeconds",
    "watch",
  ],
};

function operation(resource: Resource, component: string, action: string): JsonObject {
  const schema = { $ref: `#/components/schemas/${component}` };
  const listed = { $ref: `#/components/schemas/${component}List` };
  const answer = action === "list" ? listed : schema;
  return {
    ...(options[action]
      ? {
          parameters: options[action].map((name) => ({
            name,
            in: "query",
            schema: { type: "string", uniqueItems: true },
          })),
        }
      : {}),
    ...bodyOf(resource, schema, action),
    responses: { "200": { description: "OK", content: { "application/json": { schema: answer } } } },
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": { group: resource.group, version: resource.version, kind: resource.kind },
  };
}

function bodyOf(resource: Resource, schema: JsonObject, action: string): JsonObject {
  if (action === "post" || action === "put") return { requestBody: { content: { "*/*": { schema } }, required: true } };
  if (action !== "patch") return {};
  const content = Object.fromEntries(acceptedPatchTypes(resource).map((type) => [type, { schema: patchSchema }]));
  return { requestBody: { content, required: true } };
}

function parameters(names: readonly string[]): JsonValue {
  return names.map((name) => ({ name, in: "path", required: true, schema: { type: "string", uniqueItems: true } }));
}
