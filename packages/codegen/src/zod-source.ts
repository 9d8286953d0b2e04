import { stringifyJson } from "@kubewright/core/json";
import { metaWords, type Schema } from "@kubewright/core/schema";

/** String formats that zod has a type for. */
const zodFormats: Readonly<Record<string, string>> = {
  "date-time": "z.iso.datetime()",
  date: "z.iso.date()",
  email: "z.email()",
  uuid: "z.uuid()",
  ipv4: "z.ipv4()",
  ipv6: "z.ipv6()",
  byte: "z.base64()",
};

/**
 * TypeScript source of a zod schema that is equivalent to a structural schema. `indent` is the indentation of its lines.
 *
 * Keywords without a zod method are kept by `.meta()`.
 */
export function zodSource(schema: Schema, indent: string): string {
  const { source, covered } = typeSource(schema, indent);
  const meta: Record<string, unknown> = {};
  for (const keyword of metaWords) {
    // k.rules covers rules, and false is the default of every boolean keyword.
    if (keyword === "x-kubernetes-validations" || covered.has(keyword)) continue;
    if (schema[keyword] !== undefined && schema[keyword] !== false) meta[keyword] = schema[keyword];
  }
  let text = source + (Object.keys(meta).length === 0 ? "" : `.meta(${literal(meta)})`);
  if (schema.description !== undefined) text += `.describe(${literal(schema.description)})`;
  const rules = schema["x-kubernetes-validations"] ?? [];
  if (rules.length > 0) text = `k.rules(${[text, ...rules.map((rule) => literal(rule))].join(", ")})`;
  if (schema.nullable === true) text += ".nullable()";
  if (schema.default === undefined) return text;
  // An API server applies nested defaults to a default value, as zod does to a prefault.
  const isNested = typeof schema.default === "object" && schema.default !== null;
  return `${text}.${isNested ? "prefault" : "default"}(${literal(schema.default)})`;
}

const numberKeywords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

interface TypeSource {
  readonly source: string;
  /** Keywords of the schema that the source expresses. */
  readonly covered: ReadonlySet<string>;
}

function typeSource(schema: Schema, indent: string): TypeSource {
  if (schema["x-kubernetes-int-or-string"] === true) return { source: "k.intOrString()", covered: new Set() };
  if (schema.enum !== undefined) return { source: enumSource(schema), covered: new Set() };
  switch (schema.type) {
    case "object":
      return objectSource(schema, indent);
    case "array":
      return {
        source: `z.array(${zodSource(schema.items ?? {}, indent)})${bounds(schema, "minItems", "maxItems")}`,
        covered: new Set(["minItems", "maxItems"]),
      };
    case "string":
      return stringSource(schema);
    case "integer":
      return {
        source: `${schema.format === "int32" ? "z.int32()" : "z.int()"}${numeric(schema)}`,
        covered: new Set(["format", ...numberKeywords]),
      };
    case "number":
      return { source: `z.number()${numeric(schema)}`, covered: new Set(numberKeywords) };
    case "boolean":
      return { source: "z.boolean()", covered: new Set() };
    default:
      return { source: "z.unknown()", covered: new Set(["x-kubernetes-preserve-unknown-fields"]) };
  }
}

function objectSource(schema: Schema, indent: string): TypeSource {
  const { properties, additionalProperties, required = [] } = schema;
  if (typeof additionalProperties === "object")
    return { source: `z.record(z.string(), ${zodSource(additionalProperties, indent)})`, covered: new Set() };
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true || additionalProperties === true;
  const make = isOpen ? "z.looseObject" : "z.object";
  const covered = new Set(["x-kubernetes-preserve-unknown-fields"]);
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) return { source: `${make}({})`, covered };
  const lines = fields.map(([name, field]) => {
    const isOptional = !required.includes(name) && field.default === undefined;
    return `${indent}  ${propertyName(name)}: ${zodSource(field, `${indent}  `)}${isOptional ? ".optional()" : ""},\n`;
  });
  return { source: `${make}({\n${lines.join("")}${indent}})`, covered };
}

function stringSource(schema: Schema): TypeSource {
  const { format = "", pattern } = schema;
  const known = Object.hasOwn(zodFormats, format) ? zodFormats[format] : undefined;
  const covered = new Set(["minLength", "maxLength", ...(known === undefined ? [] : ["format"])]);
  let source = `${known ?? "z.string()"}${bounds(schema, "minLength", "maxLength")}`;
  if (pattern !== undefined && isSamePattern(pattern)) {
    source += `.regex(new RegExp(${literal(pattern)}))`;
    covered.add("pattern");
  }
  return { source, covered };
}

/** Whether JavaScript parses a pattern without a change; patterns that only RE2 accepts need `.meta()`. */
function isSamePattern(pattern: string): boolean {
  try {
    return new RegExp(pattern).source === pattern;
  } catch {
    return false;
  }
}

function enumSource({ enum: values = [] }: Schema): string {
  if (values.length > 0 && values.every((value) => typeof value === "string")) return `z.enum(${literal(values)})`;
  return `z.literal(${literal(values)})`;
}

function bounds(schema: Schema, min: "minItems" | "minLength", max: "maxItems" | "maxLength"): string {
  const [low, high] = [schema[min], schema[max]];
  return `${low === undefined ? "" : `.min(${low})`}${high === undefined ? "" : `.max(${high})`}`;
}

function numeric({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: Schema): string {
  return [
    minimum === undefined ? "" : `.${exclusiveMinimum === true ? "gt" : "min"}(${minimum})`,
    maximum === undefined ? "" : `.${exclusiveMaximum === true ? "lt" : "max"}(${maximum})`,
    multipleOf === undefined ? "" : `.multipleOf(${multipleOf})`,
  ].join("");
}

function propertyName(name: string): string {
  // A plain `__proto__` in an object literal would set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A value as a TypeScript literal: JSON, with the two line separators escaped that JSON allows in strings. */
export function literal(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  return stringifyJson(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
