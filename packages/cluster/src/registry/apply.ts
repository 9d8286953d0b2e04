import { type ApplyConflict, applyConfiguration, conflictMessage, describeManager } from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { pruneUnknown } from "@kubewright/core/schema";
import { ApiFailure, badRequest, conflict, notFound } from "./api-failure.js";
import { type ChangeTarget, changeObject, checkName } from "./change.js";
import { checkNamespace, storeNew } from "./create.js";
import { decodeBody } from "./decode-body.js";
import { childDraft, type Draft, draftOf, metadataOf, textAt } from "./draft.js";
import { decodeBuiltin } from "./go-decode.js";
import { kubectlManager, syncLastApplied, withoutOwnFields } from "./last-applied.js";
import { ignoredFields } from "./managed-fields.js";
import type { Resource } from "./resource.js";
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
  const config = checkConfiguration(resource, target, body);
  const record = context.store.bucket(resource.bucket).get(recordKey(target.namespace, target.name));
  if (!record) {
    if (target.subresource !== "") throw notFound(resource, target.name);
    const uid = textAt(metadataOf(config), "uid");
    if (uid !== "")
      throw conflict(
        resource,
        target.name,
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      );
    const draft = merged(context, resource, target, undefined, config, options);
    const metadata = childDraft(draft, "metadata");
    metadata["name"] = target.name;
    return { object: storeNew(context, resource, draft, options, (tracked) => tracked), created: true };
  }
  const object = changeObject(
    context,
    resource,
    target,
    options,
    (old) => merged(context, resource, target, old, config, options),
    (draft) => draft,
  );
  return { object, created: false };
}

function checkConfiguration(resource: Resource, target: ChangeTarget, body: JsonValue): Draft {
  if (!isJsonObject(body)) throw badRequest("error decoding YAML: the configuration is no object");
  const config = body as Draft;
  const expected = formatApiVersion(resource.group, resource.version);
  const apiVersion = textAt(config, "apiVersion");
  const kind = textAt(config, "kind");
  if (apiVersion === "" || kind === "") throw badRequest(`invalid object type: ${printKind(apiVersion, kind)}`);
  if (apiVersion !== expected)
    throw badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${apiVersion}, expected: ${expected}`,
    );
  if (kind !== resource.kind)
    throw badRequest(`the kind in the data (${kind}) does not match the expected kind (${resource.kind})`);
  const metadata = childDraft(config, "metadata");
  if (textAt(metadata, "name") !== "") checkName(metadata, target.name);
  refuseUnknown(resource, config);
  checkNamespace(metadata, target.namespace);
  return config;
}

function printKind(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  return `${group}/${apiVersion.slice(slash + 1)}, Kind=${kind}`;
}

/** Unknown fields cannot be merged: the real server fails, whatever the field validation says. */
function refuseUnknown(resource: Resource, config: Draft): void {
  const schema = resource.schema();
  if (!schema) return;
  const copy = draftOf(config);
  const [unknown] =
    resource.origin === "builtin"
      ? decodeBuiltin(copy, schema).unknownFields
      : pruneUnknown(copy, schema).unknownFields;
  if (unknown === undefined) return;
  const metadata = metadataOf(config);
  const where = `${textAt(metadata, "namespace")}/${textAt(metadata, "name")}`;
  const kind = printKind(textAt(config, "apiVersion"), resource.kind);
  throw new ApiFailure(
    500,
    "",
    `failed to create typed patch object (${where}; ${kind}): .${unknown}: field not declared in schema`,
  );
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
    config,
    manager: options.manager,
    apiVersion,
    force: options.force,
    schema: resource.schema(),
    time: timestamp(context.clock),
    subresource: target.subresource,
    ignoredFields: ignoredFields(resource, target.subresource, config),
  };
  const isKubectl = options.manager === kubectlManager;
  let result = applyConfiguration(applying);
  if (result.kind === "conflict" && isKubectl && live) {
    const left = withoutOwnFields(result.conflicts, live, resource, apiVersion);
    result = left.length > 0 ? { kind: "conflict", conflicts: left } : applyConfiguration({ ...applying, force: true });
  }
  if (result.kind === "conflict") throw applyConflict(result.conflicts);
  const draft = decodeBody(resource, draftOf(result.object), { ...options, fieldValidation: "Ignore" });
  if (isKubectl) syncLastApplied(draft, config);
  return draft;
}

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
