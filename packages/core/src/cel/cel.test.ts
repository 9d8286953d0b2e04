import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json/index.js";
import {
  AuthorizerValue,
  authorizerType,
  type CelValue,
  celValue,
  compile,
  dynType,
  type Environment,
  type Evaluation,
  kubernetesEnvironment,
  schemaDeclaration,
} from "./index.js";
import { equals } from "./values/equality.js";
import { showValue } from "./values/show.js";

const environment = kubernetesEnvironment({ variables: { self: dynType, a: dynType, b: dynType } });

function evaluate(source: string, bindings: Readonly<Record<string, CelValue>> = {}, limit?: number): Evaluation {
  const compiled = compile(source, environment);
  if (compiled.kind === "rejected") throw new Error(compiled.message);
  return compiled.program.evaluate(bindings, limit);
}

function shown(source: string, bindings: Readonly<Record<string, CelValue>> = {}): string {
  const evaluation = evaluate(source, bindings);
  return evaluation.kind === "value" ? showValue(evaluation.value) : evaluation.message;
}

function messageOf(source: string, given: Environment): string {
  const compiled = compile(source, given);
  return compiled.kind === "rejected" ? compiled.message : "accepted";
}

const maxInt = 2n ** 63n - 1n;
const minInt = -(2n ** 63n);
const int64 = fc.oneof(fc.bigInt({ min: minInt, max: maxInt }), fc.bigInt({ min: -1_000n, max: 1_000n }));

describe("arithmetic", () => {
  test("of ints is exact in 64 bits, and an overflow is a failure", () => {
    const operate: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
      "+": (a, b) => a + b,
      "-": (a, b) => a - b,
      "*": (a, b) => a * b,
      "/": (a, b) => a / b,
      "%": (a, b) => a % b,
    };
    fc.assert(
      fc.property(int64, int64, fc.constantFrom("+", "-", "*", "/", "%"), (a, b, operator) => {
        const found = shown(`(${a}) ${operator} (${b})`);
        if (b === 0n && operator === "/") expect(found).toBe("division by zero");
        else if (b === 0n && operator === "%") expect(found).toBe("modulus by zero");
        else {
          const exact = operate[operator]?.(a, b) ?? 0n;
          const overflows = exact < minInt || exact > maxInt || (operator === "%" && a === minInt && b === -1n);
          expect(found).toBe(overflows ? "integer overflow" : String(exact));
        }
      }),
      { numRuns: 500 },
    );
  });

  test("binds as the grammar says, with and without parentheses", () => {
    const tree: fc.Arbitrary<{ bare: string; full: string }> = fc.letrec<{ node: { bare: string; full: string } }>(
      (tie) => ({
        node: fc.oneof(
          { maxDepth: 5 },
          fc.nat({ max: 9 }).map((value) => ({ bare: String(value), full: String(value) })),
          fc.tuple(tie("node"), fc.constantFrom("+", "-"), fc.nat({ max: 9 })).map(([left, operator, right]) => ({
            bare: `${left.bare} ${operator} ${right}`,
            full: `(${left.full} ${operator} ${right})`,
          })),
          fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }), tie("node")).map(([left, right, rest]) => ({
            bare: `${left} * ${right} + (${rest.bare})`,
            full: `((${left} * ${right}) + ${rest.full})`,
          })),
        ),
      }),
    ).node;
    fc.assert(
      fc.property(tree, ({ bare, full }) => {
        expect(shown(bare)).toBe(shown(full));
      }),
    );
  });
});

describe("equality", () => {
  test("holds of a value and its copy, is symmetric, and compares numbers of all types by value", () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(equals(celValue(left), celValue(structuredClone(left)))).toBe(true);
        expect(equals(celValue(left), celValue(right))).toBe(equals(celValue(right), celValue(left)));
      }),
    );
    fc.assert(
      fc.property(fc.integer(), (value) => {
        expect(shown(`a == ${value}.0`, { a: celValue(value) })).toBe("true");
      }),
    );
  });
});

describe("compile", () => {
  const pieces = fc.constantFrom(
    ..."self a b . ? [ ] { } ( ) , : + - * / % ! && || == < in true null 1 1u 1.5 'x' \"y\" b'z' r'\\' .all( has( x, ` ' \" \\ // \n @".split(
      " ",
    ),
  );

  test("never throws, whatever it is given, and ends", () => {
    const soup = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: "binary" })), (source) => {
        const compiled = compile(source, environment);
        if (compiled.kind === "program")
          expect(compiled.program.evaluate({ self: 1, a: 2, b: 3 }).kind).toBeTypeOf("string");
        else expect(compiled.message).toMatch(/./);
      }),
      { numRuns: 800 },
    );
  });

  test("reads every string that a literal can hold", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const quoted = JSON.stringify(text).replaceAll("\\/", "/");
        expect(evaluate(quoted)).toMatchObject({ kind: "value", value: text });
      }),
    );
  });

  test("limits how long and how deep an expression may be", () => {
    const limit = "ERROR: <input>:-1:0: ";
    expect(messageOf(`${"(".repeat(249)}1${")".repeat(249)}`, environment)).toBe("accepted");
    expect(messageOf(`${"(".repeat(250)}1${")".repeat(250)}`, environment)).toBe(
      `${limit}expression recursion limit exceeded: 250`,
    );
    expect(messageOf(`1${"+1".repeat(250)}`, environment)).toBe("accepted");
    expect(messageOf(`1${"+1".repeat(251)}`, environment)).toBe(`${limit}max recursion depth exceeded`);
    expect(messageOf(`'${"a".repeat(100_000)}'`, environment)).toBe(
      `${limit}expression code point size exceeds limit: size: 100002, limit 100000`,
    );
  });

  test("has the libraries of the version it is for", () => {
    const since: Readonly<Record<string, number>> = {
      "optional.of(1)": 28,
      "quantity('1')": 28,
      "sets.contains([1], [1])": 29,
      "ip('::1')": 30,
      "cidr('::/0')": 30,
      "format.uuid()": 31,
      "[1].all(i, v, i < v)": 32,
      "semver('1.2.3')": 33,
      "[1].reverse()": 34,
    };
    for (const [source, minor] of Object.entries(since)) {
      expect(messageOf(source, kubernetesEnvironment({ minorVersion: minor })), source).toBe("accepted");
      const before = messageOf(source, kubernetesEnvironment({ minorVersion: minor - 1 }));
      expect(before, source).toMatch(/undeclared reference|no matching overload/);
    }
    expect(messageOf("jsonpatch.escapeKey('a')", kubernetesEnvironment())).toContain("undeclared reference");
    const patches = kubernetesEnvironment({ extraLibraries: ["jsonpatch"] });
    const escaped = compile("jsonpatch.escapeKey('a/b~c')", patches);
    expect(escaped.kind === "program" && escaped.program.evaluate({})).toMatchObject({ value: "a~1b~0c" });
  });
});

describe("cost", () => {
  test("stops a loop when its limit is reached, with the server's message", () => {
    const list = celValue(Array.from({ length: 1_000 }, (_, index) => index));
    const rule = "self.all(x, self.all(y, x + y >= 0))";
    const stopped = evaluate(rule, { self: list }, 10_000);
    expect(stopped).toMatchObject({
      kind: "cost-exceeded",
      message: "operation cancelled: actual cost limit exceeded",
    });
    // No more than one round beyond the limit.
    expect(stopped.cost).toBeLessThan(10_100);
    expect(evaluate("self.all(x, x >= 0)", { self: list }, 10_000).kind).toBe("value");
  });

  test("is not absorbed by a logical operator", () => {
    const list = celValue(Array.from({ length: 100 }, () => 1));
    expect(evaluate("self.all(x, x > 0) || true", { self: list }, 50).kind).toBe("cost-exceeded");
  });
});

describe("an authorizer", () => {
  const given = kubernetesEnvironment({ variables: { authorizer: authorizerType } });

  function ask(source: string): { readonly evaluation: Evaluation; readonly asked: unknown[] } {
    const asked: unknown[] = [];
    const authorizer = new AuthorizerValue((question, verb, serviceAccount) => {
      asked.push({ question, verb, serviceAccount });
      return { isAllowed: verb === "get", reason: "because", error: "" };
    });
    const compiled = compile(source, given);
    if (compiled.kind === "rejected") throw new Error(compiled.message);
    return { evaluation: compiled.program.evaluate({ authorizer }), asked };
  }

  test("is asked about resources and paths, for a ServiceAccount if one is named", () => {
    const pods = ask(
      "authorizer.serviceAccount('ns', 'sa').group('').resource('pods').namespace('ns').labelSelector('a=b').check('get').allowed()",
    );
    expect(pods.evaluation).toMatchObject({ kind: "value", value: true });
    expect(pods.asked).toMatchObject([
      {
        question: { kind: "resource", group: "", resource: "pods", namespace: "ns", labelSelector: "a=b" },
        verb: "get",
        serviceAccount: { namespace: "ns", name: "sa" },
      },
    ]);
    const path = ask("authorizer.path('/healthz').check('put').reason()");
    expect(path.evaluation).toMatchObject({ kind: "value", value: "because", cost: 350_003 });
  });
});

describe("schemaDeclaration", () => {
  test("has no type for a schema that says none", () => {
    expect(schemaDeclaration({ "x-kubernetes-preserve-unknown-fields": true })).toBe(undefined);
    expect(schemaDeclaration({ type: "array" })).toBe(undefined);
  });

  test("knows how often a value fits into a request", () => {
    expect(schemaDeclaration({ type: "integer" })?.maxCardinality).toBe(1_572_864);
  });
});
