import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type FieldError, formatFieldError, invalid } from "./field-error.js";
import { pruneUnknown } from "./prune-unknown.js";
import type { Schema } from "./schema.js";
import { validateValue } from "./validate-value.js";

/** Validations of defaults that other modules implement. */
export interface DefaultChecks {
  /** Validates embedded resources in a default. @default no validation */
  readonly checkEmbedded?: (value: JsonValue, schema: Schema, path: string) => FieldError[];
  /** Evaluates the CEL rules of a schema for its default, which is otherwise valid. @default no evaluation */
  readonly evaluateDefault?: (schema: Schema, path: string) => readonly FieldError[];
}

/** Wraps a value in the object that contains it. */
type Surround = (value: JsonValue) => JsonObject;

interface Place {
  readonly schema: Schema;
  readonly path: string;
  /** The schema of the object whose apiVersion, kind or metadata contains this value; undefined elsewhere. */
  readonly owner: Schema | undefined;
  readonly surround: Surround;
}

/** Finds defaults that their own schema prunes or rejects. The schema must be structural. */
export function checkDefaults(schema: Schema, path: string, checks: DefaultChecks = {}): FieldError[] {
  // The root is always a resource with metadata.
  const root = { ...schema, "x-kubernetes-embedded-resource": true };
  return check({ schema: root, path, owner: undefined, surround: asObject }, checks);
}

const metaFields: readonly string[] = ["apiVersion", "kind", "metadata"];

/** Adds apiVersion and kind to a value. */
function asObject(value: JsonValue): JsonObject {
  return { apiVersion: "validation/v1", kind: "Validation", ...(isJsonObject(value) ? value : {}) };
}

function check(place: Place, checks: DefaultChecks): FieldError[] {
  const { schema, path } = place;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const owner = isResource ? undefined : place.owner;
  const surround = isResource ? asObject : place.surround;
  const errors = checkDefault({ schema, path, owner, surround }, isResource, checks);
  // kube-apiserver does not check defaults below additionalProperties.
  if (schema.items !== undefined) {
    const inList: Surround = (value) => surround([value]);
    errors.push(...check({ schema: schema.items, path: `${path}.items`, owner, surround: inList }, checks));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inner: Place = {
      schema: property,
      path: `${path}.properties[${name}]`,
      owner: owner ?? (isResource && metaFields.includes(name) ? schema : undefined),
      surround: (value) => surround({ [name]: value }),
    };
    errors.push(...check(inner, checks));
  }
  return errors;
}

function checkDefault(
  { schema, path, owner, surround }: Place,
  isResource: boolean,
  { checkEmbedded = () => [], evaluateDefault = () => [] }: DefaultChecks,
): FieldError[] {
  const value = schema.default;
  if (value === undefined || value === null) return [];
  const at = `${path}.default`;
  const validate = (): readonly FieldError[] => {
    const errors = validateValue(value, schema, { at, knowsIntOrString: false });
    return errors.length > 0 ? errors : evaluateDefault(schema, at);
  };
  if (owner !== undefined) {
    const problems = checkEmbedded(surround(value), owner, "");
    if (problems.length === 0) return [...validate()];
    const messages = [...new Set(problems.map(formatFieldError))];
    const text = messages.length === 1 ? messages[0] : `[${messages.join(", ")}]`;
    return [invalid(at, value, `must result in valid metadata: ${text}`)];
  }
  const pruned = pruneUnknown(value, schema, { isResource });
  const unknown = deepEqual(pruned.value, value) ? [] : [invalid(at, value, "must not have unknown fields")];
  const embedded = checkEmbedded(value, schema, at);
  return [...unknown, ...(embedded.length > 0 ? embedded : validate())];
}
