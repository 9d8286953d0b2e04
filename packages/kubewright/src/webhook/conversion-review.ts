import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { convertObject, type ResourceDefinition } from "../definition/index.js";

/** A resource with conversion functions. */
export interface ConvertedResource {
  readonly definition: ResourceDefinition;
}

/**
 * The response to a ConversionReview of `apiextensions.k8s.io/v1`: every object in the desired version, in the same order, or a Failure with its
 * message. Undefined when the value is not a ConversionReview.
 */
export function reviewConversion(review: unknown, resources: readonly ConvertedResource[]): JsonObject | undefined {
  if (
    !isJsonObject(review) ||
    review["kind"] !== "ConversionReview" ||
    review["apiVersion"] !== "apiextensions.k8s.io/v1"
  )
    return undefined;
  const { request } = review;
  if (!isJsonObject(request) || typeof request["uid"] !== "string" || !Array.isArray(request["objects"]))
    return undefined;
  return {
    apiVersion: review["apiVersion"],
    kind: review["kind"],
    response: {
      uid: request["uid"],
      ...converted(request["objects"], String(request["desiredAPIVersion"] ?? ""), resources),
    },
  };
}

function converted(
  objects: readonly unknown[],
  apiVersion: string,
  resources: readonly ConvertedResource[],
): { readonly result: JsonObject; readonly convertedObjects?: readonly JsonObject[] } {
  try {
    const convertedObjects = objects.map((object) => convertOne(object, apiVersion, resources));
    return { convertedObjects, result: { status: "Success" } };
  } catch (error) {
    return { result: { status: "Failure", message: error instanceof Error ? error.message : String(error) } };
  }
}

function convertOne(object: unknown, apiVersion: string, resources: readonly ConvertedResource[]): JsonObject {
  const [group = "", version = ""] = apiVersion.split("/");
  const kind = isJsonObject(object) ? object["kind"] : undefined;
  const resource = resources.find(({ definition }) => definition.group === group && definition.kind === kind);
  if (!isJsonObject(object) || resource === undefined)
    throw new TypeError(`Cannot convert ${String(kind)} to "${apiVersion}": this webhook does not convert this kind`);
  return convertObject(resource, object, version);
}
