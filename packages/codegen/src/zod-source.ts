import type { JsonValue } from "@kubewright/core/json";
import { metaWords, type Schema } from "@kubewright/core/schema";

/** Formats of texts that zod has a type for. */
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
 * TypeScript that makes a zod schema which says the same as a structural schema. `indent` is where its lines begin.
 *
 * Everything is carried over, in zod's words where it has them and by `.meta()` where not.
 */
export function zodSource(schema: Schema, indent: string): string {
  const { source, said } = typeSource(schema, indent);
  const meta: Record<string, unknown> = {};
  for (const word of metaWords) {
    // Rules have a way of their own, and what is false is as good as not said.
    if (word === "x-kubernetes-validations" || said.has(word)) continue;
    if (schema[word] !== undefined && schema[word] !== false) meta[word] = schema[word];
  }
  let text = source + (Object.keys(meta).length === 0 ? "" : `.meta(${literal(meta)})`);
  if (schema.description !== undefined) text += `.describe(${literal(schema.description)})`;
  const rules = schema["x-kubernetes-validations"] ?? [];
  if (rules.length > 0) text = `k.rules(${[text, ...rules.map((rule) => literal(rule))].join(", ")})`;
  if (schema.nullable === true) text += ".nullable()";
  if (schema.default === undefined) return text;
  // A server fills the gaps of a default by the defaults inside it; that is what zod calls a prefault.
  const isNested = typeof schema.default === "object" && schema.default !== null;
  return `${text}.${isNested ? "prefault" : "default"}(${literal(schema.default)})`;
}

const numberWords = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;

interface TypeSource {
  readonly source: string;
  /** Words of the schema that the source says already. */
  readonly said: ReadonlySet<string>;
}

function typeSource(schema: Schema, indent: string): TypeSource {
  if (schema["x-kubernetes-int-or-string"] === true) return { source: "k.intOrString()", said: new Set() };
  if (schema.enum !== undefined) return { source: enumSource(schema), said: new Set() };
  switch (schema.type) {
    case "object":
      return objectSource(schema, indent);
    case "array":
      return {
        source: `z.array(${zodSource(schema.items ?? {}, indent)})${bounds(schema, "minItems", "maxItems")}`,
        said: new Set(["minItems", "maxItems"]),
      };
    case "string":
      return stringSource(schema);
    case "integer":
      return {
        source: `${schema.format === "int32" ? "z.int32()" : "z.int()"}${numeric(schema)}`,
        said: new Set(["format", ...numberWords]),
      };
    case "number":
      return { source: `z.number()${numeric(schema)}`, said: new Set(numberWords) };
    case "boolean":
      return { source: "z.boolean()", said: new Set() };
    default:
      return { source: "z.unknown()", said: new Set(["x-kubernetes-preserve-unknown-fields"]) };
  }
}

function objectSource(schema: Schema, indent: string): TypeSource {
  const { properties, additionalProperties, required = [] } = schema;
  if (typeof additionalProperties === "object")
    return { source: `z.record(z.string(), ${zodSource(additionalProperties, indent)})`, said: new Set() };
  const isOpen = schema["x-kubernetes-preserve-unknown-fields"] === true || additionalProperties === true;
  const make = isOpen ? "z.looseObject" : "z.object";
  const said = new Set(["x-kubernetes-preserve-unknown-fields"]);
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) return { source: `${make}({})`, said };
  const lines = fields.map(([name, field]) => {
    const isOptional = !required.includes(name) && field.default === undefined;
    return `${indent}  ${propertyName(name)}: ${zodSource(field, `${indent}  `)}${isOptional ? ".optional()" : ""},\n`;
  });
  return { source: `${make}({\n${lines.join("")}${indent}})`, said };
}

function stringSource(schema: Schema): TypeSource {
  const { format = "", pattern } = schema;
  const known = Object.hasOwn(zodFormats, format) ? zodFormats[format] : undefined;
  const said = new Set(["minLength", "maxLength", ...(known === undefined ? [] : ["format"])]);
  let source = `${known ?? "z.string()"}${bounds(schema, "minLength", "maxLength")}`;
  if (pattern !== undefined && isSamePattern(pattern)) {
    source += `.regex(new RegExp(${literal(pattern)}))`;
    said.add("pattern");
  }
  return { source, said };
}

/** Whether JavaScript reads a pattern and gives it back as it was; what Go alone understands does not. */
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
  // A plain `__proto__` in an object literal would set its prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A value as TypeScript: JSON is, but for two line ends that JSON allows in texts. */
export function literal(value: unknown): string {
  return JSON.stringify(value as JsonValue)
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}
