import type { JsonObject } from "@kubewright/core/json";
import type { AdmissionRequest } from "./admission.js";
import { badRequest } from "./api-failure.js";
import { decodeObject } from "./decode-body.js";
import { type Draft, metadataOf, textAt } from "./draft.js";
import type { Resource } from "./resource.js";
import type { StrategyContext } from "./strategy.js";
import { timestamp, type Write, type WriteContext } from "./write-context.js";

/** What the strategy of a kind learns about a write. */
export function strategyContext({ context, target, options }: Write): StrategyContext {
  return {
    subresource: target.subresource,
    time: timestamp(context.clock),
    dryRun: options.dryRun,
    user: options.user,
    store: context.store,
    extensions: context.extensions,
  };
}

/** A write as admission sees it; `old` is undefined for a create. */
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

/** Whether a change may be made again because something is awaited: it must leave the body of its request as it is. */
export function mayRetry({ admission }: WriteContext, resource: Resource): boolean {
  return admission.mayWait(resource) || resource.load !== undefined;
}

/** The draft after mutating admission. What a plugin put in its place is pruned and gets its defaults again. */
export function admitted({ resource, options }: Write, { object }: AdmissionRequest, draft: Draft): Draft {
  if (object === draft) return draft;
  return decodeObject(resource, object, {
    options: { fieldValidation: "Ignore", warn: options.warn },
    duplicates: [],
    reject: (why) => badRequest(`cannot decode the object after mutating admission: ${why}`),
  });
}
