import type { JsonObject, JsonValue } from "@kubewright/core/json";
import {
  apply,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  read,
  type Step,
  send,
  strategicPatch,
  subject,
  watch,
  wording,
} from "../test-case.js";
import { defineSpec } from "./custom-kind.js";
import { object, pods, widget, widgets } from "./sample-objects.js";

/** 2^53 + 1, the first integer that a double cannot hold. */
const odd = 9007199254740993n;
/** The highest and the lowest int64. */
const max = 9223372036854775807n;
const min = -9223372036854775808n;

const integer: JsonObject = { type: "integer" };

/** Widgets whose spec has integers in fields, in a set and in a list by key, and anything in `any`. */
const defineIntegers: Step[] = defineSpec(
  {
    big: { type: "integer", format: "int64" },
    small: { type: "integer", format: "int32" },
    plain: integer,
    number: { type: "number" },
    either: { "x-kubernetes-int-or-string": true },
    any: { "x-kubernetes-preserve-unknown-fields": true },
    limited: { ...integer, minimum: 5, maximum: 100 },
    multiple: { ...integer, multipleOf: 3 },
    choice: { ...integer, enum: [odd, 1] },
    default: { ...integer, default: odd },
    set: { type: "array", "x-kubernetes-list-type": "set", items: integer },
    list: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["id"],
      items: { type: "object", required: ["id"], properties: { id: integer, value: integer } },
    },
  },
  {
    additionalPrinterColumns: [
      { name: "Integer", type: "integer", jsonPath: ".spec.big" },
      { name: "Number", type: "number", jsonPath: ".spec.big" },
      { name: "String", type: "string", jsonPath: ".spec.big" },
      { name: "Any", type: "string", jsonPath: ".spec.any" },
      { name: "Found", type: "integer", jsonPath: `.spec.list[?(@.id>${odd - 1n})].value` },
    ],
  },
);

const a = `${widgets}/a`;
const spec = (fields: JsonObject): JsonObject => widget("a", { spec: fields });
/** Literals that JavaScript cannot write, as a value of the field. */
const literals = (field: string, ...values: readonly string[]): Step[] =>
  values.map((value) =>
    send("POST", `${widgets}?dryRun=All`, {
      text: `{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"${field}":${value}}}`,
    }),
  );
const revisions = "/apis/apps/v1/namespaces/{ns}/controllerrevisions";
const pod = (fields: JsonObject): JsonObject =>
  object("v1", "Pod", "a", { spec: { containers: [{ name: "main", image: "nginx" }], ...fields } });
const list = (id: JsonValue, value: JsonValue): JsonObject => ({ id, value });

/** Integers that a double would round. */
export const int64s = subject("int64", {
  "a custom resource keeps integers beyond 2^53 through create, get, list, watch, update and patches": [
    defineIntegers,
    post(widgets, spec({ big: odd, plain: max, number: min, either: odd, any: { deep: [odd, [max, { min }]] } }), {
      capture: { rv: "metadata.resourceVersion" },
    }),
    watch("w", `${widgets}?resourceVersion={rv}`),
    get(a),
    get(`${a}?pretty=true`),
    get(widgets),
    get(widgets, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    mergePatch(a, { spec: { big: odd + 2n } }),
    mergePatch(a, { spec: { big: odd + 2n } }),
    jsonPatch(
      a,
      [
        { op: "test", path: "/spec/big", value: odd + 2n },
        { op: "copy", from: "/spec/big", path: "/spec/plain" },
        { op: "replace", path: "/spec/big", value: odd + 4n },
      ],
      { capture: { latest: "metadata.resourceVersion" } },
    ),
    jsonPatch(a, [{ op: "test", path: "/spec/big", value: odd + 3n }]),
    put(a, widget("a", { spec: { big: max - 1n, any: odd } }, { resourceVersion: "{latest}" })),
    read("w", 3),
  ],
  "integers are compared, limited and defaulted by all their digits": wording(
    defineIntegers,
    post(`${widgets}?dryRun=All`, spec({ multiple: odd, choice: odd })),
    post(`${widgets}?dryRun=All`, spec({ multiple: odd + 1n })),
    post(`${widgets}?dryRun=All`, spec({ choice: odd - 1n })),
    post(`${widgets}?dryRun=All`, spec({ limited: odd })),
    post(`${widgets}?dryRun=All`, spec({ small: odd })),
    post(`${widgets}?dryRun=All`, spec({ big: String(odd) })),
    post(`${widgets}?dryRun=All`, spec({ set: [odd, odd - 1n], list: [list(odd, 1), list(odd - 1n, max)] })),
    post(`${widgets}?dryRun=All`, spec({ set: [odd, odd] })),
    post(`${widgets}?dryRun=All`, spec({ list: [list(odd, 1), list(odd, 2)] })),
  ),
  "limits of a schema are doubles": wording(
    defineSpec({
      above: { ...integer, minimum: odd },
      below: { ...integer, maximum: max },
      multiple: { ...integer, multipleOf: odd },
    }),
    post(`${widgets}?dryRun=All`, spec({ above: odd - 1n })),
    post(`${widgets}?dryRun=All`, spec({ above: 1 })),
    post(`${widgets}?dryRun=All`, spec({ below: 1 })),
    post(`${widgets}?dryRun=All`, spec({ multiple: odd })),
    post(`${widgets}?dryRun=All`, spec({ multiple: odd - 1n })),
  ),
  "a literal with a fraction or an exponent, or beyond int64, is a double": [
    defineIntegers,
    literals("any", "1e3", "1.0", "1e18", "1e20", "1e21", "9007199254740993.0", "-0"),
    literals("any", "9223372036854775808", "-9223372036854775809", "12345678901234567890123"),
    literals("big", "1e3", "1.0", "1e18", "1e20", "9007199254740993.0", "9223372036854775808"),
    literals("plain", "1e3", "1e18", "9223372036854775808"),
    literals("number", "1e18", "9223372036854775808"),
    literals("either", "1e3", "1e18", "9223372036854775808"),
  ],
  "an apply owns fields by integers beyond 2^53": [
    defineIntegers,
    apply(`${a}?fieldManager=one`, spec({ big: odd, set: [odd, 2], list: [list(odd, max)] })),
    apply(`${a}?fieldManager=one`, spec({ big: odd, set: [odd, 2], list: [list(odd, max)] })),
    apply(`${a}?fieldManager=two`, spec({ big: odd - 1n })),
    apply(`${a}?fieldManager=two&force=true`, spec({ big: odd + 2n })),
    apply(`${a}?fieldManager=one`, spec({ set: [2] })),
  ],
  "YAML keeps integers beyond 2^53": [
    defineIntegers,
    send("POST", widgets, {
      headers: { "content-type": "application/yaml" },
      text: `apiVersion: "{group}/v1"
kind: Widget
metadata: { name: a }
spec:
  big: ${odd}
  any: [${max}, ${min}, 9223372036854775808, 18446744073709551615, 18446744073709551616, +${odd}, 9_007_199_254_740_993]
`,
    }),
    get(a),
  ],
  "built-in kinds keep int64 fields beyond 2^53": wording(
    post(revisions, object("apps/v1", "ControllerRevision", "a", { revision: odd, data: { any: [odd, max] } })),
    get(`${revisions}/a`, { headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" } }),
    strategicPatch(`${revisions}/a`, { revision: max }),
    get(`${revisions}/a`, { headers: { accept: "application/yaml" } }),
    post(
      pods,
      pod({
        terminationGracePeriodSeconds: odd,
        tolerations: [{ operator: "Exists", effect: "NoExecute", tolerationSeconds: max }],
      }),
    ),
    post(`${pods}?dryRun=All`, pod({ activeDeadlineSeconds: odd })),
    post(`${pods}?dryRun=All`, pod({ priority: odd })),
    post(`${pods}?dryRun=All`, pod({ securityContext: { runAsUser: odd } })),
    post(
      "/api/v1/namespaces/{ns}/resourcequotas",
      object("v1", "ResourceQuota", "a", { spec: { hard: { pods: odd } } }),
    ),
  ),
});
