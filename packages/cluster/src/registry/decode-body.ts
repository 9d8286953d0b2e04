import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { applyDefaults, dropNulls, formatFieldError, pruneUnknown } from "@kubewright/core/schema";
import { badRequest, invalid, unsupportedMediaType } from "./api-failure.js";
import { builtinData } from "./builtin-api.js";
import { type Draft, isDraft, textAt } from "./draft.js";
import { decodeEmbedded, decodeObjectMeta } from "./embedded-resources.js";
import { decodeBuiltin } from "./go-decode.js";
import { dropDuplicateOwners, invalidAt } from "./object-meta.js";
import type { Resource } from "./resource.js";
import type { MalformedBody, WriteOptions } from "./write-context.js";

/** What is wrong with unknown fields, and how to say it: the body of a create or update, or the result of a patch. */
export interface DecodeOptions
  extends Pick<WriteOptions, "fieldValidation" | "warn" | "duplicateFields" | "duplicateKeys" | "malformed"> {
  /** Leaves it to {@link checkKind} to refuse a custom resource of another kind. @default false */
  readonly takesOtherKinds?: boolean;
  /** Says no to unknown fields in strict mode, and to values of a wrong type. */
  refuse?(text: string): Error;
}

/**
 * Makes the object of a request body, in place where it can: checks apiVersion and kind, drops unknown fields, fills in defaults.
 *
 * The body must be a fresh copy that nobody else holds. Throws the failure that the client gets.
 */
export function decodeBody(resource: Resource, body: JsonValue | undefined, options: DecodeOptions): Draft {
  // Custom resources have no messages: a real server does not even try.
  if (options.malformed?.format === "protobuf" && resource.origin === "custom")
    throw unsupportedMediaType(["application/json", "application/yaml", "application/vnd.kubernetes.protobuf"]);
  if (options.malformed) throw malformed(resource, options.malformed);
  if (body === null && resource.origin === "custom")
    throw unrecognisedAs(resource, "Object 'Kind' is missing in 'null'", "null");
  // A null is read into an object, and changes nothing there.
  const given = body === null ? {} : body;
  if (!isJsonObject(given)) throw unrecognised(resource, given);
  const draft = given as Draft;
  if (options.refuse === undefined || resource.origin === "builtin") checkTypeMeta(resource, draft, options.refuse);
  const unknownFields: string[] = [];
  if (resource.origin === "builtin") {
    checkBuiltinKind(resource, draft, options);
    const schema = resource.schema();
    if (schema) {
      const decoded = decodeBuiltin(draft, schema);
      if (decoded.typeError !== undefined)
        throw options.refuse?.(decoded.typeError) ?? badRequest(`${cannotHandle(resource)}: ${decoded.typeError}`);
      unknownFields.push(...decoded.unknownFields);
    }
    reportUnknown(resource, unknownFields, options);
    reportDuplicateOwners(draft, options);
    resource.strategy.applyDefaults?.(draft);
    return draft;
  }
  checkCustomKind(resource, draft, options.refuse !== undefined);
  if (options.takesOtherKinds !== true) checkKind(resource, draft, textAt(objectOf(draft), "name"));
  const refuse = (text: string): Error => options.refuse?.(text) ?? badRequest(`${cannotHandle(resource)}: ${text}`);
  const metadata = draft["metadata"] ?? {};
  const decoded = decodeObjectMeta(metadata);
  if (decoded.problem !== undefined) throw refuse(decoded.problem);
  draft["metadata"] = metadata;
  unknownFields.push(...decoded.unknownFields.map((path) => `metadata.${path}`));
  reportDuplicateOwners(draft, options);
  const schema = resource.schema();
  const pruned = pruneUnknown(draft, schema);
  unknownFields.push(...pruned.unknownFields);
  const kept = dropNulls(pruned.value, schema) as Draft;
  const embedded = decodeEmbedded(kept, schema);
  if (embedded.error !== undefined) throw refuse(formatFieldError(embedded.error));
  unknownFields.push(...embedded.unknownFields);
  reportUnknown(resource, unknownFields, options);
  return applyDefaults(kept, schema) as Draft;
}

function reportUnknown(resource: Resource, fields: readonly string[], options: DecodeOptions): void {
  if (options.fieldValidation === "Ignore") return;
  const repeated = options.duplicateKeys ?? [];
  const texts = [
    ...(repeated.length === 0 ? [] : [`yaml: unmarshal errors:\n  ${repeated.join("\n  ")}`]),
    ...(options.duplicateFields ?? []).map((field) => `duplicate field "${field}"`),
    ...fields.map((field) => `unknown field "${field}"`),
  ];
  if (texts.length === 0) return;
  if (options.fieldValidation === "Warn") for (const text of texts) options.warn(text);
  else {
    const text = `strict decoding error: ${texts.join(", ")}`;
    throw options.refuse?.(text) ?? badRequest(`${cannotHandle(resource)}: ${text}`);
  }
}

function reportDuplicateOwners(draft: Draft, options: DecodeOptions): void {
  const metadata = draft["metadata"];
  const warning = isDraft(metadata) ? dropDuplicateOwners(metadata) : undefined;
  if (warning !== undefined) options.warn(warning);
}

function cannotHandle(resource: Resource): string {
  return `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}`;
}

/** The beginning of a body, as refusals quote it: text where it could be an object, else bytes. */
function summary(text: string): string {
  const longest = 30;
  if (text === "") return "<empty>";
  const bytes = Buffer.from(text);
  const part = bytes.subarray(0, longest);
  return (text.startsWith("{") ? part.toString() : part.toString("hex")) + (bytes.length > longest ? " ..." : "");
}

function unrecognisedAs(resource: Resource, why: string, text: string): Error {
  return badRequest(
    `the object provided is unrecognized (must be of type ${resource.kind}): ${why} (${summary(text)})`,
  );
}

function malformed(resource: Resource, { format, text, why }: MalformedBody): Error {
  return unrecognisedAs(
    resource,
    format === "json" ? `couldn't get version/kind; json parse error: ${why}` : why,
    text,
  );
}

function unrecognised(resource: Resource, body: JsonValue | undefined): Error {
  const prefix = "couldn't get version/kind; json parse error: ";
  if (body === undefined) return unrecognisedAs(resource, `${prefix}unexpected end of JSON input`, "");
  const found = Array.isArray(body) ? "array" : typeof body === "boolean" ? "bool" : typeof body;
  return unrecognisedAs(
    resource,
    `${prefix}json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    JSON.stringify(body),
  );
}

/** Go looks for apiVersion and kind first, in any case of letters, and wants texts. */
function checkTypeMeta(resource: Resource, draft: Draft, refuse: DecodeOptions["refuse"]): void {
  const no = (why: string): Error => refuse?.(why) ?? unrecognisedAs(resource, why, JSON.stringify(draft));
  const version = textAt(draft, "apiVersion");
  if (version.split("/").length > 2) throw no(`unexpected GroupVersion string: ${version}`);
  for (const [key, value] of Object.entries(draft)) {
    const field = typeFields.find((name) => name.toLowerCase() === key.toLowerCase());
    if (field === undefined || value === null) continue;
    if (typeof value === "string") {
      if (resource.origin === "builtin") draft[field] = value;
      continue;
    }
    const found = Array.isArray(value) ? "array" : typeof value === "boolean" ? "bool" : typeof value;
    throw no(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go struct field .${field} of type string`,
    );
  }
}

const typeFields = ["apiVersion", "kind"] as const;

function isBuiltin(apiVersion: string, kind: string): boolean {
  return builtinData().some((one) => one.kind === kind && formatApiVersion(one.group, one.version) === apiVersion);
}

function checkBuiltinKind(resource: Resource, draft: Draft, options: DecodeOptions): void {
  const apiVersion = formatApiVersion(resource.group, resource.version);
  const givenVersion = textAt(draft, "apiVersion") || apiVersion;
  const givenKind = textAt(draft, "kind") || resource.kind;
  if (givenVersion !== apiVersion || givenKind !== resource.kind) {
    const version = givenVersion.slice(givenVersion.indexOf("/") + 1);
    const why = isBuiltin(givenVersion, givenKind)
      ? `converting (${version}.${givenKind}) to (${resource.group.split(".")[0] || "core"}.${resource.kind}): unknown conversion`
      : `no kind "${givenKind}" is registered for version "${givenVersion}" in scheme "pkg/runtime/scheme.go:111"`;
    throw (
      options.refuse?.(why) ??
      badRequest(`${givenKind} in version "${version}" cannot be handled as a ${resource.kind}: ${why}`)
    );
  }
  draft["apiVersion"] = apiVersion;
  draft["kind"] = resource.kind;
}

/** A patch that changes apiVersion or kind leaves an object that breaks a rule; a body that names others is none for this path. */
function checkCustomKind(resource: Resource, draft: Draft, isPatch: boolean): void {
  const apiVersion = formatApiVersion(resource.group, resource.version);
  const kind = textAt(draft, "kind");
  if (kind === "") {
    const text = JSON.stringify(draft);
    throw unrecognisedAs(resource, `Object 'Kind' is missing in '${text.slice(0, 1_000)}'`, text);
  }
  const given = textAt(draft, "apiVersion");
  if (isPatch && given !== apiVersion) {
    const errors = kind === resource.kind ? [] : [invalidAt("kind", kind, `must be ${resource.kind}`)];
    errors.push(invalidAt("apiVersion", given, `must be ${apiVersion}`));
    const group = given.includes("/") ? given.slice(0, given.indexOf("/")) : "";
    throw invalid({ group, kind }, textAt(objectOf(draft), "name"), errors);
  }
  if (given !== apiVersion)
    throw badRequest(`the API version in the data (${given}) does not match the expected API version (${apiVersion})`);
}

/** An object of another kind breaks a rule: what is wrong with the request as such comes first. */
export function checkKind(resource: Resource, draft: Draft, name: string): void {
  const kind = textAt(draft, "kind");
  if (kind === resource.kind) return;
  throw invalid({ group: resource.group, kind }, name, [invalidAt("kind", kind, `must be ${resource.kind}`)]);
}

function objectOf(draft: Draft): JsonObject {
  const metadata = draft["metadata"];
  return isDraft(metadata) ? metadata : {};
}
