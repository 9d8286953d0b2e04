import { goJson, goPrint, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  obeyedPatch,
  PatchError,
  parsePointer,
} from "@kubewright/core/patch";
import { ApiFailure, badRequest, invalid, unsupportedMediaType } from "./api-failure.js";
import { type ChangeTarget, changeObject } from "./change.js";
import { checkName, checkNamespace } from "./create.js";
import { decodeBody } from "./decode-body.js";
import { childDraft, draftOf, metadataOf, sharedDraft, sorted } from "./draft.js";
import { conversionError } from "./go-convert.js";
import { dropDuplicateOwners, invalidAt } from "./object-meta.js";
import type { Resource } from "./resource.js";
import { settleMergePatch } from "./settle-merge-patch.js";
import type { WriteContext, WriteOptions } from "./write-context.js";

/** A patch as it came: its form by content type, and its value. */
export interface PatchRequest {
  readonly contentType: string;
  /** A fresh copy that nobody else holds: parts of it may become parts of the object. */
  readonly patch: JsonValue;
  /** Another one, for refusals. */
  again(): JsonValue;
  /** The patch as it was sent. */
  text(): string;
}

/** The media type of server-side apply. */
export const applyPatchType = "application/apply-patch+yaml";

/** The forms of patch that a resource takes. Strategic merge needs Go types, which custom resources have not. */
export function acceptedPatchTypes(resource: Resource): readonly string[] {
  const forms = ["application/json-patch+json", "application/merge-patch+json", applyPatchType];
  if (resource.origin === "custom") return forms;
  return [
    "application/json-patch+json",
    "application/merge-patch+json",
    "application/strategic-merge-patch+json",
    applyPatchType,
  ];
}

/** Throws the 415 that a client gets for a form of patch that the resource does not take. */
export function requirePatchType(resource: Resource, contentType: string): void {
  if (acceptedPatchTypes(resource).includes(contentType)) return;
  throw resource.origin === "custom"
    ? unsupportedMediaType(acceptedPatchTypes(resource))
    : new ApiFailure(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}

/** Applies a JSON patch, a merge patch or a strategic merge patch to an object, and gives it as it was stored. */
export function patchObject(
  context: WriteContext,
  resource: Resource,
  target: ChangeTarget,
  request: PatchRequest,
  options: WriteOptions,
): JsonObject {
  const why = options.malformed?.why ?? (options.isEmpty ? "unexpected end of JSON input" : undefined);
  const isStrategic = request.contentType === "application/strategic-merge-patch+json";
  if (why !== undefined) throw badRequest(isStrategic ? why : `error decoding patch: ${why}`);
  return changeObject(context, resource, target, options, (old) => {
    const applied = applyPatch(resource, old, request);
    if (Array.isArray(applied)) throw noObject(applied);
    const result = Array.isArray(request.patch) ? sortedAlong(applied, pathsOf(request.patch)) : applied;
    if (!isJsonObject(result)) throw badRequest("the patch does not leave an object");
    // A strategic merge patch ends in the Go type, which has no room for another kind.
    const { apiVersion = null, kind = null } = old;
    const shown = (): string => {
      if (Array.isArray(request.patch)) return printPatched(resource, result, request.patch);
      const patch = request.again();
      if (isStrategic) return goPrint(obeyed(resource, old, patch));
      const patched = applyPatch(resource, old, { ...request, patch });
      return isJsonObject(patched) ? printPatched(resource, patched, patch) : "";
    };
    const refuse = (text: string): Error => invalid({ group: "", kind: "" }, "", [invalidAt("patch", shown(), text)]);
    // A JSON patch may put a part of the object in another place, where it means something else.
    const isInPlace = resource.strategy.leavesFrozen === true && isJsonObject(request.patch);
    const copy = isInPlace ? sharedDraft(result) : draftOf(result);
    const error = isStrategic ? conversionError(copy, resource.schema() ?? {}) : undefined;
    if (error !== undefined) throw refuse(error);
    if (isStrategic) Object.assign(copy, { apiVersion, kind });
    // What a merge patch looks into is written by its keys, what a JSON patch brings stays as it is.
    const order = isJsonObject(request.patch) ? "keys" : "body";
    const draft = decodeBody(resource, copy, options, { refuse, isConverted: isStrategic, order });
    const metadata = childDraft(draft, "metadata");
    checkNamespace(metadata, target.namespace);
    checkName(metadata, target.name);
    dropDuplicateOwners(metadata, true, options.warn);
    return draft;
  });
}

/** A list in place of an object has no kind, in the words of Go's decoder. */
function noObject(list: JsonValue): Error {
  const type =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  const why = `couldn't get version/kind; json parse error: json: cannot unmarshal array into Go value of type ${type}`;
  return invalid({ group: "", kind: "" }, "", [invalidAt("patch", JSON.stringify(list), why)]);
}

function obeyed(resource: Resource, old: JsonObject, patch: JsonValue): JsonValue {
  return isJsonObject(patch) ? obeyedPatch(old, patch, resource.schema()) : patch;
}

/** The order in which Go writes the fields of metadata. */
const metadataOrder: readonly string[] = [
  ...["name", "generateName", "namespace", "selfLink", "uid", "resourceVersion", "generation", "creationTimestamp"],
  ...["deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences", "finalizers"],
  "managedFields",
];

/** A patched object as refusals quote it: of built-in kinds, the fields of metadata keep the order of their Go type. */
function printPatched(resource: Resource, object: JsonObject, patch: JsonValue): string {
  if (resource.origin === "custom") return goJson(sorted(object));
  const fields = Object.keys(object).sort();
  const shown = fields.map((key): [string, JsonValue] => {
    const value = object[key] ?? null;
    if (isJsonObject(patch) && Object.hasOwn(patch, key)) return [key, asMerged(value, patch[key] ?? null)];
    if (!isJsonObject(value)) return [key, value];
    if (key === "metadata") return [key, printedMetadata(value, patch)];
    return [key, isTextMap(value) && !brings(patch, key) ? sorted(value) : value];
  });
  return goJson(Object.fromEntries(shown));
}

/** What a merge patch looked into is a map, and what it brought is maps all through. */
function asMerged(value: JsonValue, patch: JsonValue): JsonValue {
  if (!isJsonObject(value) || !isJsonObject(patch)) return sorted(value);
  const keys = Object.keys(value).sort();
  return Object.fromEntries(
    keys.map((key): [string, JsonValue] => {
      const inner = value[key] ?? null;
      return [key, Object.hasOwn(patch, key) ? asMerged(inner, patch[key] ?? null) : inner];
    }),
  );
}

/** Where the operations of a JSON patch look, as keys to descend by. What was looked into stays so where it is copied or moved to. */
function pathsOf(patch: readonly JsonValue[]): string[][] {
  const paths: string[][] = [];
  for (const operation of patch) {
    if (!isJsonObject(operation)) continue;
    const [path, from] = ["path", "from"].map((field) => stepsOf(operation[field]));
    for (const steps of [path, from]) if (steps !== undefined) paths.push(steps);
    if (path === undefined || from === undefined || paths.length > maxPaths) continue;
    const inside = paths.filter((one) => one.length > from.length && from.every((step, index) => step === one[index]));
    paths.push(...inside.map((one) => [...path, ...one.slice(from.length)]));
  }
  return paths;
}

/** A patch that looks at more places is not followed through its copies: they only say in which order a refusal quotes fields. */
const maxPaths = 100;

function stepsOf(pointer: JsonValue | undefined): string[] | undefined {
  return typeof pointer === "string" ? parsePointer(pointer.slice(pointer.indexOf("/"))) : undefined;
}

/** The same value as a real server writes it: what an operation looked into is a map. */
function sortedAlong(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue {
  if (paths.length === 0 || typeof value !== "object" || value === null) return value;
  const below = (key: string, inner: JsonValue): JsonValue =>
    sortedAlong(
      inner,
      paths.filter((path) => path.length > 1 && path[0] === key).map((path) => path.slice(1)),
    );
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map((item, index) => below(String(index), item));
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, below(key, inner)]));
}

/** Whether a JSON patch brings a field as a whole. */
function brings(patch: JsonValue, field: string): boolean {
  return (
    Array.isArray(patch) &&
    (patch as readonly JsonValue[]).some((operation) => isJsonObject(operation) && operation["path"] === `/${field}`)
  );
}

/** Go writes maps by their keys, and structs in the order of their fields. */
function isTextMap(value: JsonObject): boolean {
  return Object.values(value).every((inner) => typeof inner === "string");
}

/** Metadata that a patch looked into were a map on the way. */
function printedMetadata(metadata: JsonObject, patch: JsonValue): JsonObject {
  if (!looksInto(patch, "metadata")) return inMetadataOrder(metadata);
  return Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function looksInto(patch: JsonValue, field: string): boolean {
  if (isJsonObject(patch)) return isJsonObject(patch[field]);
  if (!Array.isArray(patch)) return false;
  return (patch as readonly JsonValue[]).some(
    (operation) =>
      isJsonObject(operation) &&
      [operation["path"], operation["from"]].some((path) => typeof path === "string" && path.startsWith(`/${field}/`)),
  );
}

/** Whether a JSON patch puts all metadata in another place, where their order shows. */
function copiesMetadata(patch: JsonValue): boolean {
  return (
    Array.isArray(patch) &&
    (patch as readonly JsonValue[]).some((operation) => isJsonObject(operation) && operation["from"] === "/metadata")
  );
}

/** An object whose metadata are in the order in which a real server writes them. */
function asWritten({ origin }: Resource, object: JsonObject): JsonObject {
  return origin === "custom" ? object : { ...object, metadata: inMetadataOrder(metadataOf(object)) };
}

function inMetadataOrder(metadata: JsonObject): JsonObject {
  const rank = (key: string): number => metadataOrder.indexOf(key) + 1 || metadataOrder.length + 1;
  return Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => rank(a) - rank(b)));
}

function applyPatch(resource: Resource, old: JsonObject, { contentType, patch, text }: PatchRequest): JsonValue {
  const isStrategic = contentType === "application/strategic-merge-patch+json";
  try {
    if (contentType === "application/json-patch+json")
      return applyJsonPatch(copiesMetadata(patch) ? asWritten(resource, old) : old, readOperations(patch), text);
    if (patch === null) {
      if (isStrategic) return old;
      throw badRequest("Invalid JSON Patch");
    }
    if (!isJsonObject(patch)) {
      const why = `json: cannot unmarshal ${goKind(patch)} into Go value of type map[string]interface {}`;
      throw badRequest(isStrategic ? why : `error decoding patch: ${why}`);
    }
    if (!isStrategic) return applyMergePatch(old, settleMergePatch(old, patch));
    return applyStrategicMergePatch(old, patch, resource.schema());
  } catch (error) {
    if (!(error instanceof PatchError)) throw error;
    // All but a malformed directive a real server takes for its own mistake.
    if (isStrategic)
      throw error.message.startsWith("invalid patch format")
        ? badRequest(error.message)
        : new ApiFailure(500, "", error.message);
    const tooMany = /The allowed maximum operations in a JSON patch is .*/.exec(error.message);
    if (tooMany) throw new ApiFailure(413, "RequestEntityTooLarge", `Request entity too large: ${tooMany[0]}`);
    throw new ApiFailure(422, "Invalid", "the server rejected our request due to an error in our request", {});
  }
}

/**
 * The operations of a JSON patch as a real server reads them: a path begins at its first slash, and needs one, unless the whole
 * object is replaced by another, or by a list, which is none.
 */
function readOperations(patch: JsonValue): JsonValue {
  checkOperations(patch);
  return (patch as readonly JsonValue[]).map((operation) => {
    if (!isJsonObject(operation)) return {};
    const isWhole = operation["op"] === "replace" && operation["path"] === "";
    if (isWhole && (isJsonObject(operation["value"]) || Array.isArray(operation["value"]))) return operation;
    const read: Record<string, JsonValue> = { ...operation };
    for (const field of ["path", "from"]) {
      const path = operation[field];
      if (typeof path !== "string") continue;
      if (!path.includes("/")) throw new PatchError("API_INVALID", `the path ${JSON.stringify(path)} has no slash`);
      read[field] = path.slice(path.indexOf("/"));
    }
    return read;
  });
}

/** The form of a JSON patch, as far as Go's decoder looks at it. */
function checkOperations(patch: JsonValue): void {
  const type = "[]handlers.jsonPatchOp";
  if (!Array.isArray(patch))
    throw badRequest(`error decoding patch: json: cannot unmarshal ${goKind(patch)} into Go value of type ${type}`);
  for (const operation of patch as readonly JsonValue[]) {
    if (operation !== null && !isJsonObject(operation))
      throw badRequest(
        `error decoding patch: json: cannot unmarshal ${goKind(operation)} into Go value of type ${type.slice(2)}`,
      );
    for (const field of ["op", "from", "path"]) {
      const value = operation?.[field];
      if (value !== undefined && value !== null && typeof value !== "string")
        throw badRequest(
          `error decoding patch: json: cannot unmarshal ${goKind(value)} into Go struct field jsonPatchOp.${field} of type string`,
        );
    }
  }
}

function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
