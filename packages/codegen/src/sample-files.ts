import type { JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { crdOf } from "kubewright";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";

/** `samples/<group>_<version>_<kind>.yaml`: a minimal valid object per served version. */
export function sampleFiles(resources: readonly DefinedResource[]): GeneratedFile[] {
  return resources.flatMap((resource) => {
    const { group, names, versions } = crdOf(resource).spec;
    return versions
      .filter(({ served }) => served)
      .map(({ name: version, schema: { openAPIV3Schema: schema } }) => {
        const { status: _, ...properties } = schema.properties ?? {};
        const body = sampleOf({ ...schema, properties }) as object;
        return yamlFile(`samples/${group}_${version}_${names.singular}.yaml`, {
          apiVersion: `${group}/${version}`,
          kind: names.kind,
          metadata: { name: `${names.singular}-sample` },
          ...body,
        });
      });
  });
}

/** A value that fits a schema, with its required fields and defaults. */
export function sampleOf(schema: Schema): JsonValue {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined && !isEmptyObject(schema.default)) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema["x-kubernetes-int-or-string"] === true) return 1;
  switch (schema.type) {
    case "object":
      return objectSample(schema);
    case "array":
      return schema.items && (schema.minItems ?? 0) > 0 ? [sampleOf(schema.items)] : [];
    case "integer":
    case "number":
      return numberSample(schema);
    case "boolean":
      return false;
    case "string":
      return "text".repeat(Math.ceil((schema.minLength ?? 1) / 4)).slice(0, schema.maxLength);
    default:
      return {};
  }
}

function objectSample(schema: Schema): JsonValue {
  // The sample has the first branch of a union.
  const [branch] = schema.oneOf ?? [];
  const required = new Set([...(schema.required ?? []), ...(branch?.required ?? [])]);
  const sample: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {}))
    if (required.has(name) || property.default !== undefined)
      sample[name] = branch?.properties?.[name]?.enum?.[0] ?? sampleOf(property);
  return sample;
}

function numberSample({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf = 1 }: Schema): number {
  const low = minimum === undefined ? Math.min(multipleOf, maximum ?? multipleOf) : minimum;
  if (exclusiveMinimum !== true && !(exclusiveMaximum === true && low === maximum)) return low;
  return maximum === undefined ? low + multipleOf : (low + maximum) / 2;
}

function isEmptyObject(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
