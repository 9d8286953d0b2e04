import { deepEqual, getOwn, isJsonObject, type JsonObject, type JsonValue } from "../../json/index.js";
import type { Schema } from "../../schema/index.js";
import { equals } from "../values/equality.js";
import { EvalFailure } from "../values/eval-failure.js";
import { celValue, keysOf } from "../values/json.js";
import { double, intFromBigInt } from "../values/number.js";
import { showValue } from "../values/show.js";
import { parseDuration, parseTimestamp } from "../values/time.js";
import { type CelValue, elementsOf, ListValue, MapValue } from "../values/value.js";
import { escapeName, isReservedField } from "./escape-name.js";

/** Converts the JSON that a schema describes to values, each part when it is read. */
export type Convert = (raw: JsonValue) => CelValue;

const converters = new WeakMap<Schema, Convert>();

/** The converter of a schema, made once. */
export function converterOf(schema: Schema): Convert {
  const known = converters.get(schema);
  if (known !== undefined) return known;
  const convert = createConverter(schema);
  const nullable: Convert = (raw) => {
    if (raw !== null) return convert(raw);
    if (schema.nullable === true) return null;
    throw new EvalFailure("invalid data, got null for schema with nullable=false");
  };
  converters.set(schema, nullable);
  return nullable;
}

function createConverter(schema: Schema): Convert {
  if (schema["x-kubernetes-int-or-string"] === true) return intOrString;
  switch (schema.type) {
    case "object":
      return objectConverter(schema);
    case "array":
      return listConverter(schema);
    case "string":
      return stringConverter(schema.format);
    case "number":
      return (raw) => double(Number(numberOf(raw, "float")));
    case "integer":
      return (raw) => {
        const value = numberOf(raw, "int");
        if (typeof value === "bigint") return intFromBigInt(value);
        return Number.isSafeInteger(value) ? value + 0 : intFromBigInt(BigInt(Math.trunc(value)));
      };
    case "boolean":
      return (raw) => {
        if (typeof raw !== "boolean") throw new EvalFailure("invalid data, expected bool");
        return raw;
      };
    default:
      return celValue;
  }
}

function intOrString(raw: JsonValue): CelValue {
  if (typeof raw === "string" || typeof raw === "bigint" || Number.isInteger(raw)) return celValue(raw);
  throw new EvalFailure("invalid data, expected XIntOrString value to be either a string or integer");
}

function numberOf(raw: JsonValue, expected: string): number | bigint {
  if (typeof raw !== "number" && typeof raw !== "bigint") throw new EvalFailure(`invalid data, expected ${expected}`);
  return raw;
}

function stringConverter(format: string | undefined): Convert {
  const parse = format === undefined ? undefined : formats[format];
  return (raw) => {
    if (typeof raw !== "string") throw new EvalFailure("invalid data, expected string");
    return parse === undefined ? raw : parse(raw);
  };
}

const formats: Readonly<Record<string, (text: string) => CelValue>> = {
  byte: (text) => new Uint8Array(Buffer.from(text, "base64")),
  date: (text) => parseTimestamp(`${text}T00:00:00Z`) ?? invalid("date formatted string", text),
  "date-time": (text) =>
    parseTimestamp(text.replace(/[tz]/g, (letter) => letter.toUpperCase())) ??
    invalid("date-time formatted string", text),
  duration: (text) => parseDuration(text) ?? invalid("duration", text),
};

function invalid(what: string, text: string): never {
  throw new EvalFailure(`Invalid ${what} ${text}`);
}

interface Field {
  readonly key: string;
  readonly convert: Convert;
}

/** The fields of an object by the names that expressions use, and by their own. */
interface Fields {
  readonly byName: ReadonlyMap<string, Field>;
  readonly byKey: ReadonlyMap<string, string>;
}

function objectConverter(schema: Schema): Convert {
  const { additionalProperties } = schema;
  const properties =
    schema["x-kubernetes-embedded-resource"] === true ? withObjectMeta(schema).properties : schema.properties;
  if (properties === undefined && typeof additionalProperties === "object") {
    return (raw) => new SchemaMap(objectOf(raw), converterOf(additionalProperties));
  }
  let fields: Fields | undefined;
  return (raw) => {
    fields ??= fieldsOf(properties ?? {});
    return new SchemaObject(objectOf(raw), fields);
  };
}

function objectOf(raw: JsonValue): JsonObject {
  if (!isJsonObject(raw))
    throw new EvalFailure("invalid data, expected a map for the provided schema with type=object");
  return raw;
}

function fieldsOf(properties: NonNullable<Schema["properties"]>): Fields {
  const byName = new Map<string, Field>();
  const byKey = new Map<string, string>();
  for (const [key, schema] of Object.entries(properties)) {
    const name = escapeName(key);
    if (name === undefined) continue;
    const field: Field = { key, convert: converterOf(schema) };
    byName.set(name, field);
    if (isReservedField(key)) byName.set(key, field);
    byKey.set(key, name);
  }
  return { byName, byKey };
}

const text: Schema = { type: "string" };

/** What every resource has beside the schema of its own. */
export function withObjectMeta(schema: Schema): Schema {
  const metadata: Schema = { type: "object", properties: { name: text, generateName: text } };
  return { ...schema, properties: { ...schema.properties, kind: text, apiVersion: text, metadata } };
}

/** An object with the properties of a schema. A field that is null is absent. */
class SchemaObject extends MapValue {
  readonly #raw: JsonObject;
  readonly #fields: Fields;

  constructor(raw: JsonObject, fields: Fields) {
    super();
    this.#raw = raw;
    this.#fields = fields;
  }

  get size(): number {
    return keysOf(this.#raw).length;
  }

  get(name: CelValue): CelValue | undefined {
    const field = typeof name === "string" ? this.#fields.byName.get(name) : undefined;
    if (field === undefined) return undefined;
    const raw = getOwn(this.#raw, field.key);
    return raw === undefined || raw === null ? undefined : field.convert(raw);
  }

  keys(): CelValue[] {
    return keysOf(this.#raw).flatMap((key) => this.#fields.byKey.get(key) ?? []);
  }

  /** Compares the fields that the schema does not declare, where both objects have them. */
  override hidesOtherThan(other: MapValue): boolean {
    if (!(other instanceof SchemaObject)) return false;
    const raw = this.#raw;
    return keysOf(raw).some(
      (key) => !this.#fields.byKey.has(key) && Object.hasOwn(other.#raw, key) && !deepEqual(raw[key], other.#raw[key]),
    );
  }
}

/** An object whose keys are data. */
class SchemaMap extends MapValue {
  readonly #raw: JsonObject;
  readonly #convert: Convert;

  constructor(raw: JsonObject, convert: Convert) {
    super();
    this.#raw = raw;
    this.#convert = convert;
  }

  get size(): number {
    return keysOf(this.#raw).length;
  }

  get(key: CelValue): CelValue | undefined {
    const raw = typeof key === "string" ? getOwn(this.#raw, key) : undefined;
    return raw === undefined ? undefined : this.#convert(raw);
  }

  keys(): CelValue[] {
    return keysOf(this.#raw);
  }
}

function listConverter(schema: Schema): Convert {
  const items = schema.items;
  if (items === undefined) {
    return () => {
      throw new EvalFailure("invalid array type, expected Items with a non-empty Schema");
    };
  }
  const kind = schema["x-kubernetes-list-type"] ?? "atomic";
  const keys = (schema["x-kubernetes-list-map-keys"] ?? []).map((key) => escapeName(key) ?? key);
  return (raw) => {
    if (!Array.isArray(raw)) {
      throw new EvalFailure("invalid data, expected an array for the provided schema with type=array");
    }
    return new SchemaList(raw, converterOf(items), kind, keys);
  };
}

/** A list whose equality and sum follow its `x-kubernetes-list-type`. */
class SchemaList extends ListValue {
  readonly #raw: readonly JsonValue[];
  readonly #convert: Convert;
  readonly #kind: "atomic" | "set" | "map";
  readonly #keys: readonly string[];

  constructor(raw: readonly JsonValue[], convert: Convert, kind: "atomic" | "set" | "map", keys: readonly string[]) {
    super([]);
    this.#raw = raw;
    this.#convert = convert;
    this.#kind = kind;
    this.#keys = keys;
  }

  override get length(): number {
    return this.#raw.length;
  }

  override at(index: number): CelValue {
    return this.#convert(this.#raw[index] ?? null);
  }

  /** Sets and maps are equal in any order. */
  override equals(other: ListValue): boolean | undefined {
    return this.#kind === "atomic" ? undefined : this.equalsAs(elementsOf(this), other);
  }

  /** Equality of this list's kind, for other elements. */
  equalsAs(mine: readonly CelValue[], other: ListValue): boolean {
    const byKey = new Map(mine.map((value) => [this.#keyOf(value), value]));
    return elementsOf(other).every((value) => {
      const found = byKey.get(this.#keyOf(value));
      return found !== undefined && equals(found, value);
    });
  }

  /** Elements of the other list replace those of the same key, or follow. */
  override concat(other: ListValue): ListValue {
    if (this.#kind === "atomic") return super.concat(other);
    const byKey = new Map(elementsOf(this).map((value) => [this.#keyOf(value), value]));
    for (const value of elementsOf(other)) {
      const key = this.#keyOf(value);
      if (this.#kind === "map" || !byKey.has(key)) byKey.set(key, value);
    }
    return new MergedList([...byKey.values()], this);
  }

  /** What tells elements apart: their keys in a map, themselves in a set. */
  #keyOf(value: CelValue): string {
    if (this.#kind !== "map" || !(value instanceof MapValue)) return showValue(value);
    return this.#keys.map((key) => showValue(value.get(key) ?? null)).join(" ");
  }
}

/** The sum of two sets or maps, which is one itself. */
class MergedList extends ListValue {
  readonly #origin: SchemaList;

  constructor(items: readonly CelValue[], origin: SchemaList) {
    super(items);
    this.#origin = origin;
  }

  override equals(other: ListValue): boolean {
    return this.#origin.equalsAs(this.items, other);
  }
}
