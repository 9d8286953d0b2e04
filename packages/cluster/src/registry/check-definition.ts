import { deepEqual, isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { parseJsonPath } from "@kubewright/core/jsonpath";
import { checkStructural, type FieldError, forbidden, invalid, notSupported, required } from "@kubewright/core/schema";
import { listAt, metadataOf, objectAt, textAt, textsAt } from "./draft.js";
import { dns1035Label, subdomainName } from "./name-rules.js";

const columnTypes = ["integer", "number", "string", "boolean", "date"];
const columnTypesSorted = [...columnTypes].sort().join(",");
const columnFormats = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

/** What is wrong with the definition of a custom resource, in the words of a real server. */
export function checkDefinition(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const spec = objectAt(object, "spec");
  const errors: FieldError[] = [];
  const expected = `${textAt(objectAt(spec, "names"), "plural")}.${textAt(spec, "group")}`;
  const name = textAt(metadataOf(object), "name");
  // Later both parts are immutable, which says it better.
  if (!old && name !== expected)
    errors.push(invalid("metadata.name", name, 'must be spec.names.plural+"."+spec.group'));
  errors.push(...checkSpec(spec));
  if (listAt(objectAt(object, "status"), "storedVersions").length === 0)
    errors.push(invalid("status.storedVersions", null, "must have at least one stored version"));
  errors.push(...checkStoredVersions(object));
  errors.push(...checkApproval(object, old));
  if (old) errors.push(...checkImmutable(spec, objectAt(old, "spec"), isEstablished(old)));
  return errors;
}

/** A version in which objects may be stored must stay, or they could not be read. */
function checkStoredVersions(object: JsonObject): FieldError[] {
  const names = listAt(objectAt(object, "spec"), "versions")
    .filter(isJsonObject)
    .map((version) => textAt(version, "name"));
  return textsAt(objectAt(object, "status"), "storedVersions").flatMap((name, index) =>
    names.includes(name)
      ? []
      : [
          invalid(
            `status.storedVersions[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  );
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
  return listAt(objectAt(definition, "spec"), "versions").some((version) => mentionsRules(version));
}

function mentionsRules(value: JsonValue): boolean {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).some(mentionsRules);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, inner]) => key === "x-kubernetes-validations" || mentionsRules(inner));
}

function checkSpec(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const group = textAt(spec, "group");
  if (group === "") errors.push(required("spec.group"));
  else if (subdomainName(group).length > 0) errors.push(invalid("spec.group", group, subdomainName(group).join(",")));
  else if (!group.includes(".")) errors.push(invalid("spec.group", group, "should be a domain with at least one dot"));
  const scope = textAt(spec, "scope");
  if (scope === "") errors.push(required("spec.scope"));
  else if (scope !== "Cluster" && scope !== "Namespaced")
    errors.push(notSupported("spec.scope", scope, ["Cluster", "Namespaced"]));
  if (spec["preserveUnknownFields"] === true)
    errors.push(
      invalid(
        "spec.preserveUnknownFields",
        true,
        "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
      ),
    );
  errors.push(...checkVersions(spec));
  errors.push(...checkNames(objectAt(spec, "names")));
  errors.push(...checkConversion(objectAt(spec, "conversion")));
  return errors;
}

function checkVersions(spec: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const versions = listAt(spec, "versions").filter(isJsonObject);
  const names = new Set<string>();
  let storage = 0;
  for (const [index, version] of versions.entries()) {
    const field = `spec.versions[${index}]`;
    const name = textAt(version, "name");
    names.add(name);
    if (version["storage"] === true) storage++;
    if (dns1035Label(name).length > 0) errors.push(invalid(`${field}.name`, name, dns1035Label(name).join(",")));
    const schema = objectAt(version, "schema")["openAPIV3Schema"];
    if (!isJsonObject(schema)) errors.push(required(`${field}.schema.openAPIV3Schema`));
    const warning = textAt(version, "deprecationWarning");
    if (warning !== "" && version["deprecated"] !== true)
      errors.push(invalid(`${field}.deprecationWarning`, warning, "can only be set for deprecated versions"));
  }
  for (const [part, check] of versionParts) errors.push(...checkPart(versions, part, check));
  const listed = spec["versions"] ?? null;
  if (names.size < versions.length) errors.push(invalid("spec.versions", listed, "must contain unique version names"));
  if (storage !== 1)
    errors.push(invalid("spec.versions", listed, "must have exactly one version marked as storage version"));
  return errors;
}

type PartCheck = (value: JsonValue, field: string) => FieldError[];

/** The parts of a version that have rules of their own. */
const versionParts: readonly (readonly [part: string, check: PartCheck])[] = [
  [
    "schema",
    (value, field) => {
      const schema = isJsonObject(value) ? value["openAPIV3Schema"] : undefined;
      return isJsonObject(schema) ? checkStructural(schema, `${field}.openAPIV3Schema`) : [];
    },
  ],
  [
    "subresources",
    (value, field) => {
      const scale = isJsonObject(value) ? value["scale"] : undefined;
      return isJsonObject(scale) ? checkScale(scale, `${field}.scale`) : [];
    },
  ],
  ["additionalPrinterColumns", (value, field) => checkEach(value, field, checkColumn)],
  ["selectableFields", (value, field) => checkEach(value, field, checkSelectable)],
];

/** A real server speaks of what all versions have in common as of the definition's own, where it stood in older versions. */
function checkPart(versions: readonly JsonObject[], part: string, check: PartCheck): FieldError[] {
  const [first] = versions;
  if (first && versions.every((version) => deepEqual(version[part], first[part])))
    return check(first[part] ?? null, `spec.${part === "schema" ? "validation" : part}`);
  return versions.flatMap((version, index) => check(version[part] ?? null, `spec.versions[${index}].${part}`));
}

function checkEach(
  value: JsonValue,
  field: string,
  check: (element: JsonObject, field: string) => FieldError[],
): FieldError[] {
  if (!Array.isArray(value)) return [];
  return (value as readonly JsonValue[]).flatMap((element, index) =>
    isJsonObject(element) ? check(element, `${field}[${index}]`) : [],
  );
}

function checkSelectable(selectable: JsonObject, field: string): FieldError[] {
  return textAt(selectable, "jsonPath") === "" ? [required(`${field}.jsonPath`)] : [];
}

function checkColumn(column: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(column, "name") === "") errors.push(required(`${field}.name`));
  const type = textAt(column, "type");
  if (type === "") errors.push(required(`${field}.type`, `must be one of ${columnTypesSorted}`));
  else if (!columnTypes.includes(type))
    errors.push(invalid(`${field}.type`, type, `must be one of ${columnTypesSorted}`));
  const format = textAt(column, "format");
  if (format !== "" && !columnFormats.includes(format))
    errors.push(invalid(`${field}.format`, format, `must be one of ${[...columnFormats].sort().join(",")}`));
  const path = textAt(column, "jsonPath");
  if (path === "") errors.push(required(`${field}.JSONPath`));
  else errors.push(...checkPath(path, `${field}.JSONPath`));
  return errors;
}

function checkPath(path: string, field: string): FieldError[] {
  if (!path.startsWith(".") && !path.startsWith("["))
    return [invalid(field, path, "must be a simple json path starting with .")];
  try {
    parseJsonPath(path);
    return [];
  } catch (error) {
    return [
      invalid(field, path, `must be a simple json path: ${error instanceof Error ? error.message : String(error)}`),
    ];
  }
}

function checkScale(scale: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, prefix, needed] of [
    ["specReplicasPath", ".spec.", true],
    ["statusReplicasPath", ".status.", true],
    ["labelSelectorPath", "", false],
  ] as const) {
    const path = textAt(scale, key);
    if (path === "") {
      if (needed) errors.push(required(`${field}.${key}`));
    } else if (!/^(\.[A-Za-z0-9_-]+)+$/.test(path))
      errors.push(invalid(`${field}.${key}`, path, "must be a simple json path starting with ."));
    else if (prefix === "" ? !/^\.(spec|status)\./.test(path) : !path.startsWith(prefix))
      errors.push(
        invalid(
          `${field}.${key}`,
          path,
          prefix === ""
            ? "should be a json path under either .spec or .status"
            : `should be a json path under ${prefix.slice(0, -1)}`,
        ),
      );
  }
  return errors;
}

function checkNames(names: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ["plural", "singular", "kind", "listKind"])
    if (textAt(names, key) === "") errors.push(required(`spec.names.${key}`));
  for (const key of ["plural", "singular", "kind", "listKind"]) {
    const value = textAt(names, key);
    const mixed = key === "kind" || key === "listKind";
    const problems = value === "" ? [] : dns1035Label(mixed ? value.toLowerCase() : value);
    if (problems.length > 0)
      errors.push(
        invalid(
          `spec.names.${key}`,
          value,
          `${mixed ? "may have mixed case, but should otherwise match: " : ""}${problems.join(",")}`,
        ),
      );
  }
  for (const list of ["shortNames", "categories"])
    for (const [index, value] of textsAt(names, list).entries())
      if (dns1035Label(value).length > 0)
        errors.push(invalid(`spec.names.${list}[${index}]`, value, dns1035Label(value).join(",")));
  if (textAt(names, "kind") !== "" && textAt(names, "kind") === textAt(names, "listKind"))
    errors.push(invalid("spec.names.listKind", textAt(names, "listKind"), "kind and listKind may not be the same"));
  return errors;
}

function checkConversion(conversion: JsonObject): FieldError[] {
  const strategy = textAt(conversion, "strategy");
  if (strategy === "") return [required("spec.conversion.strategy")];
  if (strategy === "Webhook")
    return [forbidden("spec.conversion.strategy", "conversion webhooks are not supported by this server")];
  if (strategy !== "None") return [notSupported("spec.conversion.strategy", strategy, ["None", "Webhook"])];
  return conversion["webhook"] === undefined
    ? []
    : [forbidden("spec.conversion.webhook", "should not be set when strategy is not set to Webhook")];
}

/** Groups that belong to the Kubernetes community need its approval, by an annotation. */
export function isProtectedGroup(group: string): boolean {
  return ["k8s.io", "kubernetes.io"].some((owner) => group === owner || group.endsWith(`.${owner}`));
}

const approvalAnnotation = "api-approved.kubernetes.io";

/** What the approval annotation says: an address, `unapproved...`, or something else. */
export function approvalOf(definition: JsonObject): {
  readonly kind: "missing" | "bypassed" | "approved" | "invalid";
  readonly reason: string;
} {
  const value = textAt(objectAt(metadataOf(definition), "annotations"), approvalAnnotation);
  if (value === "")
    return {
      kind: "missing",
      reason: `protected groups must have approval annotation "${approvalAnnotation}", see https://github.com/kubernetes/enhancements/pull/1111`,
    };
  if (value.startsWith("unapproved")) return { kind: "bypassed", reason: `not approved: ${JSON.stringify(value)}` };
  if (/^https?:\/\/[^/\s]+/.test(value)) return { kind: "approved", reason: `approved in ${value}` };
  return {
    kind: "invalid",
    reason: `protected groups must have approval annotation "${approvalAnnotation}" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111`,
  };
}

function checkApproval(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  if (!isProtectedGroup(textAt(objectAt(object, "spec"), "group"))) return [];
  const state = approvalOf(object);
  // What was let in once may stay as it is.
  if (old && approvalOf(old).kind === state.kind) return [];
  const field = `metadata.annotations[${approvalAnnotation}]`;
  if (state.kind === "missing") return [required(field, state.reason)];
  const value = textAt(objectAt(metadataOf(object), "annotations"), approvalAnnotation);
  return state.kind === "invalid" ? [invalid(field, value, state.reason)] : [];
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
