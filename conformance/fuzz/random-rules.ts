import { checkRules } from "@kubewright/core/cel";
import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import type { Schema } from "@kubewright/core/schema";
import type { Chooser } from "./chooser.js";

/** Adds random CEL rules to a schema of a `spec`. With `isSound` only those that are valid and cheap enough where they are. */
export function withRandomRules(choose: Chooser, spec: JsonObject, isSound: boolean): JsonObject {
  if (!isSound) return addRules(choose, spec, 12);
  let sound = spec;
  for (let attempt = 0; attempt < 6; attempt++) {
    const changed = addRules(choose, sound, 15);
    const whole = { type: "object", properties: { spec: changed } };
    if (checkRules(whole as Schema, "").length === 0) sound = changed;
  }
  return sound;
}

function addRules(choose: Chooser, schema: JsonObject, percent: number): JsonObject {
  const { properties, items, additionalProperties } = schema;
  const below: Record<string, JsonValue> = {};
  if (isJsonObject(properties)) {
    const fields = Object.entries(properties).map(([name, field]) => [
      name,
      addRules(choose, field as JsonObject, percent),
    ]);
    below["properties"] = Object.fromEntries(fields) as JsonObject;
  }
  if (isJsonObject(items)) below["items"] = addRules(choose, items, percent);
  if (isJsonObject(additionalProperties))
    below["additionalProperties"] = addRules(choose, additionalProperties, percent);
  if (choose.chance(percent)) {
    const known = (schema["x-kubernetes-validations"] ?? []) as readonly JsonValue[];
    below["x-kubernetes-validations"] = [...known, randomRule(choose, schema)];
  }
  return { ...schema, ...below };
}

function randomRule(choose: Chooser, schema: JsonObject): JsonObject {
  return {
    rule: randomCondition(choose, schema, "self", 2),
    ...(choose.chance(30) ? { message: choose.of(["no", "must differ", " padded "]) } : {}),
    ...(choose.chance(20)
      ? { messageExpression: choose.of(["'it is ' + string(self)", "'fixed'", "''", "'two\\nlines'"]) }
      : {}),
    ...(choose.chance(20)
      ? { reason: choose.of(["FieldValueInvalid", "FieldValueForbidden", "FieldValueRequired", "FieldValueDuplicate"]) }
      : {}),
    ...(choose.chance(8) ? { optionalOldSelf: choose.chance(50) } : {}),
  };
}

const escapes: Readonly<Record<string, string>> = { "x-y": "x__dash__y" };

/** A random expression of type bool about `at`, which a schema describes. */
export function randomCondition(choose: Chooser, schema: JsonObject, at: string, depth: number): string {
  const again = (): string => randomCondition(choose, schema, at, depth - 1);
  if (depth > 0 && choose.chance(25)) {
    return choose.of([
      () => `(${again()}) && (${again()})`,
      () => `(${again()}) || (${again()})`,
      () => `!(${again()})`,
      () => `(${again()}) ? (${again()}) : (${again()})`,
    ])();
  }
  if (at === "self" && choose.chance(10))
    return choose.of(["self == oldSelf", "oldSelf != self", "oldSelf == oldSelf"]);
  if (schema["x-kubernetes-int-or-string"] === true) {
    return choose.of([
      `type(${at}) == int ? ${at} > 1 : ${at} != 'a'`,
      `${at} == 1`,
      `string(${at}) != 'x'`,
      `${at} > 1`,
    ]);
  }
  switch (schema["type"]) {
    case "string":
      return stringCondition(choose, schema, at);
    case "integer":
      return choose.of([
        `${at} > 1`,
        `${at} % 2 == 0`,
        `${at} in [1, 2, 3]`,
        `10 / ${at} > 1`,
        `${at} + ${at} < 7`,
        `${at} != 2`,
      ]);
    case "number":
      return choose.of([`${at} > 1.0`, `${at} * 2.0 <= 5.0`, `${at} == 1.5`, `int(${at}) > 1`]);
    case "boolean":
      return choose.of([at, `!${at}`, `${at} == true`]);
    case "array":
      return arrayCondition(choose, schema, at, depth);
    default:
      return objectCondition(choose, schema, at, depth);
  }
}

function stringCondition(choose: Chooser, { format }: JsonObject, at: string): string {
  switch (format) {
    case "byte":
      return choose.of([`${at} == b'a'`, `${at}.size() < 4`]);
    case "duration":
      return choose.of([`${at} > duration('1h')`, `${at}.getSeconds() > 1`]);
    case "date":
    case "date-time":
      return choose.of([`${at} > timestamp('2020-01-01T00:00:00Z')`, `${at}.getMonth() < 6`]);
    default:
      return choose.of([
        `${at}.size() < 4`,
        `${at}.startsWith('a')`,
        `${at} in ['red', 'a', 'b']`,
        `${at}.matches('^[a-z]+$')`,
        `${at} + 'x' != 'ax'`,
        `${at}.contains('e') || ${at} == ''`,
        `int(${at}) > 1`,
        `${at}.split('').size() > 2`,
        `isQuantity(${at}) || isIP(${at})`,
      ]);
  }
}

function arrayCondition(choose: Chooser, { items }: JsonObject, at: string, depth: number): string {
  const element = isJsonObject(items) ? items : {};
  const x = `x${depth}`;
  const each = depth > 0 ? randomCondition(choose, element, x, depth - 1) : "true";
  return choose.of([
    `${at}.size() < 3`,
    `${at}.all(${x}, ${each})`,
    `${at}.exists(${x}, ${each})`,
    `${at}.exists_one(${x}, ${each})`,
    `${at}.filter(${x}, ${each}).size() != 1`,
    `${at}.map(${x}, ${x}).size() == ${at}.size()`,
    `${at} == ${at}`,
    `${at}[0] == ${at}[0]`,
  ]);
}

function objectCondition(choose: Chooser, schema: JsonObject, at: string, depth: number): string {
  const { properties, additionalProperties } = schema;
  if (isJsonObject(additionalProperties)) {
    const value = depth > 0 ? randomCondition(choose, additionalProperties, `${at}[k]`, 0) : "true";
    return choose.of([
      `${at}.size() < 3`,
      `${at}.all(k, k.size() < 5)`,
      `${at}.exists(k, ${value})`,
      `'a' in ${at}`,
      `${at} == ${at}`,
    ]);
  }
  const names = isJsonObject(properties) ? Object.keys(properties) : [];
  if (names.length === 0) return choose.of([`${at} == ${at}`, "true", `has(${at}.unknown)`]);
  const name = choose.of(names);
  const field = `${at}.${escapes[name] ?? name}`;
  const about = randomCondition(choose, (properties as JsonObject)[name] as JsonObject, field, depth - 1);
  return choose.of([`has(${field})`, `!has(${field}) || (${about})`, about, `has(${field}) && (${about})`]);
}
