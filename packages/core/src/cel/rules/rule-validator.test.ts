import { expect, test } from "vitest";
import { formatFieldError, type Schema } from "../../schema/index.js";
import { checkRules } from "./check-rules.js";
import { evaluateRules } from "./rule-validator.js";

const violations = (schema: Schema, object: object): readonly string[] =>
  evaluateRules(schema, { object: object as never, old: undefined, errors: [] }).errors.map(formatFieldError);

test("all rules of an object share one budget, after which none is evaluated", () => {
  // 10 numbers compared with 900 numbers each cost about 45,000 per element.
  const rule = "[0,1,2,3,4,5,6,7,8,9].all(x, self.all(y, y >= 0 || y == x))";
  const numbers: Schema = { type: "array", items: { type: "integer" }, "x-kubernetes-validations": [{ rule }] };
  const last: Schema = { type: "integer", "x-kubernetes-validations": [{ rule: "self > 1" }] };
  const schema: Schema = { type: "object", properties: { lists: { type: "array", items: numbers }, last } };
  const lists = Array.from({ length: 400 }, () => Array.from({ length: 900 }, (_, index) => index));
  const found = violations(schema, { lists, last: 0 });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(
    /^lists\[\d+\]: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run$/,
  );
  expect(violations(schema, { lists: lists.slice(0, 2), last: 0 })).toEqual([
    "last: Invalid value: 0: failed rule: self > 1",
  ]);
});

test("a rule that is stored but does not compile rejects objects with the reason", () => {
  const size: Schema = { type: "integer", "x-kubernetes-validations": [{ rule: "self.none" }] };
  expect(violations({ type: "object", properties: { size } }, { size: 1 })[0]).toContain(
    'size: Invalid value: "integer": rule compile error: compilation failed: ERROR: <input>:1:5',
  );
});

test("a property whose schema has no type has no rules", () => {
  const schema: Schema = {
    type: "object",
    properties: {
      any: { "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-validations": [{ rule: "self == 1" }] },
    },
  };
  expect(checkRules(schema, "s").map(({ type, field }) => `${type} ${field}`)).toEqual([
    "Internal s.properties[any].x-kubernetes-validations",
  ]);
  expect(violations(schema, { any: 2 })).toEqual([]);
});
