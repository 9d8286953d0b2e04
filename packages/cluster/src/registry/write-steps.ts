import type { JsonObject } from "@kubewright/core/json";
import type { AdmissionRequest } from "./admission.js";
import { badRequest } from "./api-failure.js";
import { decodeObject } from "./decode-body.js";
import { type Draft, metadataOf, textAt } from "./draft.js";
import type { Resource } from "./resource.js";
import type { StrategyContext } from "./strategy.js";
import { timestamp, type Write, type WriteContext } from "./write-context.js";

/** The strategy context of a write. */
export function strategyContext({ context, target, options }: Write): StrategyContext {
  return {
    subresource: target.subresource,
    time: timestamp(context.clock),
    dryRun: options.dryRun,
    user: options.user,
    store: context.store,
    extensions: context.extensions,
    warn: options.warn,
  };
}

/** The admission request of a write; `old` is undefined for a create. */
export function admissionRequest(write: Write, object: Draft, old: JsonObject | undefined): AdmissionRequest {
  const { resource, target, options } = write;
  return {
    operation: old === undefined ? "CREATE" : "UPDATE",
    resource,
    subresource: target.subresource,
    namespace: target.namespace,
    name: textAt(metadataOf(object), "name"),
    user: options.user,
    dryRun: options.dryRun,
    object,
    old,
  };
}

/** Whether a write may be retried because it awaits something: it must then not change its request body. */
export function mayRetry({ admission }: WriteContext, resource: Resource): boolean {
  return admission.mayWait(resource) || resource.load !== undefined;
}

/** The draft after mutating admission. A replacement by a plugin is decoded and defaulted again. */
export function admitted({ resource, options }: Write, { object }: AdmissionRequest, draft: Draft): Draft {
  if (object === draft) return draft;
  return decodeObject(resource, object, {
    options: { fieldValidation: "Ignore", warn: options.warn },
    duplicates: [],
    reject: (why) => badRequest(`cannot decode the object after mutating admission: ${why}`),
  });
}
