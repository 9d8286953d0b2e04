import { getOwn, isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";

/** The direct child schemas, with their relative paths: `items`, `properties[a]`, `anyOf[0]`. */
export function childSchemas(schema: JsonObject): [string, JsonObject][] {
  const result: [string, JsonValue | undefined][] = [["additionalProperties", getOwn(schema, "additionalProperties")]];
  for (const [name, property] of schemasAt(schema, "properties")) result.push([`properties[${name}]`, property]);
  result.push(["not", getOwn(schema, "not")]);
  for (const junctor of ["allOf", "oneOf", "anyOf"])
    for (const [index, branch] of branchesAt(schema, junctor).entries()) result.push([`${junctor}[${index}]`, branch]);
  result.push(["items", getOwn(schema, "items")]);
  return result.filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}

/** The string value of a keyword; empty if there is none. */
export function textOf(schema: JsonObject, keyword: string): string {
  const value = getOwn(schema, keyword);
  return typeof value === "string" ? value : "";
}

/** Whether a keyword is set to true. */
export function flag(schema: JsonObject, keyword: string): boolean {
  return getOwn(schema, keyword) === true;
}

/** The schema under a keyword. */
export function schemaAt(schema: JsonObject, keyword: string): JsonObject | undefined {
  const value = getOwn(schema, keyword);
  return isJsonObject(value) ? value : undefined;
}

/** The schemas of a junctor. */
export function branchesAt(schema: JsonObject, keyword: string): JsonObject[] {
  const value = getOwn(schema, keyword);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The schemas by name under a keyword. */
export function schemasAt(schema: JsonObject, keyword: string): [string, JsonObject][] {
  const value = getOwn(schema, keyword);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
}
