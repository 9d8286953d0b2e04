import { stringifyJson } from "@kubewright/core/json";
import { parseJsonPath } from "@kubewright/core/jsonpath";
import type { CustomResourceColumnDefinition, CustomResourceDefinitionVersion } from "kubewright/k8s/apiextensions/v1";
import { ageColumn, ageOf, nameColumn } from "../columns.js";
import type { Decoded } from "../decoded.js";
import type { Column } from "../strategy.js";

type Cell = string | number | bigint | boolean | null;

/** The printer columns of a CRD version: the name with the additionalPrinterColumns, or the name with the age. */
export function customColumns(version: Decoded<CustomResourceDefinitionVersion>): readonly Column[] {
  const declared = version.additionalPrinterColumns ?? [];
  return declared.length === 0
    ? [nameColumn, { ...ageColumn, type: "date" }]
    : [nameColumn, ...declared.map(makeColumn)];
}

function makeColumn(declared: Decoded<CustomResourceColumnDefinition>): Column {
  const { name = "", type = "", format, jsonPath = "", description, priority = 0 } = declared;
  const path = parseJsonPath(jsonPath);
  return {
    name,
    type: type as Column["type"],
    ...(format && { format }),
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
    cell: (object, nowMs) => cellOf(type, path.evaluate(object)[0], nowMs),
  };
}

/** A value of another type than the column's prints as empty, as in kube-apiserver. */
function cellOf(type: string, value: unknown, nowMs: number): Cell {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "integer":
      if (typeof value === "bigint") return value;
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" || typeof value === "bigint" ? Number(value) : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, nowMs) : null;
    default:
      return typeof value === "object" ? stringifyJson(value) : String(value);
  }
}
