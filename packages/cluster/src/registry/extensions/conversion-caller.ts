import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { labelKeyProblems, labelValueProblems } from "@kubewright/core/selector";
import type { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { CallFailure, type WebhookCaller, type WebhookTarget } from "../../webhook-client/index.js";
import type { Decoded } from "../decoded.js";
import { textAt } from "../draft.js";
import { type ConversionWebhook, InvalidConversion } from "./object-converter.js";

/** kube-apiserver sets no timeout for conversions. This one only ends a request that a webhook would hold forever. */
const timeoutMs = 30_000;

/** The conversion webhook of a CRD, called as kube-apiserver does. */
export function calledConverter(
  definition: Decoded<CustomResourceDefinition>,
  { caller, newUid }: { readonly caller: WebhookCaller; newUid(): string },
): ConversionWebhook {
  const { clientConfig = {}, conversionReviewVersions = [] } = definition.spec?.conversion?.webhook ?? {};
  const version = conversionReviewVersions.find((one) => one === "v1" || one === "v1beta1");
  return {
    async convert(objects, apiVersion) {
      if (version === undefined) throw new Error("no supported conversion review versions");
      const uid = newUid();
      const request = { uid, desiredAPIVersion: apiVersion, objects };
      const review = {
        kind: "ConversionReview",
        apiVersion: `apiextensions.k8s.io/${version}`,
        request,
        response: { uid: "", convertedObjects: null, result: { metadata: {} } },
      };
      const body = await caller.call(clientConfig as WebhookTarget, review, { timeoutMs, sendsTimeout: false });
      const converted = convertedObjects(body, version, uid);
      if (converted.length !== objects.length)
        throw new InvalidConversion(`returned ${converted.length} objects, expected ${objects.length}`);
      return converted.map((object, index) => checkConverted(object, objects[index] ?? {}, apiVersion));
    },
  };
}

/** The objects of a ConversionReview. v1 also verifies its type and its uid. */
function convertedObjects(body: unknown, version: string, uid: string): readonly JsonValue[] {
  if (!isJsonObject(body)) throw new CallFailure("couldn't get version/kind; json parse error: the body is no object");
  const { response } = body;
  const type = `${textAt(body, "apiVersion")}, Kind=${textAt(body, "kind")}`;
  const expected = "apiextensions.k8s.io/v1, Kind=ConversionReview";
  if (version === "v1" && type !== expected) throw new Error(`expected webhook response of ${expected}, got ${type}`);
  if (!isJsonObject(response)) throw new Error("no response provided");
  const given = textAt(response, "uid");
  if (version === "v1" && given !== uid)
    throw new Error(`expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(given)}`);
  const result = isJsonObject(response["result"]) ? response["result"] : {};
  const status = textAt(result, "status");
  if (status !== "Success")
    throw new Error(textAt(result, "message") || `response.result.status was '${status}', not 'Success'`);
  const { convertedObjects: objects } = response;
  return Array.isArray(objects) ? objects : [];
}

/** A converted object that has the requested version, the kind and the identity of the original. */
function checkConverted(converted: JsonValue, original: JsonObject, apiVersion: string): JsonObject {
  if (!isJsonObject(converted)) throw new Error("the converted object is no object");
  const given = textAt(converted, "apiVersion");
  if (given !== apiVersion)
    throw new InvalidConversion(
      `returned invalid object at index 0: invalid groupVersion (expected ${apiVersion}, received ${given})`,
    );
  const [expected, kind] = [textAt(original, "kind"), textAt(converted, "kind")];
  if (kind !== expected)
    throw new InvalidConversion(
      `returned invalid object at index 0: invalid kind (expected ${expected}, received ${kind})`,
    );
  const { metadata } = converted;
  const [before, after] = [original["metadata"] ?? {}, isJsonObject(metadata) ? metadata : {}];
  for (const [field, shown] of [
    ["name", "name"],
    ["namespace", "namespace"],
    ["uid", "UID"],
  ] as const) {
    const [old, now] = [textAt(before as JsonObject, field), textAt(after, field)];
    if (old !== now)
      throw new InvalidConversion(`returned invalid object: must have the same ${shown}: ${old} != ${now}`);
  }
  if (metadata === undefined)
    throw new InvalidConversion("returned invalid metadata: missing metadata in converted object");
  if (!isJsonObject(metadata))
    throw new InvalidConversion("returned invalid metadata: invalid metadata in converted object");
  checkStrings(metadata, before as JsonObject);
  return converted;
}

function checkStrings(metadata: JsonObject, before: JsonObject): void {
  for (const field of ["labels", "annotations"]) {
    const values = metadata[field] ?? {};
    if (!isJsonObject(values))
      throw new InvalidConversion(`returned invalid metadata: invalid metadata.${field} in converted object`);
    for (const [key, value] of Object.entries(values)) {
      if (typeof value !== "string")
        throw new InvalidConversion(
          `returned invalid metadata: metadata.${field}[${key}] must be a string in converted object`,
        );
      const problems = [...labelKeyProblems(key), ...(field === "labels" ? labelValueProblems(value) : [])];
      const isOld = isJsonObject(before[field]) && before[field][key] === value;
      if (problems.length > 0 && !isOld)
        throw new InvalidConversion(
          `returned invalid metadata: metadata.${field}: Invalid value: "${key}": ${problems[0]}`,
        );
    }
  }
}
