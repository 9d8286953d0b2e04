import { createHash } from "node:crypto";
import { formatApiVersion } from "@kubewright/core/identity";
import { deepFreeze, isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseJsonPath } from "@kubewright/core/jsonpath";
import { compareVersions } from "@kubewright/core/meta";
import { applyDefaults, pruneUnknown, type Schema } from "@kubewright/core/schema";
import { differsOutside, differsOutsideStatus } from "./change.js";
import { conditionStatus } from "./check-definition.js";
import { customColumns } from "./custom-columns.js";
import { listAt, metadataOf, objectAt, textAt, textsAt } from "./draft.js";
import { subdomainName } from "./name-rules.js";
import type { Resource, ScalePaths, Strategy, Subresource } from "./resource.js";

// In the order in which a real server lists them.
const verbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];

/** The resources that a definition makes: one for each version that is served. */
export function customResources(definition: JsonObject): Resource[] {
  const spec = objectAt(definition, "spec");
  const versions = listAt(spec, "versions").filter(isJsonObject);
  const storage = versions.find((version) => version["storage"] === true);
  return versions
    .filter((version) => version["served"] === true)
    .map((version) => makeResource(definition, version, storage ?? version));
}

function makeResource(definition: JsonObject, version: JsonObject, storage: JsonObject): Resource {
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
  const terminating = conditionStatus(definition, "Terminating") === "True";
  const warning = deprecation(version, spec, kind);
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
    strategy: strategyOf(version, hasStatus),
    origin: "custom",
    schema: () => schema,
    fromStored: reader(apiVersion, schema),
    toStored: (object) => (apiVersion === storedVersion ? object : asVersion(object, storedVersion, schemaOf(storage))),
    ...(terminating ? { refusesNew: () => "create not allowed while custom resource definition is terminating" } : {}),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    ...(scale === undefined ? {} : { scale }),
  };
}

function schemaOf(version: JsonObject): Schema | undefined {
  return objectAt(version, "schema")["openAPIV3Schema"] as Schema | undefined;
}

/** Conversion without a webhook: another apiVersion, and only the fields that it knows. */
function asVersion(object: JsonObject, apiVersion: string, schema: Schema | undefined): JsonObject {
  const named = object["apiVersion"] === apiVersion ? object : { ...object, apiVersion };
  return pruneUnknown(named, schema).value as JsonObject;
}

/** What this version shows of a stored object: its own apiVersion, pruned and defaulted by its own schema. */
function reader(apiVersion: string, schema: Schema | undefined): (stored: JsonObject) => JsonObject {
  const seen = new WeakMap<JsonObject, JsonObject>();
  return (stored) => {
    const known = seen.get(stored);
    if (known) return known;
    const shown = applyDefaults(asVersion(stored, apiVersion, schema), schema) as JsonObject;
    seen.set(stored, shown);
    return deepFreeze(shown) as JsonObject;
  };
}

function strategyOf(version: JsonObject, hasStatus: boolean): Strategy {
  const selectable = listAt(version, "selectableFields").filter(isJsonObject);
  return {
    nameRule: subdomainName,
    unconditionalUpdate: false,
    tracksGeneration: true,
    isNewGeneration: hasStatus ? differsOutsideStatus : (object, old) => differsOutside(object, old, ["metadata"]),
    columns: customColumns(version),
    ...(selectable.length === 0 ? {} : { selectableFields: Object.fromEntries(selectable.map(selectableField)) }),
  };
}

function selectableField(declared: JsonObject): [string, (object: JsonObject) => string] {
  const text = textAt(declared, "jsonPath");
  const path = parseJsonPath(text);
  return [
    text.replace(/^\./, ""),
    (object) => {
      const [value] = path.evaluate(object);
      return value === undefined || value === null ? "" : String(value);
    },
  ];
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
