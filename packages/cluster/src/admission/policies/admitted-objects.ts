import type { JsonObject } from "@kubewright/core/json";
import { type AdmissionRequest, andThen, type Eventually } from "../../registry/index.js";
import { admittedObject, admittedOld, convertObject, type Match } from "../matching/index.js";

/** The objects of a request in the version that a policy matched; undefined if the operation has none. */
export interface AdmittedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Converts the objects of a request to the version that a policy matched. Only a conversion webhook makes it wait. */
export function admittedObjects(request: AdmissionRequest, { resource }: Match): Eventually<AdmittedObjects> {
  const convert = (object: JsonObject | undefined): Eventually<JsonObject | undefined> =>
    object && convertObject(withKind(object, request), request.resource, resource);
  return andThen(convert(admittedOld(request)), (oldObject) =>
    andThen(convert(admittedObject(request)), (object) => ({ object, oldObject })),
  );
}

/** A custom resource of another kind, which validation rejects, with the kind of its resource: kube-apiserver converts it to that. */
function withKind(object: JsonObject, { resource, form }: AdmissionRequest): JsonObject {
  const { kind, origin } = resource;
  return form || origin !== "custom" || object["kind"] === kind ? object : { ...object, kind };
}

/** Calls a function for each item, one after the other; synchronously as long as nothing waits. */
export function inOrder<T>(items: readonly T[], call: (item: T) => Eventually<void>, from = 0): Eventually<void> {
  for (let index = from; index < items.length; index++) {
    const pending = call(items[index] as T);
    if (pending !== undefined) return pending.then(() => inOrder(items, call, index + 1));
  }
}
