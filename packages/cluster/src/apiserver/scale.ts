import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { labelSelectorFrom } from "@kubewright/core/selector";
import {
  ageColumn,
  badRequest,
  childDraft,
  type Draft,
  draftOf,
  internalError,
  metadataOf,
  objectAt,
  type Resource,
  textAt,
} from "../registry/index.js";
import type { ShownResource } from "./shown-resource.js";

/** The `autoscaling/v1` Scale of an object. A custom resource without replicas has none: its Scale is an error. */
export function scaleOf(resource: Resource, object: JsonObject): JsonObject {
  const path = resource.scale?.specReplicas ?? "";
  if (typeof at(object, path) !== "number") throw internalError(`the spec replicas field ".${path}" does not exist`);
  return scaleToChange(resource, object);
}

/** The replicas of a Scale that has none, for a patch to replace: kube-apiserver's own marker. */
const unset = -(2 ** 31);

/** The Scale that a patch is applied to, even if the object has no replicas. */
export function scaleToChange(resource: Resource, object: JsonObject): JsonObject {
  const paths = resource.scale;
  if (!paths) throw badRequest(`${resource.kind} has no scale`);
  const metadata = metadataOf(object);
  const desired = at(object, paths.specReplicas) ?? unset;
  const current = at(object, paths.statusReplicas);
  const selector = paths.labelSelector === undefined ? selectorOf(resource, object) : at(object, paths.labelSelector);
  const kept = ["name", "namespace", "uid", "resourceVersion", "creationTimestamp"];
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: Object.fromEntries(Object.entries(metadata).filter(([key]) => kept.includes(key))),
    // Go omits a zero in the spec (omitempty), and writes it in the status.
    spec: desired === 0 ? {} : { replicas: desired },
    status: {
      replicas: typeof current === "number" ? current : 0,
      ...(typeof selector === "string" && selector !== "" ? { selector } : {}),
    },
  };
}

/** The table columns of a Scale. */
export const shownScale: ShownResource = {
  group: "autoscaling",
  kind: "Scale",
  listKind: "ScaleList",
  strategy: {
    table: {
      columns: [
        { name: "Name", type: "string", cell: (scale) => textAt(metadataOf(scale), "name") },
        { name: "Desired", type: "integer", cell: (scale) => replicasAt(scale, "spec") },
        { name: "Available", type: "integer", cell: (scale) => replicasAt(scale, "status") },
        ageColumn,
      ],
    },
  },
};

function replicasAt(scale: JsonObject, part: "spec" | "status"): number {
  const { replicas } = objectAt(scale, part);
  return typeof replicas === "number" ? replicas : 0;
}

/** The object with the replicas of a Scale that a request sent; the Scale's resourceVersion guards the write. */
export function withScale(resource: Resource, old: JsonObject, scale: JsonValue | undefined): Draft {
  const draft = draftOf(old);
  const replicas = replicasOf(scale, old);
  if (replicas === unset)
    throw badRequest(`the spec replicas field ".${resource.scale?.specReplicas}" cannot be empty`);
  setReplicas(resource, draft, replicas);
  const version = isJsonObject(scale) ? textAt(metadataOf(scale), "resourceVersion") : "";
  if (version !== "") childDraft(draft, "metadata")["resourceVersion"] = version;
  return draft;
}

/** The apply configuration of an object whose replicas are those of the applied Scale. */
export function scaleConfiguration(resource: Resource, old: JsonObject, scale: JsonValue | undefined): Draft {
  const replicas = replicasOf(scale, old);
  const { name = "", resourceVersion } = isJsonObject(scale) ? metadataOf(scale) : {};
  const config: Draft = {
    apiVersion: formatApiVersion(resource.group, resource.version),
    kind: resource.kind,
    metadata: { name, ...(resourceVersion && { resourceVersion }) } as Draft,
  };
  setReplicas(resource, config, replicas);
  return config;
}

function setReplicas(resource: Resource, draft: Draft, replicas: number): void {
  const steps = (resource.scale?.specReplicas ?? "").split(".");
  let parent = draft;
  for (const step of steps.slice(0, -1)) parent = childDraft(parent, step);
  parent[steps.at(-1) ?? ""] = replicas;
}

/** The replicas of a Scale from a request. Rejects a body that is not a Scale of this object. */
function replicasOf(scale: JsonValue | undefined, old: JsonObject): number {
  if (isJsonObject(scale)) checkIdentity(scale, textAt(metadataOf(old), "name"));
  const replicas = isJsonObject(scale) ? (objectAt(scale, "spec")["replicas"] ?? 0) : undefined;
  if (typeof replicas === "number" && Number.isInteger(replicas)) return replicas;
  throw badRequest("the body of the request must be a Scale of autoscaling/v1");
}

/** A Scale may omit kind, apiVersion and name; if present, they must match. */
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
  // The selector of a ReplicationController is a map of labels.
  const isMap = resource.kind === "ReplicationController";
  try {
    return labelSelectorFrom(isMap ? { matchLabels: selector as Record<string, string> } : selector).toString();
  } catch {
    return "";
  }
}
