import { checkRules, evaluateDefault } from "@kubewright/core/cel";
import { deepEqual } from "@kubewright/core/json";
import {
  checkStructural,
  duplicate,
  type FieldError,
  invalid,
  required,
  resolveFieldPath,
  type Schema,
  tooMany,
} from "@kubewright/core/schema";
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
} from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";
import { checkEmbedded } from "../embedded-resources.js";

const columnTypes = ["boolean", "date", "integer", "number", "string"];
const columnFormats = ["byte", "date", "date-time", "double", "float", "int32", "int64", "password"];
const maxSelectableFields = 8;

type Version = Decoded<CustomResourceDefinitionVersion>;

/** The context for the validation of one part. */
interface PartContext {
  readonly schema: Schema | undefined;
  readonly hasStatus: boolean;
  /** The versions before an update. */
  readonly old: readonly Version[];
}

type PartCheck = (version: Version, field: string, context: PartContext) => FieldError[];

/** The validation of the parts of a version. `shared` is the name of a part in errors if it is equal in all versions. */
const partChecks: readonly (readonly [part: keyof Version, shared: string, check: PartCheck])[] = [
  ["schema", "validation", checkSchema],
  ["subresources", "subresources", checkSubresources],
  ["additionalPrinterColumns", "additionalPrinterColumns", checkColumns],
  ["selectableFields", "selectableFields", checkSelectableFields],
];

/** kube-apiserver reports a part that is equal in all versions at its top-level v1beta1 field. */
function isShared(versions: readonly Version[], part: keyof Version): boolean {
  const [first] = versions;
  return first !== undefined && versions.every((version) => deepEqual(version[part], first[part]));
}

/** Validates the parts of a version that differ between versions. */
export function checkOwnParts(
  versions: readonly Version[],
  version: Version,
  field: string,
  old: readonly Version[],
): FieldError[] {
  const hasStatus = version.subresources?.status !== undefined;
  const context = { schema: schemaOf(version), hasStatus, old };
  return partChecks
    .filter(([part]) => !isShared(versions, part))
    .flatMap(([part, , check]) => check(version, `${field}.${part}`, context));
}

/** Validates the parts that all versions share. */
export function checkSharedParts(versions: readonly Version[], old: readonly Version[]): FieldError[] {
  const [first] = versions;
  if (!first) return [];
  const hasStatus = versions.some((version) => version.subresources?.status !== undefined);
  const context = { schema: isShared(versions, "schema") ? schemaOf(first) : undefined, hasStatus, old };
  return partChecks
    .filter(([part]) => isShared(versions, part))
    .flatMap(([, shared, check]) => check(first, `spec.${shared}`, context));
}

/** The schema of a version; undefined if it has none. */
export function schemaOf(version: Version): Schema | undefined {
  return version.schema?.openAPIV3Schema as Schema | undefined;
}

function checkSchema(version: Version, field: string, { hasStatus, old }: PartContext): FieldError[] {
  const schema = version.schema?.openAPIV3Schema;
  if (!schema) return [];
  const place = `${field}.openAPIV3Schema`;
  const before = old.find(({ name }) => name === version.name)?.schema?.openAPIV3Schema;
  return checkStructural(schema, place, {
    hasStatus,
    checkEmbedded,
    evaluateDefault,
    checkRules: (structural, otherErrors) =>
      checkRules(structural, place, { isUnchanged: deepEqual(schema, before), otherErrors }),
  });
}

function checkColumns({ additionalPrinterColumns = [] }: Version, field: string): FieldError[] {
  return additionalPrinterColumns.flatMap((column, index) => checkColumn(column, `${field}[${index}]`));
}

function checkColumn(column: Decoded<CustomResourceColumnDefinition>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { name, type = "", format = "", jsonPath: path = "" } = column;
  if (!name) errors.push(required(`${field}.name`));
  const known = `must be one of ${columnTypes.join(",")}`;
  if (type === "") errors.push(required(`${field}.type`, known));
  else if (!columnTypes.includes(type)) errors.push(invalid(`${field}.type`, type, known));
  if (format !== "" && !columnFormats.includes(format))
    errors.push(invalid(`${field}.format`, format, `must be one of ${columnFormats.join(",")}`));
  if (path === "") errors.push(required(`${field}.JSONPath`));
  else errors.push(...checkSimplePath(path, `${field}.JSONPath`));
  return errors;
}

function checkSimplePath(path: string, field: string): FieldError[] {
  return path.startsWith(".") ? [] : [invalid(field, path, "must be a simple json path starting with .")];
}

/** The root fields that the paths of the scale subresource must be under. */
const scaleRoots: readonly (readonly [path: keyof CustomResourceSubresourceScale, roots: readonly string[]])[] = [
  ["specReplicasPath", ["spec"]],
  ["statusReplicasPath", ["status"]],
  ["labelSelectorPath", ["spec", "status"]],
];

function checkSubresources({ subresources }: Version, field: string): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const errors: FieldError[] = [];
  for (const [key, roots] of scaleRoots) {
    const place = `${field}.scale.${key}`;
    const path = scale[key];
    if (!path) {
      if (roots.length === 1) errors.push(required(place));
      continue;
    }
    const simple = checkSimplePath(path, place);
    errors.push(...simple);
    if (simple.length > 0 || roots.some((root) => path.startsWith(`.${root}.`))) continue;
    const where = roots.length === 1 ? `.${roots[0]}` : "either .spec or .status";
    errors.push(invalid(place, path, `should be a json path under ${where}`));
  }
  return errors;
}

function checkSelectableFields(version: Version, field: string, { schema }: PartContext): FieldError[] {
  const { selectableFields = [] } = version;
  if (selectableFields.length === 0) return [];
  if (schema === undefined) return [invalid(field, "", "may only be set when validations.schema is included")];
  const seen = new Set<string>();
  const errors = selectableFields.flatMap(({ jsonPath = "" }, index) => {
    const place = `${field}[${index}].jsonPath`;
    if (jsonPath === "") return [required(place)];
    const found = resolveFieldPath(jsonPath, schema, { arrayNotation: false });
    if (found.kind === "invalid") return [invalid(place, jsonPath, `is an invalid path: ${found.why}`)];
    const own: FieldError[] = [];
    if (found.steps[0] === "metadata") own.push(invalid(place, jsonPath, "must not point to fields in metadata"));
    if (!["string", "boolean", "integer"].includes(found.schema.type ?? "")) {
      const detail =
        "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";
      own.push(invalid(place, jsonPath, detail));
    }
    const id = found.steps.join(".");
    if (seen.has(id)) own.push(duplicate(place, jsonPath));
    seen.add(id);
    return own;
  });
  if (seen.size > maxSelectableFields) errors.push(tooMany(field, seen.size, maxSelectableFields));
  return errors;
}
