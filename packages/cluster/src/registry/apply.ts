import {
  type ApplyConflict,
  applyConfiguration,
  checkTyped,
  conflictMessage,
  describeManager,
  type KindVersions,
  typedMessage,
} from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { applyDefaults } from "@kubewright/core/schema";
import { ApiFailure, badRequest, conflict, notFound } from "./api-failure.js";
import { changeObject } from "./change.js";
import { checkName, checkNamespace, storeNew } from "./create.js";
import { decodeObject } from "./decode-body.js";
import { childDraft, type Draft, draftOf, isDraft, metadataOf, textAt } from "./draft.js";
import { decodeMetadataFields } from "./embedded-resources.js";
import { andThen, type Eventually } from "./eventually.js";
import { jsonTypeOf } from "./go/index.js";
import { kubectlManager, syncLastApplied, withoutOwnFields } from "./last-applied.js";
import { ignoredFields } from "./managed-fields.js";
import { dropDuplicateOwners } from "./object-meta.js";
import type { RequestBody } from "./request-body.js";
import { mergeSchemaOf, type Resource, readStored } from "./resource.js";
import { withConversions } from "./with-conversions.js";
import { recordKey, timestamp, type Write, type WriteRequest } from "./write-context.js";

/** The result of an apply. */
export interface Applied {
  readonly object: JsonObject;
  readonly created: boolean;
}

/** Server-side apply: creates the object, or merges the configuration into it. */
export function applyObject(write: WriteRequest): Eventually<Applied> {
  const { context, resource, target } = write;
  const record = context.store.bucket(resource.bucket).get(recordKey(target.namespace, target.name));
  const isStatus = target.subresource === "status";
  if (!record && target.subresource !== "" && !(isStatus && resource.strategy.allowCreateOnUpdate === true))
    throw notFound(resource, target.name);
  const isUnmanaged = record !== undefined && !isManaged(record.object);
  return andThen(isUnmanaged ? readStored(resource, record.object) : undefined, (unmanaged) => {
    const config = readConfiguration(write, unmanaged);
    return record ? applyToLive(write, config) : applyNew(write, config);
  });
}

/** An apply that creates. */
function applyNew(write: WriteRequest, config: Draft): Eventually<Applied> {
  const { resource, target, options } = write;
  const { draft } = merge(write, { config, live: undefined, versions: resource.versions });
  const metadata = childDraft(draft, "metadata");
  metadata["name"] = target.name;
  return andThen(
    // An apply that creates ignores the resourceVersion of its configuration.
    storeNew(write, draft, { track: (tracked) => tracked, ignoresVersion: !options.dryRun }),
    (object) => ({ object, created: true }),
  );
}

/** An apply that merges the configuration into the live object. */
function applyToLive(write: WriteRequest, config: Draft): Eventually<Applied> {
  let isWritten = false;
  const changed = changeObject(write, {
    make(old) {
      const merging = withConversions(write.resource, (versions) => merge(write, { config, live: old, versions }));
      return andThen(merging, (merged) => {
        isWritten = merged.hasEmptyMetadata;
        return merged.draft;
      });
    },
    track: (draft) => draft,
    isAlwaysWritten: () => isWritten,
  });
  return andThen(changed, (object) => ({ object, created: false }));
}

/** Reads the apply configuration from the body. `unmanaged` is the live object if it has no managedFields. */
function readConfiguration({ resource, target, body }: WriteRequest, unmanaged: JsonObject | undefined): Draft {
  const config = configurationIn(body);
  const expected = formatApiVersion(resource.group, resource.version);
  const apiVersion = textAt(config, "apiVersion");
  const kind = textAt(config, "kind");
  if (apiVersion !== expected || kind !== resource.kind)
    throw badRequest(`invalid object type: ${printKind(apiVersion, kind)}`);
  if (unmanaged) requireTyped(resource, unmanaged, "unmanaged");
  const metadata = isDraft(config["metadata"]) ? config["metadata"] : {};
  const { managedFields } = metadata;
  if (Array.isArray(managedFields) && managedFields.every(isDraft))
    throw badRequest("metadata.managedFields must be nil");
  requireTyped(resource, config, "patch");
  // An explicit null stays in the configuration: it has no effect.
  if (managedFields !== null) delete metadata["managedFields"];
  if (target.namespace === "") delete metadata["namespace"];
  return config;
}

function configurationIn({ value = null, malformed }: RequestBody): Draft {
  if (malformed) throw badRequest(`error decoding YAML: error converting YAML to JSON: ${malformed.message}`);
  if (isJsonObject(value)) return value as Draft;
  if (value === null) return {};
  throw badRequest(
    `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`,
  );
}

/** Group, version and kind as Go prints them: `apps/v1, Kind=Deployment`. */
function printKind(apiVersion: string, kind: string): string {
  return `${apiVersion.includes("/") ? "" : "/"}${apiVersion}, Kind=${kind}`;
}

function isManaged(object: JsonObject): boolean {
  const { managedFields } = metadataOf(object);
  return Array.isArray(managedFields) && managedFields.length > 0;
}

const untypedMessages = {
  patch: (which: string) => `failed to create typed patch object ${which}`,
  live: (which: string) => `failed to create typed live object ${which}`,
  unmanaged: (which: string) =>
    `failed to create manager for existing fields: failed to convert new object ${which} to smd typed`,
};

/** Rejects an object that does not match its schema, with any fieldValidation: it cannot be merged. */
function requireTyped(resource: Resource, object: JsonObject, what: keyof typeof untypedMessages): void {
  const schema = mergeSchemaOf(resource);
  if (!schema) return;
  const problems = checkTyped(object, schema, {
    keepOpaqueObjects: resource.origin === "builtin",
    allowDuplicates: what !== "patch",
  });
  if (problems.length === 0) return;
  throw new ApiFailure(500, "", `${untypedMessages[what](describe(resource, object))}: ${typedMessage(problems)}`);
}

function describe(resource: Resource, object: JsonObject): string {
  const metadata = metadataOf(object);
  const kind = printKind(textAt(object, "apiVersion"), resource.kind);
  return `(${textAt(metadata, "namespace")}/${textAt(metadata, "name")}; ${kind})`;
}

interface Merged {
  readonly draft: Draft;
  /** Whether the configuration sets metadata fields to empty maps or lists, which are not stored. */
  readonly hasEmptyMetadata: boolean;
}

interface Merge {
  readonly config: Draft;
  /** Undefined for an apply that creates. */
  readonly live: JsonObject | undefined;
  readonly versions: KindVersions;
}

/** The configuration merged into the live object, or alone for an apply that creates; decoded, with its managedFields. */
function merge(write: WriteRequest, { config, live, versions }: Merge): Merged {
  const { context, resource, target, options, body } = write;
  const apiVersion = formatApiVersion(resource.group, resource.version);
  const applying = {
    live,
    empty: resource.strategy.fields?.empty,
    config,
    manager: options.manager,
    apiVersion,
    force: options.force === true,
    schema: mergeSchemaOf(resource),
    time: timestamp(context.clock),
    subresource: target.subresource,
    ignoredFields: ignoredFields(resource, target.subresource, config),
    versions,
  };
  if (live) requireTyped(resource, live, "live");
  const isKubectl = options.manager === kubectlManager;
  let result = applyConfiguration(applying);
  if (result.kind === "conflict" && isKubectl && live) {
    const left = withoutOwnFields(result.conflicts, live, resource, apiVersion);
    result = left.length > 0 ? { kind: "conflict", conflicts: left } : applyConfiguration({ ...applying, force: true });
  }
  if (result.kind === "conflict") throw applyConflict(result.conflicts);
  reportDuplicates(body.duplicates, options);
  const merged = decodeMerged(resource, draftOf(result.object), config);
  if (isKubectl) syncLastApplied(merged.draft, config);
  const metadata = childDraft(merged.draft, "metadata");
  const { uid = "" } = live === undefined ? metadata : {};
  if (uid !== "")
    throw conflict(
      resource,
      target.name,
      `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
    );
  checkNamespace(metadata, target.namespace);
  // A new object with a generateName takes its name from the path.
  const hasGeneratedName = textAt(metadata, "name") === "" && textAt(metadata, "generateName") !== "";
  if (!hasGeneratedName) checkName(metadata, target.name);
  dropDuplicateOwners(metadata, true, options.warn);
  return merged;
}

function reportDuplicates(duplicates: readonly string[], { fieldValidation, warn }: Write["options"]): void {
  if (fieldValidation === "Warn") for (const message of duplicates) warn(message);
  if (fieldValidation === "Strict" && duplicates.length > 0)
    throw badRequest(`error strict decoding YAML: ${duplicates.join(", ")}`);
}

/** The maps and lists of ObjectMeta. */
const metadataParts = ["annotations", "finalizers", "labels", "ownerReferences"];

/** Decodes a merged object. A custom resource is not pruned and keeps its nulls: schema validation reports them. */
function decodeMerged(resource: Resource, draft: Draft, config: Draft): Merged {
  if (resource.origin === "custom") {
    // kube-apiserver stores an empty map or list but never returns it. Every such apply is therefore a change that raises the resourceVersion, and an
    // operator that applies empty maps reconciles forever.
    const dropped = decodeMetadataFields(childDraft(draft, "metadata"));
    const hasEmptyMetadata = dropped.some((field) => metadataParts.includes(field));
    return { draft: applyDefaults(draft, resource.schema()) as Draft, hasEmptyMetadata };
  }
  const decoded = decodeObject(resource, draft, {
    options: { fieldValidation: "Ignore", warn: () => undefined },
    duplicates: [],
    reject: (why) =>
      new ApiFailure(500, "", `failed to convert new object ${describe(resource, config)} to proper version: ${why}`),
  });
  return { draft: decoded, hasEmptyMetadata: false };
}

/** 409: other field managers own fields that the apply would change. */
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
