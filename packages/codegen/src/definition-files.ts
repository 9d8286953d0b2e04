import { type CustomResourceDefinition, crdOf } from "kubewright";
import type { DefinedResource } from "./defined-resource.js";
import { type GeneratedFile, yamlFile } from "./generated-file.js";

/** kubectl keeps what it applied in an annotation, unless the server does the applying; annotations may be so long. */
const annotationLimit = 262_144;

/** `crd/<group>_<plural>.yaml`, one for each resource. */
export function definitionFiles(
  resources: readonly DefinedResource[],
  maxDescriptionLength: number | undefined,
): GeneratedFile[] {
  return resources.map((resource) => {
    const whole = crdOf(resource);
    const definition = maxDescriptionLength === undefined ? whole : withDescriptions(whole, maxDescriptionLength);
    const { group, names } = definition.spec;
    const isLarge = Buffer.byteLength(JSON.stringify(definition)) > annotationLimit;
    const remarks = isLarge ? ["Too large for kubectl apply: use kubectl apply --server-side."] : [];
    return yamlFile(`crd/${group}_${names.plural}.yaml`, definition, remarks);
  });
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
