import {
  type ApplyConflict,
  applyConfiguration,
  checkTyped,
  conflictMessage,
  describeManager,
  typedMessage,
} from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { applyDefaults } from "@kubewright/core/schema";
import { ApiFailure, badRequest, conflict, notFound } from "./api-failure.js";
import { type ChangeTarget, changeObject } from "./change.js";
import { checkName, checkNamespace, storeNew } from "./create.js";
import { decodeBody } from "./decode-body.js";
import { childDraft, type Draft, draftOf, isDraft, metadataOf, textAt } from "./draft.js";
import { conversionError } from "./go-convert.js";
import { decodeMergedMeta } from "./hollow-metadata.js";
import { kubectlManager, syncLastApplied, withoutOwnFields } from "./last-applied.js";
import { ignoredFields } from "./managed-fields.js";
import { dropDuplicateOwners } from "./object-meta.js";
import { mergeSchemaOf, type Resource } from "./resource.js";
import { recordKey, timestamp, type WriteContext, type WriteOptions } from "./write-context.js";

/** What an apply did. */
export interface Applied {
  readonly object: JsonObject;
  readonly created: boolean;
}

/** Server-side apply: creates the object, or lays the configuration over it; a fresh copy, like every body. */
export function applyObject(
  context: WriteContext,
  resource: Resource,
  target: ChangeTarget,
  body: JsonValue,
  options: WriteOptions & { readonly force: boolean },
): Applied {
  if (options.malformed)
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${options.malformed.why}`);
  const record = context.store.bucket(resource.bucket).get(recordKey(target.namespace, target.name));
  const isStatus = target.subresource === "status";
  if (!record && target.subresource !== "" && !(isStatus && resource.strategy.createOnUpdate === true))
    throw notFound(resource, target.name);
  const config = checkConfiguration(resource, target, record?.object, options.isEmpty === true ? null : body);
  if (!record) {
    const draft = merged(context, resource, target, undefined, config, options);
    const uid = textAt(metadataOf(config), "uid");
    if (uid !== "")
      throw conflict(
        resource,
        target.name,
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      );
    placeMerged(draft, target, options);
    const version = textAt(metadataOf(config), "resourceVersion");
    if (!/^\d*$/.test(version))
      throw new ApiFailure(500, "", `strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`);
    const metadata = childDraft(draft, "metadata");
    metadata["name"] = target.name;
    // An apply that creates is not held to a version that it names; where nothing is stored, it comes back.
    if (!options.dryRun) delete metadata["resourceVersion"];
    if (target.namespace !== "") metadata["namespace"] = target.namespace;
    return { object: storeNew(context, resource, draft, options, (tracked) => tracked, isStatus), created: true };
  }
  const object = changeObject(
    context,
    resource,
    target,
    options,
    (old) => placeMerged(merged(context, resource, target, old, config, options), target, options),
    (draft) => draft,
  );
  return { object, created: false };
}

/** Keys that stood twice, which are told once the rest is right: as warnings, unless everything must be. */
function reportRepeated({ duplicateKeys = [], fieldValidation, warn }: WriteOptions): void {
  if (duplicateKeys.length === 0 || fieldValidation === "Ignore") return;
  if (fieldValidation === "Warn") for (const text of duplicateKeys) warn(text);
  else
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${duplicateKeys.join("\n  ")}`,
    );
}

function checkConfiguration(
  resource: Resource,
  target: ChangeTarget,
  stored: JsonObject | undefined,
  body: JsonValue,
): Draft {
  if (body !== null && !isJsonObject(body)) {
    const found = Array.isArray(body) ? "array" : typeof body === "boolean" ? "bool" : typeof body;
    throw badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    );
  }
  const config = (body ?? {}) as Draft;
  const expected = formatApiVersion(resource.group, resource.version);
  const apiVersion = textAt(config, "apiVersion");
  const kind = textAt(config, "kind");
  if (apiVersion !== expected || kind !== resource.kind)
    throw badRequest(`invalid object type: ${printKind(apiVersion, kind)}`);
  // What nobody owns gets an owner before the rest of the configuration is looked at.
  if (stored && !isManaged(stored)) refuseUntyped(resource, resource.fromStored(stored), "unmanaged");
  const given = config["metadata"];
  const metadata = isDraft(given) ? given : {};
  const owners = metadata["managedFields"];
  // What cannot be read as a list of owners is as good as none, for this check.
  if (Array.isArray(owners) && owners.every(isDraft)) throw badRequest("metadata.managedFields must be nil");
  refuseUntyped(resource, config, "patch");
  // A null is one more field: it has no effect, but makes the apply one that changes something, at this time.
  if (owners !== null) delete metadata["managedFields"];
  if (target.namespace === "") delete metadata["namespace"];
  return config;
}

function printKind(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf("/");
  // Go writes a group and a version, whichever of the two is there.
  return `${apiVersion.slice(0, Math.max(slash, 0))}/${apiVersion.slice(slash + 1)}, Kind=${kind}`;
}

function isManaged(object: JsonObject): boolean {
  const owners = metadataOf(object)["managedFields"];
  return Array.isArray(owners) && owners.length > 0;
}

const untypedTexts = {
  patch: (which: string) => `failed to create typed patch object ${which}`,
  live: (which: string) => `failed to create typed live object ${which}`,
  unmanaged: (which: string) =>
    `failed to create manager for existing fields: failed to convert new object ${which} to smd typed`,
};

/** What does not fit its type cannot be merged: the real server fails, whatever the field validation says. */
function refuseUntyped(resource: Resource, object: JsonObject, what: keyof typeof untypedTexts): void {
  const schema = mergeSchemaOf(resource);
  if (!schema) return;
  const problems = checkTyped(object, schema, {
    keepOpaqueObjects: resource.origin === "builtin",
    allowDuplicates: what !== "patch",
  });
  if (problems.length === 0) return;
  const metadata = metadataOf(object);
  const where = `${textAt(metadata, "namespace")}/${textAt(metadata, "name")}`;
  const kind = printKind(textAt(object, "apiVersion"), resource.kind);
  throw new ApiFailure(500, "", `${untypedTexts[what](`(${where}; ${kind})`)}: ${typedMessage(problems)}`);
}

function merged(
  context: WriteContext,
  resource: Resource,
  target: ChangeTarget,
  live: JsonObject | undefined,
  config: Draft,
  options: WriteOptions & { readonly force: boolean },
): Draft {
  const apiVersion = formatApiVersion(resource.group, resource.version);
  const applying = {
    live,
    empty: resource.strategy.empty,
    config,
    manager: options.manager,
    apiVersion,
    force: options.force,
    schema: mergeSchemaOf(resource),
    time: timestamp(context.clock),
    subresource: target.subresource,
    ignoredFields: ignoredFields(resource, target.subresource, config),
    versions: resource.versions,
  };
  if (live) refuseUntyped(resource, live, "live");
  const isKubectl = options.manager === kubectlManager;
  let result = applyConfiguration(applying);
  if (result.kind === "conflict" && isKubectl && live) {
    const left = withoutOwnFields(result.conflicts, live, resource, apiVersion);
    result = left.length > 0 ? { kind: "conflict", conflicts: left } : applyConfiguration({ ...applying, force: true });
  }
  if (result.kind === "conflict") throw applyConflict(result.conflicts);
  reportRepeated(options);
  const draft = decodeMerged(resource, draftOf(result.object), config, options);
  if (isKubectl) syncLastApplied(draft, config);
  return draft;
}

/** Holds a merged object to the place that the request names. */
function placeMerged(draft: Draft, target: ChangeTarget, options: WriteOptions): Draft {
  const metadata = childDraft(draft, "metadata");
  checkNamespace(metadata, target.namespace);
  // A new object may leave its name to the path where it leaves a base for one.
  const isBased = textAt(metadata, "name") === "" && textAt(metadata, "generateName") !== "";
  if (!isBased) checkName(metadata, target.name);
  dropDuplicateOwners(metadata, true, options.warn);
  return draft;
}

/** A merged object is what it is: of a custom resource nothing is pruned, and nulls stay for its schema to judge. */
function decodeMerged(resource: Resource, draft: Draft, config: Draft, options: WriteOptions): Draft {
  if (resource.origin === "builtin") {
    const schema = resource.schema();
    const error = schema && conversionError(draft, schema);
    if (error !== undefined) throw notConverted(resource, config, error);
    return decodeBody(resource, draft, { ...options, fieldValidation: "Ignore" });
  }
  decodeMergedMeta(childDraft(draft, "metadata"));
  return applyDefaults(draft, resource.schema()) as Draft;
}

function notConverted(resource: Resource, config: Draft, why: string): ApiFailure {
  const metadata = metadataOf(config);
  const kind = printKind(textAt(config, "apiVersion"), resource.kind);
  const where = `(${textAt(metadata, "namespace")}/${textAt(metadata, "name")}; ${kind})`;
  const text = `failed to convert new object ${where} to proper version: unable to convert unstructured object to ${kind}: ${why}`;
  return new ApiFailure(500, "", text);
}

/** The refusal of an apply that others stand in the way of. */
function applyConflict(conflicts: readonly ApplyConflict[]): ApiFailure {
  const causes = conflicts.flatMap((one) =>
    one.paths.map((field) => ({
      reason: "FieldManagerConflict",
      message: `conflict with ${describeManager(one)}`,
      field,
    })),
  );
  return new ApiFailure(409, "Conflict", conflictMessage(conflicts), { causes });
}
