import {
  apply,
  get,
  jsonPatch,
  mergePatch,
  post,
  put,
  remove,
  strategicPatch,
  subject,
  wording,
} from "../test-case.js";
import { defineSpec, defineWidget, widgetVersion } from "./custom-kind.js";
import {
  configMap,
  configMaps,
  definitions,
  deployment,
  deployments,
  widget,
  widgetDefinition,
  widgets,
} from "./sample-objects.js";

const twice = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","name":"a"},"data":{"k":"1","k":"2"}}';
const twiceWidget = '{"apiVersion":"{group}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1,"size":2}}';
const postText = (path: string, text: string) => post(path, null, { text });
const strict = (path: string): string => `${path}?fieldValidation=Strict`;

/** Unknown and duplicate fields by fieldValidation. */
export const fieldValidation = subject("field-validation", {
  "Strict rejects an unknown field": wording(
    post(strict(configMaps), { ...configMap("a"), nothing: 1 }),
    post(strict(deployments), deployment("d", { nothing: 1, strategy: { other: true } })),
  ),
  "Warn accepts an unknown field with a warning": [
    post(`${configMaps}?fieldValidation=Warn`, { ...configMap("a"), nothing: 1 }),
    post(`${deployments}?fieldValidation=Warn`, deployment("d", { nothing: 1, strategy: { other: true } })),
  ],
  "the default is Warn": [post(configMaps, { ...configMap("a"), nothing: 1 })],
  "Ignore drops an unknown field silently": [
    post(`${configMaps}?fieldValidation=Ignore`, { ...configMap("a"), nothing: 1 }),
  ],
  "an unknown fieldValidation is rejected": [post(`${configMaps}?fieldValidation=Nonsense`, configMap("a"))],
  "Strict rejects a duplicate field": [postText(strict(configMaps), twice)],
  "a duplicate field is a warning": [postText(configMaps, twice)],
  "Ignore keeps the last of duplicate fields": [postText(`${configMaps}?fieldValidation=Ignore`, twice)],
  "unknown and duplicate fields are reported in the order of the document": wording(
    ...[strict(configMaps), configMaps].map((path) =>
      postText(
        path,
        '{"apiVersion":"v1","first":1,"kind":"ConfigMap","metadata":{"name":"a","name":"a","odd":{"x":1,"x":2}},"data":{"k":"1","k":"2"},"last":1,"last":2}',
      ),
    ),
  ),
  "Strict rejects a duplicate field of a custom resource": [
    defineWidget(),
    postText(strict(widgets), twiceWidget),
    postText(widgets, twiceWidget),
  ],
  "Strict rejects an unknown field of a custom resource": wording(
    defineWidget(),
    post(strict(widgets), widget("a", { spec: { nothing: 1 }, top: 1 })),
    post(strict(widgets), widget("a", {}, { nothing: 1 })),
  ),
  "an unknown field of a custom resource is a warning, and dropped": [
    defineWidget(),
    post(widgets, widget("a", { spec: { nothing: 1, size: 1 }, top: 1 }, { nothing: 1 })),
    get(`${widgets}/a`),
  ],
  "Ignore drops an unknown field of a custom resource silently": [
    defineWidget(),
    post(`${widgets}?fieldValidation=Ignore`, widget("a", { spec: { nothing: 1 } })),
  ],
  "Strict applies to updates and every patch type": [
    post(configMaps, configMap("a")),
    put(strict(`${configMaps}/a`), { ...configMap("a"), nothing: 1 }),
    mergePatch(strict(`${configMaps}/a`), { nothing: 1 }),
    jsonPatch(strict(`${configMaps}/a`), [{ op: "add", path: "/nothing", value: 1 }]),
    strategicPatch(strict(`${configMaps}/a`), { nothing: 1 }),
  ],
  "Strict applies to updates and every patch type of a custom resource": [
    defineWidget(),
    post(widgets, widget("a")),
    mergePatch(strict(`${widgets}/a`), { spec: { nothing: 1 } }),
    jsonPatch(strict(`${widgets}/a`), [{ op: "add", path: "/nothing", value: 1 }]),
    apply(`${widgets}/a?fieldManager=x&fieldValidation=Strict`, widget("a", { spec: { nothing: 1 } })),
  ],
  "an unknown field of a merge patch is a warning": [
    post(configMaps, configMap("a")),
    mergePatch(`${configMaps}/a`, { nothing: 1 }),
  ],
  "field names are case-sensitive": wording(
    post(strict(configMaps), { metadata: { name: "a" }, Data: { k: "v" } }),
    post(configMaps, { metadata: { name: "b" }, Data: { k: "v" } }),
  ),
  "unknown fields of metadata are reported": wording(
    post(strict(configMaps), configMap("a", {}, { nothing: 1 })),
    post(configMaps, configMap("a", {}, { nothing: 1 })),
  ),
  "Strict rejects duplicate fields in YAML": [
    post(strict(configMaps), null, {
      text: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\n',
      headers: { "content-type": "application/yaml" },
    }),
  ],
  "a CRD with an unknown field is a warning": [
    post(definitions, { ...widgetDefinition([widgetVersion("v1", { nothing: 1 })]), other: 1 }),
  ],
  "Strict rejects a CRD with an unknown field": wording(
    post(strict(definitions), { ...widgetDefinition([widgetVersion("v1", { nothing: 1 })]), other: 1 }),
  ),
});

/** Dry runs. */
export const dryRun = subject("dry-run", {
  "a dry-run create stores nothing": wording(post(`${configMaps}?dryRun=All`, configMap("a")), get(`${configMaps}/a`)),
  "a dry-run create with generateName generates a name": [
    post(`${configMaps}?dryRun=All`, { metadata: { generateName: "gen-" } }),
  ],
  "a dry-run create of an existing object is rejected": wording(
    post(configMaps, configMap("a")),
    post(`${configMaps}?dryRun=All`, configMap("a")),
  ),
  "a dry-run update returns the resulting object": [
    post(configMaps, configMap("a", { k: "1" })),
    put(`${configMaps}/a?dryRun=All`, configMap("a", { k: "2" })),
    mergePatch(`${configMaps}/a?dryRun=All`, { data: { k: "3" } }),
    get(`${configMaps}/a`),
  ],
  "a dry-run apply creates nothing": wording(
    apply(`${configMaps}/a?fieldManager=x&dryRun=All`, configMap("a")),
    get(`${configMaps}/a`),
  ),
  "an unknown dryRun value is rejected": [
    post(`${configMaps}?dryRun=Some`, configMap("a")),
    post(`${configMaps}?dryRun=`, configMap("b")),
  ],
  "a dry run of a custom resource is validated": wording(
    defineWidget(),
    post(`${widgets}?dryRun=All`, widget("a", { spec: { size: 1 } })),
    post(`${widgets}?dryRun=All`, widget("a", { spec: { size: "x" } })),
    get(`${widgets}/a`),
  ),
  "a dry run returns a custom resource as it would be read": [
    defineSpec({ free: { type: "object", properties: {} }, size: { type: "integer", default: 3 } }),
    apply(`${widgets}/a?fieldManager=x&dryRun=All`, widget("a", { spec: { free: { a: 1 } } }, { labels: {} })),
    apply(`${widgets}/a?fieldManager=x`, widget("a", { spec: { free: { a: 1 } } }, { labels: {} })),
    apply(`${widgets}/a?fieldManager=x&dryRun=All`, widget("a", { spec: { free: { a: 1, b: 2 } } }, { labels: {} })),
    mergePatch(`${widgets}/a?dryRun=All`, { spec: { free: { c: 1 } } }),
  ],
  "a dry run of a CRD stores nothing": wording(
    post(`${definitions}?dryRun=All`, widgetDefinition([widgetVersion("v1")])),
    get(`${definitions}/widgets.{group}`),
  ),
  "a dry-run delete of an object with finalizers keeps it": [
    post(configMaps, configMap("a", {}, { finalizers: ["x.io/a"] })),
    remove(`${configMaps}/a?dryRun=All`),
    get(`${configMaps}/a`),
  ],
});
