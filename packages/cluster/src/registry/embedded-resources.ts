import { cloneJson, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type FieldError, invalid, required, type Schema } from "@kubewright/core/schema";
import { builtinSchema } from "./builtin-api.js";
import { type Draft, type DraftValue, isDraft, metadataOf, textAt } from "./draft.js";
import { decodeBuiltin, jsonTypeOf } from "./go/index.js";
import { dns1035Label, type NameRule } from "./name-rules.js";
import { checkNewMetadata } from "./object-meta.js";

const objectMetaComponent = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta";

/** The result of decoding an ObjectMeta. */
export interface DecodedMetadata {
  readonly unknownFields: readonly string[];
  /** The error of Go's decoder; undefined if there is none. */
  readonly problem: string | undefined;
}

/** The strings of ObjectMeta, which Go does not encode if they are empty. */
const omittedIfEmpty = ["name", "generateName", "namespace", "selfLink", "uid", "resourceVersion"];

/** Decodes the ObjectMeta of any kind, in place. */
export function decodeObjectMeta(metadata: DraftValue): DecodedMetadata {
  if (!isDraft(metadata)) {
    const problem = `json: cannot unmarshal ${jsonTypeOf(metadata)} into Go value of type v1.ObjectMeta`;
    return { unknownFields: [], problem };
  }
  const { unknownFields, typeError } = decodeBuiltin(metadata, builtinSchema(objectMetaComponent));
  // In a custom resource an empty managedFields list does not reset field ownership.
  if (Array.isArray(metadata["managedFields"]) && metadata["managedFields"].length === 0)
    delete metadata["managedFields"];
  for (const field of omittedIfEmpty) if (metadata[field] === "") delete metadata[field];
  return { unknownFields, problem: typeError };
}

/** Decodes the ObjectMeta of a custom resource field by field, in place. Drops empty fields and those that cannot be decoded, and returns their names. */
export function decodeMetadataFields(metadata: Draft): string[] {
  const dropped: string[] = [];
  for (const [key, value] of Object.entries(metadata)) {
    const field: Draft = { [key]: value };
    if (decodeObjectMeta(field).problem === undefined && Object.hasOwn(field, key)) metadata[key] = field[key] ?? null;
    else {
      delete metadata[key];
      dropped.push(key);
    }
  }
  return dropped;
}

/** The result of decoding embedded resources. */
export interface DecodedEmbedded {
  /** Unknown fields of embedded ObjectMeta, sorted. */
  readonly unknownFields: readonly string[];
  readonly error: FieldError | undefined;
}

/** Decodes the metadata of every embedded resource (`x-kubernetes-embedded-resource`) in a draft, in place. */
export function decodeEmbedded(draft: Draft, schema: Schema | undefined): DecodedEmbedded {
  const unknownFields: string[] = [];
  let error: FieldError | undefined;
  walk(draft, schema, "", (resource, _schema, path) => {
    if (error !== undefined) return;
    for (const key of ["apiVersion", "kind"]) {
      const value = resource[key];
      if (value !== undefined && typeof value !== "string")
        error ??= invalid(below(path, key), value, "must be a string");
    }
    const metadata = (resource as Draft)["metadata"];
    if (metadata === undefined) return;
    const place = below(path, "metadata");
    const before = cloneJson<JsonValue>(metadata);
    const decoded = decodeObjectMeta(metadata);
    if (decoded.problem !== undefined) error ??= invalid(place, before, decoded.problem);
    unknownFields.push(...decoded.unknownFields.map((field) => `${place}.${field}`));
  });
  return { unknownFields: unknownFields.sort(), error };
}

/** The name of an embedded resource: any path segment. */
const pathSegment: NameRule = (value) => {
  if (value === "." || value === "..") return [`may not be '${value}'`];
  return ["/", "%"].filter((part) => value.includes(part)).map((part) => `may not contain '${part}'`);
};

/** Validates the apiVersion, kind and metadata of every embedded resource in a value. */
export function checkEmbedded(value: JsonValue, schema: Schema | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  walk(value, schema, path, (resource, _schema, place) => errors.push(...checkOne(resource, place)));
  return errors;
}

function checkOne(resource: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const at = (key: string): string => below(path, key);
  for (const key of ["apiVersion", "kind"]) if (resource[key] === undefined) errors.push(required(at(key)));
  const { apiVersion, kind, metadata } = resource as { [key: string]: JsonValue | undefined };
  if (apiVersion !== undefined && typeof apiVersion !== "string")
    errors.push(invalid(at("apiVersion"), apiVersion, "must be a string"));
  else if (apiVersion === "") errors.push(invalid(at("apiVersion"), "", "must not be empty"));
  else if (apiVersion !== undefined && apiVersion.split("/").length > 2)
    errors.push(invalid(at("apiVersion"), apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  if (kind !== undefined && typeof kind !== "string") errors.push(invalid(at("kind"), kind, "must be a string"));
  else if (kind === "") errors.push(invalid(at("kind"), "", "must not be empty"));
  else if (kind !== undefined && dns1035Label(kind.toLowerCase()).length > 0) {
    const problems = dns1035Label(kind.toLowerCase()).join(",");
    errors.push(invalid(at("kind"), kind, `may have mixed case, but should otherwise match: ${problems}`));
  }
  if (metadata === undefined) return errors;
  const { problem } = decodeObjectMeta(cloneJson<JsonValue>(metadata) as DraftValue);
  if (problem !== undefined) return [...errors, invalid(at("metadata"), metadata, problem)];
  const own = metadataOf(resource);
  // Name and namespace are optional.
  const named = { metadata: textAt(own, "name") === "" ? { ...own, name: "fakename" } : own };
  const found = checkNewMetadata(named, textAt(own, "namespace") !== "", pathSegment);
  return [...errors, ...found.map((error) => ({ ...error, field: below(path, error.field) }))];
}

type Visit = (resource: JsonObject, schema: Schema, path: string) => void;

/** Visits every embedded resource in a value, outer ones first. */
function walk(value: JsonValue, schema: Schema | undefined, path: string, visit: Visit): void {
  if (schema === undefined) return;
  if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly JsonValue[]).entries())
      walk(item, schema.items, `${path}[${index}]`, visit);
    return;
  }
  if (!isJsonObject(value)) return;
  if (schema["x-kubernetes-embedded-resource"] === true) visit(value, schema, path);
  const additional = schema.additionalProperties;
  for (const [key, field] of Object.entries(value)) {
    const property = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (property !== undefined) walk(field, property, below(path, key), visit);
    else if (typeof additional === "object") walk(field, additional, `${path}[${key}]`, visit);
  }
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
