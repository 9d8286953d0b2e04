import { OperatorError } from "@kubewright/core/errors";
import { deepEqual, type JsonValue, normaliseJson, setOwn } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { whyInexpressible } from "./inexpressible-types.js";
import { withMeta } from "./schema-meta.js";
import { discriminatedSchema, intersectedSchema, isClash } from "./union-schema.js";
import { type AnySchema, definitionOf, descriptionOf, type ZodCheck, type ZodDefinition } from "./zod-definition.js";

/** Schemas deeper than this are treated as recursive. */
const maxDepth = 64;

/**
 * Converts a zod schema to the structural schema by which an API server validates, defaults and prunes.
 *
 * Throws DEFINITION_INVALID, with the path and a hint, for what a CRD cannot express. Nothing is dropped silently: a rule that holds in
 * TypeScript but not in the cluster is worse than none.
 */
export function schemaFromZod(schema: AnySchema, path: string): Schema {
  return convert(schema, path, 0);
}

/** Whether a field may be left out when an object is written. */
export function isOptionalField(schema: AnySchema): boolean {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case "optional":
    case "default":
    case "prefault":
      return true;
    case "nullable":
    case "readonly":
      return definition.innerType !== undefined && isOptionalField(definition.innerType);
    default:
      return false;
  }
}

function convert(schema: AnySchema, path: string, depth: number): Schema {
  if (depth > maxDepth)
    throw inexpressible(path, `a schema of more than ${maxDepth} levels`, "flatten it, or use z.unknown()");
  const definition = definitionOf(schema);
  if (definition.coerce === true)
    throw inexpressible(
      path,
      `z.coerce.${definition.type}()`,
      `a server stores values unchanged, without conversion: use z.${definition.type}()`,
    );
  const converted = convertType(definition, path, depth);
  const checked = (definition.checks ?? []).reduce<Schema>(
    (result, check) => withCheck(result, check, path),
    converted,
  );
  const described = withMeta(schema, checked, path);
  const description = descriptionOf(schema);
  return description === undefined ? described : { ...described, description };
}

function convertType(definition: ZodDefinition, path: string, depth: number): Schema {
  const inner = (): Schema => convert(required(definition.innerType), path, depth + 1);
  switch (definition.type) {
    case "string":
      return { type: "string", ...stringFormat(definition.format, path) };
    case "number":
      return numberType(definition.format, path);
    case "boolean":
      return { type: "boolean" };
    case "object":
      return objectType(definition, path, depth);
    case "array":
      return { type: "array", items: convert(required(definition.element), `${path}[]`, depth + 1) };
    case "record":
      return recordType(definition, path, depth);
    case "enum":
      return literals(Object.values(definition.entries ?? {}), path);
    case "literal":
      return literals(definition.values ?? [], path);
    case "optional":
    case "readonly":
      return inner();
    case "nullable":
      return { ...inner(), nullable: true };
    case "default":
    case "prefault":
      return { ...inner(), default: constantDefault(definition, path) };
    case "any":
    case "unknown":
      return { "x-kubernetes-preserve-unknown-fields": true };
    case "union":
      return definition.discriminator === undefined
        ? unionType(definition, path)
        : discriminatedUnion(definition, definition.discriminator, path, depth);
    case "intersection":
      return intersection(definition, path, depth);
    default: {
      const { what, hint } = whyInexpressible(definition);
      throw inexpressible(path, what, hint);
    }
  }
}

/** A CRD has one default for all objects, so a function that returns another value each time cannot be one. */
function constantDefault(definition: ZodDefinition, path: string): JsonValue {
  // zod calls the function with each read.
  const [value, again] = [normaliseJson(definition.defaultValue), normaliseJson(definition.defaultValue)];
  if (!deepEqual(value, again))
    throw inexpressible(
      path,
      "a default() that returns a different value each time",
      "all objects get the same default: set it in the controller, or in a defaulting webhook",
    );
  return value;
}

function objectType(definition: ZodDefinition, path: string, depth: number): Schema {
  const properties: Record<string, Schema> = {};
  const requiredNames: string[] = [];
  for (const [name, field] of Object.entries(definition.shape ?? {})) {
    setOwn(properties, name, convert(field, path === "" ? name : `${path}.${name}`, depth + 1));
    if (!isOptionalField(field)) requiredNames.push(name);
  }
  const catchall = definition.catchall && definitionOf(definition.catchall).type;
  if (catchall === "never") {
    throw inexpressible(
      path,
      "z.strictObject()",
      "use z.object(): a server prunes unknown fields, or rejects them with strict field validation",
    );
  }
  if (catchall !== undefined && catchall !== "unknown" && catchall !== "any") {
    throw inexpressible(path, "catchall()", "a structural schema has either named fields or z.record()");
  }
  return {
    type: "object",
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(requiredNames.length > 0 && { required: requiredNames }),
    ...(catchall !== undefined && { "x-kubernetes-preserve-unknown-fields": true }),
  };
}

function recordType(definition: ZodDefinition, path: string, depth: number): Schema {
  const key = definitionOf(required(definition.keyType));
  if (key.type !== "string" || (key.checks?.length ?? 0) > 0) {
    throw inexpressible(path, "z.record() with rules for its keys", "use z.record(z.string(), ...) and a CEL rule");
  }
  return { type: "object", additionalProperties: convert(required(definition.valueType), `${path}{}`, depth + 1) };
}

function unionType(definition: ZodDefinition, path: string): Schema {
  const types = (definition.options ?? []).map((option) => {
    const { type, format, checks } = definitionOf(option);
    return (checks?.length ?? 0) > 0 ? "checked" : type === "number" && format !== undefined ? "integer" : type;
  });
  if (types.length === 2 && types.includes("integer") && types.includes("string"))
    return { "x-kubernetes-int-or-string": true };
  if (types.length === 2 && types.includes("integer") && types.includes("bigint"))
    return { type: "integer", format: "int64" };
  const options = definition.options ?? [];
  if (options.length > 0 && types.every((type) => type === "literal" || type === "enum")) {
    return literals(
      options.flatMap((option) => {
        const { values, entries } = definitionOf(option);
        return values ?? Object.values(entries ?? {});
      }),
      path,
    );
  }
  throw inexpressible(
    path,
    "this z.union()",
    "a structural schema has unions of literals, int-or-string, and z.discriminatedUnion() of objects; otherwise use one object with optional fields and a CEL rule",
  );
}

function discriminatedUnion(definition: ZodDefinition, discriminator: string, path: string, depth: number): Schema {
  const options = (definition.options ?? []).map((option) => {
    const field = definitionOf(option).shape?.[discriminator];
    const known = field && convert(field, `${path}.${discriminator}`, depth + 1);
    if (known?.type !== "string" || known.enum === undefined)
      throw inexpressible(path, "this union", `give each option string literals for "${discriminator}"`);
    return { schema: convert(option, path, depth + 1), values: known.enum as readonly string[] };
  });
  const merged = discriminatedSchema(discriminator, options);
  if (isClash(merged)) throw clash(path, merged.field);
  return merged;
}

function intersection(definition: ZodDefinition, path: string, depth: number): Schema {
  const sides = [definition.left, definition.right].map((side) => convert(required(side), path, depth + 1));
  if (sides.some(({ type, oneOf }) => type !== "object" || oneOf !== undefined))
    throw inexpressible(path, "an intersection of anything but plain objects", "use one z.object() with all fields");
  const merged = intersectedSchema(sides);
  if (isClash(merged)) throw clash(path, merged.field);
  return merged;
}

function clash(path: string, field: string): OperatorError {
  return inexpressible(
    `${path}.${field}`,
    "two different schemas for one field",
    "a structural schema has one schema per field: rename the field, or use the same schema in each option",
  );
}

function literals(values: readonly unknown[], path: string): Schema {
  const types = new Set(values.map((value) => (Number.isInteger(value) ? "integer" : typeof value)));
  const [type] = types;
  if (types.size !== 1 || (type !== "string" && type !== "integer" && type !== "boolean")) {
    throw inexpressible(path, "an enum of mixed types", "use literals of one type");
  }
  return { type, enum: values.map((value) => normaliseJson(value)) };
}

function numberType(format: string | undefined, path: string): Schema {
  switch (format) {
    case undefined:
    case "float64":
      return { type: "number" };
    case "int32":
      return { type: "integer", format: "int32" };
    case "safeint":
      return { type: "integer", format: "int64" };
    default:
      throw inexpressible(path, `z.${format}()`, "use z.int32(), z.int() or z.number()");
  }
}

/** The patterns of zod for these formats are omitted: the server validates each format itself. */
const serverFormats: Readonly<Record<string, string>> = {
  datetime: "date-time",
  date: "date",
  email: "email",
  uuid: "uuid",
  url: "uri",
  ipv4: "ipv4",
  ipv6: "ipv6",
  cidrv4: "cidr",
  cidrv6: "cidr",
  base64: "byte",
};

function stringFormat(format: string | undefined, path: string): Schema {
  if (format === undefined) return {};
  const serverFormat = serverFormats[format];
  if (serverFormat === undefined)
    throw inexpressible(path, `the string format "${format}"`, "use .regex() with a pattern that Go understands");
  return { format: serverFormat };
}

function withCheck(schema: Schema, { _zod: { def } }: ZodCheck, path: string): Schema {
  const [min, max] =
    schema.type === "array" ? (["minItems", "maxItems"] as const) : (["minLength", "maxLength"] as const);
  switch (def.check) {
    case "min_length":
      return { ...schema, [min]: required(def.minimum) };
    case "max_length":
      return { ...schema, [max]: required(def.maximum) };
    case "length_equals":
      return { ...schema, [min]: required(def.length), [max]: required(def.length) };
    case "greater_than":
      return { ...schema, minimum: Number(def.value), ...(def.inclusive === false && { exclusiveMinimum: true }) };
    case "less_than":
      return { ...schema, maximum: Number(def.value), ...(def.inclusive === false && { exclusiveMaximum: true }) };
    case "multiple_of":
      return { ...schema, multipleOf: Number(def.value) };
    case "number_format":
      return { ...schema, ...numberType(def.format, path) };
    case "string_format":
      return def.pattern !== undefined && patternChecks.has(def.format ?? "")
        ? { ...schema, pattern: patternText(def.pattern, schema, path) }
        : { ...schema, ...stringFormat(def.format, path) };
    case "custom":
      throw inexpressible(path, "refine()", "write it as a CEL rule in `rules`, or validate in a webhook");
    case "overwrite":
      throw inexpressible(
        path,
        "trim() and other overwrites",
        "a server stores strings unchanged: validate with .regex(), or change them in a webhook",
      );
    default:
      throw inexpressible(path, `the check "${def.check}"`, "write it as a CEL rule in `rules`");
  }
}

const patternChecks: ReadonlySet<string> = new Set([
  "regex",
  "starts_with",
  "ends_with",
  "includes",
  "lowercase",
  "uppercase",
]);

function patternText(pattern: RegExp, schema: Schema, path: string): string {
  if (pattern.flags !== "" && pattern.flags !== "u") {
    throw inexpressible(
      path,
      `the flags "${pattern.flags}" of ${pattern}`,
      "a CRD's pattern has no flags: express them in the pattern",
    );
  }
  if (schema.pattern !== undefined) throw inexpressible(path, "two patterns", "join them into one regular expression");
  return pattern.source;
}

function inexpressible(path: string, what: string, hint: string): OperatorError {
  return new OperatorError(
    "DEFINITION_INVALID",
    `Cannot express ${what} at "${path}" in a CustomResourceDefinition: ${hint}`,
  );
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new TypeError("Cannot read this zod definition: it is not a zod 4 schema");
  return value;
}
