import { deepEqual, type JsonValue } from "../json/index.js";
import type { FieldError } from "./field-error.js";
import { invalid } from "./field-error.js";
import { pruneUnknown } from "./prune-unknown.js";
import type { Schema } from "./schema.js";
import { validateValue } from "./validate-value.js";

type EmbeddedCheck = (value: JsonValue, schema: Schema, path: string) => FieldError[];

/** Finds defaults that their own schema would prune or refuse. The schema must be structural. */
export function checkDefaults(schema: Schema, path: string, checkEmbedded: EmbeddedCheck = () => []): FieldError[] {
  // The root is an object with metadata, whether it says so or not.
  return check({ ...schema, "x-kubernetes-embedded-resource": true }, path, false, checkEmbedded);
}

const metaFields: readonly string[] = ["apiVersion", "kind", "metadata"];

function check(schema: Schema, path: string, insideMeta: boolean, checkEmbedded: EmbeddedCheck): FieldError[] {
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const isMeta = insideMeta && !isResource;
  const errors: FieldError[] = [];
  const value = schema.default;
  if (value !== undefined && value !== null) {
    const place = `${path}.default`;
    if (!isMeta) {
      const pruned = pruneUnknown(value, schema, { isResource });
      if (!deepEqual(pruned.value, value)) errors.push(invalid(place, value, "must not have unknown fields"));
    }
    const embedded = isMeta ? [] : checkEmbedded(value, schema, place);
    errors.push(
      ...(embedded.length > 0 ? embedded : validateValue(value, schema, { at: place, knowsIntOrString: false })),
    );
  }
  // Maps have no defaults that are ever filled in: the server does not look at theirs.
  if (schema.items !== undefined) errors.push(...check(schema.items, `${path}.items`, isMeta, checkEmbedded));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inMeta = isMeta || (isResource && metaFields.includes(name));
    errors.push(...check(property, `${path}.properties[${name}]`, inMeta, checkEmbedded));
  }
  return errors;
}
