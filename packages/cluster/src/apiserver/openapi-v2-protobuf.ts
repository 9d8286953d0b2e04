import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "@kubewright/core/json";
import { asList, asObject, entriesOf } from "./json-parts.js";

/** The media type of OpenAPI v2 in protobuf; some clients write `@` for the second dot. */
export const protobufV2Type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * Encodes an OpenAPI v2 document in the protobuf format that kubectl and client-go request.
 *
 * Field numbers are those of the `openapi.v2` messages in gnostic. Encodes everything that kubectl reads: schemas, paths, parameters and
 * extensions.
 */
export function protobufV2(document: JsonObject): Buffer {
  const info = asObject(document["info"]);
  return message(
    text(1, document["swagger"]),
    field(2, message(text(1, info["title"]), text(2, info["version"]))),
    field(
      8,
      message(...entriesOf(document["paths"]).map(([name, item]) => field(2, named(name, pathItem(asObject(item)))))),
    ),
    field(
      9,
      message(...entriesOf(document["definitions"]).map(([name, schema]) => field(1, named(name, schemaOf(schema))))),
    ),
  );
}

/** Field number and encoding of each schema keyword. */
const schemaFields: Readonly<Record<string, readonly [number, (number: number, value: JsonValue) => Buffer]>> = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, bool],
  minimum: [9, double],
  exclusiveMinimum: [10, bool],
  maxLength: [11, count],
  minLength: [12, count],
  pattern: [13, text],
  maxItems: [14, count],
  minItems: [15, count],
  uniqueItems: [16, bool],
  maxProperties: [17, count],
  minProperties: [18, count],
  required: [19, strings],
  enum: [20, (number, value) => message(...asList(value).map((one) => field(number, any(one))))],
  additionalProperties: [
    21,
    (number, value) => field(number, typeof value === "boolean" ? bool(2, value) : field(1, schemaOf(value))),
  ],
  type: [22, (number, value) => field(number, text(1, value))],
  items: [23, (number, value) => field(number, field(1, schemaOf(value)))],
  properties: [
    25,
    (number, value) =>
      field(number, message(...entriesOf(value).map(([name, schema]) => field(1, named(name, schemaOf(schema)))))),
  ],
};

function schemaOf(schema: JsonValue): Buffer {
  return message(
    ...entriesOf(schema).map(([key, value]) => {
      if (key.startsWith("x-")) return field(31, named(key, any(value)));
      const known = schemaFields[key];
      return known ? known[1](known[0], value) : Buffer.alloc(0);
    }),
  );
}

const verbs: Readonly<Record<string, number>> = { get: 2, put: 3, post: 4, delete: 5, patch: 8 };

function pathItem(item: JsonObject): Buffer {
  const operations = Object.entries(verbs).map(([verb, number]) =>
    isJsonObject(item[verb]) ? field(number, operation(item[verb])) : Buffer.alloc(0),
  );
  return message(...operations, ...asList(item["parameters"]).map((one) => field(9, parameter(asObject(one)))));
}

function operation(value: JsonObject): Buffer {
  const responses = entriesOf(value["responses"]).map(([code, response]) => {
    const { description, schema } = asObject(response);
    const body = message(text(1, description), field(2, field(1, schemaOf(schema ?? {}))));
    return field(1, named(code, field(1, body)));
  });
  return message(
    strings(6, value["produces"]),
    strings(7, value["consumes"]),
    ...asList(value["parameters"]).map((one) => field(8, parameter(asObject(one)))),
    field(9, message(...responses)),
    strings(10, value["schemes"]),
    ...entriesOf(value)
      .filter(([key]) => key.startsWith("x-"))
      .map(([key, inner]) => field(13, named(key, any(inner)))),
  );
}

function parameter(value: JsonObject): Buffer {
  const { name, required, schema, type } = value;
  if (value["in"] === "body")
    return field(
      1,
      field(1, message(text(2, name), text(3, "body"), bool(4, required), field(5, field(1, schemaOf(schema ?? {}))))),
    );
  const start = message(bool(1, required), text(2, value["in"]), text(4, name));
  const own =
    value["in"] === "path"
      ? field(4, message(start, text(5, type)))
      : field(3, message(start, text(6, type), bool(20, value["uniqueItems"])));
  return field(1, field(2, own));
}

/** Encodes an arbitrary value as YAML, of which JSON is a subset. */
function any(value: JsonValue): Buffer {
  return text(2, `${stringifyJson(value)}\n`);
}

function named(name: string, value: Buffer): Buffer {
  return message(text(1, name), field(2, value));
}

function message(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat(parts);
}

function field(number: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function text(number: number, value: JsonValue | undefined): Buffer {
  return typeof value === "string" && value !== "" ? field(number, Buffer.from(value, "utf8")) : Buffer.alloc(0);
}

function strings(number: number, value: JsonValue | undefined): Buffer {
  return message(...asList(value).map((one) => text(number, one)));
}

function bool(number: number, value: JsonValue | undefined): Buffer {
  return value === true ? Buffer.from([...varint(number << 3), 1]) : Buffer.alloc(0);
}

function count(number: number, value: JsonValue): Buffer {
  return typeof value === "number" ? Buffer.concat([varint(number << 3), varint(value)]) : Buffer.alloc(0);
}

function double(number: number, value: JsonValue): Buffer {
  if (typeof value !== "number") return Buffer.alloc(0);
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([varint((number << 3) | 1), bytes]);
}

/** Encodes a non-negative integer. Uses division, because lengths and counts may exceed 32 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = Math.max(0, Math.trunc(value));
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  bytes.push(left);
  return Buffer.from(bytes);
}
