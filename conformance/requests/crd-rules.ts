import type { JsonObject, JsonValue } from "@kubewright/core/json";
import { apply, get, mergePatch, post, put, type RequestStep, subject, wording } from "../test-case.js";
import { changeSpec, defineSpec, postSpecs } from "./custom-kind.js";
import { define, specSchema, widget, widgets } from "./sample-objects.js";
import { properties } from "./schema-rules.js";

const at = `${widgets}/a`;
const rules = (...given: readonly (string | JsonObject)[]): JsonObject => ({
  "x-kubernetes-validations": given.map((rule) => (typeof rule === "string" ? { rule } : rule)),
});
const integer = (...given: readonly (string | JsonObject)[]): JsonObject => ({ type: "integer", ...rules(...given) });
const string = (...given: readonly (string | JsonObject)[]): JsonObject => ({
  type: "string",
  maxLength: 100,
  ...rules(...given),
});
const bounded = (items: JsonObject, rest: JsonObject = {}): JsonObject => ({
  type: "array",
  maxItems: 10,
  items,
  ...rest,
});
const byName = { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] };

/** Creates the Widget `a` with the first spec, then changes its spec to each of the others. */
function changes(first: JsonValue, ...specs: readonly JsonObject[]): RequestStep[] {
  return [post(widgets, widget("a", { spec: first })), ...specs.map((spec) => mergePatch(at, { spec }))];
}

/** Waits until a spec is rejected: a real server takes some time until it uses a new schema. */
function untilRejected(spec: JsonObject): RequestStep {
  const body = widget("b", { spec });
  return { ...post(`${widgets}?dryRun=All`, body), until: { status: 422 }, silent: true };
}

/** Validation of the rules of CRDs. */
export const ruleChecks = subject("crd-rule-checks", {
  "a rule with a syntax error or a wrong type is rejected": wording(
    properties(
      integer("self >"),
      integer("self > 'a'"),
      integer("self + 1"),
      integer("self.size > 1"),
      { type: "object", properties: { a: { type: "string" } }, ...rules("self.b == 'x'") },
      string("self.unknown()"),
      string("size(self) > 1u"),
    ),
  ),
  "an invalid messageExpression is rejected": properties(
    integer({ rule: "self > 1", messageExpression: "self" }),
    integer({ rule: "self > 1", messageExpression: "self +" }),
    integer({ rule: "self > 1", messageExpression: "'at least 2, not ' + string(self)" }),
  ),
  "oldSelf is rejected where elements have no old value": properties(
    bounded(integer("self >= oldSelf")),
    bounded({ type: "object", required: ["name"], properties: { name: string("self == oldSelf") } }, byName),
    { type: "object", maxProperties: 5, additionalProperties: integer("self >= oldSelf") },
    bounded({ type: "object", properties: { a: { type: "object", properties: { b: integer("self >= oldSelf") } } } }),
  ),
  "optionalOldSelf needs a rule with oldSelf": properties(
    integer({ rule: "self > 1", optionalOldSelf: true }),
    integer({ rule: "self > 1", optionalOldSelf: false }),
    integer({ rule: "!oldSelf.hasValue() || self >= oldSelf.value()", optionalOldSelf: true }),
    integer({ rule: "self >= oldSelf", optionalOldSelf: true }),
  ),
  "a rule whose estimated cost is too large is rejected": wording(
    properties(
      { type: "array", items: { type: "string" }, ...rules("self.all(x, self.all(y, x == y))") },
      { type: "array", items: { type: "string", maxLength: 10 }, ...rules("self.all(x, self.exists_one(y, x == y))") },
      { type: "string", ...rules("self.contains(self)") },
      bounded(string("self.matches('a*')")),
    ),
  ),
  "the estimated cost of all rules is limited": properties({
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [
        `p${index}`,
        {
          type: "array",
          maxItems: 500,
          items: { type: "string", maxLength: 30 },
          ...rules("self.all(x, self.exists(y, x == y))"),
        },
      ]),
    ),
  }),
  "a default that breaks a rule is rejected": properties(
    { ...integer("self > 1"), default: 1 },
    { ...integer("self > 1"), default: 2 },
    { ...integer("self > oldSelf"), default: 2 },
    { "x-kubernetes-int-or-string": true, default: true, ...rules("self == oldSelf") },
    { "x-kubernetes-int-or-string": true, default: 1.5, ...rules("self == oldSelf") },
    { "x-kubernetes-int-or-string": true, default: 2, ...rules("self == oldSelf") },
    { type: "object", default: { a: 1 }, properties: { a: integer("self > 1") } },
  ),
  "a default that breaks a rule hides the errors of rules": properties(
    {
      type: "object",
      properties: {
        size: { ...integer("self > 1"), default: 1 },
        name: { type: "string", ...rules("self.contains(self)", "self >") },
      },
    },
    bounded({ type: "object", ...rules("has(self.unknown)") }, { default: [{}] }),
    {
      type: "object",
      properties: {
        size: { ...integer("self > 1"), default: 1 },
        name: { ...string("self != ''"), default: 1 },
        other: { type: "string", ...rules("self.contains(self)") },
      },
    },
    {
      type: "object",
      properties: { size: { ...integer("self > 1"), default: 1 }, list: { ...bounded(string()), uniqueItems: true } },
    },
  ),
  "rules are checked where the schema has no other error": properties(
    {
      type: "object",
      properties: {
        size: integer("self >"),
        list: { ...bounded(string("self >")), uniqueItems: true, ...rules("self.unknown()") },
      },
      ...rules("self.missing"),
    },
    {
      type: "object",
      properties: { name: { type: "string", ...rules("self.contains(self)"), "x-kubernetes-list-type": "set" } },
    },
  ),
  "a default below additionalProperties may break a rule": properties({
    type: "object",
    maxProperties: 5,
    additionalProperties: {
      type: "object",
      default: { size: 1 },
      properties: { size: { ...integer("self > 1"), default: 1 } },
    },
  }),
  "names that CEL reserves are escaped": wording(
    properties(
      { type: "object", properties: { namespace: { type: "string" } }, ...rules("self.__namespace__ == 'a'") },
      { type: "object", properties: { "a-b": { type: "string" } }, ...rules("self.a__dash__b == 'a'") },
      { type: "object", properties: { "a.b/c": { type: "string" } }, ...rules("self.a__dot__b__slash__c == 'a'") },
      { type: "object", properties: { a$b: { type: "string" } }, ...rules("self['a$b'] == 'a'") },
    ),
  ),
  "metadata is visible by name only": [
    ...wording(
      properties({
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
        ...rules("self.metadata.name == 'a'", "self.kind == 'B'"),
      }),
      properties({
        type: "object",
        "x-kubernetes-embedded-resource": true,
        properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
        ...rules("self.metadata.labels.size() > 0"),
      }),
    ),
  ],
  "functions of the Kubernetes libraries are known": properties(
    string(
      "url(self).getHost() != ''",
      "isURL(self)",
      "self.find('[0-9]+') != ''",
      "quantity(self).isGreaterThan(quantity('1'))",
    ),
    string(
      "isIP(self) && ip(self).family() == 4",
      "isCIDR(self)",
      "semver(self).major() > 0",
      "!format.named('dns1123Label').hasValue()",
    ),
    bounded(
      { type: "integer" },
      rules("self.isSorted()", "self.sum() > 1", "self.max() < 10", "sets.contains(self, [1])"),
    ),
    string(
      "self.lowerAscii() == self",
      "self.split(',').size() > 1",
      "self.replace('a', 'b') != ''",
      "cel.bind(x, self, x != '')",
    ),
  ),
});

/** Evaluation of the rules of CRDs. */
export const crdRules = subject("crd-rules", {
  "values that do not equal themselves": wording(
    defineSpec({
      items: bounded(
        {
          type: "object",
          required: ["name"],
          properties: { name: { type: "string", maxLength: 5 }, size: { type: "integer" } },
        },
        { ...byName, ...rules("self == self") },
      ),
      set: bounded({ type: "string", maxLength: 5 }, { "x-kubernetes-list-type": "set", ...rules("self == self") }),
      number: integer(
        "[double('NaN')].all(x, x == x)",
        "[double('NaN')].all(x, x != x)",
        "[[double('NaN')]].all(x, x == x)",
      ),
    }),
    postSpecs(
      { items: [{ name: "a", size: 1 }] },
      { items: [{ name: "b", size: 1 }, { name: "b" }] },
      { items: [{ name: "b" }, { name: "b" }] },
      { set: ["a", "a"] },
      { number: 1 },
    ),
  ),
  "a rule rejects a value with its message, reason and field": [
    defineSpec({
      size: integer("self > 1", { rule: "self < 10", message: "must be small" }),
      color: string({ rule: "self != 'red'", reason: "FieldValueForbidden", message: "not red" }),
      shape: {
        type: "object",
        properties: { sides: { type: "integer" }, name: { type: "string" } },
        ...rules(
          { rule: "self.sides > 2", fieldPath: ".sides", reason: "FieldValueRequired", message: "more sides" },
          { rule: "self.name != 'x'", fieldPath: ".name", reason: "FieldValueDuplicate" },
        ),
      },
    }),
    wording(
      postSpecs({ size: 1 }, { size: 12 }, { color: "red" }, { shape: { sides: 1, name: "a" } }),
      postSpecs({ shape: { sides: 5, name: "x" } }, { size: 5, color: "blue", shape: { sides: 3, name: "b" } }),
    ),
  ],
  "a rule of the whole object sees spec and status": [
    define({
      ...specSchema({ min: { type: "integer" }, max: { type: "integer" } }, rules("self.min <= self.max")),
      ...rules("self.metadata.name.startsWith('a')", "!has(self.status) || self.status.ready"),
    }),
    wording(
      post(widgets, widget("a", { spec: { min: 1, max: 2 } })),
      post(widgets, widget("b", { spec: { min: 1, max: 2 } })),
      post(widgets, widget("ab", { spec: { min: 3, max: 2 } })),
      mergePatch(at, { status: { ready: false } }),
    ),
  ],
  "rules of the status apply to the status subresource": [
    define(
      {
        type: "object",
        properties: {
          spec: { type: "object", properties: { size: integer("self < 5") } },
          status: { type: "object", properties: { replicas: integer("self >= 0") }, ...rules("self.replicas < 100") },
        },
      },
      { subresources: { status: {} } },
    ),
    post(widgets, widget("a", { spec: { size: 1 } })),
    wording(
      mergePatch(`${at}/status`, { status: { replicas: -1 } }),
      mergePatch(`${at}/status`, { status: { replicas: 100 } }),
      mergePatch(`${at}/status`, { status: { replicas: 5 } }),
      mergePatch(at, { spec: { size: 9 } }),
    ),
  ],
  "a transition rule compares with the old value": [
    defineSpec({
      size: integer({ rule: "self >= oldSelf", message: "must not shrink" }),
      color: string({ rule: "self == oldSelf", message: "is immutable" }),
      first: string({ rule: "oldSelf.hasValue() || self == 'new'", optionalOldSelf: true }),
    }),
    wording(changes({ size: 5, color: "a", first: "old" })),
    wording(
      changes(
        { size: 5, color: "a", first: "new" },
        { size: 4 },
        { size: 6 },
        { color: "b" },
        { color: null },
        { color: "c" },
      ),
    ),
  ],
  "objects without declared fields are equal if their common fields are": [
    defineSpec({
      one: { type: "object", "x-kubernetes-preserve-unknown-fields": true, ...rules("self == oldSelf") },
      other: { type: "object", "x-kubernetes-preserve-unknown-fields": true, ...rules("self != oldSelf") },
    }),
    post(widgets, widget("a", { spec: { one: { a: 1, b: [] } } })),
    wording(
      mergePatch(at, { spec: { one: { a: 2 } } }),
      mergePatch(at, { spec: { one: { a: null, c: 1 } } }),
      mergePatch(at, { spec: { one: { c: 2, b: [1] } } }),
      mergePatch(at, { spec: { one: { d: 1 } } }),
      mergePatch(at, { spec: { other: { a: 1, b: [] } } }),
      mergePatch(at, { spec: { other: { a: 2 } } }),
      mergePatch(at, { spec: { other: { a: null, c: 1 } } }),
      mergePatch(at, { spec: { other: { a: 1 } } }),
    ),
  ],
  "a write without changes is checked by transition rules": [
    defineSpec(
      { size: integer({ rule: "self > oldSelf", message: "must grow" }), other: integer("oldSelf == self") },
      { subresources: { status: {} } },
    ),
    post(widgets, widget("a", { spec: { size: 1 } }), { capture: { rv: "metadata.resourceVersion" } }),
    wording(
      mergePatch(at, { spec: { size: 1 } }),
      mergePatch(at, {}),
      put(at, widget("a", { spec: { size: 1 } }, { resourceVersion: "{rv}" })),
      apply(`${at}?fieldManager=one`, widget("a", { spec: { size: 1 } })),
      apply(`${at}/status?fieldManager=one`, widget("a")),
      mergePatch(`${at}/status`, {}),
    ),
    post(widgets, widget("b", { spec: { other: 1 } })),
    wording(mergePatch(`${widgets}/b`, {}), mergePatch(`${widgets}/b/status`, {})),
    get(widgets),
  ],
  "a write without changes is checked by new rules": [
    defineSpec({ size: { type: "integer" }, color: { type: "string" } }),
    post(widgets, widget("a", { spec: { size: 1 } })),
    post(widgets, widget("b", { spec: { color: "a" } })),
    changeSpec({ size: integer("self > 1"), color: string("int(self) > 1") }),
    untilRejected({ size: 1 }),
    wording(mergePatch(at, {}), mergePatch(`${widgets}/b`, {})),
  ],
  "an object without a name is not checked by rules": [
    defineSpec({ size: integer("self > 1") }),
    wording(
      post(widgets, { ...widget("a", { spec: { size: 1 } }), metadata: {} }),
      post(widgets, { ...widget("a", { spec: { size: 2 } }), metadata: {} }),
      post(widgets, { ...widget("a", { spec: { size: 1 } }), metadata: { generateName: "a-" } }),
      post(widgets, { ...widget("a", { spec: { size: 1 } }), metadata: { name: "A" } }),
      post(widgets, { ...widget("a", { spec: { size: 1 } }), metadata: { name: "a", labels: { a: "-" } } }),
    ),
    post(widgets, widget("a", { spec: { size: 2 } })),
    wording(mergePatch(at, { metadata: { labels: { a: "-" } }, spec: { size: 1 } })),
  ],
  "elements of a map list are correlated by their keys": [
    defineSpec({
      parts: bounded(
        {
          type: "object",
          required: ["name"],
          properties: { name: string(), size: integer({ rule: "self >= oldSelf", message: "must not shrink" }) },
        },
        byName,
      ),
      sizes: { type: "object", maxProperties: 5, additionalProperties: integer({ rule: "self >= oldSelf" }) },
    }),
    wording(
      changes(
        {
          parts: [
            { name: "x", size: 3 },
            { name: "y", size: 1 },
          ],
          sizes: { a: 3 },
        },
        {
          parts: [
            { name: "y", size: 1 },
            { name: "x", size: 2 },
          ],
        },
        {
          parts: [
            { name: "z", size: 0 },
            { name: "x", size: 4 },
          ],
        },
        { sizes: { a: 2 } },
        { sizes: { b: 0 } },
      ),
    ),
  ],
  "rules apply to every element and entry": [
    defineSpec({
      list: bounded(integer("self % 2 == 0")),
      map: { type: "object", maxProperties: 5, additionalProperties: string("self.size() > 1") },
      "a.b": string("self == 'c'"),
      nested: bounded({ type: "object", properties: { inner: bounded(integer("self > 0")) } }),
    }),
    wording(
      postSpecs({ list: [1, 2, 3] }, { map: { x: "a", y: "bc" } }, { "a.b": "d" }),
      postSpecs({ nested: [{ inner: [1, 0] }, { inner: [-1] }] }, { list: [2], map: { x: "ab" }, "a.b": "c" }),
    ),
  ],
  "values that are null or missing have no rules": [
    defineSpec({
      size: { ...integer("self > 1"), nullable: true },
      list: bounded({ ...integer("self > 1"), nullable: true }),
    }),
    postSpecs({ size: null, list: [null, 2] }),
  ],
  "an evaluation that fails rejects the object": [
    defineSpec({
      any: { "x-kubernetes-int-or-string": true, ...rules("self > 1") },
      list: bounded({ type: "integer" }, rules("self[2] > 1")),
      map: { type: "object", maxProperties: 5, additionalProperties: { type: "string" }, ...rules("self['a'] == 'b'") },
      size: integer("10 / self > 1"),
      optional: { type: "object", properties: { a: { type: "string" } }, ...rules("self.a == 'b'") },
    }),
    wording(postSpecs({ any: "x" }, { any: 1 }, { any: 2 }, { list: [1] }, { map: {} }, { size: 0 }, { optional: {} })),
  ],
  "a messageExpression creates the message": [
    defineSpec({
      size: integer({ rule: "self > 1", messageExpression: "'not ' + string(self)", message: "fallback" }),
      bad: integer({ rule: "self > 1", messageExpression: "string(1 / 0)", message: "fallback" }),
      empty: integer({ rule: "self > 1", messageExpression: "'  '" }),
      lines: integer({ rule: "self > 1", messageExpression: "'a\\nb'" }),
    }),
    wording(postSpecs({ size: 1 }, { bad: 1 }, { empty: 1 }, { lines: 1 })),
  ],
  "an unchanged part may break a new rule": [
    defineSpec({ size: { type: "integer" }, color: { type: "string" } }),
    post(widgets, widget("a", { spec: { size: 1, color: "a" } })),
    changeSpec({ size: integer("self > 1"), color: string() }),
    untilRejected({ size: 1 }),
    wording(
      mergePatch(at, { spec: { color: "b" } }),
      mergePatch(at, { spec: { size: 0 } }),
      mergePatch(at, { spec: { size: 3 } }),
    ),
  ],
  "an atomic list may break a new rule only as a whole": [
    defineSpec({ color: { type: "string" }, list: bounded({ type: "string" }) }),
    post(widgets, widget("a", { spec: { list: ["x"] } })),
    changeSpec({ color: string(), list: bounded(string("self != 'x'")) }),
    untilRejected({ list: ["x"] }),
    wording(
      mergePatch(at, { spec: { color: "b" } }),
      mergePatch(at, { spec: { list: ["x", "y"] } }),
      mergePatch(at, { spec: { list: ["y"] } }),
    ),
  ],
  "rules are not evaluated for an object of the wrong type": [
    defineSpec({
      size: integer("self > 5"),
      color: { type: "string", enum: ["a"] },
      tall: { type: "integer", minimum: 3 },
    }),
    wording(postSpecs({ size: "a" }, { size: 1, color: "b" }, { size: 1, tall: 1 })),
  ],
  "the cost of an evaluation is limited": [
    defineSpec({
      list: {
        type: "array",
        maxItems: 1000,
        items: { type: "integer" },
        ...rules("self.all(x, self.all(y, x <= y || x > y))"),
      },
    }),
    wording(postSpecs({ list: Array.from({ length: 900 }, (_, index) => index) }, { list: [1, 2] })),
  ],
  "int64 values are exact in rules": [
    defineSpec({ big: { ...integer("self != 9007199254740993"), format: "int64" } }),
    wording(postSpecs({ big: 9007199254740992 })),
  ],
  "formats have types": [
    defineSpec({
      when: { type: "string", format: "date-time", ...rules("self > timestamp('2020-01-01T00:00:00Z')") },
      how: { type: "string", format: "duration", ...rules("self < duration('1h')") },
      day: { type: "string", format: "date", ...rules("self.getFullYear() == 2024") },
      raw: { type: "string", format: "byte", maxLength: 50, ...rules("size(self) == 2") },
    }),
    wording(
      postSpecs({ when: "2019-05-01T00:00:00Z" }, { how: "2h" }, { day: "2023-01-01" }, { raw: "YWJj" }),
      postSpecs({ when: "2021-05-01T00:00:00Z", how: "20m", day: "2024-01-01", raw: "YWI=" }),
    ),
  ],
  "an apply and a scale are checked by rules": [
    define(specSchema({ replicas: integer({ rule: "self < 10", message: "too many" }) }), {
      subresources: {
        status: {},
        scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
      },
    }),
    post(widgets, widget("a", { spec: { replicas: 1 } })),
    wording(
      mergePatch(`${at}/scale`, { spec: { replicas: 11 } }),
      mergePatch(`${at}/scale`, { spec: { replicas: 3 } }),
    ),
  ],
});
