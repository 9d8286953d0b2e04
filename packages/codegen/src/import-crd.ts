import { OperatorError } from "@kubewright/core/errors";
import type { Schema } from "@kubewright/core/schema";
import type { CustomResourceDefinition, CustomResourceVersion, ServedConversion } from "kubewright/crd";
import { literal, zodSource } from "./zod-source.js";

/**
 * Converts a CustomResourceDefinition to a TypeScript module that defines the same resource, with its types.
 *
 * `crdOf` of the module returns an equivalent CRD. It may differ in three ways: integers without a format get `int64`, fields with a default are
 * not required, and no status field is required, because controllers set them one by one. A conversion webhook is kept (`convertedBy`).
 *
 * The resource is `external`: the operator does not install or upgrade its CRD. Remove that line to take the CRD over.
 *
 * Throws DEFINITION_INVALID for an object that is not an apiextensions.k8s.io/v1 CRD.
 *
 * @example
 * writeFileSync("src/kinds/issuer.ts", importCRD(parse(readFileSync("issuer-crd.yaml", "utf8"))));
 */
export function importCRD(value: unknown): string {
  const { metadata, spec } = checked(value);
  const { group, names, scope, versions, conversion } = spec;
  const stored = versions.find(({ storage }) => storage)?.name;
  const lines = [
    `group: ${JSON.stringify(group)},`,
    `kind: ${JSON.stringify(names.kind)},`,
    `plural: ${JSON.stringify(names.plural)},`,
    ...(names.singular === undefined ? [] : [`singular: ${JSON.stringify(names.singular)},`]),
    ...(names.shortNames?.length ? [`shortNames: ${JSON.stringify(names.shortNames)},`] : []),
    ...(names.categories?.length ? [`categories: ${JSON.stringify(names.categories)},`] : []),
    ...(names.listKind === `${names.kind}List` || names.listKind === undefined
      ? []
      : [`listKind: ${literal(names.listKind)},`]),
    ...(scope === "Cluster" ? [`scope: "Cluster",`] : []),
    "external: true,",
    ...metadataLines(metadata),
    ...(versions.length > 1 ? [`hub: ${JSON.stringify(stored)},`] : []),
    ...(conversion?.strategy === "Webhook" ? [`convertedBy: ${literal(convertedBy(conversion))},`] : []),
  ];
  const body = lines.map((line) => `  ${line}\n`).join("");
  const versionSources = versions
    .map((version) => `    ${version.name}: {\n${versionSource(version)}    },\n`)
    .join("");
  const definition = `export const ${names.kind} = defineResource({\n${body}  versions: {\n${versionSources}  },\n});\n`;
  const used = definition.includes("k.") ? "defineResource, k, type ObjectOf, z" : "defineResource, type ObjectOf, z";
  return `import { ${used} } from "kubewright";

${definition}
/** The object as it is read. */
export type ${names.kind} = ObjectOf<typeof ${names.kind}>;
`;
}

function versionSource(version: CustomResourceVersion): string {
  const schema = version.schema?.openAPIV3Schema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const { properties, required: requiredNames = [], "x-kubernetes-validations": rules, ...root } = schema;
  const { apiVersion: _, kind: __, metadata: ___, spec, status, ...others } = properties ?? {};
  const required = requiredNames.filter((name) => !["apiVersion", "kind", "metadata"].includes(name));
  // A required object with required fields becomes `spec`; any other spec is one of the fields.
  const isPlainSpec = spec?.type === "object" && required.includes("spec") && needsFields(spec);
  const hasStatus = version.subresources?.status !== undefined && isStatusSchema(status);
  const fields: Schema = {
    ...root,
    properties: {
      ...others,
      ...(spec && !isPlainSpec && { spec }),
      ...(status && !hasStatus && { status }),
    },
    required,
  };
  const hasFields =
    Object.keys(fields.properties ?? {}).length > 0 || Object.keys(root).some((keyword) => keyword !== "type");
  const { scale } = version.subresources ?? {};
  const { additionalPrinterColumns: columns, selectableFields, deprecated, deprecationWarning } = version;
  const parts: [string, string | undefined][] = [
    ["spec", spec && isPlainSpec ? zodSource(spec, "      ") : undefined],
    ["status", status && hasStatus ? zodSource(status, "      ") : undefined],
    ["strictStatus", hasStatus && (status.required ?? []).length > 0 ? "true" : undefined],
    ["fields", hasFields ? zodSource(fields, "      ") : undefined],
    ["rules", json(rules)],
    ["printerColumns", json(columns)],
    ["scale", json(scale)],
    ["selectableFields", json(selectableFields?.map(({ jsonPath }) => jsonPath))],
    ["served", version.served ? undefined : "false"],
    ["deprecated", deprecated === true ? (json(deprecationWarning) ?? "true") : undefined],
  ];
  return parts.flatMap(([name, text]) => (text === undefined ? [] : [`      ${name}: ${text},\n`])).join("");
}

/** Written by tools on each apply or generation. */
const toolAnnotations =
  /^(kubectl\.kubernetes\.io\/last-applied-configuration|controller-gen\.kubebuilder\.io\/version)$/;
const approval = "api-approved.kubernetes.io";

function metadataLines({ labels = {}, annotations = {} }: CustomResourceDefinition["metadata"]): string[] {
  const { [approval]: approved, ...others } = annotations;
  const kept = Object.entries(others).filter(([name]) => !toolAnnotations.test(name));
  const metadata = {
    ...(Object.keys(labels).length > 0 && { labels }),
    ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }),
  };
  return [
    ...(approved === undefined ? [] : [`apiApproved: ${literal(approved)},`]),
    ...(Object.keys(metadata).length > 0 ? [`metadata: ${literal(metadata)},`] : []),
  ];
}

function convertedBy({ webhook }: ServedConversion): object {
  const { conversionReviewVersions: reviewVersions, clientConfig } = webhook ?? {};
  return { ...clientConfig, ...(reviewVersions && { reviewVersions }) };
}

/** Whether a schema can be the `status` of a resource: an object or any value. */
function isStatusSchema(status: Schema | undefined): status is Schema {
  return status !== undefined && (status.type ?? "object") === "object" && status.enum === undefined;
}

/** Whether a client must set some field. */
function needsFields({ required = [], properties = {} }: Schema): boolean {
  return required.some((name) => properties[name]?.default === undefined);
}

function json(value: unknown): string | undefined {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? undefined : literal(value);
}

function checked(value: unknown): CustomResourceDefinition {
  const definition = value as Partial<CustomResourceDefinition> | null | undefined;
  const fail = (why: string): OperatorError =>
    new OperatorError(
      "DEFINITION_INVALID",
      `Cannot import CustomResourceDefinition "${definition?.metadata?.name ?? ""}": ${why}`,
    );
  const apiVersion: unknown = definition?.apiVersion;
  if (definition?.kind === "CustomResourceDefinition" && apiVersion === "apiextensions.k8s.io/v1beta1")
    throw fail(
      "it is of apiextensions.k8s.io/v1beta1, which Kubernetes 1.22 removed; take the v1 CRD of a newer release of its project",
    );
  if (definition?.kind !== "CustomResourceDefinition" || definition.apiVersion !== "apiextensions.k8s.io/v1")
    throw fail("it is not a CustomResourceDefinition of apiextensions.k8s.io/v1");
  const { spec } = definition;
  if (!spec?.group || !spec.names?.kind || !spec.names.plural || !Array.isArray(spec.versions))
    throw fail("it has no group, names or versions");
  if (!/^[A-Z][A-Za-z0-9]*$/.test(spec.names.kind)) throw fail(`its kind "${spec.names.kind}" is not a valid kind`);
  if (spec.versions.some(({ name }) => !/^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(name)))
    throw fail("a version name is not of the form v1, v1beta1 or v1alpha1");
  return { ...definition, metadata: definition.metadata ?? {} } as CustomResourceDefinition;
}
