import { createHash } from "node:crypto";
import { openSchema } from "@kubewright/core/apply";
import { formatApiVersion } from "@kubewright/core/identity";
import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { compareVersions } from "@kubewright/core/meta";
import type { Schema } from "@kubewright/core/schema";
import { listAt, metadataOf, objectAt, textAt, textsAt } from "../draft.js";
import type { Resource, ScalePaths, Subresource } from "../resource.js";
import { conditionStatus } from "./check-definition.js";
import { customStrategy } from "./custom-strategy.js";
import { type Conversion, fieldConversion, type Schemas, versionConversion } from "./version-conversion.js";

// In the order in which a real server lists them.
const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** The resources that a definition makes: one for each version that is served. `converter` is for those that name a webhook. */
export function customResources(definition: JsonObject, converter?: Conversion["converter"]): Resource[] {
  const spec = objectAt(definition, "spec");
  const versions = listAt(spec, "versions").filter(isJsonObject);
  const storage = versions.find((version) => version["storage"] === true);
  const group = textAt(spec, "group");
  const schemas = new Map(
    versions.map((version) => [formatApiVersion(group, textAt(version, "name")), schemaOf(version)]),
  );
  const isConverted = textAt(objectAt(spec, "conversion"), "strategy") === "Webhook";
  const conversion = { schemas, converter: isConverted ? converter : undefined };
  return versions
    .filter((version) => version["served"] === true)
    .map((version) => makeResource(definition, version, storage ?? version, conversion));
}

function makeResource(
  definition: JsonObject,
  version: JsonObject,
  storage: JsonObject,
  conversion: Conversion,
): Resource {
  const { schemas } = conversion;
  const storageVersion = textAt(storage, "name");
  const spec = objectAt(definition, "spec");
  const names = objectAt(objectAt(definition, "status"), "acceptedNames");
  const group = textAt(spec, "group");
  const name = textAt(version, "name");
  const kind = textAt(names, "kind");
  const apiVersion = formatApiVersion(group, name);
  const storedVersion = formatApiVersion(group, storageVersion);
  const declared = objectAt(version, "subresources");
  const hasStatus = isJsonObject(declared["status"]);
  const scale = isJsonObject(declared["scale"]) ? scalePaths(declared["scale"]) : undefined;
  const schema = schemaOf(version);
  const merging = mergeSchemas(schemas);
  const terminating = conditionStatus(definition, "Terminating") === "True";
  const warning = deprecation(version, spec, kind);
  const convert = fieldConversion(conversion);
  return {
    group,
    version: name,
    plural: textAt(names, "plural"),
    singular: textAt(names, "singular"),
    kind,
    listKind: textAt(names, "listKind"),
    namespaced: textAt(spec, "scope") === "Namespaced",
    verbs,
    shortNames: textsAt(names, "shortNames"),
    categories: textsAt(names, "categories"),
    storageVersionHash: storageHash(group, storageVersion, kind),
    subresources: subresourcesOf(kind, hasStatus, scale !== undefined),
    bucket: textAt(metadataOf(definition), "name"),
    strategy: customStrategy({ version, schema, hasStatus, scale }),
    origin: "custom",
    schema: (named = apiVersion) => schemas.get(named),
    versions: { schema: merging, ...(convert && { convert }) },
    mergeSchema: () => merging(apiVersion),
    ...versionConversion(apiVersion, storedVersion, conversion),
    ...(terminating ? { refusesNew: () => "create not allowed while custom resource definition is terminating" } : {}),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    ...(scale === undefined ? {} : { scale }),
  };
}

function schemaOf(version: JsonObject): Schema | undefined {
  return objectAt(version, "schema")["openAPIV3Schema"] as Schema | undefined;
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

function scalePaths(declared: JsonObject): ScalePaths {
  const selector = textAt(declared, "labelSelectorPath").slice(1);
  return {
    specReplicas: textAt(declared, "specReplicasPath").slice(1),
    statusReplicas: textAt(declared, "statusReplicasPath").slice(1),
    ...(selector === "" ? {} : { labelSelector: selector }),
  };
}

function deprecation(version: JsonObject, spec: JsonObject, kind: string): string | undefined {
  if (version["deprecated"] !== true) return undefined;
  const own = textAt(version, "deprecationWarning");
  if (own !== "") return own;
  const group = textAt(spec, "group");
  const name = textAt(version, "name");
  const newer = listAt(spec, "versions")
    .filter(isJsonObject)
    .filter((other) => other["served"] === true && other["deprecated"] !== true)
    .map((other) => textAt(other, "name"))
    .filter((other) => compareVersions(name, other) < 0)
    .sort((a, b) => compareVersions(b, a));
  const text = `${group}/${name} ${kind} is deprecated`;
  return newer[0] === undefined ? text : `${text}; use ${group}/${newer[0]} ${kind}`;
}

/** A short fingerprint that changes with the storage version, as discovery shows it. */
function storageHash(group: string, version: string, kind: string): string {
  return createHash("sha256").update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString("base64");
}
