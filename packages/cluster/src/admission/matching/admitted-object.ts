import { formatApiVersion } from "@kubewright/core/identity";
import { goQuote, type JsonObject } from "@kubewright/core/json";
import {
  type AdmissionRequest,
  ApiFailure,
  andThen,
  type Draft,
  decodeAdmitted,
  draftOf,
  type Eventually,
  type Resource,
  textAt,
} from "../../registry/index.js";
import { kindOfRequest } from "./request-attributes.js";

/** The new object as webhooks and policies see it: a Scale for the scale subresource; undefined for a DELETE. */
export function admittedObject({ operation, object, form }: AdmissionRequest): JsonObject | undefined {
  if (operation === "DELETE") return undefined;
  return form ? form.of(object) : object;
}

/** The live object as webhooks and policies see it; undefined for a CREATE and a CONNECT. */
export function admittedOld({ old, form }: AdmissionRequest): JsonObject | undefined {
  return old && form ? form.of(old) : old;
}

/**
 * Replaces the object of a request with a changed {@link admittedObject} in the requested version, decoded and defaulted again.
 *
 * The caller gives the changed object away: it may share parts with the one that it replaces, and only frozen ones with a stored object. Throws `reject` with the reason
 * if it cannot be decoded.
 */
export function replaceAdmitted(request: AdmissionRequest, changed: JsonObject, reject: (why: string) => Error): void {
  const { form, resource, subresource } = request;
  // The object of an action, such as a Binding, is not stored, and its schema is not this resource's.
  const isOther = kindOfRequest(resource, subresource).kind !== resource.kind;
  // kube-apiserver cannot convert an object of another group back to the requested resource.
  const [group] = textAt(changed, "apiVersion").split("/", 1);
  if (!form && resource.origin === "custom" && group !== resource.group)
    throw new ApiFailure(
      500,
      "",
      `converting ${textAt(changed, "apiVersion")} to ${resource.group}: unknown conversion`,
    );
  if (form) request.object = form.applyTo(request.object, changed);
  else
    request.object = isOther
      ? (changed as Draft)
      : decodeAdmitted(resource, changed as Draft, { before: request.object, reject });
}

/** Why the custom resource in a request cannot be converted to the version that a webhook or policy matched: it is of an unknown version itself. */
export function conversionProblem({ resource, operation, form, object }: AdmissionRequest): string | undefined {
  if (resource.origin !== "custom" || form || operation === "DELETE") return undefined;
  const apiVersion = textAt(object, "apiVersion");
  if (resource.schema(apiVersion) !== undefined) return undefined;
  if (apiVersion.startsWith(`${resource.group}/`))
    return `request to convert CR from an invalid group/version: ${apiVersion}`;
  const given = `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${textAt(object, "kind")}`;
  const expected = formatApiVersion(resource.group, resource.version);
  return `${given} is unstructured and is not suitable for converting to ${goQuote(expected)}`;
}

/**
 * Converts an object between equivalent resources. The result is the object itself if both are the same resource.
 *
 * Not for objects of a subresource with a kind of its own, which are the same for every version. Throws or rejects if a conversion webhook fails.
 */
export function convertObject(object: JsonObject, from: Resource, to: Resource): Eventually<JsonObject> {
  if (from === to || object["kind"] !== from.kind) return object;
  const apiVersion = formatApiVersion(to.group, to.version);
  if (from.convert) return from.convert(object, apiVersion);
  const given = formatApiVersion(from.group, from.version);
  if (from.group === to.group && from.versions.convert) return from.versions.convert(object, given, apiVersion);
  if (from.origin === "custom") return { ...object, apiVersion };
  const stored = from.toStored(draftOf(object));
  return stored instanceof Promise ? stored.then((one) => to.fromStored(one)) : to.fromStored(stored);
}

/** The objects of a request in the version that a webhook or policy expects; undefined if the operation has none. */
export interface AdmittedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Converts the objects of a request to the resource that a webhook or policy matched. Only a conversion webhook makes it wait. */
export function admittedObjects(request: AdmissionRequest, matched: Resource): Eventually<AdmittedObjects> {
  const convert = (object: JsonObject | undefined): Eventually<JsonObject | undefined> =>
    object && convertObject(withKind(object, request), request.resource, matched);
  return andThen(convert(admittedOld(request)), (oldObject) =>
    andThen(convert(admittedObject(request)), (object) => ({ object, oldObject })),
  );
}

/** A custom resource of another kind, which validation rejects, with the kind of its resource: kube-apiserver converts it to that. */
function withKind(object: JsonObject, { resource, form }: AdmissionRequest): JsonObject {
  const { kind, origin } = resource;
  return form || origin !== "custom" || object["kind"] === kind ? object : { ...object, kind };
}
