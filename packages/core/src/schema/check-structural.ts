import { getOwn, isJsonObject, type JsonObject } from "../json/index.js";
import { checkDefaults, type DefaultChecks } from "./check-defaults.js";
import { checkKeywords, unsupportedKeyword } from "./check-keywords.js";
import { checkShapes } from "./check-shapes.js";
import { checkStructure } from "./check-structure.js";
import { type FieldError, forbidden, invalid, required } from "./field-error.js";
import type { Schema } from "./schema.js";

/** Options of {@link checkStructural}. */
export interface CheckStructuralOptions extends DefaultChecks {
  /** Whether the status subresource is enabled, which restricts the root. @default false */
  readonly hasStatus?: boolean;
  /** Checks the CEL rules of a structural schema with valid defaults. Takes the errors of its keywords. @default no check */
  readonly checkRules?: (schema: Schema, keywordErrors: readonly FieldError[]) => readonly FieldError[];
}

/** Maximum nesting depth of a schema. */
const maxDepth = 200;

/** The keywords allowed at the root if the status subresource is enabled. */
const rootKeywords: ReadonlySet<string> = new Set([
  ...["description", "type", "format", "title", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  ...["maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "required", "items"],
  ...["properties", "externalDocs", "example", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"],
]);

/**
 * Validates a CRD schema: that it is structural, that its keywords are consistent, and that its defaults are valid, with kube-apiserver's
 * messages and order.
 *
 * `path` is the path of the schema, for instance `spec.versions[0].schema.openAPIV3Schema`. Returns no errors for a valid schema.
 */
export function checkStructural(schema: unknown, path: string, options: CheckStructuralOptions = {}): FieldError[] {
  if (!isJsonObject(schema)) return [required(path, "schema is required")];
  const shapes = checkShapes(schema, path, maxDepth);
  // The other checks cannot walk a schema with wrong shapes.
  if (shapes.length > 0) return shapes;
  const errors: FieldError[] = [];
  if (options.hasStatus === true) errors.push(...checkRoot(schema, path));
  if (getOwn(schema, "nullable") === true)
    errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  const stray = unsupportedKeyword(schema);
  const structural = stray === undefined ? checkStructureAndDefaults(schema, path, options) : [];
  const keywords = checkKeywords(schema, path);
  errors.push(...structural, ...keywords);
  if (stray === undefined && structural.length === 0 && options.checkRules !== undefined)
    errors.push(...options.checkRules(schema as Schema, keywords));
  // Report an unsupported keyword that no other check reported.
  if (errors.length === 0 && stray !== undefined)
    errors.push(invalid(path, "", `OpenAPIV3Schema '${stray}' is not supported`));
  return errors;
}

function checkStructureAndDefaults(schema: JsonObject, path: string, checks: DefaultChecks): FieldError[] {
  const structure = checkStructure(schema, path);
  return structure.length > 0 ? structure : checkDefaults(schema as Schema, path, checks);
}

function checkRoot(schema: JsonObject, path: string): FieldError[] {
  const type = getOwn(schema, "type");
  if (typeof type === "string" && type !== "" && type !== "object")
    return [
      invalid(
        `${path}.type`,
        type,
        'only "object" is allowed as the type at the root of the schema if the status subresource is enabled',
      ),
    ];
  const stray = Object.keys(schema).some((keyword) => !rootKeywords.has(keyword) && schema[keyword] !== false);
  if (!stray) return [];
  const allowed =
    "Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations";
  const detail = `only [${allowed}] fields are allowed at the root of the schema if the status subresource is enabled`;
  return [invalid(path, schema, detail)];
}
