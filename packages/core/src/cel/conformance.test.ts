import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { expect, test } from "vitest";

import { isJsonObject, type JsonObject, type JsonValue } from "../json/index.js";
import { type CelValue, compile, dynType, kubernetesEnvironment } from "./index.js";
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
} from "./types/cel-type.js";
import { equals } from "./values/equality.js";
import { LiteralMap } from "./values/literal-map.js";
import { double, intFromBigInt } from "./values/number.js";
import { showValue } from "./values/show.js";
import { parseDuration, parseTimestamp } from "./values/time.js";
import { typeOf } from "./values/type-of.js";
import { ListValue, TypeValue, UintValue } from "./values/value.js";

/** One test of the specification's data, in protobuf's JSON. */
interface ConformanceTest {
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

/** Files of the specification that are about what Kubernetes 1.36 does not have. */
const excludedFiles: Readonly<Record<string, string>> = {
  bindings_ext: "Kubernetes 1.36 does not enable cel.bind",
  block_ext: "Kubernetes 1.36 does not enable cel.block",
  encoders_ext: "Kubernetes 1.36 does not enable base64",
  enums: "Kubernetes has no protobuf enums",
  math_ext: "Kubernetes 1.36 does not enable math",
  proto2_ext: "Kubernetes has no protobuf extensions",
};

const newerFormat = "Kubernetes has version 2 of the strings library, whose format differs";
const unlikeCelGo = "cel-go, and so Kubernetes, deviates from the specification";

/** Single tests that fail on Kubernetes too, by file, section and name. */
const excludedTests: Readonly<Record<string, string>> = {
  "fields/qualified_identifier_resolution/map_key_float": unlikeCelGo,
  "fields/qualified_identifier_resolution/map_value_repeat_key": unlikeCelGo,
  "fields/qualified_identifier_resolution/map_value_repeat_key_heterogeneous": unlikeCelGo,
  "optionals/optionals/map_null_entry_no_such_key": unlikeCelGo,
  "optionals/optionals/map_present_key_invalid_field": unlikeCelGo,
  "string_ext/format/scientific notation formatting clause": newerFormat,
  "string_ext/format/default precision for scientific notation": newerFormat,
  "string_ext/format/positive infinity support for scientific notation": newerFormat,
  "string_ext/format/negative infinity support for scientific notation": newerFormat,
  "string_ext/format/NaN support for decimal": newerFormat,
  "string_ext/format/positive infinity support for decimal": newerFormat,
  "string_ext/format/negative infinity support for decimal": newerFormat,
  "string_ext/format/positive infinity support for fixed-point": newerFormat,
  "string_ext/format/negative infinity support for fixed-point": newerFormat,
  "string_ext/format/list support for string": newerFormat,
  "string_ext/format/map support for string": newerFormat,
  "string_ext/format/map support (all key types)": newerFormat,
  "string_ext/format/dyntype support for scientific notation": newerFormat,
  "string_ext/format/dyntype NaN/infinity support": newerFormat,
  "string_ext/format/dyntype support for lists": newerFormat,
  "string_ext/format/dyntype support for maps": newerFormat,
  "string_ext/format/scientific notation formatting clause in a string variable": newerFormat,
  "string_ext/value_errors/indexof_out_of_range": unlikeCelGo,
  "string_ext/value_errors/lastindexof_out_of_range": unlikeCelGo,
  "type_deductions/legacy_nullable_types/null_assignable_to_abstract_parameter_candidate": unlikeCelGo,
};

/** Why a test does not apply to Kubernetes; undefined for all that must pass. */
function exclusionOf(file: string, path: string, test: ConformanceTest): string | undefined {
  const listed = excludedFiles[file] ?? excludedTests[path];
  if (listed !== undefined) return listed;
  if (test.container !== undefined) return "Kubernetes resolves names in no container";
  if (/\.`/.test(test.expr)) return "Kubernetes does not enable quoted field names";
  const declared = JSON.stringify([test.typeEnv, test.bindings, test.value, test.typedResult]);
  if (
    /messageType|objectValue":\{"@type":"type.googleapis.com\/(?!google.protobuf.(Timestamp|Duration))/.test(declared)
  ) {
    return "Kubernetes has no protobuf messages";
  }
  if (/google\.protobuf\.(?!Timestamp\b|Duration\b)|\bTestAllTypes\b/.test(test.expr)) {
    return "Kubernetes has no protobuf messages";
  }
  if (/"function":/.test(declared)) return "The test declares a function of its own";
  return undefined;
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
function runConformanceTest(test: ConformanceTest): string | undefined {
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

interface Suite {
  readonly name: string;
  readonly suites?: readonly Suite[];
  readonly tests?: readonly { readonly original: ConformanceTest }[];
}

interface Result {
  readonly passed: number;
  readonly excluded: number;
  readonly failed: readonly string[];
}

function testsOf(suite: Suite, path: string): (readonly [string, ConformanceTest])[] {
  const own = (suite.tests ?? []).map(({ original }) => [`${path}/${original.name ?? ""}`, original] as const);
  return [...own, ...(suite.suites ?? []).flatMap((inner) => testsOf(inner, `${path}/${inner.name}`))];
}

function run(suite: Suite): Result {
  const failed: string[] = [];
  let [passed, excluded] = [0, 0];
  for (const [path, one] of testsOf(suite, suite.name)) {
    const exclusion = exclusionOf(suite.name, path, one);
    if (exclusion !== undefined) {
      excluded++;
      continue;
    }
    const problem = runConformanceTest(one);
    if (problem === undefined) passed++;
    // Some tests evaluate what the checker rejects. Kubernetes evaluates checked expressions only.
    else if (one.disableCheck === true && problem.startsWith("ERROR: ")) excluded++;
    else failed.push(`${path}: ${one.expr}: ${problem}`);
  }
  return { passed, excluded, failed };
}

test("the specification's conformance tests pass wherever they apply to Kubernetes", () => {
  const results = (tests as Suite).suites?.map((suite) => [suite.name, run(suite)] as const) ?? [];
  expect(results.flatMap(([, { failed }]) => failed)).toEqual([]);
  const counts = results.map(([name, { passed, excluded }]) => `${name}: ${passed} passed, ${excluded} excluded`);
  expect(counts).toMatchInlineSnapshot(`
    [
      "basic: 41 passed, 2 excluded",
      "bindings_ext: 0 passed, 5 excluded",
      "block_ext: 0 passed, 37 excluded",
      "comparisons: 330 passed, 76 excluded",
      "conversions: 109 passed, 0 excluded",
      "dynamic: 0 passed, 226 excluded",
      "encoders_ext: 0 passed, 4 excluded",
      "enums: 0 passed, 85 excluded",
      "fields: 51 passed, 9 excluded",
      "fp_math: 30 passed, 0 excluded",
      "integer_math: 64 passed, 0 excluded",
      "lists: 39 passed, 0 excluded",
      "logic: 25 passed, 5 excluded",
      "macros: 44 passed, 0 excluded",
      "macros2: 46 passed, 0 excluded",
      "math_ext: 0 passed, 199 excluded",
      "namespace: 1 passed, 2 excluded",
      "optionals: 57 passed, 13 excluded",
      "parse: 176 passed, 43 excluded",
      "plumbing: 5 passed, 0 excluded",
      "proto2: 0 passed, 108 excluded",
      "proto2_ext: 0 passed, 18 excluded",
      "proto3: 0 passed, 75 excluded",
      "string: 51 passed, 0 excluded",
      "string_ext: 187 passed, 22 excluded",
      "timestamps: 75 passed, 1 excluded",
      "type_deductions: 20 passed, 27 excluded",
      "unknowns: 0 passed, 0 excluded",
      "wrappers: 0 passed, 36 excluded",
    ]
  `);
});
