import {
  applyConfiguration,
  checkTyped,
  inOrderOfTexts,
  ownersAfterScale,
  type ScaledObject,
  scaleOwners,
  trackUpdate,
  typedMessage,
} from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import { labelSelectorFrom } from "@kubewright/core/selector";
import {
  ApiFailure,
  ageColumn,
  applyConflict,
  badRequest,
  childDraft,
  type Draft,
  draftOf,
  invalid,
  listAt,
  metadataOf,
  objectAt,
  type Resource,
  textAt,
} from "../registry/index.js";
import type { ShownResource } from "./shown-resource.js";

/** The `autoscaling/v1` Scale of an object. */
export function scaleOf(resource: Resource, object: JsonObject): JsonObject {
  const paths = resource.scale;
  if (!paths) throw badRequest(`${resource.kind} has no scale`);
  const metadata = metadataOf(object);
  const wanted = at(object, paths.specReplicas);
  if (typeof wanted !== "number")
    throw new ApiFailure(
      500,
      "InternalError",
      `Internal error occurred: the spec replicas field ".${paths.specReplicas}" does not exist`,
      { causes: [{ message: `the spec replicas field ".${paths.specReplicas}" does not exist` }] },
    );
  const current = at(object, paths.statusReplicas);
  const selector = paths.labelSelector === undefined ? selectorOf(resource, object) : at(object, paths.labelSelector);
  const kept = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"];
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => kept.includes(key))),
    // Go leaves a zero out here, and writes it in the status.
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: {
      replicas: typeof current === "number" ? current : 0,
      ...(typeof selector === "string" && selector !== "" ? { selector } : {}),
    },
  };
}

/** How a Scale is shown in a table, of whatever it is the scale. */
export const shownScale: ShownResource = {
  group: "autoscaling",
  kind: "Scale",
  listKind: "ScaleList",
  strategy: {
    columns: [
      { name: "Name", type: "string", cell: (scale) => textAt(metadataOf(scale), "name") },
      { name: "Desired", type: "integer", cell: (scale) => replicasAt(scale, "spec") },
      { name: "Available", type: "integer", cell: (scale) => replicasAt(scale, "status") },
      ageColumn,
    ],
  },
};

function replicasAt(scale: JsonObject, part: "spec" | "status"): number {
  const { replicas } = objectAt(scale, part);
  return typeof replicas === "number" ? replicas : 0;
}

/** How a Scale is written. */
export interface ScaleWrite {
  readonly manager: string;
  /** Now. */
  readonly time: string;
  /** Set for an apply. */
  readonly force?: boolean;
}

/** The object after an update, or a patch, of its Scale to `scale`. */
export function withScale(resource: Resource, old: JsonObject, scale: JsonValue | undefined, write: ScaleWrite): Draft {
  const draft = withReplicas(resource, old, scale);
  const { object } = ownedScale(resource, old);
  const replicas = isJsonObject(scale) ? objectAt(scale, "spec")["replicas"] : undefined;
  const tracked = trackUpdate({
    live: object,
    object: { metadata: { uid: textAt(metadataOf(old), "uid") }, spec: specOf(replicas) },
    manager: write.manager,
    apiVersion: scaleVersion,
    schema: scaleSchema,
    time: write.time,
    subresource: "scale",
  });
  return withOwners(resource, old, draft, tracked);
}

/** The object after an apply to its Scale. Throws the conflict, where there is one. */
export function withAppliedScale(
  resource: Resource,
  old: JsonObject,
  config: JsonValue | undefined,
  write: ScaleWrite,
): Draft {
  if (!isJsonObject(config)) throw badRequest("error decoding YAML: the configuration is no object");
  const name = textAt(metadataOf(old), "name");
  checkIdentity(config, name);
  const problems = checkTyped(config, scaleSchema);
  if (problems.length > 0) {
    const where = `(/${textAt(metadataOf(config), "name")}; ${scaleVersion}, Kind=Scale)`;
    throw new ApiFailure(500, "", `failed to create typed patch object ${where}: ${typedMessage(problems)}`);
  }
  const result = applyConfiguration({
    live: ownedScale(resource, old).object,
    config: { spec: objectAt(config, "spec") },
    manager: write.manager,
    apiVersion: scaleVersion,
    force: write.force === true,
    schema: scaleSchema,
    time: write.time,
    subresource: "scale",
  });
  if (result.kind === "conflict") throw applyConflict(result.conflicts);
  const { resourceVersion = null } = metadataOf(config) as { readonly resourceVersion?: JsonValue };
  const scale = {
    metadata: resourceVersion === null ? {} : { resourceVersion },
    spec: objectAt(result.object, "spec"),
  };
  return withOwners(resource, old, withReplicas(resource, old, scale), result.object);
}

const scaleVersion = "autoscaling/v1";

/** What of a Scale merges: all that is written of it. */
const scaleSchema: Schema = {
  type: "object",
  properties: {
    spec: { type: "object", properties: { replicas: { type: "integer", format: "int32" } } },
    status: { type: "object", properties: { replicas: { type: "integer" }, selector: { type: "string" } } },
  },
};

function scaledObject(resource: Resource, object: JsonObject): ScaledObject {
  const apiVersion = formatApiVersion(resource.group, resource.version);
  return { object, replicas: (resource.scale?.specReplicas ?? "").split("."), apiVersion };
}

/** What of an object's Scale has owners, and who they are. */
function ownedScale(resource: Resource, old: JsonObject): { readonly object: JsonObject } {
  const uid = textAt(metadataOf(old), "uid");
  const managedFields = scaleOwners(scaledObject(resource, old));
  const replicas = at(old, resource.scale?.specReplicas ?? "");
  return { object: { metadata: { uid, managedFields }, spec: specOf(replicas) } };
}

/** A Scale says nothing of zero replicas: nobody owns them. */
function specOf(replicas: JsonValue | undefined): JsonObject {
  return replicas === undefined || replicas === 0 ? {} : { replicas };
}

function withOwners(resource: Resource, old: JsonObject, draft: Draft, scale: JsonObject): Draft {
  const entries = listAt(metadataOf(scale), "managedFields").filter(isJsonObject);
  const owners = ownersAfterScale(scaledObject(resource, old), entries);
  // Those of custom resources stand in one order always.
  const managedFields = resource.origin === "builtin" ? inOrderOfTexts(owners) : owners;
  if (managedFields.length === 0) delete childDraft(draft, "metadata")["managedFields"];
  else childDraft(draft, "metadata")["managedFields"] = managedFields as Draft[];
  return draft;
}

/** The object with the replicas that a Scale asks for; the Scale's resource version guards it. */
function withReplicas(resource: Resource, old: JsonObject, scale: JsonValue | undefined): Draft {
  if (isJsonObject(scale)) checkIdentity(scale, textAt(metadataOf(old), "name"));
  const replicas = isJsonObject(scale) ? (objectAt(scale, "spec")["replicas"] ?? 0) : undefined;
  if (!isJsonObject(scale) || typeof replicas !== "number" || !Number.isInteger(replicas))
    throw badRequest("the body of the request must be a Scale of autoscaling/v1");
  // Custom resources are checked where they lie, and told of by their own kind.
  if (replicas < 0 && resource.origin === "builtin")
    throw invalid({ group: "autoscaling", kind: "Scale" }, textAt(metadataOf(old), "name"), [
      { type: "Invalid", field: "spec.replicas", badValue: replicas, detail: "must be greater than or equal to 0" },
    ]);
  const draft = draftOf(old);
  const steps = (resource.scale?.specReplicas ?? "").split(".");
  let place = draft;
  for (const step of steps.slice(0, -1)) place = childDraft(place, step);
  place[steps.at(-1) ?? ""] = replicas;
  const version = textAt(metadataOf(scale), "resourceVersion");
  if (version !== "") childDraft(draft, "metadata")["resourceVersion"] = version;
  return draft;
}

/** A Scale that names itself must be one, and of this object. */
function checkIdentity(scale: JsonObject, name: string): void {
  const kind = textAt(scale, "kind");
  const apiVersion = textAt(scale, "apiVersion");
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  if ((kind !== "" && kind !== "Scale") || (apiVersion !== "" && apiVersion !== "autoscaling/v1"))
    throw badRequest(
      `${kind} in version "${version}" cannot be handled as a Scale: converting (${version}.${kind}) to (autoscaling.Scale): unknown conversion`,
    );
  const given = textAt(metadataOf(scale), "name");
  if (given !== "" && given !== name)
    throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

function at(object: JsonObject, path: string): JsonValue | undefined {
  let current: JsonValue | undefined = object;
  for (const step of path.split(".")) {
    if (!isJsonObject(current) || !Object.hasOwn(current, step)) return undefined;
    current = current[step];
  }
  return current;
}

function selectorOf(resource: Resource, object: JsonObject): string {
  const selector = objectAt(objectAt(object, "spec"), "selector");
  // The elder kind has a map of labels in place of a selector.
  const isMap = resource.kind === "ReplicationController";
  try {
    return labelSelectorFrom(isMap ? { matchLabels: selector as Record<string, string> } : selector).toString();
  } catch {
    return "";
  }
}
