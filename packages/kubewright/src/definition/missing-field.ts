import { parseSteps, type Step } from "@kubewright/core/jsonpath";
import type { Schema } from "@kubewright/core/schema";

const anything: Schema = { "x-kubernetes-preserve-unknown-fields": true };

const metadata: Schema = {
  type: "object",
  properties: Object.fromEntries(
    [
      ...["name", "generateName", "namespace", "uid", "resourceVersion", "generation", "selfLink"],
      ...["creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"],
      ...["labels", "annotations", "finalizers", "ownerReferences", "managedFields"],
    ].map((name) => [name, anything]),
  ),
};

/**
 * The first field of a JSONPath that objects of this root schema never have, such as `.spec.replica`; undefined if all of them may exist.
 *
 * Throws a `JsonPathError` if the path does not parse.
 */
export function missingField(root: Schema, jsonPath: string): string | undefined {
  const known: Schema = {
    ...root,
    properties: { apiVersion: anything, kind: anything, ...root.properties, metadata },
  };
  let current: Schema = known;
  let path = "";
  for (const step of parseSteps(jsonPath)) {
    // Several names or levels at once: rare, and no typo is worth a false alarm.
    if (step.kind === "descend" || (step.kind === "fields" && step.paths.length !== 1)) return undefined;
    const names = step.kind === "fields" ? (step.paths[0] ?? []) : [undefined];
    for (const name of names) {
      const inner = name === undefined ? itemOf(current, step) : fieldOf(current, name);
      path += name === undefined ? "[]" : `.${name}`;
      if (inner === undefined) return path;
      current = inner;
    }
  }
  return undefined;
}

function fieldOf(schema: Schema, name: string): Schema | undefined {
  const { properties = {}, additionalProperties } = schema;
  if (Object.hasOwn(properties, name)) return properties[name];
  if (typeof additionalProperties === "object") return additionalProperties;
  return additionalProperties === true || isOpen(schema) ? anything : undefined;
}

/** The schema of what an index, slice, wildcard or filter selects. */
function itemOf(schema: Schema, step: Step): Schema | undefined {
  if (schema.items !== undefined) return schema.items;
  return step.kind === "wildcard" || schema.type === "object" || isOpen(schema) ? anything : undefined;
}

function isOpen(schema: Schema): boolean {
  return schema["x-kubernetes-preserve-unknown-fields"] === true || schema["x-kubernetes-embedded-resource"] === true;
}
