import type { ConformanceTest } from "./run-conformance.js";

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
export function exclusionOf(file: string, path: string, test: ConformanceTest): string | undefined {
  const listed = excludedFiles[file] ?? excludedTests[path];
  if (listed !== undefined) return listed;
  if (test.container !== undefined) return "Kubernetes resolves names in no container";
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
