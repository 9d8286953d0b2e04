import { checkRules } from "@kubewright/core/cel";
import { OperatorError } from "@kubewright/core/errors";
import { type FieldError, formatFieldError, type Schema } from "@kubewright/core/schema";
import type { CustomResourceDefinition } from "../definition/index.js";

/**
 * Throws DEFINITION_INVALID for a CEL rule that an API server would reject, before anything is written: with its place in the schema, the column of the error,
 * and the type of `self` there.
 */
export function requireValidRules({ spec }: CustomResourceDefinition): void {
  for (const { name, schema } of spec.versions) {
    const root = schema.openAPIV3Schema as Schema;
    const errors = checkRules(root, `${name}.schema`);
    if (errors.length === 0) continue;
    const listed = errors.map((error) => `\n- ${describe(error, root)}`).join("");
    throw new OperatorError(
      "DEFINITION_INVALID",
      `Cannot use the CRD of ${spec.names.kind}: an API server would reject these CEL rules:${listed}`,
    );
  }
}

/** The API server's message, of a compilation error without the value: its lines quote the rule. */
function describe(error: FieldError, root: Schema): string {
  if (!error.detail.includes("compilation failed")) return formatFieldError(error);
  return `${error.field}: ${error.detail}\n  where self is ${typeOf(schemaAt(root, error.field), 1)}`;
}

/** The schema at a path such as `v1.schema.properties[spec].items.x-kubernetes-validations[0].rule`. */
function schemaAt(root: Schema, path: string): Schema {
  let schema = root;
  for (const [step, name] of path.matchAll(/\.properties\[([^\]]*)\]|\.items|\.additionalProperties/g)) {
    const next = name !== undefined ? schema.properties?.[name] : step === ".items" ? schema.items : valuesOf(schema);
    if (next === undefined) return schema;
    schema = next;
  }
  return schema;
}

function valuesOf({ additionalProperties }: Schema): Schema | undefined {
  return typeof additionalProperties === "object" ? additionalProperties : undefined;
}

const scalars: Readonly<Record<string, string>> = {
  integer: "int",
  number: "double",
  boolean: "bool",
  string: "string",
};
const formats: Readonly<Record<string, string>> = {
  "date-time": "timestamp",
  date: "timestamp",
  duration: "duration",
  byte: "bytes",
};

/** The CEL type of a schema for people; of an object the names of its fields, `depth` levels deep. */
function typeOf(schema: Schema, depth: number): string {
  const { type = "dyn", format = "", items, properties } = schema;
  if (schema["x-kubernetes-int-or-string"] === true) return "dyn (int or string)";
  if (type === "array") return `list(${items === undefined ? "dyn" : typeOf(items, depth - 1)})`;
  if (type !== "object") return (type === "string" ? formats[format] : undefined) ?? scalars[type] ?? type;
  const values = valuesOf(schema);
  if (values !== undefined) return `map(string, ${typeOf(values, depth - 1)})`;
  if (depth <= 0 || properties === undefined) return "an object";
  const fields = Object.entries(properties).map(([name, field]) => `${name}: ${typeOf(field, depth - 1)}`);
  return `an object with ${fields.length === 0 ? "no fields" : fields.join(", ")}`;
}
