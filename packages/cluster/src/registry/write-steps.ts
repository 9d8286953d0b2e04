import type { JsonObject } from "@kubewright/core/json";
import { applyDefaults, pruneUnknown } from "@kubewright/core/schema";
import type { AdmissionRequest } from "./admission.js";
import { decodeObject } from "./decode-body.js";
import { childDraft, type Draft, isDraft, metadataOf, textAt } from "./draft.js";
import { decodeMetadataFields } from "./embedded-resources.js";
import { jsonTypeOf } from "./go/index.js";
import type { Resource } from "./resource.js";
import type { StrategyContext } from "./strategy.js";
import { timestamp, type Write, type WriteContext, type WriteOptions } from "./write-context.js";

/** The strategy context of a write. */
export function strategyContext({ context, target, options }: Write): StrategyContext {
  return {
    subresource: target.subresource,
    time: timestamp(context.clock),
    dryRun: options.dryRun,
    user: options.user,
    namespace: target.namespace,
    name: target.name,
    authorizer: context.authorizer,
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
    options: () => sentOptions(old === undefined ? "CreateOptions" : "UpdateOptions", options),
    ...(write.form && { form: write.form }),
    warn: options.warn,
    ...(options.annotate && { annotate: options.annotate }),
    object,
    old,
  };
}

/** The options of a write as the client sent them. For a patch, they are those of the create or update that it results in. */
export function sentOptions(kind: string, { dryRun, parameters = {} }: WriteOptions): JsonObject {
  const { fieldManager, fieldValidation } = parameters;
  return {
    kind,
    apiVersion: "meta.k8s.io/v1",
    ...(dryRun && { dryRun: ["All"] }),
    ...(fieldManager && { fieldManager }),
    ...(fieldValidation && { fieldValidation }),
  };
}

/** Whether a write may be retried because it awaits something: it must then not change its request body. */
export function mayRetry({ admission }: WriteContext, resource: Resource): boolean {
  return admission.mayWait(resource) || resource.load !== undefined;
}

/**
 * Decodes and defaults an object that replaces another one in mutating admission, in place. Parts that it shares with that one are decoded.
 * Throws `reject` with the reason if it cannot be decoded.
 *
 * A custom resource loses metadata fields that cannot be decoded. It keeps unknown fields and nulls: nulls are validated, and {@link pruneAdmitted} removes the fields later.
 */
export function decodeAdmitted(
  resource: Resource,
  object: Draft,
  { before, reject }: { readonly before: JsonObject; readonly reject: (why: string) => Error },
): Draft {
  if (resource.origin === "custom") {
    if (textAt(object, "kind") === "") throw reject("Object 'Kind' is missing");
    if (object["metadata"] !== undefined && !isDraft(object["metadata"]))
      throw reject(`invalid metadata: expected object, got ${jsonTypeOf(object["metadata"])}`);
    const metadata = childDraft(object, "metadata");
    if (metadata !== before["metadata"]) decodeMetadataFields(metadata);
    return applyDefaults(object, resource.schema(textAt(object, "apiVersion"))) as Draft;
  }
  return decodeObject(resource, object, {
    options: { fieldValidation: "Ignore", warn: () => undefined },
    duplicates: [],
    reject,
  });
}

/**
 * Prunes a custom resource that a mutating plugin replaced. kube-apiserver does so when it encodes the object for storage: validation and
 * validating plugins still see the unknown fields.
 */
export function pruneAdmitted(resource: Resource, object: Draft): Draft {
  if (resource.origin !== "custom") return object;
  return pruneUnknown(object, resource.schema(textAt(object, "apiVersion")) ?? {}).value as Draft;
}
