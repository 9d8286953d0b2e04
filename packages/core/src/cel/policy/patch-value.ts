import { type JsonValue, setOwn } from "../../json/index.js";
import { StructValue } from "../values/struct-value.js";
import { formatDuration, formatTimestamp } from "../values/time.js";
import { typeOf } from "../values/type-of.js";
import {
  type CelValue,
  DoubleValue,
  DurationValue,
  elementsOf,
  ListValue,
  MapValue,
  OptionalValue,
  TimestampValue,
  UintValue,
} from "../values/value.js";

/** Why a value of an expression cannot be a part of an object. */
export class UnusableValue extends Error {
  override readonly name = "UnusableValue";
}

/** The JSON of what an expression returned. Throws {@link UnusableValue} for a map whose keys are no strings, and for what JSON has no form for. */
export function jsonOf(value: CelValue): JsonValue {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof DoubleValue) return value.value;
  if (value instanceof UintValue) {
    return value.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value.value) : value.value;
  }
  if (value instanceof ListValue) {
    const items: JsonValue[] = [];
    for (let index = 0; index < value.length; index++) items.push(jsonOf(value.at(index)));
    return items;
  }
  if (value instanceof MapValue) {
    const object: Record<string, JsonValue> = {};
    for (const key of value.keys()) {
      if (typeof key !== "string")
        throw new UnusableValue(`map key "${String(key)}" is of type ${typeOf(key).name}, not string`);
      setOwn(object, key, jsonOf(value.get(key) ?? null));
    }
    return object;
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof TimestampValue) return formatTimestamp(value);
  if (value instanceof DurationValue) return formatDuration(value);
  if (value instanceof OptionalValue && value.value !== undefined) return jsonOf(value.value);
  throw new UnusableValue(`a value of type ${typeOf(value).name} has no JSON form`);
}

/** The fields of each object in a list that an expression made, such as `[JSONPatch{op: "add"}]`. */
export function structsIn(value: CelValue): readonly ReadonlyMap<string, CelValue>[] {
  if (!(value instanceof ListValue)) return [];
  return elementsOf(value).flatMap((item) => (item instanceof StructValue ? [item.fields] : []));
}

/**
 * Objects of an apply configuration whose type is not that of the field that holds them: `Object.spec{selector: Object.spec.wrong{}}`. Lists and
 * maps between them have no names.
 */
export function typeNameProblems(value: CelValue): readonly string[] {
  const root = value instanceof StructValue ? value.type.name : "";
  const problems: string[] = [];
  const visit = (current: CelValue, expected: string): void => {
    if (current instanceof StructValue) {
      const { name } = current.type;
      if (name !== expected) {
        problems.push(
          `unexpected type name "${name}", expected "${expected}", which matches field name path from root Object type`,
        );
      }
      for (const [field, inner] of current.fields) visit(inner, `${expected}.${field}`);
    } else if (current instanceof ListValue) {
      for (let index = 0; index < current.length; index++) visit(current.at(index), expected);
    } else if (current instanceof MapValue) {
      for (const key of current.keys()) visit(current.get(key) ?? null, expected);
    }
  };
  visit(value, root);
  return problems;
}
