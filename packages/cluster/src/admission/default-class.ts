import type { JsonObject } from "@kubewright/core/json";
import { metadataOf, objectAt, textAt } from "../registry/index.js";
import type { Bucket } from "../storage/index.js";

/** The name of the class that one of the annotations marks as the default; of several, the newest. Undefined if there is none. */
export function defaultClassName(classes: Bucket, annotations: readonly string[]): string | undefined {
  const isDefault = (metadata: JsonObject): boolean =>
    annotations.some((key) => objectAt(metadata, "annotations")[key] === "true");
  const defaults = classes
    .list()
    .map(({ object }) => metadataOf(object))
    .filter(isDefault);
  defaults.sort(
    (a, b) =>
      textAt(b, "creationTimestamp").localeCompare(textAt(a, "creationTimestamp")) ||
      textAt(a, "name").localeCompare(textAt(b, "name")),
  );
  const [chosen] = defaults;
  return chosen && textAt(chosen, "name");
}
