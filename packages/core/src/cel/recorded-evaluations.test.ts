import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/index.js";
import type { Schema } from "../schema/index.js";
import {
  type CelValue,
  celValue,
  compile,
  dynType,
  type Environment,
  kubernetesEnvironment,
  type MaxSizes,
  schemaDeclaration,
} from "./index.js";
import recorded from "./recorded-evaluations.gen.json" with { type: "json" };
import { showValue } from "./values/show.js";
import { typeOf } from "./values/type-of.js";

/** What cel-go of Kubernetes 1.36 made of an expression; `tools/cel-recordings` writes it. */
interface Recorded {
  readonly expr: string;
  readonly compile?: string;
  readonly program?: string;
  readonly type?: string;
  readonly estMin?: string;
  readonly estMax?: string;
  readonly value?: string;
  readonly err?: string;
  readonly cost?: number;
}

interface Setting {
  readonly environment: Environment;
  readonly bindings: Readonly<Record<string, CelValue>>;
  readonly maxSizes: MaxSizes;
}

/** After the first syntax error cel-go tries to go on, and finds more: here the first is the only one. */
const onlyFirstSyntaxError: ReadonlySet<string> = new Set(["a.in", "a ? : c", "in", "a in in"]);
/** Messages of the grammar's tool that are not imitated. */
const otherMessage: ReadonlySet<string> = new Set(["!", "-"]);

function check(expected: Recorded, { environment, bindings, maxSizes }: Setting): void {
  const { expr } = expected;
  const result = compile(expr, environment);
  if (result.kind === "rejected") {
    const message = expected.compile ?? expected.program;
    if (otherMessage.has(expr)) expect(message, expr).toContain("Syntax error");
    else if (onlyFirstSyntaxError.has(expr)) expect(message, expr).toContain(result.message);
    else expect(result.message, expr).toBe(message);
    return;
  }
  expect(expected.compile ?? expected.program, expr).toBe(undefined);
  const estimate = result.program.estimateCost(maxSizes);
  expect([estimate.min, estimate.max], `estimate of ${expr}`).toEqual([
    Number(expected.estMin),
    Number(expected.estMax),
  ]);
  const evaluation = result.program.evaluate(bindings, 1_000_000);
  if (evaluation.kind !== "value") {
    expect(evaluation.message, expr).toBe(expected.err);
    return;
  }
  const { value } = evaluation;
  expect(`${typeOf(value).name}:${showValue(value)}`, expr).toBe(expected.value ?? expected.err);
  expect(evaluation.cost, `cost of ${expr}`).toBe(expected.cost ?? 0);
}

describe("what Kubernetes' own CEL recorded", () => {
  test("expressions over variables without a schema", () => {
    const environment = kubernetesEnvironment({ variables: { self: dynType, oldSelf: dynType } });
    const plain: readonly Recorded[] = recorded.plain;
    expect(plain.length).toBeGreaterThan(500);
    for (const one of plain) check(one, { environment, bindings: {}, maxSizes: () => undefined });
  });

  test("rules over an object with a schema", () => {
    const declaration = schemaDeclaration(recorded.schema as Schema, { name: "selfType", isResource: true });
    if (declaration === undefined) throw new Error("The schema has a type");
    const { type, structs, sizes } = declaration;
    const environment = kubernetesEnvironment({ variables: { self: type, oldSelf: type }, structs });
    const bindings = {
      self: declaration.convert(recorded.self as JsonValue),
      oldSelf: declaration.convert(recorded.oldSelf as JsonValue),
    };
    const rules: readonly Recorded[] = recorded.rules;
    expect(rules.length).toBeGreaterThan(140);
    for (const one of rules) check(one, { environment, bindings, maxSizes: sizes });
  });

  test("a variable that is not bound is a failure of the evaluation", () => {
    const environment = kubernetesEnvironment({ variables: { self: dynType } });
    const result = compile("self", environment);
    if (result.kind === "rejected") throw new Error(result.message);
    expect(result.program.evaluate({})).toEqual({ kind: "failed", message: "no such attribute(s): self", cost: 0 });
    expect(result.program.evaluate({ self: celValue([1]) })).toMatchObject({ kind: "value", cost: 1 });
  });
});
