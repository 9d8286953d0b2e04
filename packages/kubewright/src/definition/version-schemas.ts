import type { Schema } from "@kubewright/core/schema";
import { crdOf } from "./custom-resource-definition.js";
import type { ResourceDefinition } from "./define-resource.js";

const known = new WeakMap<ResourceDefinition, ReadonlyMap<string, Schema>>();

/** The schemas of a definition by version, cached. Throws DEFINITION_INVALID when a CRD cannot express one. */
export function versionSchemas(definition: ResourceDefinition): ReadonlyMap<string, Schema> {
  let schemas = known.get(definition);
  if (schemas === undefined) {
    const { versions } = crdOf({ definition }).spec;
    schemas = new Map(versions.map(({ name, schema }) => [name, schema.openAPIV3Schema]));
    known.set(definition, schemas);
  }
  return schemas;
}
