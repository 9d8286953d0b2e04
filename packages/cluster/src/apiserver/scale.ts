import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { labelSelectorFrom } from "@kubewright/core/selector";
import {
  ApiFailure,
  badRequest,
  childDraft,
  type Draft,
  draftOf,
  invalid,
  metadataOf,
  objectAt,
  type Resource,
  textAt,
} from "../registry/index.js";

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

/** The object with the replicas that a Scale asks for; the Scale's resource version guards it. */
export function withScale(resource: Resource, old: JsonObject, scale: JsonValue | undefined): Draft {
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

/** The part of the object that a Scale configures, for an apply of it. */
export function configurationOf(resource: Resource, scale: JsonValue | undefined, name: string): JsonObject {
  if (!isJsonObject(scale)) throw badRequest("error decoding YAML: the configuration is no object");
  checkIdentity(scale, name);
  const { replicas } = objectAt(scale, "spec");
  const steps = (resource.scale?.specReplicas ?? "").split(".");
  const spec = steps.reduceRight<JsonValue | undefined>(
    (inner, step) => (inner === undefined ? undefined : { [step]: inner }),
    replicas,
  );
  return {
    apiVersion: formatApiVersion(resource.group, resource.version),
    kind: resource.kind,
    metadata: { name },
    ...(isJsonObject(spec) ? spec : {}),
  };
}
