import type { JsonObject } from "@kubewright/core/json";
import { type Eventually, notFound, readableBody, resourceNotFound, type Subresource } from "../registry/index.js";
import { rejectConnection } from "./connections.js";
import { getVerb } from "./get-verb.js";
import { bindPod, evictPod } from "./pod-actions.js";
import { scaleVerb } from "./scale-verb.js";
import { requestToken } from "./token-request.js";
import { type VerbCall, type VerbResult, writeRequest, wrongMethod } from "./verb-call.js";
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
  const { registry, resource, path, request } = call;
  const part = resource.subresources.find((one) => one.name === path.subresource);
  if (resource.namespaced && path.namespace === "") throw resourceNotFound();
  if (!part) throw resource.origin === "custom" ? notFound(resource, path.name) : resourceNotFound();
  const verb = verbs[request.method] ?? "";
  if (!part.verbs.includes(verb)) throw wrongMethod(resource, request.method === "POST" ? "create" : "delete");
  rejectConnection({ registry, resource, path, query: request.query });
  if (verb === "create") return { kind: "status", status: 201, object: runAction(call, part) };
  if (path.subresource === "scale") return scaleVerb(call, verb);
  if (verb === "patch") return patchVerb(call);
  if (verb === "update") return putVerb(call);
  return getVerb(call);
}

/** A create of a subresource is an action: binding, eviction or token. */
function runAction(call: VerbCall, { kind }: Subresource): JsonObject {
  const { registry, resource, path, request } = call;
  const { namespace, name } = path;
  const { dryRun, manager } = writeRequest(call, "CreateOptions").options;
  const action = { registry, resource, namespace, name, body: readableBody(kind, request.body), dryRun };
  if (path.subresource === "token") return requestToken({ ...action, manager });
  return path.subresource === "binding" ? bindPod(action) : evictPod(action);
}
