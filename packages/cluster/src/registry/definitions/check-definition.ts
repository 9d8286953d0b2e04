import { type FieldError, invalid, required } from "@kubewright/core/schema";
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";
import { dns1035Label, subdomainName } from "../name-rules.js";
import { checkEnum, immutable } from "../validation/index.js";
import { checkApproval } from "./check-approval.js";
import { checkConversion } from "./check-conversion.js";
import { checkNames, requireNames } from "./check-names.js";
import { checkOwnParts, checkSharedParts } from "./check-version.js";

type Definition = Decoded<CustomResourceDefinition>;
type Spec = Decoded<CustomResourceDefinitionSpec>;
type Versions = NonNullable<Spec["versions"]>;

/** Validates a CustomResourceDefinition. */
export function checkDefinition(object: Definition, old: Definition | undefined): FieldError[] {
  const spec = object.spec ?? {};
  const errors: FieldError[] = [];
  const expected = `${spec.names?.plural ?? ""}.${spec.group ?? ""}`;
  const name = object.metadata?.name ?? "";
  // An update reports instead that both parts are immutable.
  if (!old && name !== "" && name !== expected)
    errors.push(invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group'));
  errors.push(...checkSpec(spec, old?.spec?.versions ?? []));
  if (old) errors.push(...checkImmutable(spec, old.spec ?? {}, conditionStatus(old, "Established") === "True"));
  errors.push(...checkDefinitionStatus(object));
  errors.push(...checkStoredVersions(object));
  errors.push(...checkApproval(object, old));
  if (spec.preserveUnknownFields)
    errors.push(
      invalid(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  return errors;
}

/** Validates the status of a CRD. A write to the status subresource validates nothing else. */
export function checkDefinitionStatus(object: Definition): FieldError[] {
  return checkNames(object.status?.acceptedNames ?? {}, "status.acceptedNames");
}

/** A version in `status.storedVersions` must stay in `spec.versions`: objects may still be stored in it. */
function checkStoredVersions(object: Definition): FieldError[] {
  const field = "status.storedVersions";
  const stored = object.status?.storedVersions ?? [];
  if (stored.length === 0) return [invalid(field, null, "must have at least one stored version")];
  const versions = object.spec?.versions ?? [];
  const names = versions.map(nameOf);
  const missing = versions
    .filter((version) => version.storage && !stored.includes(nameOf(version)))
    .map((version) => invalid(field, stored, `must have the storage version ${nameOf(version)}`));
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

function nameOf(version: Decoded<CustomResourceDefinitionVersion>): string {
  return version.name ?? "";
}

/** The status of a condition of a CRD; empty if it has none. */
export function conditionStatus(definition: Definition, type: string): string {
  return definition.status?.conditions?.find((condition) => condition.type === type)?.status ?? "";
}

function checkSpec(spec: Spec, old: Versions): FieldError[] {
  const errors: FieldError[] = [];
  const { group = "", scope = "", names = {}, versions = [], conversion = {} } = spec;
  if (group === "") errors.push(required("spec.group"));
  else if (subdomainName(group).length > 0) errors.push(invalid("spec.group", group, subdomainName(group).join(",")));
  else if (!group.includes(".")) errors.push(invalid("spec.group", group, "should be a domain with at least one dot"));
  checkEnum(scope, ["Cluster", "Namespaced"], "spec.scope", errors);
  errors.push(...checkVersions(versions, old));
  errors.push(...requireNames(names, "spec.names"), ...checkNames(names, "spec.names"));
  errors.push(...checkSharedParts(versions, old));
  errors.push(...checkConversion(conversion));
  return errors;
}

function checkVersions(versions: Versions, old: Versions): FieldError[] {
  const errors: FieldError[] = versions.flatMap(({ schema }, index) =>
    schema?.openAPIV3Schema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`)],
  );
  for (const [index, version] of versions.entries()) {
    const field = `spec.versions[${index}]`;
    errors.push(...checkVersionName(nameOf(version), `${field}.name`));
    errors.push(...checkDeprecation(version, `${field}.deprecationWarning`));
    errors.push(...checkOwnParts(versions, version, field, old));
  }
  const wrong = (detail: string): FieldError => invalid("spec.versions", names, detail);
  const names = versions.map(nameOf);
  if (new Set(names).size < names.length) errors.push(wrong("must contain unique version names"));
  if (versions.filter((version) => version.storage).length !== 1)
    errors.push(wrong("must have exactly one version marked as storage version"));
  // kube-apiserver also reports the first version at its v1beta1 field.
  if (names[0] !== undefined && names[0] !== "") errors.push(...checkVersionName(names[0], "spec.version"));
  return errors;
}

function checkVersionName(name: string, field: string): FieldError[] {
  const problems = dns1035Label(name);
  return problems.length === 0 ? [] : [invalid(field, name, problems.join(","))];
}

const longestWarning = 256;

function checkDeprecation(version: Decoded<CustomResourceDefinitionVersion>, field: string): FieldError[] {
  const warning = version.deprecationWarning;
  if (warning === undefined) return [];
  const problems: string[] = [];
  if (!version.deprecated) problems.push("can only be set for deprecated versions");
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

function checkImmutable(spec: Spec, old: Spec, isEstablished: boolean): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, next: string | undefined, before: string | undefined): void => {
    if (next !== before) errors.push(invalid(`spec.${field}`, next ?? null, immutable));
  };
  if (isEstablished) {
    check("scope", spec.scope, old.scope);
    check("names.kind", spec.names?.kind, old.names?.kind);
  }
  check("group", spec.group, old.group);
  check("names.plural", spec.names?.plural, old.names?.plural);
  return errors;
}
