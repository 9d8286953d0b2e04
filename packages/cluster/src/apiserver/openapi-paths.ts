import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { acceptedPatchTypes, type Resource } from "../registry/index.js";

const patchSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Patch" };

/** The OpenAPI paths of a resource, with the kind of each path and the options of each verb. */
export function operationsOf(resource: Resource, component: string): Record<string, JsonValue> {
  const root = resource.group === "" ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scoped = resource.namespaced
    ? `${root}/namespaces/{namespace}/${resource.plural}`
    : `${root}/${resource.plural}`;
  const item = (
    verbs: readonly string[],
    methods: readonly (readonly [method: string, verb: string, action?: string])[],
  ): JsonObject =>
    Object.fromEntries(
      methods
        .filter(([, verb]) => verbs.includes(verb))
        .map(([method, , action = method]) => [method, operation(resource, component, action)]),
    );
  const within = resource.namespaced ? ["namespace"] : [];
  const paths: Record<string, JsonValue> = {};
  const add = (path: string, operations: JsonObject, names: readonly string[]): void => {
    if (Object.keys(operations).length > 0)
      paths[path] = names.length === 0 ? operations : { ...operations, parameters: parameters(names) };
  };
  add(scoped, item(resource.verbs, onCollection), within);
  add(`${scoped}/{name}`, item(resource.verbs, onObject), ["name", ...within]);
  if (resource.namespaced) add(`${root}/${resource.plural}`, item(resource.verbs, onCollection.slice(0, 1)), []);
  // Subresources of another kind are omitted: their schemas belong to other groups.
  for (const { name, kind, verbs } of resource.subresources)
    if (kind === resource.kind && name !== "log")
      add(`${scoped}/{name}/${name}`, item(verbs, onObject), ["name", ...within]);
  return paths;
}

const onCollection = [
  ["get", "list", "list"],
  ["post", "create"],
  ["delete", "deletecollection", "deletecollection"],
] as const;
const onObject = [
  ["get", "get"],
  ["put", "update"],
  ["patch", "patch"],
  ["delete", "delete"],
] as const;

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
  const response = action === "list" ? listed : schema;
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
    responses: { "200": { description: "OK", content: { "application/json": { schema: response } } } },
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
