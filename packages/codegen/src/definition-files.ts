import { crdOf } from "kubewright";
import { type ConversionWebhook, type CustomResourceDefinition, requireValidRules } from "kubewright/crd";
import { fitsApply } from "./applied-size.js";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";

/** How CRDs are written. */
export interface DefinitionFileOptions {
  /** Truncates field descriptions: with `fit` only where the CRD is too large for `kubectl apply`, and as little as possible. */
  readonly maxDescriptionLength: number | "fit" | undefined;
  readonly conversionWebhook: (resource: DefinedResource) => ConversionWebhook | undefined;
  readonly annotations: (resource: DefinedResource) => Readonly<Record<string, string>>;
}

/** Description lengths to try, in order, until the CRD fits. */
const fittingLengths = [1_000, 500, 200, 100, 50, 0];

/** `crd/<group>_<plural>.yaml`, one per resource. */
export function definitionFiles(
  resources: readonly DefinedResource[],
  options: DefinitionFileOptions,
): GeneratedFile[] {
  return resources.map((resource) => {
    const definition = truncated(annotated(resource, options), options.maxDescriptionLength);
    requireValidRules(definition);
    const { group, names } = definition.spec;
    const remarks = fitsApply(definition) ? [] : ["Too large for kubectl apply: use kubectl apply --server-side."];
    return yamlFile(`crd/${group}_${names.plural}.yaml`, definition, { remarks });
  });
}

function annotated(
  resource: DefinedResource,
  { conversionWebhook, annotations }: DefinitionFileOptions,
): CustomResourceDefinition {
  const definition = crdOf(resource, { conversionWebhook: conversionWebhook(resource) });
  const more = annotations(resource);
  if (Object.keys(more).length === 0) return definition;
  return {
    ...definition,
    metadata: { ...definition.metadata, annotations: { ...definition.metadata.annotations, ...more } },
  };
}

function truncated(whole: CustomResourceDefinition, limit: number | "fit" | undefined): CustomResourceDefinition {
  if (limit === undefined || (limit === "fit" && fitsApply(whole))) return whole;
  if (limit !== "fit") return withDescriptionLimit(whole, limit);
  const candidates = fittingLengths.map((length) => withDescriptionLimit(whole, length));
  return candidates.find(fitsApply) ?? whole;
}

/** Truncates descriptions, at the end of a sentence where possible; 0 omits them. */
function withDescriptionLimit(definition: CustomResourceDefinition, limit: number): CustomResourceDefinition {
  const versions = definition.spec.versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: withShortDescriptions(version.schema.openAPIV3Schema, limit) },
  }));
  return { ...definition, spec: { ...definition.spec, versions } } as CustomResourceDefinition;
}

/** Visits schemas only, so that a field named `description` is not truncated. */
function withShortDescriptions(schema: object, limit: number): object {
  const { description, properties, items, additionalProperties, ...rest } = schema as SchemaParts;
  const text = description === undefined ? undefined : truncate(description, limit);
  return {
    ...(text !== undefined && text !== "" && { description: text }),
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, withShortDescriptions(property, limit)]),
      ),
    }),
    ...(items && { items: withShortDescriptions(items, limit) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === "object"
          ? withShortDescriptions(additionalProperties, limit)
          : additionalProperties,
    }),
  };
}

interface SchemaParts {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly items?: object;
  readonly additionalProperties?: boolean | object;
}

function truncate(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit);
  const sentence = start.lastIndexOf(".");
  return sentence > 0 ? start.slice(0, sentence + 1) : start;
}
