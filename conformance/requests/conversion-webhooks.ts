import type { JsonObject } from "@kubewright/core/json";
import {
  apply,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  read,
  remove,
  type Step,
  type Steps,
  subject,
  watch,
  wording,
} from "../test-case.js";
import { type ConversionScript, conversionUrl } from "../webhooks/index.js";
import { defineVersions } from "./custom-kind.js";
import { specSchema, version, widget, widgets } from "./sample-objects.js";

const v2Widgets = "/apis/{group}/v2/namespaces/{ns}/widgets";
const v2Widget = (name: string, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject => ({
  ...widget(name, rest, metadata),
  apiVersion: "{group}/v2",
});
const integer: JsonObject = { type: "integer" };
const text: JsonObject = { type: "string" };
const versions = [
  version("v1", specSchema({ size: integer, color: { ...text, default: "red" } })),
  version("v2", specSchema({ count: integer, color: text, shape: { ...text, default: "round" } }), { storage: false }),
];

/** Defines Widget with v1, which is stored and has `spec.size`, and v2, which has `spec.count`. A webhook converts them by the script. */
function converted(script: ConversionScript = {}, reviewVersions: readonly string[] = ["v1"]): Step[] {
  const clientConfig = { url: conversionUrl(script), caBundle: "{hooksCa}" };
  return defineVersions(versions, {
    conversion: { strategy: "Webhook", webhook: { clientConfig, conversionReviewVersions: [...reviewVersions] } },
  });
}

// A real server responds with a 503 until the storage of both versions is ready.
const createV1: Step = { ...post(widgets, widget("a", { spec: { size: 1 } })), until: { status: 201 }, silent: true };

/** What a webhook may do wrong when it converts to v2, by a sentence about it. */
const broken: Readonly<Record<string, ConversionScript>> = {
  "fails with a message": { response: { result: { status: "Failure", message: "cannot convert" } } },
  "fails without a message": { response: { result: { status: "Failure" } } },
  "sends no status": { response: { result: {} } },
  "sends another uid": { response: { uid: "other" } },
  "sends no response": { review: { response: null } },
  "sends another kind of review": { review: { kind: "Review" } },
  "sends another version of the review": { review: { apiVersion: "apiextensions.k8s.io/v1beta1" } },
  "sends too few objects": { missing: 1 },
  "sends an object of another version": { object: { apiVersion: "example.com/v9" } },
  "sends an object of another kind": { object: { kind: "Gadget" } },
  "changes the name": { metadata: { name: "other" } },
  "changes the namespace": { metadata: { namespace: "other" } },
  "changes the uid": { metadata: { uid: "other" } },
  "sends no metadata": { object: { metadata: null } },
  "sends labels that are no strings": { metadata: { labels: { a: 1 } } },
  "sends invalid labels": { metadata: { labels: { "!": "x" } } },
  "responds with the status 500": { status: 500, text: "broken" },
  "responds with the status 404": { status: 404 },
  "responds with no JSON": { text: "hello" },
};

const cases: Record<string, Steps> = {};
for (const [what, script] of Object.entries(broken)) {
  cases[`a get fails if the conversion webhook ${what}`] = [
    converted({ ...script, to: "v2" }),
    createV1,
    { ...get(`${v2Widgets}/a`), until: { status: 500 } },
  ];
  cases[`a create fails if the conversion webhook ${what}`] = [
    converted({ ...script, to: "v1" }),
    { ...post(v2Widgets, v2Widget("a", { spec: { count: 1 } })), until: { status: 500 } },
    get(`${widgets}/a`),
  ];
}

/** Conversion webhooks. */
export const conversionWebhooks = subject("conversion-webhooks", {
  ...cases,
  "the message of a failed conversion is shown": [
    converted({ to: "v2", response: { result: { status: "Failure", message: "cannot convert" } } }),
    createV1,
    wording(get(`${v2Widgets}/a`)),
  ],
  "an object is created and read in both versions": [
    converted(),
    { ...post(widgets, widget("a", { spec: { size: 1 } })), until: { status: 201 } },
    get(`${widgets}/a`),
    get(`${v2Widgets}/a`),
    { ...post(v2Widgets, v2Widget("b", { spec: { count: 2 } })), until: { status: 201 } },
    get(`${widgets}/b`),
    get(`${v2Widgets}/b`),
  ],
  "reviews of v1beta1 are not verified": [
    converted({ response: { uid: "other" }, review: { kind: "", apiVersion: "" } }, ["v1beta1"]),
    createV1,
    { ...get(`${v2Widgets}/a`), until: { status: 200 } },
  ],
  "an object is updated in the other version": [
    converted(),
    createV1,
    get(`${v2Widgets}/a`, { capture: { rv: "metadata.resourceVersion" }, silent: true, until: { status: 200 } }),
    put(`${v2Widgets}/a`, v2Widget("a", { spec: { count: 5, color: "blue" } }, { resourceVersion: "{rv}" })),
    get(`${widgets}/a`),
  ],
  "an object is patched in the other version": [
    converted(),
    createV1,
    mergePatch(`${v2Widgets}/a`, { spec: { count: 6 } }, { until: { status: 200 } }),
    jsonPatch(`${v2Widgets}/a`, [{ op: "replace", path: "/spec/count", value: 7 }]),
    get(`${widgets}/a`),
  ],
  "an object is applied in the other version": [
    converted(),
    createV1,
    apply(`${v2Widgets}/a?fieldManager=m&force=true`, v2Widget("a", { spec: { count: 8 } }), {
      until: { status: 200 },
    }),
    apply(`${v2Widgets}/new?fieldManager=m`, v2Widget("new", { spec: { count: 9 } })),
    get(`${widgets}/a`),
    get(`${widgets}/new`),
  ],
  "an update without a change is not written": [
    converted(),
    createV1,
    mergePatch(`${v2Widgets}/a`, { spec: { count: 1 } }, { until: { status: 200 } }),
    mergePatch(`${v2Widgets}/a`, { spec: { count: 1 } }),
  ],
  "an object is deleted in the other version": [
    converted(),
    createV1,
    { ...remove(`${v2Widgets}/a`), until: { status: 200 } },
    get(`${widgets}/a`),
  ],
  "a list is converted": [
    converted(),
    createV1,
    { ...post(v2Widgets, v2Widget("b", { spec: { count: 2 } })), until: { status: 201 }, silent: true },
    { ...get(v2Widgets), until: { includes: '"name":"b"' } },
    get(`${v2Widgets}?labelSelector=none=here`),
  ],
  "a watch is converted": [
    converted(),
    createV1,
    { ...get(v2Widgets), until: { includes: '"count":1' }, silent: true, capture: { rv: "metadata.resourceVersion" } },
    watch("w", `${v2Widgets}?resourceVersion={rv}`),
    { ...mergePatch(`${widgets}/a`, { spec: { size: 3 } }), silent: true },
    { ...remove(`${widgets}/a`), silent: true },
    read("w", 2),
  ],
  "labels and annotations may change, other metadata is restored": [
    converted({
      to: "v2",
      metadata: { labels: { new: "yes" }, annotations: { a: "b" }, finalizers: ["example.com/x"], generation: 9 },
    }),
    createV1,
    { ...get(`${v2Widgets}/a`), until: { status: 200 } },
  ],
  "unknown fields of a converted object are pruned": [
    converted({ to: "v2", object: { spec: { count: 1, unknown: 2 }, extra: true } }),
    createV1,
    { ...get(`${v2Widgets}/a`), until: { status: 200 } },
  ],
  "an invalid value of a converted object is returned": [
    converted({ to: "v2", object: { spec: { count: "many" } } }),
    createV1,
    { ...get(`${v2Widgets}/a`), until: { status: 200 } },
  ],
  "an update whose conversion keeps a field that the stored version does not have": [
    converted({ to: "v1", object: { spec: { size: 5, shape: "round" } } }),
    createV1,
    mergePatch(`${v2Widgets}/a`, { spec: { count: 5 } }, { until: { status: 200 } }),
  ],
  "a dry run converts": [
    converted(),
    { ...post(`${v2Widgets}?dryRun=All`, v2Widget("a", { spec: { count: 1 } })), until: { status: 201 } },
    get(`${v2Widgets}/a`),
  ],
  "an object without a spec is converted": [
    converted(),
    { ...post(v2Widgets, v2Widget("a")), until: { status: 201 } },
    get(`${widgets}/a`),
  ],
});
