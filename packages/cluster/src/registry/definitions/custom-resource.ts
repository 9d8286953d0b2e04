import { createHash } from "node:crypto";
import { openSchema } from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { compareVersions } from "@kubewright/core/meta";
import type { Schema } from "@kubewright/core/schema";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";
import type { Resource, ScalePaths, Subresource } from "../resource.js";
import { conditionStatus } from "./check-definition.js";
import { schemaOf } from "./check-version.js";
import { customStrategy } from "./custom-strategy.js";
import { type Conversion, fieldConversion, type Schemas, versionConversion } from "./version-conversion.js";

type Definition = Decoded<CustomResourceDefinition>;
type Version = Decoded<CustomResourceDefinitionVersion>;

// In the order of kube-apiserver's discovery.
const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** The resources of a CRD: one per served version. `converter` replaces the CRD's conversion webhook. */
export function customResources(definition: Definition, converter?: Conversion["converter"]): Resource[] {
  const { group = "", versions = [], conversion: declared } = definition.spec ?? {};
  const storage = versions.find((version) => version.storage);
  const schemas = new Map(versions.map((version) => [formatApiVersion(group, version.name ?? ""), schemaOf(version)]));
  const conversion = { schemas, converter: declared?.strategy === "Webhook" ? converter : undefined };
  return versions
    .filter((version) => version.served)
    .map((version) => makeResource(definition, version, storage ?? version, conversion));
}

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
  const convert = fieldConversion(conversion);
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
    versions: { schema: merging, ...(convert && { convert }) },
    mergeSchema: () => merging(apiVersion),
    ...versionConversion(apiVersion, storedVersion, conversion),
    ...(terminating ? { rejectsNew: () => "create not allowed while custom resource definition is terminating" } : {}),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    ...(scale === undefined ? {} : { scale }),
  };
}

/** The schemas for merging, by apiVersion; created on first use. */
function mergeSchemas(schemas: Schemas): (apiVersion: string) => Schema | undefined {
  const created = new Map<string, Schema>();
  return (apiVersion) => {
    const schema = schemas.get(apiVersion);
    const known = created.get(apiVersion);
    if (known !== undefined || schema === undefined) return known;
    const opened = openSchema(schema);
    created.set(apiVersion, opened);
    return opened;
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
  const message = `${group}/${name} ${kind} is deprecated`;
  return newer[0] === undefined ? message : `${message}; use ${group}/${newer[0]} ${kind}`;
}

/** The storageVersionHash of discovery. */
function storageHash(group: string, version: string, kind: string): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}
