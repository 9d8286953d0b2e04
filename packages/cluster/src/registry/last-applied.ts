import { type ApplyConflict, applyConfiguration, fieldSetOf } from "@kubewright/core/apply";
import { isJsonObject, type JsonObject, type JsonValue, parseJson, stringifyJson } from "@kubewright/core/json";
import { childDraft, type Draft, draftOf, isDraft, metadataOf, objectAt, sorted, textAt } from "./draft.js";
import { mergeSchemaOf, type Resource } from "./resource.js";

const annotation = "kubectl.kubernetes.io/last-applied-configuration";

/** The field manager whose client-side apply the server migrates. */
export const kubectlManager = "kubectl";

/**
 * The conflicts that remain when kubectl moves from client-side to server-side apply.
 *
 * Fields of the last-applied annotation that have not changed since belong to kubectl and do not conflict.
 */
export function withoutOwnFields(
  conflicts: readonly ApplyConflict[],
  live: JsonObject,
  resource: Resource,
  apiVersion: string,
): readonly ApplyConflict[] {
  const last = lastApplied(live, apiVersion);
  if (!last) return conflicts;
  const schema = mergeSchemaOf(resource);
  const own = new Set(fieldSetOf(last, schema).paths());
  // An apply of the annotation's content conflicts exactly where the object has changed since.
  const again = applyConfiguration({ live, config: last, manager: "", apiVersion, force: false, schema, time: "" });
  if (again.kind === "conflict") for (const one of again.conflicts) for (const path of one.paths) own.delete(path);
  return conflicts
    .map((one) => ({ ...one, paths: one.paths.filter((path) => !own.has(path)) }))
    .filter((one) => one.paths.length > 0);
}

function lastApplied(live: JsonObject, apiVersion: string): JsonObject | undefined {
  let value: JsonValue;
  try {
    value = parseJson(textAt(objectAt(metadataOf(live), "annotations"), annotation) || "null");
  } catch {
    return undefined;
  }
  return isJsonObject(value) && value["apiVersion"] === apiVersion ? value : undefined;
}

/** Updates the last-applied annotation, if there is one, to the configuration that kubectl just applied. */
export function syncLastApplied(draft: Draft, config: JsonObject): void {
  const annotations = childDraft(draft, "metadata")["annotations"];
  if (!isDraft(annotations) || annotations[annotation] === undefined) return;
  const copy = draftOf(config);
  const own = childDraft(copy, "metadata")["annotations"];
  if (isDraft(own)) delete own[annotation];
  annotations[annotation] = `${stringifyJson(sorted(copy))}\n`;
}
