import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { type FieldError, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, metadataOf, objectAt, textAt, textsAt } from "../draft.js";
import type { Extensions } from "../extensions/index.js";
import { dns1035Label, subdomainName } from "../name-rules.js";
import { checkApproval } from "./check-approval.js";
import { checkConversion } from "./check-conversion.js";
import { checkNames, requireNames } from "./check-names.js";
import { checkOwnParts, checkSharedParts, findRules } from "./check-version.js";

/** What is wrong with the definition of a custom resource, in the words of a real server. */
export function checkDefinition(object: JsonObject, old: JsonObject | undefined, extensions: Extensions): FieldError[] {
  const spec = objectAt(object, "spec");
  const errors: FieldError[] = [];
  const expected = `${textAt(objectAt(spec, "names"), "plural")}.${textAt(spec, "group")}`;
  const name = textAt(metadataOf(object), "name");
  // Later both parts are immutable, which says it better.
  if (!old && name !== expected)
    errors.push(invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group'));
  errors.push(...checkSpec(spec, extensions));
  if (old) errors.push(...checkImmutable(spec, objectAt(old, "spec"), isEstablished(old)));
  errors.push(...checkDefinitionStatus(object));
  errors.push(...checkStoredVersions(object));
  errors.push(...checkApproval(object, old));
  if (spec["preserveUnknownFields"] === true)
    errors.push(
      invalid(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  return errors;
}

/** What is wrong with the status of a definition; all that is looked at where only the status is written. */
export function checkDefinitionStatus(object: JsonObject): FieldError[] {
  return checkNames(objectAt(objectAt(object, "status"), "acceptedNames"), "status.acceptedNames");
}

/** A version in which objects may be stored must stay, or they could not be read. */
function checkStoredVersions(object: JsonObject): FieldError[] {
  const field = "status.storedVersions";
  const stored = textsAt(objectAt(object, "status"), "storedVersions");
  if (stored.length === 0) return [invalid(field, null, "must have at least one stored version")];
  const versions = listAt(objectAt(object, "spec"), "versions").filter(isJsonObject);
  const names = versions.map((version) => textAt(version, "name"));
  const missing = versions
    .filter((version) => version["storage"] === true && !stored.includes(textAt(version, "name")))
    .map((version) => invalid(field, stored, `must have the storage version ${textAt(version, "name")}`));
  const gone = stored.flatMap((name, index) =>
    names.includes(name)
      ? []
      : [
          invalid(
            `${field}[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
  return [...missing, ...gone];
}

/** Whether a definition is served. */
function isEstablished(definition: JsonObject): boolean {
  return conditionStatus(definition, "Established") === "True";
}

/** The status of a condition; empty when it is not there. */
export function conditionStatus(definition: JsonObject, type: string): string {
  for (const condition of listAt(objectAt(definition, "status"), "conditions"))
    if (isJsonObject(condition) && textAt(condition, "type") === type) return textAt(condition, "status");
  return "";
}

/** Whether any schema of a definition carries CEL rules. */
export function hasRules(definition: JsonObject): boolean {
  return listAt(objectAt(definition, "spec"), "versions").some(
    (version) =>
      isJsonObject(version) && findRules(objectAt(version, "schema")["openAPIV3Schema"] ?? null, "") !== undefined,
  );
}

function checkSpec(spec: JsonObject, extensions: Extensions): FieldError[] {
  const errors: FieldError[] = [];
  const group = textAt(spec, "group");
  if (group === "") errors.push(required("spec.group"));
  else if (subdomainName(group).length > 0) errors.push(invalid("spec.group", group, subdomainName(group).join(",")));
  else if (!group.includes(".")) errors.push(invalid("spec.group", group, "should be a domain with at least one dot"));
  const scope = textAt(spec, "scope");
  if (scope === "") errors.push(required("spec.scope"));
  else if (scope !== "Cluster" && scope !== "Namespaced")
    errors.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  errors.push(...checkVersions(spec, extensions));
  const names = objectAt(spec, "names");
  errors.push(...requireNames(names, "spec.names"), ...checkNames(names, "spec.names"));
  errors.push(...checkSharedParts(listAt(spec, "versions").filter(isJsonObject), extensions));
  errors.push(
    ...checkConversion(
      objectAt(spec, "conversion"),
      extensions.converters?.has(`${textAt(names, "plural")}.${group}`) === true,
    ),
  );
  return errors;
}

function checkVersions(spec: JsonObject, extensions: Extensions): FieldError[] {
  const versions = listAt(spec, "versions").filter(isJsonObject);
  const errors: FieldError[] = versions.flatMap((version, index) =>
    isJsonObject(objectAt(version, "schema")["openAPIV3Schema"])
      ? []
      : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
  for (const [index, version] of versions.entries()) {
    const field = `spec.versions[${index}]`;
    errors.push(...checkVersionName(textAt(version, "name"), `${field}.name`));
    errors.push(...checkDeprecation(version, `${field}.deprecationWarning`));
    errors.push(...checkOwnParts(versions, version, field, extensions));
  }
  const wrong = (detail: string): FieldError => invalid("spec.versions", names, detail);
  const names = versions.map((version) => textAt(version, "name"));
  if (new Set(names).size < names.length) errors.push(wrong("must contain unique version names"));
  if (versions.filter((version) => version["storage"] === true).length !== 1)
    errors.push(wrong("must have exactly one version marked as storage version"));
  // The first version is also the definition's own, as it was in older versions.
  if (names[0] !== undefined && names[0] !== "") errors.push(...checkVersionName(names[0], "spec.version"));
  return errors;
}

function checkVersionName(name: string, field: string): FieldError[] {
  const problems = dns1035Label(name);
  return problems.length === 0 ? [] : [invalid(field, name, problems.join(","))];
}

const longestWarning = 256;

function checkDeprecation(version: JsonObject, field: string): FieldError[] {
  const warning = version["deprecationWarning"];
  if (typeof warning !== "string") return [];
  const problems: string[] = [];
  if (version["deprecated"] !== true) problems.push("can only be set for deprecated versions");
  else {
    if (Buffer.byteLength(warning) > longestWarning) problems.push(`must be <= ${longestWarning} characters long`);
    if (warning === "") problems.push("must not be an empty string");
    const stray = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u.exec(warning);
    if (stray)
      problems.push(
        `must only contain printable UTF-8 characters; non-printable character found at index ${Buffer.byteLength(warning.slice(0, stray.index))}`,
      );
  }
  return problems.map((problem) => invalid(field, warning, problem));
}

function checkImmutable(spec: JsonObject, old: JsonObject, established: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, next: JsonValue | undefined, before: JsonValue | undefined): void => {
    if (!deepEqual(next, before)) errors.push(invalid(`spec.${field}`, next ?? null, "field is immutable"));
  };
  const names = objectAt(spec, "names");
  const before = objectAt(old, "names");
  if (established) {
    check("scope", spec["scope"], old["scope"]);
    check("names.kind", names["kind"], before["kind"]);
  }
  check("group", spec["group"], old["group"]);
  check("names.plural", names["plural"], before["plural"]);
  return errors;
}
