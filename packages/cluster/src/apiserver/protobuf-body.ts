import { createRequire } from "node:module";
import { type JsonObject, type JsonValue, normaliseJson, parseJson, setOwn } from "@kubewright/core/json";
import { integerOf, textOf, wireFields } from "./protobuf-reader.js";

/** The prefix of every protobuf object. */
const magic = Buffer.from("k8s\0", "latin1");

/** Maximum nesting depth of messages. */
const maxDepth = 100;

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
  readonly isMap: boolean;
  /** A pointer field: its zero value was set explicitly. */
  readonly isPointer: boolean;
  readonly isInline: boolean;
}

/**
 * Decodes a protobuf body to the JSON form of the object.
 *
 * Supports the GA kinds of Kubernetes. Throws a RangeError for other bytes.
 */
export function decodeProtobuf(bytes: Uint8Array): JsonObject {
  if (!magic.equals(bytes.subarray(0, magic.length)))
    throw new RangeError("provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  let typeMeta: Uint8Array = new Uint8Array();
  let raw: Uint8Array = new Uint8Array();
  for (const { number, value } of wireFields(bytes.subarray(magic.length))) {
    if (typeof value === "bigint") continue;
    if (number === 1) typeMeta = value;
    if (number === 2) raw = value;
  }
  let apiVersion = "";
  let kind = "";
  for (const { number, value } of wireFields(typeMeta)) {
    if (number === 1) apiVersion = textOf(value);
    if (number === 2) kind = textOf(value);
  }
  const message = messageOf(apiVersion, kind);
  if (message === undefined) throw new RangeError(`no kind "${kind}" is registered for version "${apiVersion}"`);
  return { apiVersion, kind, ...decodeMessage(raw, message, 0) };
}

const meta = "k8s.io.apimachinery.pkg.apis.meta.v1";

/** Packages of groups that do not follow the naming by the first label of the group. */
const packages: Readonly<Record<string, string>> = {
  "": "k8s.io.api.core",
  "apiextensions.k8s.io": "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions",
  "apiregistration.k8s.io": "k8s.io.kube_aggregator.pkg.apis.apiregistration",
};

function messageOf(apiVersion: string, kind: string): string | undefined {
  const slash = apiVersion.indexOf("/");
  const group = apiVersion.slice(0, Math.max(slash, 0));
  const version = apiVersion.slice(slash + 1);
  const folder = Object.hasOwn(packages, group) ? packages[group] : `k8s.io.api.${group.split(".", 1)[0]}`;
  return [`${folder}.${version}.${kind}`, `${meta}.${kind}`].find((name) => Object.hasOwn(data(), name));
}

let loaded: Readonly<Record<string, string>> | undefined;

/** The message definitions that `tools/api-data` extracted from the Go modules. Loaded on the first protobuf body. */
function data(): Readonly<Record<string, string>> {
  loaded ??= createRequire(import.meta.url)("#protobuf-data") as Readonly<Record<string, string>>;
  return loaded;
}

/** Parsed message definitions. */
const known = new Map<string, ReadonlyMap<number, Field>>();

function fieldsOf(message: string): ReadonlyMap<number, Field> {
  let fields = known.get(message);
  if (!fields) {
    const lines = (data()[message] ?? "").split("\n").filter((line) => line !== "");
    fields = new Map(
      lines.map((line) => {
        const [number = "", name = "", type = "", flags = ""] = line.split(" ");
        const has = (flag: string): boolean => flags.includes(flag);
        return [
          Number(number),
          { name, type, isList: has("r"), isMap: has("m"), isPointer: has("p"), isInline: has("i") },
        ];
      }),
    );
    known.set(message, fields);
  }
  return fields;
}

function decodeMessage(bytes: Uint8Array, message: string, depth: number): JsonObject {
  if (depth > maxDepth) throw new RangeError(`the body of the request is nested deeper than ${maxDepth}`);
  const object: Record<string, JsonValue> = {};
  const fields = fieldsOf(message);
  for (const { number, value } of wireFields(bytes)) {
    const field = fields.get(number);
    if (!field) continue;
    if (field.isMap) {
      const entry = decodeEntry(value, field.type, depth);
      if (!Object.hasOwn(object, field.name)) object[field.name] = {};
      setOwn(object[field.name] as Record<string, JsonValue>, entry.key, entry.value);
      continue;
    }
    const decoded = decodeValue(value, field.type, depth);
    if (field.isList) {
      const list = object[field.name];
      if (Array.isArray(list)) list.push(decoded);
      else object[field.name] = [decoded];
    } else if (field.isInline) Object.assign(object, decoded);
    // A non-pointer field is always encoded; JSON omits its zero value.
    else if (field.isPointer || !isZero(decoded)) object[field.name] = decoded;
  }
  return object;
}

function isZero(value: JsonValue): boolean {
  if (value === null || value === "" || value === 0 || value === false) return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}

function decodeEntry(
  value: bigint | Uint8Array,
  type: string,
  depth: number,
): { readonly key: string; readonly value: JsonValue } {
  let key = "";
  let inner: JsonValue = type === "string" || type === "bytes" ? "" : {};
  for (const part of wireFields(asBytes(value))) {
    if (part.number === 1) key = textOf(part.value);
    if (part.number === 2) inner = decodeValue(part.value, type, depth);
  }
  return { key, value: inner };
}

function asBytes(value: bigint | Uint8Array): Uint8Array {
  if (typeof value === "bigint") throw new RangeError("proto: wrong wireType");
  return value;
}

function decodeValue(value: bigint | Uint8Array, type: string, depth: number): JsonValue {
  switch (type) {
    case "string":
      return textOf(value);
    case "bytes":
      return Buffer.from(asBytes(value)).toString("base64");
    case "bool":
      return value !== 0n;
    case "int32":
    case "uint32":
      return integerOf(value);
    case "int64":
    case "uint64":
      return typeof value === "bigint" ? normaliseJson(BigInt.asIntN(64, value)) : 0;
    case "double": {
      const bytes = asBytes(value);
      return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
    }
    default: {
      const scalar = Object.hasOwn(scalars, type) ? scalars[type] : undefined;
      return scalar ? scalar(asBytes(value), depth) : message(value, type, depth);
    }
  }
}

function message(value: bigint | Uint8Array, type: string, depth: number): JsonValue {
  return decodeMessage(asBytes(value), type, depth + 1);
}

type ScalarMessage = (bytes: Uint8Array, depth: number) => JsonValue;

/** Messages with a special JSON form. */
const scalars: Readonly<Record<string, ScalarMessage>> = {
  [`${meta}.Time`]: (bytes) => time(bytes, 0),
  [`${meta}.MicroTime`]: (bytes) => time(bytes, 6),
  [`${meta}.FieldsV1`]: embeddedJson,
  "k8s.io.apimachinery.pkg.runtime.RawExtension": embeddedJson,
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSON": embeddedJson,
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray": schemaOr,
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool": schemaOr,
  "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray": schemaOr,
  "k8s.io.apimachinery.pkg.api.resource.Quantity": (bytes) => numbered(bytes, 1, textOf) ?? "0",
  "k8s.io.apimachinery.pkg.util.intstr.IntOrString": (bytes) =>
    numbered(bytes, 1, integerOf) === 1 ? (numbered(bytes, 3, textOf) ?? "") : (numbered(bytes, 2, integerOf) ?? 0),
  "k8s.io.api.authentication.v1.ExtraValue": strings,
  "k8s.io.api.authorization.v1.ExtraValue": strings,
  "k8s.io.api.certificates.v1.ExtraValue": strings,
};

function numbered<T>(bytes: Uint8Array, fieldNumber: number, read: (value: bigint | Uint8Array) => T): T | undefined {
  let found: T | undefined;
  for (const { number, value } of wireFields(bytes)) if (number === fieldNumber) found = read(value);
  return found;
}

function strings(bytes: Uint8Array): JsonValue {
  return [...wireFields(bytes)].map(({ value }) => textOf(value));
}

/** Null for an empty message. */
function time(bytes: Uint8Array, digits: number): JsonValue {
  if (bytes.length === 0) return null;
  const seconds = numbered(bytes, 1, integerOf) ?? 0;
  const nanos = numbered(bytes, 2, integerOf) ?? 0;
  // The zero time of Go.
  if (seconds === -62_135_596_800) return null;
  const whole = new Date(seconds * 1_000).toISOString().slice(0, 19);
  return digits === 0 ? `${whole}Z` : `${whole}.${String(Math.floor(nanos / 1_000)).padStart(6, "0")}Z`;
}

function embeddedJson(bytes: Uint8Array): JsonValue {
  const text = numbered(bytes, 1, textOf) ?? "";
  return text === "" ? null : parseJson(text);
}

const schemaMessage = "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";

/** A schema, a list of schemas, a list of strings, or a boolean. */
function schemaOr(bytes: Uint8Array, depth: number): JsonValue {
  const list: JsonValue[] = [];
  let allows: boolean | undefined;
  for (const { number, value } of wireFields(bytes)) {
    if (typeof value === "bigint") allows = value !== 0n;
    else if (number === 1 || (number === 2 && allows !== undefined)) return message(value, schemaMessage, depth);
    else list.push(textOf(value));
  }
  return allows ?? list;
}
