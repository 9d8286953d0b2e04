import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { isKnownFormat } from "@kubewright/core/schema";
import { listAt, objectAt, textAt } from "../draft.js";

/** Advice about formats that no value will be held against; those that were there before are not told of again. */
export function formatWarnings(definition: JsonObject, old: JsonObject | undefined): string[] {
  const before = old ? unknownFormats(definitionSchemas(old)) : new Set<string>();
  return [...unknownFormats(definitionSchemas(definition))]
    .filter((format) => !before.has(format))
    .map((format) => `unrecognized format ${JSON.stringify(format)}`);
}

function definitionSchemas(definition: JsonObject): JsonValue[] {
  return listAt(objectAt(definition, "spec"), "versions").flatMap((version) =>
    isJsonObject(version) ? [objectAt(objectAt(version, "schema"), "openAPIV3Schema")] : [],
  );
}

/** In every schema below these, whatever keyword it stands under. */
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
