import { crdOf } from "kubewright";
import type { DefinedResource } from "./defined-resource.js";
import { fieldsOf, type SchemaField } from "./schema-field.js";

/** A version of a resource with its fields. */
export interface ResourceVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
  readonly description: string;
  readonly deprecated: boolean;
  readonly storage: boolean;
  /** CEL rules over the whole object, by their messages. */
  readonly rules: readonly string[];
  /** Without apiVersion, kind and metadata. */
  readonly fields: readonly SchemaField[];
}

const commonFields: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** The served versions of a resource, the stored one first. */
export function resourceVersions(resource: DefinedResource): ResourceVersion[] {
  const { group, names, scope, versions } = crdOf(resource).spec;
  return versions
    .filter(({ served }) => served)
    .toSorted((a, b) => Number(b.storage) - Number(a.storage))
    .map(({ name: version, storage, deprecated = false, schema: { openAPIV3Schema: schema } }) => ({
      group,
      version,
      kind: names.kind,
      plural: names.plural,
      singular: names.singular ?? names.kind.toLowerCase(),
      shortNames: names.shortNames ?? [],
      scope,
      description: schema.description ?? "",
      deprecated,
      storage,
      rules: (schema["x-kubernetes-validations"] ?? []).map(({ message, rule }) => message ?? rule),
      fields: fieldsOf(schema).filter(({ name }) => !commonFields.has(name)),
    }));
}
