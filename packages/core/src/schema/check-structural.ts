import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { checkDefaults } from "./check-defaults.js";
import { checkKeywords, unsupportedKeyword } from "./check-keywords.js";
import { checkShapes } from "./check-shapes.js";
import { checkStructure } from "./check-structure.js";
import { type FieldError, forbidden, invalid, required } from "./field-error.js";
import type { Schema } from "./schema.js";

/** What a schema is checked for beside its own rules. */
export interface CheckStructuralOptions {
  /** Whether the status has a path of its own: the root may then say less. @default false */
  readonly hasStatus?: boolean;
  /** Checks a default value for what it embeds: objects with metadata of their own. @default nothing is embedded */
  readonly checkEmbedded?: (value: JsonValue, schema: Schema, path: string) => FieldError[];
}

/** How deep a schema may be nested. */
const maxDepth = 200;

/** What may stand at the root of a schema whose status is taken out of it. */
const rootKeywords: ReadonlySet<string> = new Set([
  ...["description", "type", "format", "title", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"],
  ...["maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "required", "items"],
  ...["properties", "externalDocs", "example", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-validations"],
]);

/**
 * Checks that a schema of a CRD is structural, that its keywords fit together, and that its defaults fit the schema: the server's rules in
 * its own words and order.
 *
 * `path` is where the schema stands, for instance `spec.versions[0].schema.openAPIV3Schema`. Empty when all is well. Of CEL rules only the
 * form is checked.
 */
export function checkStructural(schema: unknown, path: string, options: CheckStructuralOptions = {}): FieldError[] {
  if (!isJsonObject(schema)) return [required(path, "schema is required")];
  const shapes = checkShapes(schema, path, maxDepth);
  // What has a wrong shape cannot be walked as a schema.
  if (shapes.length > 0) return shapes;
  const errors: FieldError[] = [];
  if (options.hasStatus === true) errors.push(...checkRoot(schema, path));
  if (getOwn(schema, "nullable") === true)
    errors.push(forbidden(`${path}.nullable`, "nullable cannot be true at the root"));
  const stray = unsupportedKeyword(schema);
  if (stray === undefined) {
    const structure = checkStructure(schema, path);
    errors.push(...(structure.length > 0 ? structure : checkDefaults(schema as Schema, path, options.checkEmbedded)));
  }
  errors.push(...checkKeywords(schema, path));
  // A keyword that has no error of its own is told by what it breaks.
  if (errors.length === 0 && stray !== undefined)
    errors.push(invalid(path, "", `OpenAPIV3Schema '${stray}' is not supported`));
  return errors;
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
