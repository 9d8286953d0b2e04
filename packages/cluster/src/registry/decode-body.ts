import { formatApiVersion } from "@kubewright/core/identity";
import { goQuote, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { applyDefaults, dropNulls, type FieldError, formatFieldError, pruneUnknown } from "@kubewright/core/schema";
import { badRequest, unsupportedMediaType } from "./api-failure.js";
import { type Draft, textAt } from "./draft.js";
import { decodeEmbedded, decodeObjectMeta } from "./embedded-resources.js";
import { decodeBuiltin, jsonTypeOf } from "./go/index.js";
import { invalidAt } from "./object-meta.js";
import type { DocumentField, RequestBody } from "./request-body.js";
import type { Resource } from "./resource.js";
import type { WriteOptions } from "./write-context.js";

type DecodeOptions = Pick<WriteOptions, "fieldValidation" | "warn">;

/** How {@link decodeObject} reports errors, unknown fields and duplicate fields. */
export interface Decoding {
  readonly options: DecodeOptions;
  /** Messages about duplicate fields, which are reported like unknown ones. */
  readonly duplicates: readonly string[];
  /** The fields of the document in its order. @default duplicates are reported before unknown fields */
  fields?(): readonly DocumentField[];
  /** The error for a wrong kind, a value of the wrong type or, with Strict field validation, an unknown field. */
  reject(why: string): Error;
}

/**
 * Decodes the object of a create or an update, in place: checks apiVersion and kind, drops unknown fields, applies defaults.
 *
 * Throws the rejection that the client receives.
 */
export function decodeBody(resource: Resource, body: RequestBody, options: DecodeOptions): Draft {
  if (body.malformed?.format === "protobuf" && resource.origin === "custom")
    throw unsupportedMediaType(["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]);
  // Go decodes a null into a struct without changing it.
  const isNull = body.value === null && resource.origin === "builtin";
  const draft = readableBody(resource.kind, isNull ? { ...body, value: {} } : body) as Draft;
  const reject = (why: string): Error => badRequest(`${cannotHandle(resource, draft)}: ${why}`);
  const { duplicates, fields } = body;
  const decoded = decodeObject(resource, draft, { options, duplicates, ...(fields && { fields }), reject });
  const expected = formatApiVersion(resource.group, resource.version);
  const given = textAt(decoded, "apiVersion");
  if (given === expected) return decoded;
  throw badRequest(`the API version in the data (${given}) does not match the expected API version (${expected})`);
}

/**
 * Decodes an object in place, like {@link decodeBody}. Frozen parts come from a stored object and are not decoded again.
 *
 * A custom resource may still have another kind or version: {@link checkType} rejects it.
 */
export function decodeObject(resource: Resource, draft: Draft, decoding: Decoding): Draft {
  return resource.origin === "builtin"
    ? decodeBuiltinObject(resource, draft, decoding)
    : decodeCustomObject(resource, draft, decoding);
}

function decodeBuiltinObject(resource: Resource, draft: Draft, decoding: Decoding): Draft {
  const apiVersion = formatApiVersion(resource.group, resource.version);
  const givenVersion = textAt(draft, "apiVersion") || apiVersion;
  const givenKind = textAt(draft, "kind") || resource.kind;
  if (givenVersion !== apiVersion || givenKind !== resource.kind) {
    const from = `${versionOf(givenVersion)}.${givenKind}`;
    const to = `${resource.group.split(".")[0] || "core"}.${resource.kind}`;
    throw decoding.reject(`converting (${from}) to (${to}): unknown conversion`);
  }
  draft["apiVersion"] = apiVersion;
  draft["kind"] = resource.kind;
  const schema = resource.schema();
  const { unknownFields, typeError } = schema ? decodeBuiltin(draft, schema) : nothingFound;
  if (typeError !== undefined) throw decoding.reject(typeError);
  reportUnknown(unknownFields, decoding, true);
  resource.strategy.applyDefaults?.(draft);
  return draft;
}

const nothingFound = { unknownFields: [], typeError: undefined };

function decodeCustomObject(resource: Resource, draft: Draft, decoding: Decoding): Draft {
  if (textAt(draft, "kind") === "") throw decoding.reject("Object 'Kind' is missing");
  const metadata = draft["metadata"] ?? {};
  const { unknownFields, problem } = decodeObjectMeta(metadata);
  if (problem !== undefined) throw decoding.reject(problem);
  draft["metadata"] = metadata;
  const unknown = unknownFields.map((path) => `metadata.${path}`);
  const { group, kind } = typeOf(draft);
  const isKind = group === resource.group && kind === resource.kind;
  // The schema of another kind is unknown: only its metadata is decoded.
  if (!isKind) {
    reportUnknown(unknown, decoding);
    return draft;
  }
  const schema = resource.schema(textAt(draft, "apiVersion")) ?? {};
  const pruned = pruneUnknown(draft, schema);
  const kept = dropNulls(pruned.value, schema) as Draft;
  const embedded = decodeEmbedded(kept, schema);
  if (embedded.error !== undefined) throw decoding.reject(formatFieldError(embedded.error));
  reportUnknown([...unknown, ...pruned.unknownFields, ...embedded.unknownFields], decoding);
  return applyDefaults(kept, schema) as Draft;
}

/** `isOrdered`: in document order, as Go's decoder reports them; custom resources report duplicates first. */
function reportUnknown(fields: readonly string[], decoding: Decoding, isOrdered = false): void {
  const { options, duplicates, reject } = decoding;
  if (options.fieldValidation === "Ignore") return;
  const isMixed = isOrdered && duplicates.length > 0 && fields.length > 0;
  const messages = (isMixed ? inDocumentOrder(fields, decoding.fields?.()) : undefined) ?? [
    ...duplicates,
    ...fields.map((field) => `unknown field ${goQuote(field)}`),
  ];
  if (messages.length === 0) return;
  if (options.fieldValidation === "Strict") throw reject(`strict decoding error: ${messages.join(", ")}`);
  for (const message of messages) options.warn(message);
}

/** Messages about duplicate and unknown fields. Go's decoder skips what is inside of an unknown field. */
function inDocumentOrder(
  unknown: readonly string[],
  fields: readonly DocumentField[] | undefined,
): readonly string[] | undefined {
  if (fields === undefined) return undefined;
  const isInside = (path: string): boolean =>
    unknown.some((one) => path.startsWith(`${one}.`) || path.startsWith(`${one}[`));
  const messages = new Set<string>();
  for (const { path, isDuplicate } of fields) {
    if (isInside(path)) continue;
    if (unknown.includes(path)) messages.add(`unknown field ${goQuote(path)}`);
    else if (isDuplicate) messages.add(`duplicate field ${goQuote(path)}`);
  }
  return [...messages];
}

/** The JSON object in a request body. Throws a 400 for any other body. */
export function readableBody(kind: string, body: RequestBody): JsonObject {
  const { value, malformed } = body;
  const parseError = "couldn't get version/kind; json parse error: ";
  if (malformed) throw unrecognized(kind, body, `${malformed.format === "json" ? parseError : ""}${malformed.message}`);
  if (value === undefined) throw unrecognized(kind, body, `${parseError}unexpected end of JSON input`);
  if (!isJsonObject(value))
    throw unrecognized(kind, body, `${parseError}json: cannot unmarshal ${jsonTypeOf(value)} into an object`);
  for (const field of ["apiVersion", "kind"]) {
    const given = value[field] ?? "";
    if (typeof given !== "string")
      throw unrecognized(
        kind,
        body,
        `${parseError}json: cannot unmarshal ${jsonTypeOf(given)} into Go struct field .${field} of type string`,
      );
  }
  return value;
}

function unrecognized(kind: string, body: RequestBody, why: string): Error {
  const longest = 30;
  const text = body.text();
  const quoted = text.length > longest ? `${text.slice(0, longest)} ...` : text;
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${quoted || "<empty>"})`);
}

function cannotHandle(resource: Resource, draft: Draft): string {
  const kind = textAt(draft, "kind") || resource.kind;
  const version = versionOf(textAt(draft, "apiVersion")) || resource.version;
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${resource.kind}`;
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}

/** Validates the kind and the apiVersion of a custom resource. */
export function checkType(resource: Resource, object: JsonObject): FieldError[] {
  if (resource.origin !== "custom") return [];
  const kind = textAt(object, "kind");
  const given = textAt(object, "apiVersion");
  const apiVersion = formatApiVersion(resource.group, resource.version);
  return [
    ...(kind === resource.kind ? [] : [invalidAt("kind", kind, `must be ${resource.kind}`)]),
    ...(given === apiVersion ? [] : [invalidAt("apiVersion", given, `must be ${apiVersion}`)]),
  ];
}

/** The group and the kind that an object itself declares, for rejections that name it. */
export function typeOf(object: JsonObject): { readonly group: string; readonly kind: string } {
  const apiVersion = textAt(object, "apiVersion");
  return { group: apiVersion.slice(0, Math.max(apiVersion.indexOf("/"), 0)), kind: textAt(object, "kind") };
}
