import { evaluateRules } from "@kubewright/core/cel";
import type { JsonObject } from "@kubewright/core/json";
import { parseJsonPath } from "@kubewright/core/jsonpath";
import { type FieldError, type Schema, validateLists, validateValue } from "@kubewright/core/schema";
import type { CustomResourceDefinitionVersion } from "kubewright/k8s/apiextensions/v1";
import type { Decoded } from "../decoded.js";
import { checkEmbedded } from "../embedded-resources.js";
import { subdomainName } from "../name-rules.js";
import type { ScalePaths } from "../resource.js";
import { differsOutside, differsOutsideStatus } from "../same-object.js";
import type { Strategy } from "../strategy.js";
import { checkScaleSpec, checkScaleStatus } from "./check-scale.js";
import { customColumns } from "./custom-columns.js";

/** A CRD version and its derived properties. */
export interface CustomVersion {
  readonly version: Decoded<CustomResourceDefinitionVersion>;
  readonly schema: Schema | undefined;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
}

/** The strategy of the custom resources of one CRD version. */
export function customStrategy(custom: CustomVersion): Strategy {
  const { version, hasStatus } = custom;
  const selectable = version.selectableFields?.map(({ jsonPath = "" }) => selectableField(jsonPath));
  return {
    nameRule: subdomainName,
    allowUnconditionalUpdate: false,
    isNewGeneration: hasStatus ? differsOutsideStatus : (object, old) => differsOutside(object, old, ["metadata"]),
    validate(object, old, { subresource, metadataErrors, warn }) {
      const errors = subresource === "status" ? checkStatus(custom, object, old) : checkObject(custom, object, old);
      const before = [...metadataErrors, ...errors];
      const { errors: violations, warnings } = evaluateRules(custom.schema ?? {}, { object, old, errors: before });
      for (const warning of warnings) warn(warning);
      return [...errors, ...violations];
    },
    ...(selectable && { selectableFields: Object.fromEntries(selectable) }),
    table: {
      columns: customColumns(version),
    },
  };
}

function checkObject({ schema = {}, scale }: CustomVersion, object: JsonObject, old?: JsonObject): FieldError[] {
  return [
    ...validateValue(object, schema, { old }),
    ...checkScaleSpec(object, scale),
    ...checkScaleStatus(object, scale),
    ...checkEmbedded(object, schema, ""),
    ...checkLists(object, old, schema),
  ];
}

function checkStatus({ schema = {}, scale }: CustomVersion, object: JsonObject, old?: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const status = object["status"];
  const statusSchema = schema.properties?.["status"];
  if (status !== undefined && statusSchema !== undefined)
    errors.push(...validateValue(status, statusSchema, { at: "status", old: old?.["status"] }));
  return [...errors, ...checkScaleStatus(object, scale), ...checkLists(object, old, schema)];
}

/** Ratcheting: an update may keep duplicate list items. */
function checkLists(object: JsonObject, old: JsonObject | undefined, schema: Schema): FieldError[] {
  const errors = validateLists(object, schema, "");
  return errors.length > 0 && old !== undefined && validateLists(old, schema, "").length > 0 ? [] : errors;
}

function selectableField(jsonPath: string): [string, (object: JsonObject) => string] {
  const path = parseJsonPath(jsonPath);
  return [
    jsonPath.replace(/^\./, ""),
    (object) => {
      const [value] = path.evaluate(object);
      return value === undefined || value === null ? "" : String(value);
    },
  ];
}
