import { isJsonObject, type JsonValue } from "@kubewright/core/json";
import { isKnownFormat } from "@kubewright/core/schema";
import type { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";
import { listAt, objectAt, textAt } from "../draft.js";

type Definition = Decoded<CustomResourceDefinition>;

/** Warns of unknown formats, which are not validated. An update warns only of new ones. */
export function formatWarnings(definition: Definition, old: Definition | undefined): string[] {
  const before = old ? unknownFormats(definitionSchemas(old)) : new Set<string>();
  return [...unknownFormats(definitionSchemas(definition))]
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function definitionSchemas(definition: Definition): JsonValue[] {
  return (definition.spec?.versions ?? []).map(({ schema }) => schema?.openAPIV3Schema ?? {});
}

/** The unknown formats in these schemas and their nested schemas. */
function unknownFormats(schemas: readonly JsonValue[], found = new Set<string>()): Set<string> {
  for (const schema of schemas) {
    if (!isJsonObject(schema)) continue;
    const format = textAt(schema, "format");
    if (format !== "" && !isKnownFormat(textAt(schema, "type"), format)) found.add(format);
    for (const keyword of ["items", "additionalProperties", "not"])
      if (schema[keyword] !== undefined) unknownFormats([schema[keyword]], found);
    for (const keyword of ["allOf", "anyOf", "oneOf"]) unknownFormats(listAt(schema, keyword), found);
    unknownFormats(Object.values(objectAt(schema, "properties")), found);
  }
  return found;
}
