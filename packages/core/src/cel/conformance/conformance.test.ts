import { tests } from "@bufbuild/cel-spec/testdata/conformance.js";
import { expect, test } from "vitest";
import { exclusionOf } from "./exclusions.js";
import { type ConformanceTest, runConformanceTest } from "./run-conformance.js";

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
      "fields: 57 passed, 3 excluded",
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
