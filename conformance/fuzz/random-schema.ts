import type { JsonObject, JsonValue } from "@kubewright/core/json";
import type { Chooser } from "./chooser.js";
import { anyValue, strings } from "./random-metadata.js";

const fieldNames = ["alpha", "beta", "gamma", "delta", "kind", "name", "x-y", "items"];
const formats = ["date-time", "date", "uuid", "ipv4", "email", "byte", "duration", "cidr", "hostname", "unheard-of"];
const patterns = ["^[a-z]+$", "a|b", "^\\d{2,3}$", "(?i)x"];

/** The schema of the `spec` of a custom resource. With `isSound` a valid one; otherwise it may have errors. */
export function randomSchema(choose: Chooser, isSound: boolean, depth = 3): JsonObject {
  const schema = depth === 3 ? objectSchema(choose, isSound, depth) : anySchema(choose, isSound, depth);
  const extra: Record<string, JsonValue> = {};
  if (choose.chance(12)) extra["nullable"] = true;
  if (depth < 3 && choose.chance(15)) {
    const value = randomValue(choose, schema, isSound ? 0 : 15);
    if (value !== null || extra["nullable"] === true) extra["default"] = value;
  }
  if (choose.chance(8)) Object.assign(extra, junctor(choose, schema));
  if (!isSound && choose.chance(6)) Object.assign(extra, unsoundKeyword(choose));
  return { ...schema, ...extra };
}

function anySchema(choose: Chooser, isSound: boolean, depth: number): JsonObject {
  const kinds = ["string", "string", "integer", "number", "boolean", "intOrString", "anything"] as const;
  const kind =
    depth > 0 ? choose.of([...kinds, "object", "object", "array", "array", "map"] as const) : choose.of(kinds);
  switch (kind) {
    case "object":
      return objectSchema(choose, isSound, depth);
    case "map":
      return {
        type: "object",
        additionalProperties: randomSchema(choose, isSound, depth - 1),
        ...limits(choose, "minProperties", "maxProperties"),
      };
    case "array":
      return arraySchema(choose, isSound, depth);
    case "intOrString":
      return { "x-kubernetes-int-or-string": true };
    case "anything":
      return { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    case "boolean":
      return { type: "boolean" };
    case "string":
      return stringSchema(choose);
    default:
      return numberSchema(choose, kind);
  }
}

function objectSchema(choose: Chooser, isSound: boolean, depth: number): JsonObject {
  const names = choose.some(fieldNames, 5);
  const properties = Object.fromEntries(names.map((name) => [name, randomSchema(choose, isSound, depth - 1)]));
  const required = choose.some([...names, ...(isSound ? [] : ["missing"])], 1);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && choose.chance(50) ? { required } : {}),
    ...(choose.chance(12) ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(choose.chance(10) ? { "x-kubernetes-map-type": choose.of(["atomic", "granular"]) } : {}),
    ...(choose.chance(10) ? limits(choose, "minProperties", "maxProperties") : {}),
  };
}

function arraySchema(choose: Chooser, isSound: boolean, depth: number): JsonObject {
  const size = choose.chance(30) ? limits(choose, "minItems", "maxItems") : {};
  switch (choose.below(4)) {
    case 0:
      return { type: "array", items: stringSchema(choose), "x-kubernetes-list-type": "set", ...size };
    case 1: {
      const rest = objectSchema(choose, isSound, depth - 1);
      const key = choose.chance(70) ? { type: "string" } : { type: "integer", default: 1 };
      return {
        type: "array",
        items: {
          ...rest,
          properties: { ...(rest["properties"] as JsonObject), id: key },
          ...("default" in key ? {} : { required: ["id"] }),
        },
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["id"],
        ...size,
      };
    }
    default:
      return {
        type: "array",
        items: randomSchema(choose, isSound, depth - 1),
        ...(choose.chance(30) ? { "x-kubernetes-list-type": "atomic" } : {}),
        ...size,
      };
  }
}

function stringSchema(choose: Chooser): JsonObject {
  switch (choose.below(6)) {
    case 0:
      return { type: "string", enum: ["red", "green", "blue"] };
    case 1:
      return { type: "string", format: choose.of(formats) };
    case 2:
      return { type: "string", pattern: choose.of(patterns) };
    case 3:
      return { type: "string", ...limits(choose, "minLength", "maxLength") };
    default:
      return { type: "string" };
  }
}

function numberSchema(choose: Chooser, type: "integer" | "number"): JsonObject {
  return {
    type,
    ...(choose.chance(25) ? limits(choose, "minimum", "maximum") : {}),
    ...(choose.chance(5) ? { minimum: 1, exclusiveMinimum: true } : {}),
    ...(choose.chance(8) ? { multipleOf: choose.of([2, 3]) } : {}),
    ...(choose.chance(20) ? { format: choose.of(type === "integer" ? ["int32", "int64"] : ["double", "float"]) } : {}),
  };
}

function limits(choose: Chooser, low: string, high: string): JsonObject {
  const least = choose.below(3);
  return {
    ...(choose.chance(60) ? { [low]: least } : {}),
    ...(choose.chance(60) ? { [high]: least + choose.below(4) } : {}),
  };
}

function junctor(choose: Chooser, schema: JsonObject): JsonObject {
  const rule = (): JsonObject => {
    switch (schema["type"]) {
      case "string":
        return choose.of<JsonObject>([{ pattern: "^a" }, { maxLength: 3 }, { enum: ["red", "a"] }, { minLength: 1 }]);
      case "integer":
      case "number":
        return choose.of<JsonObject>([{ minimum: 2 }, { maximum: 5 }, { multipleOf: 2 }, { enum: [1, 7] }]);
      case "object":
        return choose.of<JsonObject>([{ minProperties: 1 }, { maxProperties: 1 }, { required: ["alpha"] }]);
      case "array":
        return choose.of<JsonObject>([{ minItems: 1 }, { maxItems: 1 }]);
      default:
        return {};
    }
  };
  const name = choose.of(["allOf", "anyOf", "oneOf", "not"]);
  return { [name]: name === "not" ? rule() : [rule(), rule()] };
}

/** A keyword that makes a schema invalid. */
function unsoundKeyword(choose: Chooser): JsonObject {
  return choose.of<JsonObject>([
    { type: "" },
    { type: "strange" },
    { additionalProperties: { type: "string" } },
    { additionalProperties: false },
    { "x-kubernetes-int-or-string": true },
    { "x-kubernetes-embedded-resource": true },
    { "x-kubernetes-list-type": "set" },
    { "x-kubernetes-list-type": "odd" },
    { "x-kubernetes-list-map-keys": ["id"] },
    { "x-kubernetes-map-type": "odd" },
    { "x-kubernetes-preserve-unknown-fields": false },
    { nullable: true, default: null },
    { default: [] },
    { default: 1.5 },
    { pattern: "(" },
    { multipleOf: 0.5 },
    { enum: [] },
    { enum: [1, "a"] },
    { minimum: "1" },
    { maxLength: -1 },
    { uniqueItems: true },
    { required: ["alpha", "alpha"] },
    { $ref: "#/x" },
    { id: "x" },
    { definitions: { a: {} } },
    { items: { type: "string" } },
    { properties: { inner: {} } },
    { allOf: [{ type: "string" }] },
    { anyOf: [{ default: 1 }] },
    { not: { properties: { a: { type: "string" } } } },
    { unknownKeyword: 1 },
  ]);
}

/** A value of the schema, with a wrong value at `wrongPercent` of the paths. */
export function randomValue(choose: Chooser, schema: JsonValue | undefined, wrongPercent: number): JsonValue {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema) || choose.chance(wrongPercent))
    return anyValue(choose);
  const given = schema as JsonObject;
  if (given["nullable"] === true && choose.chance(20)) return null;
  if (given["x-kubernetes-int-or-string"] === true) return choose.of<JsonValue>([1, "1", "25%", 0]);
  switch (given["type"]) {
    case "object":
      return randomObject(choose, given, wrongPercent);
    case "array": {
      const length = Math.max(Number(given["minItems"] ?? 0), choose.below(Number(given["maxItems"] ?? 3) + 1));
      const items = Array.from({ length }, () => randomValue(choose, given["items"], wrongPercent));
      return given["x-kubernetes-list-type"] === undefined || wrongPercent > 0 ? items : distinct(items);
    }
    case "string":
      return randomText(choose, given);
    case "integer":
    case "number":
      return randomNumber(choose, given);
    case "boolean":
      return choose.chance(50);
    default:
      return anyValue(choose);
  }
}

function randomObject(choose: Chooser, schema: JsonObject, wrongPercent: number): JsonValue {
  const properties = (schema["properties"] ?? {}) as JsonObject;
  const required = (Array.isArray(schema["required"]) ? schema["required"] : []) as string[];
  const entries = Object.entries(properties)
    .filter(([name]) => required.includes(name) || choose.chance(60))
    .map(([name, inner]): [string, JsonValue] => [name, randomValue(choose, inner, wrongPercent)]);
  if (schema["additionalProperties"] !== undefined || schema["x-kubernetes-preserve-unknown-fields"] === true)
    for (const name of choose.some(["one", "two", "three"], 2))
      entries.push([name, randomValue(choose, schema["additionalProperties"], wrongPercent)]);
  if (choose.chance(wrongPercent)) entries.push([choose.of(["unknown", "__proto__", "constructor"]), anyValue(choose)]);
  return Object.fromEntries(entries);
}

function randomText(choose: Chooser, schema: JsonObject): string {
  if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) return String(choose.of(schema["enum"]));
  switch (schema["format"]) {
    case "date-time":
      return choose.of(["2020-01-01T00:00:00Z", "2020-01-01T00:00:00.5+02:00"]);
    case "date":
      return "2020-02-29";
    case "uuid":
      return "11111111-2222-3333-4444-555555555555";
    case "ipv4":
      return "10.0.0.1";
    case "email":
      return "a@example.com";
    case "byte":
      return "aGk=";
    case "duration":
      return choose.of(["5m", "1h30m"]);
    case "cidr":
      return "10.0.0.0/8";
    case "hostname":
      return "example.com";
    default:
  }
  if (schema["pattern"] === "^\\d{2,3}$") return choose.of(["12", "345"]);
  if (schema["pattern"] !== undefined) return choose.of(["a", "ax", "xa"]);
  const text = choose.of(["", "a", "ab", "abc", "aé", ...strings]);
  return text.padEnd(Number(schema["minLength"] ?? 0), "z").slice(0, Number(schema["maxLength"] ?? 100));
}

function randomNumber(choose: Chooser, schema: JsonObject): number {
  if (Array.isArray(schema["enum"]) && schema["enum"].length > 0) return Number(choose.of(schema["enum"]));
  const least = Number(schema["minimum"] ?? 0) + (schema["exclusiveMinimum"] === true ? 1 : 0);
  const most = Number(schema["maximum"] ?? 10);
  const number = Math.min(Math.max(least, choose.below(12)), Math.max(least, most));
  const step = schema["multipleOf"];
  if (typeof step === "number") return Math.ceil(number / step) * step;
  return schema["type"] === "number" && choose.chance(30) ? number + 0.5 : number;
}

function distinct(items: readonly JsonValue[]): JsonValue[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    const key = JSON.stringify(typeof item === "object" && item !== null && "id" in item ? item["id"] : item);
    return !seen.has(key) && seen.add(key);
  });
}
