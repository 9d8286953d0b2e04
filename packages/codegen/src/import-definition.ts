import { OperatorError } from "@kubewright/core/errors";
import type { Schema } from "@kubewright/core/schema";
import type { CustomResourceDefinition, CustomResourceVersion } from "kubewright";
import { zodSource } from "./zod-source.js";

/**
 * A TypeScript module that defines the same resource as a CustomResourceDefinition, with its types.
 *
 * What it would make of it again (`crdOf`) says the same, but for three things that a server treats alike or that a definition sets by itself:
 * whole numbers without a format have that of 64 bits, a field with a default is not called required, and a status requires no field, because
 * controllers fill it in one by one. Throws DEFINITION_INVALID for what is no definition of version 1, and NOT_SUPPORTED for a
 * conversion webhook, which stays where it is.
 */
export function importDefinition(value: unknown): string {
  const { spec } = checked(value);
  const { group, names, scope, versions } = spec;
  const stored = versions.find(({ storage }) => storage)?.name;
  const lines = [
    `group: ${JSON.stringify(group)},`,
    `kind: ${JSON.stringify(names.kind)},`,
    `plural: ${JSON.stringify(names.plural)},`,
    ...(names.singular === undefined ? [] : [`singular: ${JSON.stringify(names.singular)},`]),
    ...(names.shortNames?.length ? [`shortNames: ${JSON.stringify(names.shortNames)},`] : []),
    ...(names.categories?.length ? [`categories: ${JSON.stringify(names.categories)},`] : []),
    ...(scope === "Cluster" ? [`scope: "Cluster",`] : []),
    ...(versions.length > 1 ? [`hub: ${JSON.stringify(stored)},`] : []),
  ];
  const body = lines.map((line) => `  ${line}\n`).join("");
  const versionTexts = versions.map((version) => `    ${version.name}: {\n${versionSource(version)}    },\n`).join("");
  const definition = `export const ${names.kind} = defineResource({\n${body}  versions: {\n${versionTexts}  },\n});\n`;
  const used = definition.includes("k.") ? "defineResource, k, type ObjectOf, z" : "defineResource, type ObjectOf, z";
  return `import { ${used} } from "kubewright";

${definition}
/** The object as it is read. */
export type ${names.kind} = ObjectOf<typeof ${names.kind}>;
`;
}

function versionSource(version: CustomResourceVersion): string {
  const schema = version.schema?.openAPIV3Schema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const { apiVersion: _, kind: __, metadata: ___, spec, status, ...others } = schema.properties ?? {};
  const required = (schema.required ?? []).filter((name) => !["apiVersion", "kind", "metadata"].includes(name));
  // A spec that says when it is needed is one for `spec`; any other is a field among others.
  const isPlainSpec = spec?.type === "object" && required.includes("spec") && needsFields(spec);
  const hasStatus = version.subresources?.status !== undefined && status?.type === "object";
  const fields: Schema = {
    type: "object",
    properties: {
      ...others,
      ...(spec && !isPlainSpec && { spec }),
      ...(status && !hasStatus && { status }),
    },
    required,
    ...(schema["x-kubernetes-preserve-unknown-fields"] === true && { "x-kubernetes-preserve-unknown-fields": true }),
  };
  const hasFields = Object.keys(fields.properties ?? {}).length > 0 || fields["x-kubernetes-preserve-unknown-fields"];
  const { scale } = version.subresources ?? {};
  const { additionalPrinterColumns: columns, selectableFields, deprecated, deprecationWarning } = version;
  const parts: [string, string | undefined][] = [
    ["spec", spec && isPlainSpec ? zodSource(spec, "      ") : undefined],
    ["status", status && hasStatus ? zodSource(status, "      ") : undefined],
    ["fields", hasFields ? zodSource(fields, "      ") : undefined],
    ["rules", json(schema["x-kubernetes-validations"])],
    ["printerColumns", json(columns)],
    ["scale", json(scale)],
    ["selectableFields", json(selectableFields?.map(({ jsonPath }) => jsonPath))],
    ["served", version.served ? undefined : "false"],
    ["deprecated", deprecated === true ? (json(deprecationWarning) ?? "true") : undefined],
  ];
  return parts.flatMap(([name, text]) => (text === undefined ? [] : [`      ${name}: ${text},\n`])).join("");
}

/** Whether some field of it has to be given. */
function needsFields({ required = [], properties = {} }: Schema): boolean {
  return required.some((name) => properties[name]?.default === undefined);
}

function json(value: unknown): string | undefined {
  return value === undefined || (Array.isArray(value) && value.length === 0) ? undefined : JSON.stringify(value);
}

function checked(value: unknown): CustomResourceDefinition {
  const definition = value as Partial<CustomResourceDefinition> | null | undefined;
  const fail = (why: string): OperatorError =>
    new OperatorError(
      "DEFINITION_INVALID",
      `Cannot import CustomResourceDefinition "${definition?.metadata?.name ?? ""}": ${why}`,
    );
  if (definition?.kind !== "CustomResourceDefinition" || definition.apiVersion !== "apiextensions.k8s.io/v1")
    throw fail("it is no CustomResourceDefinition of apiextensions.k8s.io/v1");
  const { spec } = definition;
  if (!spec?.group || !spec.names?.kind || !spec.names.plural || !Array.isArray(spec.versions))
    throw fail("it has no group, names or versions");
  if (!/^[A-Z][A-Za-z0-9]*$/.test(spec.names.kind)) throw fail(`its kind "${spec.names.kind}" is no name`);
  if (spec.versions.some(({ name }) => !/^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/.test(name)))
    throw fail("a version is not of the form v1, v1beta1 or v1alpha1");
  const { conversion } = spec as { readonly conversion?: { readonly strategy?: string } };
  if (conversion?.strategy === "Webhook")
    throw new OperatorError(
      "NOT_SUPPORTED",
      `Cannot import CustomResourceDefinition "${definition.metadata?.name}": its versions are converted by a webhook; import the version that you need from a copy without the others`,
    );
  return definition as CustomResourceDefinition;
}
