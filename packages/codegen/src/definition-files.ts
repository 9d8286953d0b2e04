import { crdOf } from "kubewright";
import type { ConversionWebhook, CustomResourceDefinition } from "kubewright/crd";
import { fitsApply } from "./applied-size.js";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";

/** How definitions are written. */
export interface DefinitionFileOptions {
  /** Cuts descriptions of fields: `fit` only where a definition is else too large for `kubectl apply`, and no more than it needs. */
  readonly maxDescriptionLength: number | "fit" | undefined;
  readonly conversionWebhook: (resource: DefinedResource) => ConversionWebhook | undefined;
  readonly annotations: (resource: DefinedResource) => Readonly<Record<string, string>>;
}

/** Lengths to which descriptions are cut, one after the other, until a definition fits. */
const fittingLengths = [1_000, 500, 200, 100, 50, 0];

/** `crd/<group>_<plural>.yaml`, one for each resource. */
export function definitionFiles(
  resources: readonly DefinedResource[],
  options: DefinitionFileOptions,
): GeneratedFile[] {
  return resources.map((resource) => {
    const definition = shortEnough(annotated(resource, options), options.maxDescriptionLength);
    const { group, names } = definition.spec;
    const remarks = fitsApply(definition) ? [] : ["Too large for kubectl apply: use kubectl apply --server-side."];
    return yamlFile(`crd/${group}_${names.plural}.yaml`, definition, remarks);
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

function shortEnough(whole: CustomResourceDefinition, limit: number | "fit" | undefined): CustomResourceDefinition {
  if (limit === undefined || (limit === "fit" && fitsApply(whole))) return whole;
  if (limit !== "fit") return withDescriptions(whole, limit);
  const tried = fittingLengths.map((length) => withDescriptions(whole, length));
  return tried.find(fitsApply) ?? whole;
}

/** With descriptions of at most so many characters, cut at the end of a sentence where there is one; 0 leaves them out. */
function withDescriptions(definition: CustomResourceDefinition, limit: number): CustomResourceDefinition {
  const versions = definition.spec.versions.map((version) => ({
    ...version,
    schema: { openAPIV3Schema: shortened(version.schema.openAPIV3Schema, limit) },
  }));
  return { ...definition, spec: { ...definition.spec, versions } } as CustomResourceDefinition;
}

/** Walks schemas, not values: a field that is called `description` is no description. */
function shortened(schema: object, limit: number): object {
  const { description, properties, items, additionalProperties, ...rest } = schema as SchemaParts;
  const text = description === undefined ? undefined : cut(description, limit);
  return {
    ...(text !== undefined && text !== "" && { description: text }),
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, shortened(property, limit)]),
      ),
    }),
    ...(items && { items: shortened(items, limit) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === "object" ? shortened(additionalProperties, limit) : additionalProperties,
    }),
  };
}

interface SchemaParts {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, object>>;
  readonly items?: object;
  readonly additionalProperties?: boolean | object;
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = text.slice(0, limit);
  const sentence = start.lastIndexOf(".");
  return sentence > 0 ? start.slice(0, sentence + 1) : start;
}
