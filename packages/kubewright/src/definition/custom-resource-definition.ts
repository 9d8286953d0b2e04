import { OperatorError } from "@kubewright/core/errors";
import { JsonPathError } from "@kubewright/core/jsonpath";
import { checkStructural, formatFieldError, type Schema } from "@kubewright/core/schema";
import { type ConversionWebhook, type ServedConversion, servedConversion } from "./conversion.js";
import type { ResourceDefinition } from "./define-resource.js";
import { missingField } from "./missing-field.js";
import { isOptionalField, schemaFromZod } from "./schema-from-zod.js";
import type { PrinterColumn, ScalePaths, ValidationRule, VersionOptions } from "./version-options.js";
import { type AnyObjectSchema, definitionOf } from "./zod-definition.js";

/** A CustomResourceDefinition as it is sent to a server. */
export interface CustomResourceDefinition {
  readonly apiVersion: "apiextensions.k8s.io/v1";
  readonly kind: "CustomResourceDefinition";
  readonly metadata: {
    readonly name: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly group: string;
    readonly scope: "Namespaced" | "Cluster";
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly CustomResourceVersion[];
    readonly conversion?: ServedConversion;
  };
}

/** One version in a CustomResourceDefinition. */
export interface CustomResourceVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: Schema };
  readonly subresources?: { readonly status?: Readonly<Record<string, never>>; readonly scale?: ScalePaths };
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
}

/** Options of a CRD that are not part of the definition. */
export interface CrdOptions {
  /**
   * Where a server finds the webhook that serves the definition's conversion functions; ignored without conversion functions.
   * @default the Service "webhook-service" in the namespace "default", path "/convert"
   */
  readonly conversionWebhook?: ConversionWebhook | undefined;
}

const defaultWebhook: ConversionWebhook = {
  service: { namespace: "default", name: "webhook-service", path: "/convert" },
};

/**
 * The CustomResourceDefinition of a defined resource, with exactly the declared fields.
 *
 * Throws DEFINITION_INVALID, with the path, for what an API server would reject.
 *
 * @example
 * console.log(stringify(crdOf(Website))); // YAML for kubectl apply
 */
export function crdOf(
  { definition }: { readonly definition: ResourceDefinition },
  { conversionWebhook = defaultWebhook }: CrdOptions = {},
): CustomResourceDefinition {
  const { group, kind, plural, singular, listKind, shortNames, categories, scope, apiApproved } = definition;
  const name = `${plural}.${group}`;
  const webhook = definition.convertedBy ?? (definition.conversions && conversionWebhook);
  const annotations = {
    ...definition.annotations,
    ...(apiApproved !== undefined && { "api-approved.kubernetes.io": apiApproved }),
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      name,
      ...(Object.keys(definition.labels).length > 0 && { labels: definition.labels }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
    spec: {
      group,
      scope,
      names: {
        kind,
        listKind,
        plural,
        singular,
        ...(shortNames.length > 0 && { shortNames }),
        ...(categories.length > 0 && { categories }),
      },
      versions: Object.entries(definition.versions).map(([version, options]) =>
        versionOf(version, options, definition),
      ),
      ...(webhook && { conversion: servedConversion(webhook) }),
    },
  };
}

function versionOf(
  name: string,
  options: VersionOptions,
  { storage, kind, external }: ResourceDefinition,
): CustomResourceVersion {
  const openAPIV3Schema = rootSchema(options);
  const problems = checkStructural(openAPIV3Schema, "");
  // What another project's CRD declares is its own affair.
  if (!external) requireFields(options, openAPIV3Schema, `"${kind}" in version "${name}"`);
  if (problems.length > 0) {
    throw new OperatorError(
      "DEFINITION_INVALID",
      `Cannot make the schema of "${kind}" in version "${name}": ${problems.map(formatFieldError).join("; ")}`,
    );
  }
  return {
    name,
    served: options.served ?? true,
    storage: name === storage,
    schema: { openAPIV3Schema },
    ...((hasStatus(options) || options.scale) && {
      subresources: { ...(hasStatus(options) && { status: {} }), ...(options.scale && { scale: options.scale }) },
    }),
    ...(options.selectableFields && {
      selectableFields: options.selectableFields.map((jsonPath) => ({ jsonPath })),
    }),
    ...(options.printerColumns !== undefined && { additionalPrinterColumns: options.printerColumns }),
    ...(options.deprecated !== undefined && options.deprecated !== false && { deprecated: true }),
    ...(typeof options.deprecated === "string" && { deprecationWarning: options.deprecated }),
  };
}

/** Throws DEFINITION_INVALID for a path of a printer column, selectable field or scale that objects never have: the server would accept it. */
function requireFields(
  { printerColumns = [], selectableFields = [], scale }: VersionOptions,
  root: Schema,
  version: string,
): void {
  const paths: readonly (readonly [what: string, path: string])[] = [
    ...printerColumns.map(({ name, jsonPath }) => [`printer column "${name}"`, jsonPath] as const),
    ...selectableFields.map((path) => ["selectable field", path] as const),
    ...Object.entries(scale ?? {}).map(([name, path]) => [`scale subresource's ${name}`, String(path)] as const),
  ];
  for (const [what, path] of paths) {
    const missing = pathProblem(root, path);
    if (missing === undefined) continue;
    const why = `the ${what} reads "${path}", but ${missing}`;
    throw new OperatorError("DEFINITION_INVALID", `Cannot make the CustomResourceDefinition of ${version}: ${why}`);
  }
}

function pathProblem(root: Schema, path: string): string | undefined {
  try {
    const field = missingField(root, path);
    return field === undefined
      ? undefined
      : `the schema has no field "${field}"; declare the field, or correct the path`;
  } catch (error) {
    if (!(error instanceof JsonPathError)) throw error;
    return `that is no valid JSONPath: ${error.message}`;
  }
}

/** Whether a version has the status subresource. */
export function hasStatus(version: VersionOptions): boolean {
  return version.status !== undefined || version.conditions !== undefined;
}

function rootSchema(version: VersionOptions): Schema {
  const { spec, status, fields, conditions, rules } = version;
  const root: Schema = fields ? schemaFromZod(fields, "") : { type: "object" };
  const required = [...(root.required ?? []), ...(spec && mustBeGiven(spec) ? ["spec"] : [])];
  return {
    ...root,
    properties: {
      ...root.properties,
      ...(spec && { spec: specSchema(spec) }),
      ...((status || conditions) && { status: statusSchema(version) }),
    },
    ...(required.length > 0 && { required }),
    ...(rules && rules.length > 0 && { "x-kubernetes-validations": rules.map(toServerRule) }),
  };
}

/** The type of a read object always has `spec`, so the server must default a missing one. */
function specSchema(spec: AnyObjectSchema): Schema {
  const schema = schemaFromZod(spec, "spec");
  return mustBeGiven(spec) ? schema : { ...schema, default: {} };
}

/** A spec without required fields is optional. */
function mustBeGiven(spec: AnyObjectSchema): boolean {
  return Object.values(definitionOf(spec).shape ?? {}).some((field) => !isOptionalField(field));
}

function statusSchema({ status, strictStatus = false, conditions }: VersionOptions): Schema {
  const { required, ...fields }: Schema = status ? schemaFromZod(status, "status") : { type: "object" };
  // Controllers write status fields one by one: a server must not reject an incomplete status.
  const declared: Schema = strictStatus && required ? { ...fields, required } : fields;
  if (conditions === undefined) return declared;
  return {
    ...declared,
    properties: {
      ...declared.properties,
      conditions: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
        items: conditionSchema,
      },
      observedGeneration: { type: "integer", format: "int64", minimum: 0 },
    },
  };
}

/** The schema of metav1.Condition. */
const conditionSchema: Schema = {
  type: "object",
  required: ["lastTransitionTime", "message", "reason", "status", "type"],
  properties: {
    type: {
      type: "string",
      maxLength: 316,
      pattern:
        "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$",
    },
    status: { type: "string", enum: ["True", "False", "Unknown"] },
    reason: { type: "string", minLength: 1, maxLength: 1024, pattern: "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$" },
    message: { type: "string", maxLength: 32768 },
    lastTransitionTime: { type: "string", format: "date-time" },
    observedGeneration: { type: "integer", format: "int64", minimum: 0 },
  },
};

function toServerRule(rule: ValidationRule): ValidationRule {
  return { ...rule };
}
