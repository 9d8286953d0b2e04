import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { dumpGoValue } from "./go-dump.js";

/** The label that tells the pods of one ReplicaSet from those of others of the same Deployment. */
export const hashLabel = "pod-template-hash";

const texts = new WeakMap<object, string>();

/** Whether two pod templates mean the same, whatever their label {@link hashLabel} and however emptiness is written. */
export function isSameTemplate(a: object, b: object): boolean {
  const [left, right] = [withoutHash(a), withoutHash(b)];
  return deepEqual(left, right) || textOf(a, left) === textOf(b, right);
}

/** Templates of the caches are frozen, so that each is printed once. */
function textOf(template: object, value: JsonObject): string {
  const known = texts.get(template);
  if (known !== undefined) return known;
  const text = dumpGoValue("v1.PodTemplateSpec", value);
  texts.set(template, text);
  return text;
}

function withoutHash(template: object): JsonObject {
  const value = template as JsonObject;
  const metadata = value["metadata"];
  const labels = isJsonObject(metadata) ? metadata["labels"] : undefined;
  if (!isJsonObject(metadata) || !isJsonObject(labels) || !Object.hasOwn(labels, hashLabel)) return value;
  const others: Record<string, JsonValue> = { ...labels };
  delete others[hashLabel];
  return { ...value, metadata: { ...metadata, labels: others } };
}
