import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type FieldError, formatFieldError, invalid } from "./field-error.js";
import { pruneUnknown } from "./prune-unknown.js";
import type { Schema } from "./schema.js";
import { validateValue } from "./validate-value.js";

type EmbeddedCheck = (value: JsonValue, schema: Schema, path: string) => FieldError[];

/** Puts a value into the object that its place in a schema makes it a part of. */
type Surround = (value: JsonValue) => JsonObject;

interface Place {
  readonly schema: Schema;
  readonly path: string;
  /** The schema of the object whose apiVersion, kind or metadata this is a part of; undefined elsewhere. */
  readonly owner: Schema | undefined;
  readonly surround: Surround;
}

/** Finds defaults that their own schema would prune or refuse. The schema must be structural. */
export function checkDefaults(schema: Schema, path: string, checkEmbedded: EmbeddedCheck = () => []): FieldError[] {
  // The root is an object with metadata, whether it says so or not.
  const root = { ...schema, "x-kubernetes-embedded-resource": true };
  return check({ schema: root, path, owner: undefined, surround: asObject }, checkEmbedded);
}

const metaFields: readonly string[] = ["apiVersion", "kind", "metadata"];

/** An object that lacks nothing but what is asked for. */
function asObject(value: JsonValue): JsonObject {
  return { apiVersion: "validation/v1", kind: "Validation", ...(isJsonObject(value) ? value : {}) };
}

function check(place: Place, checkEmbedded: EmbeddedCheck): FieldError[] {
  const { schema, path } = place;
  const isResource = schema["x-kubernetes-embedded-resource"] === true;
  const owner = isResource ? undefined : place.owner;
  const surround = isResource ? asObject : place.surround;
  const errors = checkDefault({ schema, path, owner, surround }, isResource, checkEmbedded);
  // Maps have no defaults that are ever filled in: the server does not look at theirs.
  if (schema.items !== undefined) {
    const inList: Surround = (value) => surround([value]);
    errors.push(...check({ schema: schema.items, path: `${path}.items`, owner, surround: inList }, checkEmbedded));
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inner: Place = {
      schema: property,
      path: `${path}.properties[${name}]`,
      owner: owner ?? (isResource && metaFields.includes(name) ? schema : undefined),
      surround: (value) => surround({ [name]: value }),
    };
    errors.push(...check(inner, checkEmbedded));
  }
  return errors;
}

function checkDefault(
  { schema, path, owner, surround }: Place,
  isResource: boolean,
  checkEmbedded: EmbeddedCheck,
): FieldError[] {
  const value = schema.default;
  if (value === undefined || value === null) return [];
  const at = `${path}.default`;
  if (owner !== undefined) {
    const problems = checkEmbedded(surround(value), owner, "");
    if (problems.length === 0) return validateValue(value, schema, { at, knowsIntOrString: false });
    const told = [...new Set(problems.map(formatFieldError))];
    const text = told.length === 1 ? told[0] : `[${told.join(", ")}]`;
    return [invalid(at, value, `must result in valid metadata: ${text}`)];
  }
  const pruned = pruneUnknown(value, schema, { isResource });
  const unknown = deepEqual(pruned.value, value) ? [] : [invalid(at, value, "must not have unknown fields")];
  const embedded = checkEmbedded(value, schema, at);
  return [
    ...unknown,
    ...(embedded.length > 0 ? embedded : validateValue(value, schema, { at, knowsIntOrString: false })),
  ];
}
