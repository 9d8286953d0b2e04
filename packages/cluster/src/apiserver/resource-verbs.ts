import type { JsonObject } from "@kubewright/core/json";
import {
  ApiFailure,
  andThen,
  badRequest,
  createObject,
  type DeleteOptions,
  deleteObject,
  type Eventually,
  isTrue,
  listObjects,
  metadataOf,
  type ObjectList,
  parseListQuery,
  type Resource,
  readableBody,
  readStored,
  resourceNotFound,
  textAt,
  unsupportedMediaType,
  WatchStream,
  type WriteOptions,
} from "../registry/index.js";
import { admitAction } from "./admit-action.js";
import { parseDeleteOptions } from "./delete-options.js";
import { getVerb } from "./get-verb.js";
import { bindPod } from "./pod-actions.js";
import { bodyTypes } from "./read-body.js";
import { runSubresource } from "./subresource-verbs.js";
import { type VerbCall, type VerbResult, writeRequest, wrongMethod } from "./verb-call.js";
import { patchVerb, putVerb } from "./write-verbs.js";

/** Serves a request to a resource: a collection, an object or a subresource. */
export function runVerb(call: VerbCall): Eventually<VerbResult> {
  const { resource, path, request } = call;
  if (resource.deprecationWarning !== undefined) call.warn(resource.deprecationWarning);
  // A create checks the media type before the options, other verbs after them.
  if (request.method === "POST" && request.body.malformed?.format === "unsupported")
    throw unsupportedMediaType(bodyTypes);
  if (path.subresource !== "") return runSubresource(call);
  return path.name === "" ? runOnCollection(call) : runOnObject(call);
}

function runOnCollection(call: VerbCall): Eventually<VerbResult> {
  const { registry, resource, path, request } = call;
  switch (request.method) {
    case "GET": {
      need(resource, "list");
      const isWatch = isTrue(request.query["watch"]);
      const query = parseListQuery(resource, request.query, isWatch);
      if (isWatch) return watch(call, query);
      return andThen(listObjects(registry.store, resource, path.namespace, query), listResult);
    }
    case "POST":
      need(resource, "create");
      if (resource.namespaced && path.namespace === "" && path.isBlankNamespace !== true) throw wrongMethod();
      return create(call);
    case "DELETE":
      need(resource, "deletecollection");
      if (resource.namespaced && path.namespace === "") throw wrongMethod();
      return deleteCollection(call);
    default:
      if (resource.origin === "custom") throw badRequest("name must be provided");
      throw wrongMethod();
  }
}

function runOnObject(call: VerbCall): Eventually<VerbResult> {
  const { resource, path, request } = call;
  const isStored = resource.verbs.includes("get");
  if (!isStored || (resource.namespaced && path.namespace === "")) throw resourceNotFound();
  switch (request.method) {
    case "GET":
      return getVerb(call);
    case "PUT":
      return putVerb(call);
    case "PATCH":
      return patchVerb(call);
    case "DELETE":
      return deleteOne(call);
    case "POST":
      // For custom resources, kube-apiserver ignores the name in the path of a create.
      if (resource.origin === "custom") return runOnCollection(call);
      throw wrongMethod();
    default:
      throw wrongMethod();
  }
}

function need(resource: Resource, verb: string): void {
  if (!resource.verbs.includes(verb)) throw wrongMethod();
}

function create(call: VerbCall): Eventually<VerbResult> {
  const write = writeRequest(call, "CreateOptions", "");
  if (call.resource.bucket === "bindings") return bindByName(call, write.options);
  return andThen(createObject(write), (object) => ({ kind: "object", status: 201, object }));
}

/** A Binding created in the `bindings` collection has the name of its Pod. */
function bindByName(call: VerbCall, options: WriteOptions): Eventually<VerbResult> {
  const { registry, path, request } = call;
  const { namespace } = path;
  const { dryRun } = options;
  const resource = registry.find("", "v1", "pods");
  if (resource === undefined) throw resourceNotFound();
  const body = readableBody("Binding", request.body);
  const name = textAt(metadataOf(body), "name");
  if (name === "") throw badRequest("Name parameter required.");
  return andThen(admitAction(call, body, { ...options, name }), (admitted) => {
    const object = bindPod({ registry, resource, namespace, name, body: admitted, dryRun });
    return { kind: "status", status: 201, object };
  });
}

function watch({ registry, resource, path, request }: VerbCall, query: ReturnType<typeof parseListQuery>): VerbResult {
  const stream = new WatchStream({
    store: registry.store,
    clock: registry.clock,
    resource,
    namespace: path.namespace,
    query,
    signal: request.signal,
    ...(request.bookmarkEveryMs === undefined ? {} : { bookmarkEveryMs: request.bookmarkEveryMs }),
    ...(request.watchLengthMs === undefined ? {} : { defaultLengthMs: request.watchLengthMs }),
  });
  return { kind: "watch", stream };
}

function deleteCollection(call: VerbCall): Eventually<VerbResult> {
  const { registry, resource, path, request } = call;
  const query = parseListQuery(resource, request.query, false);
  const options = parseDeleteOptions(request);
  return andThen(listObjects(registry.store, resource, path.namespace, query), (list) =>
    // The response lists the objects as they were before the delete.
    andThen(deleteAll(call, list.items, options), () => listResult(list)),
  );
}

/** Deletes objects one after another. Stops at the first rejection. */
function deleteAll(call: VerbCall, objects: readonly JsonObject[], options: DeleteOptions, from = 0): Eventually<void> {
  const { registry, resource, request, warn } = call;
  for (let index = from; index < objects.length; index++) {
    const metadata = metadataOf(objects[index] ?? {});
    const target = { namespace: textAt(metadata, "namespace"), name: textAt(metadata, "name") };
    const { user } = request;
    const deleted = deleteIfPresent(() =>
      deleteObject(registry, resource, target, { ...options, user, warn, isOfCollection: true }),
    );
    if (deleted instanceof Promise) return deleted.then(() => deleteAll(call, objects, options, index + 1));
  }
}

/** Another client may have deleted the object since it was listed. */
function deleteIfPresent(run: () => Eventually<unknown>): Eventually<void> {
  const ignoreMissing = (error: unknown): void => {
    if (!(error instanceof ApiFailure) || error.status.code !== 404) throw error;
  };
  try {
    const deleted = run();
    return deleted instanceof Promise ? deleted.then(() => undefined, ignoreMissing) : undefined;
  } catch (error) {
    ignoreMissing(error);
  }
}

function listResult(list: ObjectList): VerbResult {
  return { kind: "list", status: 200, object: { ...list } };
}

function deleteOne(call: VerbCall): Eventually<VerbResult> {
  const { registry, resource, path, request } = call;
  const options = {
    ...parseDeleteOptions(request),
    user: request.user,
    warn: call.warn,
    ...(request.annotate && { annotate: request.annotate }),
  };
  const { namespace, name } = path;
  return andThen(deleteObject(registry, resource, { namespace, name }, options), (deletion) => {
    const { warning, returnsObject } = resource.strategy.deletion ?? {};
    if (warning !== undefined && options.propagationPolicy === undefined) call.warn(warning);
    const status = deletion.kind === "marked" && options.cascades === true ? 202 : 200;
    if (deletion.kind === "marked" || returnsObject === true)
      return andThen(readStored(resource, deletion.object), (object) => ({ kind: "object", status, object }));
    return { kind: "status", status: 200, object: success(resource, deletion.object) };
  });
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
