import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { applyJsonPatch, applyMergePatch } from "@kubewright/core/patch";
import {
  ApiFailure,
  applyObject,
  applyPatchType,
  badRequest,
  changeObject,
  createObject,
  type Draft,
  deleteObject,
  deleteRecord,
  getObject,
  isTrue,
  type ListQuery,
  listObjects,
  metadataOf,
  notFound,
  parseGetVersion,
  parseListQuery,
  patchObject,
  type Registry,
  type Resource,
  readableBody,
  requirePatchType,
  resourceNotFound,
  textAt,
  unsupportedMediaType,
  updateObject,
  WatchStream,
  type WriteRequest,
  type WriteTarget,
} from "../registry/index.js";
import type { ApiRequest } from "./api-request.js";
import { refuseConnection } from "./connections.js";
import { parseDeleteOptions } from "./delete-options.js";
import { bindPod, evictPod } from "./pod-actions.js";
import { bodyTypes } from "./read-body.js";
import type { ResourcePath } from "./request-path.js";
import { scaleConfiguration, scaleOf, scaleToChange, shownScale, withScale } from "./scale.js";
import type { ShownResource } from "./shown-resource.js";
import { requestToken } from "./token-request.js";
import { parseWriteOptions } from "./write-options.js";

/** What one verb gives: an object or a list in this resource's version, or a watch. */
export type VerbResult =
  | {
      readonly kind: "object";
      readonly status: number;
      readonly object: JsonObject;
      /** How it is shown, where that is not the resource's way. */
      readonly shownAs?: ShownResource;
    }
  | { readonly kind: "status"; readonly status: number; readonly object: JsonObject }
  | { readonly kind: "list"; readonly status: number; readonly object: JsonObject }
  | { readonly kind: "watch"; readonly stream: WatchStream };

/** Does what a request asks of a resource. Throws an {@link ApiFailure} when the server refuses. */
export function runVerb(
  registry: Registry,
  resource: Resource,
  path: ResourcePath,
  request: ApiRequest,
  warn: (text: string) => void,
): VerbResult {
  if (resource.deprecationWarning !== undefined) warn(resource.deprecationWarning);
  // Where something is created a real server looks at the media type before the options, elsewhere after them.
  if (request.method === "POST" && request.body.malformed?.format === "unsupported")
    throw unsupportedMediaType(bodyTypes);
  if (path.subresource !== "") return runSubresource(registry, resource, path, request, warn);
  return path.name === ""
    ? runOnCollection(registry, resource, path, request, warn)
    : runOnObject(registry, resource, path, request, warn);
}

/** 405: the resource is there, but not for this. Of custom resources a real server says what was asked. */
export function wrongMethod(resource?: Resource, verb = ""): ApiFailure {
  if (resource?.origin === "custom") {
    const { group, plural } = resource;
    const text = `${verb} is not supported on resources of kind "${plural}.${group}"`;
    return new ApiFailure(405, "MethodNotAllowed", text, { group, kind: plural });
  }
  return new ApiFailure(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});
}

function need(resource: Resource, verb: string): void {
  if (!resource.verbs.includes(verb)) throw wrongMethod();
}

/** A Binding in a collection of its own names its pod by its own name. */
function bindByName(registry: Registry, namespace: string, request: ApiRequest, dryRun: boolean): VerbResult {
  const resource = registry.find("", "v1", "pods");
  if (resource === undefined) throw resourceNotFound();
  const body = readableBody("Binding", request.body);
  const name = textAt(metadataOf(body), "name");
  if (name === "") throw badRequest("Name parameter required.");
  return { kind: "status", status: 201, object: bindPod({ registry, resource, namespace, name, body, dryRun }) };
}

function runOnCollection(
  registry: Registry,
  resource: Resource,
  path: ResourcePath,
  request: ApiRequest,
  warn: (text: string) => void,
): VerbResult {
  switch (request.method) {
    case "GET": {
      need(resource, "list");
      const isWatch = isTrue(request.query["watch"]);
      const query = parseListQuery(resource, request.query, isWatch);
      if (isWatch) return watch(registry, resource, path.namespace, query, request);
      return { kind: "list", status: 200, object: { ...listObjects(registry.store, resource, path.namespace, query) } };
    }
    case "POST": {
      need(resource, "create");
      if (resource.namespaced && path.namespace === "" && path.isBlankNamespace !== true) throw wrongMethod();
      const options = parseWriteOptions(request, "CreateOptions", false, warn);
      if (resource.bucket === "bindings") return bindByName(registry, path.namespace, request, options.dryRun);
      const target = { namespace: path.namespace, name: "", subresource: "" };
      const object = createObject({ context: registry, resource, target, body: request.body, options });
      return { kind: "object", status: 201, object };
    }
    case "DELETE":
      need(resource, "deletecollection");
      if (resource.namespaced && path.namespace === "") throw wrongMethod();
      return deleteCollection(registry, resource, path.namespace, request);
    default:
      if (resource.origin === "custom") throw badRequest("name must be provided");
      throw wrongMethod();
  }
}

function watch(
  registry: Registry,
  resource: Resource,
  namespace: string,
  query: ListQuery,
  request: ApiRequest,
): VerbResult {
  const stream = new WatchStream({
    store: registry.store,
    clock: registry.clock,
    resource,
    namespace,
    query,
    signal: request.signal,
    ...(request.bookmarkEveryMs === undefined ? {} : { bookmarkEveryMs: request.bookmarkEveryMs }),
    ...(request.watchLengthMs === undefined ? {} : { defaultLengthMs: request.watchLengthMs }),
  });
  return { kind: "watch", stream };
}

function deleteCollection(registry: Registry, resource: Resource, namespace: string, request: ApiRequest): VerbResult {
  const query = parseListQuery(resource, request.query, false);
  const options = parseDeleteOptions(request);
  const list = listObjects(registry.store, resource, namespace, query);
  for (const object of list.items) {
    const metadata = metadataOf(object);
    const own = textAt(metadata, "namespace");
    const name = textAt(metadata, "name");
    const record = registry.store.bucket(resource.bucket).get(own === "" ? name : `${own}/${name}`);
    if (record) deleteRecord(registry, resource, record, options);
  }
  // As they were listed: the answer tells what was deleted, not what became of it.
  return { kind: "list", status: 200, object: { ...list } };
}

function runOnObject(
  registry: Registry,
  resource: Resource,
  path: ResourcePath,
  request: ApiRequest,
  warn: (text: string) => void,
): VerbResult {
  const isStored = resource.verbs.includes("get");
  if (!isStored || (resource.namespaced && path.namespace === "")) throw resourceNotFound();
  const target = { namespace: path.namespace, name: path.name, subresource: "" };
  switch (request.method) {
    case "GET":
      return {
        kind: "object",
        status: 200,
        object: getObject(registry.store, resource, path.namespace, path.name, parseGetVersion(request.query)),
      };
    case "PUT": {
      const options = parseWriteOptions(request, "UpdateOptions", false, warn);
      return putObject({ context: registry, resource, target, body: request.body, options });
    }
    case "PATCH":
      return patch(registry, resource, target, request, warn);
    case "DELETE": {
      const options = parseDeleteOptions(request);
      const deletion = deleteObject(registry, resource, target, options);
      if (resource.strategy.deleteWarning !== undefined && options.propagationPolicy === undefined)
        warn(resource.strategy.deleteWarning);
      const status = deletion.kind === "marked" && options.cascades === true ? 202 : 200;
      if (deletion.kind === "marked" || resource.strategy.returnsDeleted === true)
        return { kind: "object", status, object: deletion.object };
      return { kind: "status", status: 200, object: success(resource, deletion.object) };
    }
    case "POST":
      // Of custom resources a real server looks at the verb alone, and leaves the name to the body.
      if (resource.origin === "custom") return runOnCollection(registry, resource, path, request, warn);
      throw wrongMethod();
    default:
      throw wrongMethod();
  }
}

/** Updates an object or its status; kinds that allow it are created where they do not exist. */
function putObject(write: WriteRequest): VerbResult {
  const { context, resource, target } = write;
  const key = target.namespace === "" ? target.name : `${target.namespace}/${target.name}`;
  const isCreated =
    resource.strategy.createOnUpdate === true &&
    (target.subresource === "" || target.subresource === "status") &&
    context.store.bucket(resource.bucket).get(key) === undefined;
  return isCreated
    ? { kind: "object", status: 201, object: createObject(write) }
    : { kind: "object", status: 200, object: updateObject(write) };
}

function patch(
  registry: Registry,
  resource: Resource,
  target: WriteTarget,
  request: ApiRequest,
  warn: (text: string) => void,
): VerbResult {
  const contentType = contentTypeOf(request);
  requirePatchType(resource, contentType);
  const isApply = contentType === applyPatchType;
  const options = parseWriteOptions(request, "PatchOptions", isApply, warn);
  const write: WriteRequest = { context: registry, resource, target, body: request.body, options };
  if (!isApply) return { kind: "object", status: 200, object: patchObject(write, contentType) };
  const { object, created } = applyObject(write);
  return { kind: "object", status: created ? 201 : 200, object };
}

function success(resource: Resource, object: JsonObject): JsonObject {
  const metadata = metadataOf(object);
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: textAt(metadata, "name"),
      ...(resource.group === "" ? {} : { group: resource.group }),
      kind: resource.plural,
      uid: textAt(metadata, "uid"),
    },
  };
}

const verbs: Readonly<Record<string, string>> = {
  GET: "get",
  PUT: "update",
  PATCH: "patch",
  POST: "create",
  DELETE: "delete",
};

function runSubresource(
  registry: Registry,
  resource: Resource,
  path: ResourcePath,
  request: ApiRequest,
  warn: (text: string) => void,
): VerbResult {
  const part = resource.subresources.find((one) => one.name === path.subresource);
  if (resource.namespaced && path.namespace === "") throw resourceNotFound();
  if (!part) throw resource.origin === "custom" ? notFound(resource, path.name) : resourceNotFound();
  const verb = verbs[request.method] ?? "";
  if (!part.verbs.includes(verb)) throw wrongMethod(resource, request.method === "POST" ? "create" : "delete");
  refuseConnection({ registry, resource, path, query: request.query });
  if (verb === "create") {
    const { dryRun, manager } = parseWriteOptions(request, "CreateOptions", false, warn);
    const { namespace, name } = path;
    const action = {
      registry,
      resource,
      namespace,
      name,
      body: readableBody(part.kind, request.body),
      dryRun,
    };
    if (path.subresource === "token")
      return { kind: "status", status: 201, object: requestToken({ ...action, manager }) };
    const object = path.subresource === "binding" ? bindPod(action) : evictPod(action);
    return { kind: "status", status: 201, object };
  }
  const target = { namespace: path.namespace, name: path.name, subresource: path.subresource };
  if (path.subresource === "scale") return runScale(registry, resource, path, request, verb, warn);
  if (verb === "get")
    return {
      kind: "object",
      status: 200,
      object: getObject(registry.store, resource, path.namespace, path.name, parseGetVersion(request.query)),
    };
  if (verb === "patch") return patch(registry, resource, target, request, warn);
  const options = parseWriteOptions(request, "UpdateOptions", false, warn);
  return putObject({ context: registry, resource, target, body: request.body, options });
}

/** Reads and writes the number of replicas alone. */
function runScale(
  registry: Registry,
  resource: Resource,
  path: ResourcePath,
  request: ApiRequest,
  verb: string,
  warn: (text: string) => void,
): VerbResult {
  const respond = (object: JsonObject): VerbResult => ({
    kind: "object",
    status: 200,
    object: scaleOf(resource, object),
    shownAs: shownScale,
  });
  const { namespace, name } = path;
  if (verb === "get") return respond(getObject(registry.store, resource, namespace, name));
  const target = { namespace, name, subresource: "scale" };
  const contentType = contentTypeOf(request);
  if (verb === "patch") requirePatchType(resource, contentType);
  const isApply = verb === "patch" && contentType === applyPatchType;
  const options = parseWriteOptions(request, verb === "patch" ? "PatchOptions" : "UpdateOptions", isApply, warn);
  if (isApply) {
    const old = getObject(registry.store, resource, namespace, name);
    const body = { ...request.body, value: scaleConfiguration(resource, old, request.body.value) };
    return respond(applyObject({ context: registry, resource, target, body, options }).object);
  }
  const wanted = (old: JsonObject): JsonValue | undefined => {
    if (verb === "update") return readableBody("Scale", request.body);
    const scale = scaleToChange(resource, old);
    return contentType === "application/json-patch+json"
      ? applyJsonPatch(scale, request.body.value)
      : applyMergePatch(scale, request.body.value ?? null);
  };
  const make = (old: JsonObject): Draft => withScale(resource, old, wanted(old));
  return respond(changeObject({ context: registry, resource, target, options }, { make }));
}

function contentTypeOf(request: ApiRequest): string {
  return (request.headers["content-type"] ?? "").split(";", 1)[0]?.trim() ?? "";
}
