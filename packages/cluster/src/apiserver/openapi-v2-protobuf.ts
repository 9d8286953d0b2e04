import { isJsonObject, type JsonObject, type JsonValue } from "@kubewright/core/json";
import { asList, asObject, entriesOf } from "./json-parts.js";

/** The type under which clients ask for it; some write `@` for the second dot. */
export const protobufV2Type = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

/**
 * A document of version 2 in the binary form that kubectl and client-go ask for.
 *
 * Field numbers are those of the messages of `openapi.v2` in gnostic's published Go module; everything that kubectl reads is written: schemas,
 * paths, parameters and extensions.
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

/** Where each keyword of a schema goes, and as what. */
const schemaFields: Readonly<Record<string, readonly [number, (number: number, value: JsonValue) => Buffer]>> = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, truth],
  minimum: [9, double],
  exclusiveMinimum: [10, truth],
  maxLength: [11, count],
  minLength: [12, count],
  pattern: [13, text],
  maxItems: [14, count],
  minItems: [15, count],
  uniqueItems: [16, truth],
  maxProperties: [17, count],
  minProperties: [18, count],
  required: [19, texts],
  enum: [20, (number, value) => message(...asList(value).map((one) => field(number, any(one))))],
  additionalProperties: [
    21,
    (number, value) => field(number, typeof value === "boolean" ? truth(2, value) : field(1, schemaOf(value))),
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
    texts(6, value["produces"]),
    texts(7, value["consumes"]),
    ...asList(value["parameters"]).map((one) => field(8, parameter(asObject(one)))),
    field(9, message(...responses)),
    texts(10, value["schemes"]),
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
      field(1, message(text(2, name), text(3, "body"), truth(4, required), field(5, field(1, schemaOf(schema ?? {}))))),
    );
  const start = message(truth(1, required), text(2, value["in"]), text(4, name));
  const own =
    value["in"] === "path"
      ? field(4, message(start, text(5, type)))
      : field(3, message(start, text(6, type), truth(20, value["uniqueItems"])));
  return field(1, field(2, own));
}

/** Any value travels as YAML, of which JSON is a part. */
function any(value: JsonValue): Buffer {
  return text(2, `${JSON.stringify(value)}\n`);
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

function texts(number: number, value: JsonValue | undefined): Buffer {
  return message(...asList(value).map((one) => text(number, one)));
}

function truth(number: number, value: JsonValue | undefined): Buffer {
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

/** A number from 0 on, seven bits at a time; by division, because lengths and counts may exceed 32 bits. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = Math.max(0, Math.trunc(value));
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  bytes.push(left);
  return Buffer.from(bytes);
}
