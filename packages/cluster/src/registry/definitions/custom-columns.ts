import { isJsonObject, type JsonObject } from "@kubewright/core/json";
import { parseJsonPath } from "@kubewright/core/jsonpath";
import { ageColumn, ageOf, nameColumn } from "../columns.js";
import { listAt, textAt } from "../draft.js";
import type { Column } from "../strategy.js";

type Cell = string | number | boolean | null;

/** The columns of a version of a custom resource: the name and what it declares, or the name and the age. */
export function customColumns(version: JsonObject): readonly Column[] {
  const declared = listAt(version, "additionalPrinterColumns").filter(isJsonObject);
  return declared.length === 0
    ? [nameColumn, { ...ageColumn, type: "date" }]
    : [nameColumn, ...declared.map(makeColumn)];
}

function makeColumn(declared: JsonObject): Column {
  const path = parseJsonPath(textAt(declared, "jsonPath"));
  const type = textAt(declared, "type");
  const priority = declared["priority"];
  const format = textAt(declared, "format");
  const description = textAt(declared, "description");
  return {
    name: textAt(declared, "name"),
    type: type as Column["type"],
    ...(format === "" ? {} : { format }),
    description:
      description === ""
        ? `Custom resource definition column (in JSONPath format): ${textAt(declared, "jsonPath")}`
        : description,
    priority: typeof priority === "number" ? priority : 0,
    cell: (object, nowMs) => cellOf(type, path.evaluate(object)[0], nowMs),
  };
}

/** Like the real server: what does not fit the column's type is left empty. */
function cellOf(type: string, value: unknown, nowMs: number): Cell {
  if (value === undefined || value === null) return null;
  switch (type) {
    case "integer":
      return typeof value === "number" ? Math.trunc(value) : null;
    case "number":
      return typeof value === "number" ? value : null;
    case "boolean":
      return typeof value === "boolean" ? value : null;
    case "date":
      return typeof value === "string" ? ageOf(value, nowMs) : null;
    default:
      return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}
