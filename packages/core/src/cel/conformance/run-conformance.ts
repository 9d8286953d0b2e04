import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.js";
import { type CelValue, compile, dynType, kubernetesEnvironment } from "../index.js";
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeOfType,
  uintType,
} from "../types/cel-type.js";
import { equals } from "../values/equality.js";
import { LiteralMap } from "../values/literal-map.js";
import { double, intFromBigInt } from "../values/number.js";
import { showValue } from "../values/show.js";
import { parseDuration, parseTimestamp } from "../values/time.js";
import { typeOf } from "../values/type-of.js";
import { ListValue, TypeValue, UintValue } from "../values/value.js";

/** One test of the specification's data, in protobuf's JSON. */
export interface ConformanceTest {
  readonly name?: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly JsonObject[];
  readonly bindings?: { readonly [name: string]: JsonValue };
  readonly value?: JsonObject;
  readonly evalError?: JsonObject;
  readonly typedResult?: JsonObject;
}

const primitives: Readonly<Record<string, CelType>> = {
  BOOL: boolType,
  BYTES: bytesType,
  DOUBLE: doubleType,
  INT64: intType,
  STRING: stringType,
  UINT64: uintType,
  DURATION: durationType,
  TIMESTAMP: timestampType,
};

function field(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** Throws for types that need protobuf. */
function typeFrom(value: JsonValue | undefined): CelType {
  if (!isJsonObject(value)) throw new TypeError("No type");
  const [[kind, inner]] = Object.entries(value) as [[string, JsonValue]];
  switch (kind) {
    case "primitive":
    case "wellKnown": {
      const type = primitives[String(inner)];
      if (type !== undefined) return type;
      break;
    }
    case "dyn":
      return dynType;
    case "null":
      return nullType;
    case "listType":
      return listType(typeFrom(field(inner, "elemType") ?? { dyn: {} }));
    case "mapType":
      return mapType(typeFrom(field(inner, "keyType")), typeFrom(field(inner, "valueType")));
    case "type":
      return typeOfType(isJsonObject(inner) && Object.keys(inner).length > 0 ? typeFrom(inner) : dynType);
    case "abstractType": {
      const [param] = field(inner, "parameterTypes") as readonly JsonValue[];
      return optionalType(typeFrom(param));
    }
  }
  throw new TypeError(`Unknown type ${kind}`);
}

/** Throws for values that need protobuf. */
function valueFrom(value: JsonValue | undefined): CelValue {
  if (!isJsonObject(value)) throw new TypeError("No value");
  const [[kind, inner]] = Object.entries(value) as [[string, JsonValue]];
  switch (kind) {
    case "int64Value":
      return intFromBigInt(BigInt(String(inner)));
    case "uint64Value":
      return new UintValue(BigInt(String(inner)));
    case "doubleValue":
      return double(Number(inner));
    case "stringValue":
    case "boolValue":
      return inner as string | boolean;
    case "nullValue":
      return null;
    case "bytesValue":
      return new Uint8Array(Buffer.from(String(inner), "base64"));
    case "typeValue":
      return new TypeValue({ kind: "dyn", name: String(inner), params: [] });
    case "listValue":
      return new ListValue(((field(inner, "values") ?? []) as readonly JsonValue[]).map(valueFrom));
    case "mapValue": {
      const entries = (field(inner, "entries") ?? []) as readonly JsonValue[];
      return LiteralMap.of(entries.map((entry) => [valueFrom(field(entry, "key")), valueFrom(field(entry, "value"))]));
    }
    case "objectValue": {
      const text = String(field(inner, "value"));
      const type = String(field(inner, "@type"));
      const parsed = type.endsWith("Timestamp")
        ? parseTimestamp(text)
        : type.endsWith("Duration")
          ? parseDuration(text)
          : undefined;
      if (parsed !== undefined) return parsed;
    }
  }
  throw new TypeError(`Unknown value ${kind}`);
}

/** Undefined when the test passes; otherwise what was found instead. */
export function runConformanceTest(test: ConformanceTest): string | undefined {
  const variables: Record<string, CelType> = {};
  const bindings: Record<string, CelValue> = {};
  try {
    for (const declared of test.typeEnv ?? []) {
      variables[String(declared["name"])] = typeFrom(field(declared["ident"], "type"));
    }
    for (const [name, bound] of Object.entries(test.bindings ?? {})) bindings[name] = valueFrom(field(bound, "value"));
  } catch (error) {
    return String(error);
  }
  // Lists of several types belong to the language, though Kubernetes rejects them before it evaluates anything.
  const environment = { ...kubernetesEnvironment({ variables }), validatesLiterals: false };
  const result = compile(test.expr, environment);
  if (result.kind === "rejected") return test.evalError === undefined ? result.message : undefined;
  if (test.checkOnly) return checkType(test, result.program.type);
  const evaluation = result.program.evaluate(bindings);
  if (evaluation.kind !== "value") return test.evalError === undefined ? evaluation.message : undefined;
  const shown = showValue(evaluation.value);
  if (test.evalError !== undefined) return `value ${shown}`;
  const expectation = test.value ?? field(test.typedResult, "result");
  try {
    const expected = expectation === undefined ? true : valueFrom(expectation);
    const isSame = typeOf(expected).kind === typeOf(evaluation.value).kind && same(expected, evaluation.value);
    return isSame ? checkType(test, result.program.type) : `value ${shown}, not ${showValue(expected)}`;
  } catch (error) {
    return String(error);
  }
}

function same(expected: CelValue, actual: CelValue): boolean {
  return equals(expected, actual) || showValue(expected) === showValue(actual);
}

function checkType({ typedResult }: ConformanceTest, type: CelType): string | undefined {
  const deduced = field(typedResult, "deducedType");
  if (deduced === undefined) return undefined;
  const expected = JSON.stringify(typeFrom(deduced));
  return expected === JSON.stringify(type) ? undefined : `type ${JSON.stringify(type)}, not ${expected}`;
}
