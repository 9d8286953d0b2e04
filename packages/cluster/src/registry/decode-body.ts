import { formatApiVersion } from "@kubewright/core/identity";
import { goJson, goQuote, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { applyDefaults, dropNulls, type FieldError, formatFieldError, pruneUnknown } from "@kubewright/core/schema";
import { badRequest, unsupportedMediaType } from "./api-failure.js";
import { type BuiltinData, builtinData, builtinSchema } from "./builtin-api.js";
import { type Draft, type DraftValue, sorted, textAt } from "./draft.js";
import { decodeEmbedded, decodeObjectMeta } from "./embedded-resources.js";
import { decodeBuiltin } from "./go-decode.js";
import { invalidAt } from "./object-meta.js";
import type { Resource } from "./resource.js";
import type { MalformedBody, WriteOptions } from "./write-context.js";

/** What was sent, and what to do with unknown fields. */
type DecodeOptions = Pick<
  WriteOptions,
  "fieldValidation" | "warn" | "duplicateFields" | "sentText" | "repeated" | "duplicateKeys" | "malformed"
>;

/** How the result of a patch is decoded. */
interface PatchedBody {
  /** Says no to unknown fields in strict mode, and to values of a wrong type. */
  refuse(text: string): Error;
  /** Whether the object was made of values, not of text: names of fields count as they are written. */
  readonly isConverted: boolean;
  /** In which order the parts of a built-in kind are looked at. */
  readonly order: "body" | "keys";
}

/**
 * Makes the object of a request body, in place where it can: checks apiVersion and kind, drops unknown fields, fills in defaults.
 *
 * The body must be a fresh copy that nobody else holds, or what a patch made of an object. Throws the failure that the client gets.
 */
export function decodeBody(
  resource: Resource,
  body: JsonValue | undefined,
  options: DecodeOptions,
  patched?: PatchedBody,
): Draft {
  // Custom resources have no messages: a real server does not even try.
  if (options.malformed?.format === "protobuf" && resource.origin === "custom")
    throw unsupportedMediaType(["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]);
  if (options.malformed) throw malformed(resource, options.malformed);
  if (body === null && resource.origin === "custom")
    throw noKind(resource, options.sentText ?? "null", options, patched);
  // A null is read into an object, and changes nothing there.
  const isMerged = resource.origin === "builtin" && patched === undefined && options.repeated !== undefined;
  const given = isMerged ? options.repeated?.merged : body === null ? {} : body;
  if (!isJsonObject(given)) throw unrecognised(resource, given, options.sentText);
  const draft = given as Draft;
  checkTypeMeta(resource, draft, options, patched);
  const unknownFields: string[] = [];
  const said = resource.origin === "custom" ? draft : undefined;
  const refuse = (text: string): Error =>
    patched?.refuse(text) ?? badRequest(`${cannotHandle(resource, said)}: ${text}`);
  if (resource.origin === "builtin") {
    // Without a version a real server decodes into its internal type, which has none of these fields.
    if (patched !== undefined && textAt(draft, "apiVersion") === "")
      return decodeUnversioned(resource, draft, options, refuse);
    checkBuiltinKind(resource, draft, patched);
    const schema = resource.schema();
    if (schema) {
      const decoded = decodeBuiltin(draft, schema, patched?.order);
      if (decoded.typeError !== undefined) throw refuse(decoded.typeError);
      unknownFields.push(...decoded.unknownFields);
    }
    reportUnknown(unknownFields, options, refuse);
    resource.strategy.applyDefaults?.(draft);
    return draft;
  }
  if (textAt(draft, "kind") === "")
    throw noKind(resource, options.sentText ?? JSON.stringify(draft), options, patched, goJson(sorted(draft)));
  if (draft["apiVersion"] === null)
    throw refuse(".apiVersion accessor error: <nil> is of the type <nil>, expected string");
  const metadata = draft["metadata"] ?? {};
  const decoded = decodeObjectMeta(metadata);
  if (decoded.problem !== undefined) throw refuse(decoded.problem);
  draft["metadata"] = metadata;
  unknownFields.push(...decoded.unknownFields.map((path) => `metadata.${path}`));
  const expected = formatApiVersion(resource.group, resource.version);
  const named = textAt(draft, "apiVersion");
  const { group, kind } = typeOf(draft);
  const isKind = group === resource.group && kind === resource.kind;
  // Of another kind only the metadata are known; of a version that the kind has not, nothing more.
  const schema = isKind ? (resource.schema(named) ?? {}) : undefined;
  let kept = draft;
  if (schema !== undefined) {
    const pruned = pruneUnknown(draft, schema);
    unknownFields.push(...pruned.unknownFields);
    kept = dropNulls(pruned.value, schema) as Draft;
    const embedded = decodeEmbedded(kept, schema);
    if (embedded.error !== undefined) throw refuse(formatFieldError(embedded.error));
    unknownFields.push(...embedded.unknownFields);
  }
  reportUnknown(unknownFields, options, (text) => {
    if (patched) return patched.refuse(text);
    // What has no type of its own cannot even be told that it does not fit; what is another type does not fit itself.
    if (named === "") return badRequest("Object 'apiVersion' is missing in 'object has no apiVersion field'");
    return badRequest(`${cannotHandle({ ...resource, kind }, draft)}: ${text}`);
  });
  if (named === expected && isKind) return applyDefaults(kept, schema) as Draft;
  // The result of a patch is held to its version once it is clear what it would change.
  if (named === expected || patched !== undefined) return kept;
  throw badRequest(`the API version in the data (${named}) does not match the expected API version (${expected})`);
}

function reportUnknown(fields: readonly string[], options: DecodeOptions, refuse: (text: string) => Error): void {
  if (options.fieldValidation === "Ignore") return;
  const repeated = options.duplicateKeys ?? [];
  const isWarned = options.fieldValidation === "Warn";
  const texts = [
    ...(repeated.length === 0 || isWarned ? repeated : [`yaml: unmarshal errors:\n  ${repeated.join("\n  ")}`]),
    ...(options.duplicateFields ?? []).map((field) => `duplicate field ${goQuote(field)}`),
    ...fields.map((field) => `unknown field ${goQuote(field)}`),
  ];
  if (texts.length === 0) return;
  if (isWarned) for (const text of texts) options.warn(text);
  else throw refuse(`strict decoding error: ${texts.join(", ")}`);
}

/** The internal type of a real server has its metadata among its own fields, and the others under names that nobody sends. */
function decodeUnversioned(
  resource: Resource,
  draft: Draft,
  options: DecodeOptions,
  refuse: (text: string) => Error,
): Draft {
  const kind = textAt(draft, "kind");
  if (kind !== "" && !builtinData().some((one) => one.kind === kind && one.group === resource.group)) {
    const where = `the internal version of group "${resource.group}" in scheme "pkg/runtime/scheme.go:111"`;
    throw refuse(`no kind ${goQuote(kind)} is registered for ${where}`);
  }
  const { apiVersion: _apiVersion, kind: _kind, ...metadata } = draft;
  const { unknownFields, problem } = decodeObjectMeta(metadata);
  const named = kind === "" ? resource.kind : kind;
  if (problem !== undefined) throw refuse(problem.replace("Go struct field ", `Go struct field ${named}.`));
  if (named !== resource.kind) {
    const typeName = (name: string): string => `(${resource.group.split(".")[0] || "core"}.${name})`;
    throw refuse(`converting ${typeName(named)} to ${typeName(resource.kind)}: unknown conversion`);
  }
  reportUnknown(unknownFields, options, refuse);
  for (const field of unknownFields) delete metadata[field];
  return { apiVersion: formatApiVersion(resource.group, resource.version), kind: resource.kind, metadata };
}

/** Refusals name the kind and the version that a body says it has, where it may say another. */
function cannotHandle(resource: Resource, draft?: Draft): string {
  const kind = draft === undefined ? resource.kind : textAt(draft, "kind");
  const apiVersion = draft === undefined ? resource.version : textAt(draft, "apiVersion");
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  return `${kind} in version ${goQuote(version)} cannot be handled as a ${resource.kind}`;
}

/** The beginning of a body, as refusals quote it: text where it could be an object, else bytes. */
function summary(text: string): string {
  const longest = 30;
  if (text === "") return "<empty>";
  const bytes = Buffer.from(text);
  const part = bytes.subarray(0, longest);
  return (text.startsWith("{") ? part.toString() : part.toString("hex")) + (bytes.length > longest ? " ..." : "");
}

function unrecognisedAs({ kind }: Pick<Resource, "kind">, why: string, text: string): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why} (${summary(text)})`);
}

/** The body of a request that must be an object of some kind. Throws in a real server's words when it is none at all. */
export function readableBody(
  kind: string,
  body: JsonValue | undefined,
  options: Pick<DecodeOptions, "malformed" | "sentText">,
): JsonObject {
  if (options.malformed) throw malformed({ kind }, options.malformed);
  if (!isJsonObject(body)) throw unrecognised({ kind }, body, options.sentText);
  for (const field of ["apiVersion", "kind"]) {
    const value = body[field] ?? "";
    if (typeof value !== "string")
      throw unrecognisedAs({ kind }, misfitOf(field, value), options.sentText ?? JSON.stringify(body));
  }
  return body;
}

function misfitOf(field: string, value: DraftValue | JsonValue): string {
  const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go struct field .${field} of type string`;
}

function malformed(resource: Pick<Resource, "kind">, { format, text, why }: MalformedBody): Error {
  return unrecognisedAs(
    resource,
    format === "json" ? `couldn't get version/kind; json parse error: ${why}` : why,
    text,
  );
}

function unrecognised(resource: Pick<Resource, "kind">, body: JsonValue | undefined, sentText?: string): Error {
  const prefix = "couldn't get version/kind; json parse error: ";
  if (body === undefined) return unrecognisedAs(resource, `${prefix}unexpected end of JSON input`, "");
  const found = Array.isArray(body) ? "array" : typeof body === "boolean" ? "bool" : typeof body;
  return unrecognisedAs(
    resource,
    `${prefix}json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    sentText ?? JSON.stringify(body),
  );
}

/** Go looks for apiVersion and kind first, in any case of letters, and wants texts. */
function checkTypeMeta(
  resource: Resource,
  draft: Draft,
  { sentText }: DecodeOptions,
  patched: PatchedBody | undefined,
): void {
  const no = (why: string): Error =>
    patched?.refuse(why) ?? unrecognisedAs(resource, why, sentText ?? JSON.stringify(draft));
  for (const [key, value] of typeEntriesOf(draft, patched)) {
    const field = typeFieldOf(key);
    if (field === undefined || value === null) continue;
    if (typeof value === "string") {
      if (resource.origin === "builtin") draft[field] = value;
      continue;
    }
    throw no(misfitOf(field, value));
  }
  const version = textAt(draft, "apiVersion");
  if (version.indexOf("/") !== version.lastIndexOf("/")) throw no(`unexpected GroupVersion string: ${version}`);
}

/** What Go takes for the names of a type, in the order in which it reads them; none where they are as they should be. */
function typeEntriesOf(draft: Draft, patched: PatchedBody | undefined): readonly [key: string, value: DraftValue][] {
  let isUsual = true;
  for (const key in draft) {
    const field = typeFieldOf(key);
    isUsual &&= field === undefined || (key === field && typeof draft[key] === "string");
  }
  if (isUsual) return [];
  const entries = Object.entries(draft).filter(([key]) => {
    const field = typeFieldOf(key);
    return field !== undefined && (key === field || patched?.isConverted !== true);
  });
  // The result of a patch is written by its keys before it is read.
  return patched ? entries.sort(([a], [b]) => (a < b ? -1 : 1)) : entries;
}

function typeFieldOf(key: string): "apiVersion" | "kind" | undefined {
  if (key.length === 4) return key.toLowerCase() === "kind" ? "kind" : undefined;
  return key.length === 10 && key.toLowerCase() === "apiversion" ? "apiVersion" : undefined;
}

function builtinOf(apiVersion: string, kind: string): BuiltinData | undefined {
  return builtinData().find((one) => one.kind === kind && formatApiVersion(one.group, one.version) === apiVersion);
}

function checkBuiltinKind(resource: Resource, draft: Draft, patched: PatchedBody | undefined): void {
  const apiVersion = formatApiVersion(resource.group, resource.version);
  const givenVersion = textAt(draft, "apiVersion") || apiVersion;
  const givenKind = textAt(draft, "kind") || resource.kind;
  if (givenVersion !== apiVersion || givenKind !== resource.kind) {
    const version = givenVersion.slice(givenVersion.indexOf("/") + 1);
    const other = builtinOf(givenVersion, givenKind);
    const misfit = other && decodeBuiltin(draft, builtinSchema(other.schema)).typeError;
    const why = other
      ? (misfit ??
        `converting (${version}.${givenKind}) to (${resource.group.split(".")[0] || "core"}.${resource.kind}): unknown conversion`)
      : `no kind ${goQuote(givenKind)} is registered for version ${goQuote(givenVersion)} in scheme "pkg/runtime/scheme.go:111"`;
    throw (
      patched?.refuse(why) ??
      badRequest(`${givenKind} in version ${goQuote(version)} cannot be handled as a ${resource.kind}: ${why}`)
    );
  }
  draft["apiVersion"] = apiVersion;
  draft["kind"] = resource.kind;
}

/** `sorted` is the same text as the refusal of a patch quotes it. */
function noKind(
  resource: Resource,
  text: string,
  options: DecodeOptions,
  patched: PatchedBody | undefined,
  sortedText = text,
): Error {
  if (patched) return patched.refuse(`Object 'Kind' is missing in '${sortedText}'`);
  // A server that does not look for mistakes decodes in one go, and finds it later.
  if (options.fieldValidation === "Ignore")
    return badRequest(
      `${cannotHandle(resource, saidTwice(resource, options))}: Object 'Kind' is missing in '${text.trim()}'`,
    );
  return unrecognisedAs(resource, `Object 'Kind' is missing in '${text.slice(0, 1_000)}'`, text);
}

/** The type of a body that named its kind, and then took it back. */
function saidTwice(resource: Resource, { repeated }: DecodeOptions): Draft | undefined {
  const kind = isJsonObject(repeated?.merged) ? repeated.merged["kind"] : undefined;
  if (typeof kind !== "string" || kind === "") return undefined;
  return { apiVersion: formatApiVersion(resource.group, resource.version), kind };
}

/** What is wrong with the kind and the version that a custom resource says it has. */
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

/** The group and the kind that an object says it has: refusals name it by them. */
export function typeOf(object: JsonObject): { readonly group: string; readonly kind: string } {
  const apiVersion = textAt(object, "apiVersion");
  return { group: apiVersion.slice(0, Math.max(apiVersion.indexOf("/"), 0)), kind: textAt(object, "kind") };
}
