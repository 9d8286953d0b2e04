import { createHash } from "node:crypto";
import { openSchema } from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { deepEqual, deepFreeze, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { compareVersions } from "@kubewright/core/meta";
import { applyDefaults, dropNulls, pruneUnknown, type Schema } from "@kubewright/core/schema";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from "kubewright/k8s/apiextensions/v1";
import { ApiFailure } from "../api-failure.js";
import type { Decoded } from "../decoded.js";
import { metadataOf, textAt } from "../draft.js";
import type { ObjectConverter } from "../extensions/index.js";
import type { Resource, ScalePaths, Subresource } from "../resource.js";
import { conditionStatus } from "./check-definition.js";
import { schemaOf } from "./check-version.js";
import { customStrategy } from "./custom-strategy.js";

type Definition = Decoded<CustomResourceDefinition>;
type Version = Decoded<CustomResourceDefinitionVersion>;

// In the order of kube-apiserver.
const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** The resources of a definition: one for each served version. `converter` replaces the webhook of the definition. */
export function customResources(definition: Definition, converter?: ObjectConverter): Resource[] {
  const { group = "", versions = [], conversion: declared } = definition.spec ?? {};
  const storage = versions.find((version) => version.storage);
  const schemas = new Map(versions.map((version) => [formatApiVersion(group, version.name ?? ""), schemaOf(version)]));
  const conversion = { schemas, converter: declared?.strategy === "Webhook" ? converter : undefined };
  return versions
    .filter((version) => version.served)
    .map((version) => makeResource(definition, version, storage ?? version, conversion));
}

/** How objects are converted to another version. */
interface Conversion {
  readonly schemas: Schemas;
  /** Undefined where versions differ in their apiVersion and in the fields that they know. */
  readonly converter: ObjectConverter | undefined;
}

/** The schemas of all versions, by apiVersion. */
type Schemas = ReadonlyMap<string, Schema | undefined>;

function makeResource(definition: Definition, version: Version, storage: Version, conversion: Conversion): Resource {
  const { schemas } = conversion;
  const { name: storageVersion = "" } = storage;
  const { name = "", subresources } = version;
  const spec = definition.spec ?? {};
  const { group = "" } = spec;
  const names = definition.status?.acceptedNames ?? {};
  const { kind = "" } = names;
  const apiVersion = formatApiVersion(group, name);
  const storedVersion = formatApiVersion(group, storageVersion);
  const hasStatus = subresources?.status !== undefined;
  const scale = subresources?.scale && scalePaths(subresources.scale);
  const schema = schemaOf(version);
  const merging = mergeSchemas(schemas);
  const terminating = conditionStatus(definition, "Terminating") === "True";
  const warning = deprecation(version, spec, kind);
  return {
    group,
    version: name,
    plural: names.plural ?? "",
    singular: names.singular ?? "",
    kind,
    listKind: names.listKind ?? "",
    namespaced: spec.scope === "Namespaced",
    verbs,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    storageVersionHash: storageHash(group, storageVersion, kind),
    subresources: subresourcesOf(kind, hasStatus, scale !== undefined),
    bucket: definition.metadata?.name ?? "",
    strategy: customStrategy({ version, schema, hasStatus, scale }),
    origin: "custom",
    schema: (named = apiVersion) => schemas.get(named),
    versions: {
      schema: merging,
      ...(conversion.converter && { convert: (object, _, other) => converted(object, other, conversion) }),
    },
    mergeSchema: () => merging(apiVersion),
    fromStored: reader(apiVersion, conversion),
    toStored: (object) => (apiVersion === storedVersion ? object : converted(object, storedVersion, conversion)),
    ...(terminating ? { refusesNew: () => "create not allowed while custom resource definition is terminating" } : {}),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    ...(scale === undefined ? {} : { scale }),
  };
}

/** The schemas by which objects merge, by apiVersion; made when first used. */
function mergeSchemas(schemas: Schemas): (apiVersion: string) => Schema | undefined {
  const made = new Map<string, Schema>();
  return (apiVersion) => {
    const schema = schemas.get(apiVersion);
    const known = made.get(apiVersion);
    if (known !== undefined || schema === undefined) return known;
    const opened = openSchema(schema);
    made.set(apiVersion, opened);
    return opened;
  };
}

/** The object in another version, with only the fields of its schema. */
function converted(object: JsonObject, apiVersion: string, { schemas, converter }: Conversion): JsonObject {
  if (converter === undefined) return asVersion(object, apiVersion, schemas.get(apiVersion));
  try {
    const { metadata, ...made } = converter(object, apiVersion);
    const { labels, annotations } = isJsonObject(metadata) ? metadata : {};
    const { labels: _, annotations: __, ...kept } = metadataOf(object);
    const whole = {
      ...kept,
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
    };
    return asVersion({ ...made, metadata: whole }, apiVersion, schemas.get(apiVersion));
  } catch (error) {
    const kind = `${textAt(object, "apiVersion")}, Kind=${textAt(object, "kind")}`;
    const why = error instanceof Error ? error.message : String(error);
    throw new ApiFailure(500, "", `conversion webhook for ${kind} failed: ${why}`);
  }
}

/** The object with another apiVersion, and only the fields of its schema. */
function asVersion(object: JsonObject, apiVersion: string, schema: Schema | undefined): JsonObject {
  const named = object["apiVersion"] === apiVersion ? object : { ...object, apiVersion };
  return dropNulls(pruneUnknown(named, schema).value, schema) as JsonObject;
}

/** Reads a stored object in this version: prunes it and applies the defaults of the storage version, then converts it. */
function reader(apiVersion: string, conversion: Conversion): (stored: JsonObject) => JsonObject {
  const { schemas } = conversion;
  const seen = new WeakMap<JsonObject, JsonObject>();
  return (stored) => {
    const known = seen.get(stored);
    if (known) return known;
    const storedVersion = textAt(stored, "apiVersion");
    const storedSchema = schemas.get(storedVersion);
    const filled = applyDefaults(asVersion(stored, storedVersion, storedSchema), storedSchema) as JsonObject;
    const shown = storedVersion === apiVersion ? filled : converted(filled, apiVersion, conversion);
    // Nearly always nothing changes, and one value for both needs half the memory.
    const given = deepEqual(shown, stored) ? stored : (deepFreeze(shown) as JsonObject);
    seen.set(stored, given);
    return given;
  };
}

function subresourcesOf(kind: string, hasStatus: boolean, hasScale: boolean): Subresource[] {
  const found: Subresource[] = [];
  if (hasStatus) found.push({ name: "status", kind, verbs: ["get", "patch", "update"] });
  if (hasScale)
    found.push({
      name: "scale",
      kind: "Scale",
      group: "autoscaling",
      version: "v1",
      verbs: ["get", "patch", "update"],
    });
  return found;
}

function scalePaths(scale: Decoded<CustomResourceSubresourceScale>): ScalePaths {
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath } = scale;
  return {
    specReplicas: specReplicasPath.slice(1),
    statusReplicas: statusReplicasPath.slice(1),
    ...(labelSelectorPath && { labelSelector: labelSelectorPath.slice(1) }),
  };
}

function deprecation(
  version: Version,
  { group = "", versions = [] }: Decoded<CustomResourceDefinitionSpec>,
  kind: string,
): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning) return version.deprecationWarning;
  const { name = "" } = version;
  const newer = versions
    .filter((other) => other.served && !other.deprecated)
    .map((other) => other.name ?? "")
    .filter((other) => compareVersions(name, other) < 0)
    .sort((a, b) => compareVersions(b, a));
  const text = `${group}/${name} ${kind} is deprecated`;
  return newer[0] === undefined ? text : `${text}; use ${group}/${newer[0]} ${kind}`;
}

/** The hash of the storage version that discovery shows. */
function storageHash(group: string, version: string, kind: string): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}
