import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { canonicalJson } from "./canonical-json.js";

/** The label that distinguishes the pods of one ReplicaSet from those of other ReplicaSets of the same Deployment. */
export const hashLabel = "pod-template-hash";

/** Whether two Pod templates are semantically equal, ignoring {@link hashLabel} and empty values. */
export function isSameTemplate(a: object, b: object): boolean {
  const [left, right] = [withoutHash(a), withoutHash(b)];
  return deepEqual(left, right) || canonicalJson(left) === canonicalJson(right);
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
