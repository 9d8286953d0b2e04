import type { JsonObject } from "@kubewright/core/json";
import {
  type AdmissionRequest,
  andThen,
  type Draft,
  draftOf,
  type Eventually,
  sentOptions,
  type WriteOptions,
} from "../registry/index.js";
import type { VerbCall } from "./verb-call.js";

/** The options of a create that stores nothing, and the name in its body if the path has none. */
type ActionOptions = WriteOptions & { readonly name?: string };

/** Admits a create that stores no object: a binding, an eviction, a token or a review. Returns the body, as admission changed it. */
export function admitAction(call: VerbCall, body: JsonObject, options: ActionOptions): Eventually<JsonObject> {
  return admit(call, {
    operation: "CREATE",
    name: options.name ?? call.path.name,
    dryRun: options.dryRun,
    options: () => sentOptions("CreateOptions", options),
    object: body,
  });
}

/** Admits a connection to a container, node or Service, with its options. */
export function admitConnect(call: VerbCall, options: JsonObject): Eventually<JsonObject> {
  return admit(call, {
    operation: "CONNECT",
    name: call.path.name,
    dryRun: false,
    options: () => undefined,
    object: options,
  });
}

interface Action extends Pick<AdmissionRequest, "operation" | "name" | "dryRun" | "options"> {
  readonly object: JsonObject;
}

function admit(
  { registry, resource, path, request, warn }: VerbCall,
  { object, ...action }: Action,
): Eventually<Draft> {
  const { admission } = registry;
  const admitted: AdmissionRequest = {
    ...action,
    resource,
    subresource: path.subresource,
    namespace: path.namespace,
    user: request.user,
    warn,
    ...(request.annotate && { annotate: request.annotate }),
    object: draftOf(object),
    old: undefined,
  };
  return andThen(admission.mutate(admitted), () => andThen(admission.validate(admitted), () => admitted.object));
}
