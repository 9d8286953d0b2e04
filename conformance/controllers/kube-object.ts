import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";

/** An API object with the metadata that scenarios read. */
export interface KubeObject extends JsonObject {
  readonly metadata: Metadata;
}

/** The metadata that scenarios read. */
export interface Metadata extends JsonObject {
  readonly name: string;
  readonly uid: string;
  readonly resourceVersion: string;
}

/** Whether a value is a stored API object. */
export function isKubeObject(value: unknown): value is KubeObject {
  if (!isJsonObject(value)) return false;
  const metadata = value["metadata"];
  return isJsonObject(metadata) && ["name", "uid", "resourceVersion"].every((key) => typeof metadata[key] === "string");
}

/** The value at a path of field names; undefined if there is none. */
function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  let here = value;
  for (const key of path) here = isJsonObject(here) && Object.hasOwn(here, key) ? here[key] : undefined;
  return here;
}

/** The string at a path; empty if there is none. */
export function textAt(value: JsonValue | undefined, ...path: readonly string[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}

/** The objects of a list; empty if there is none. */
export function itemsAt(value: JsonValue | undefined, ...path: readonly string[]): readonly JsonObject[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}

/** Whether the condition of this type has status True. */
export function isTrue(object: JsonObject, type: string): boolean {
  return itemsAt(object, "status", "conditions").some((one) => one["type"] === type && one["status"] === "True");
}
