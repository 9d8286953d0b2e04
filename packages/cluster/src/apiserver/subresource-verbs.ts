import type { JsonObject } from "@kubewright/core/json";
import {
  andThen,
  type Eventually,
  notFound,
  readableBody,
  resourceNotFound,
  type Subresource,
} from "../registry/index.js";
import { admitAction, admitConnect } from "./admit-action.js";
import { connectionOptions, isConnection, resolveTarget } from "./connect/index.js";
import { getVerb } from "./get-verb.js";
import { bindPod, evictPod } from "./pod-actions.js";
import { scaleVerb } from "./scale-verb.js";
import { requestToken } from "./token-request.js";
import { requireCreate, type VerbCall, type VerbResult, writeRequest, wrongMethod } from "./verb-call.js";
import { patchVerb, putVerb } from "./write-verbs.js";

const verbs: Readonly<Record<string, string>> = {
  GET: "get",
  PUT: "update",
  PATCH: "patch",
  POST: "create",
  DELETE: "delete",
};

/** Serves a request to a subresource. */
export function runSubresource(call: VerbCall): Eventually<VerbResult> {
  const { resource, path, request } = call;
  const part = resource.subresources.find((one) => one.name === path.subresource);
  if (resource.namespaced && path.namespace === "") throw resourceNotFound();
  if (!part) throw resource.origin === "custom" ? notFound(resource, path.name) : resourceNotFound();
  const verb = verbs[request.method] ?? "";
  if (!part.verbs.includes(verb)) throw wrongMethod(resource, request.method === "POST" ? "create" : "delete");
  if (isConnection(resource, path.subresource)) return admitConnection(call, part);
  if (verb === "create") return andThen(runAction(call, part), (object) => ({ kind: "status", status: 201, object }));
  if (path.subresource === "scale") return scaleVerb(call, verb);
  if (verb === "patch") return patchVerb(call);
  if (verb === "update") return putVerb(call);
  return getVerb(call);
}

/** A create of a subresource is an action: binding, eviction or token. */
function runAction(call: VerbCall, { kind }: Subresource): Eventually<JsonObject> {
  const { registry, resource, path, request } = call;
  const { namespace, name } = path;
  const { options } = writeRequest(call, "CreateOptions");
  const body = readableBody(kind, request.body);
  return andThen(admitAction(call, body, options), (admitted) => {
    const action = { registry, resource, namespace, name, body: admitted, dryRun: options.dryRun };
    if (path.subresource === "token") return requestToken({ ...action, manager: options.manager });
    return path.subresource === "binding" ? bindPod(action) : evictPod(action);
  });
}

/**
 * A connection to a container, node or Service passes admission before the server checks its target. A GET of exec, attach or portforward, as
 * WebSocket clients send it, also needs the permission to create: it is no read.
 */
function admitConnection(call: VerbCall, part: Subresource): Eventually<VerbResult> {
  const { registry, resource, path, request } = call;
  return andThen(admitConnect(call, connectionOptions(part, request)), () => {
    if (path.subresource !== "proxy") requireCreate(call);
    return { kind: "connect", target: resolveTarget({ registry, resource, path, request }) };
  });
}
