import type { JsonObject } from "@kubewright/core/json";
import { get, post, send, subject, wording } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, deployments, widget, widgets } from "./sample-objects.js";

const withMetadata = (metadata: JsonObject) => configMap("a", {}, metadata);
const owned = {
  manager: "other",
  operation: "Update",
  apiVersion: "v1",
  time: "2001-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": { "f:k": {} } },
};

/** Creates: accepted bodies, defaults and rejections. */
export const create = subject("create", {
  "a created object gets uid, resourceVersion, creationTimestamp and managedFields": [
    post(configMaps, configMap("a", { k: "v" })),
    get(`${configMaps}/a`),
  ],
  "a create of an existing name is rejected": wording(
    post(configMaps, configMap("a")),
    post(configMaps, configMap("a")),
  ),
  "server-set fields are dropped on create": [
    post(
      configMaps,
      withMetadata({
        uid: "11111111-2222-4333-8444-555555555555",
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 5,
        selfLink: "/x",
        generation: 7,
      }),
    ),
  ],
  "an object without a name is rejected": wording(
    post(configMaps, { apiVersion: "v1", kind: "ConfigMap", metadata: {} }),
  ),
  "an object without metadata is rejected": wording(post(configMaps, { apiVersion: "v1", kind: "ConfigMap" })),
  "generateName generates a name": [post(configMaps, { metadata: { generateName: "gen-" } })],
  "a name wins over generateName": [post(configMaps, { metadata: { name: "own", generateName: "gen-" } })],
  "a generateName of more than 58 characters is truncated": [
    post(configMaps, { metadata: { generateName: "g".repeat(70) } }),
  ],
  "apiVersion and kind may be left out for a built-in kind": [post(configMaps, { metadata: { name: "a" } })],
  "a kind that does not match the path is rejected": [
    post(configMaps, { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } }),
  ],
  "an apiVersion that does not match the path is rejected": [
    post(configMaps, { apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "a" } }),
  ],
  "an unknown kind is rejected": [post(configMaps, { apiVersion: "v1", kind: "Nothing", metadata: { name: "a" } })],
  "metadata.namespace may repeat the namespace of the path": [
    post(configMaps, configMap("a", {}, { namespace: "{ns}" })),
  ],
  "a namespace that does not exist is not found": wording(
    post("/api/v1/namespaces/not-there/configmaps", configMap("a")),
  ),
  "an empty body is rejected": wording(
    send("POST", configMaps, { text: "", headers: { "content-type": "application/json" } }),
  ),
  "a body that is a list is rejected": [post(configMaps, [configMap("a")])],
  "a body that is null is rejected": wording(post(configMaps, null)),
  "a field of the wrong type is rejected": wording(
    post(configMaps, { metadata: { name: "a" }, data: { k: 1 } }),
    post(configMaps, { metadata: { name: "a" }, data: "text" }),
    post(deployments, { metadata: { name: "a" }, spec: { replicas: "three" } }),
  ),
  "a fieldManager names the manager of the fields": [post(`${configMaps}?fieldManager=me`, configMap("a", { k: "v" }))],
  "a fieldManager that is too long or not printable is rejected": [
    post(`${configMaps}?fieldManager=${"m".repeat(129)}`, configMap("a")),
    post(`${configMaps}?fieldManager=%01`, configMap("a")),
  ],
  "valid managedFields of the client are accepted": [
    post(configMaps, { ...configMap("a", { k: "v" }), metadata: { name: "a", managedFields: [owned] } }),
  ],
  "a custom resource is stored with a generation": [
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } })),
    get(`${widgets}/a`),
  ],
  "a custom resource needs apiVersion and kind": [
    defineWidget(),
    post(widgets, { metadata: { name: "a" } }),
    post(widgets, { apiVersion: "{group}/v1", metadata: { name: "a" } }),
    post(widgets, { kind: "Widget", metadata: { name: "a" } }),
  ],
  "a custom resource of another group, version or kind is rejected": wording(
    defineWidget(),
    post(widgets, { ...widget("a"), apiVersion: "other/v1" }),
    post(widgets, { ...widget("a"), apiVersion: "{group}/v2" }),
    post(widgets, { ...widget("a"), kind: "Gadget" }),
  ),
  "a custom resource with generateName gets a name": [
    defineWidget(),
    post(widgets, { apiVersion: "{group}/v1", kind: "Widget", metadata: { generateName: "w-" } }),
  ],
  "metadata of the wrong type is rejected": wording(
    post(configMaps, { metadata: { name: 5 } }),
    post(configMaps, { metadata: "text" }),
    post(configMaps, { metadata: { name: "a", labels: { a: 1 } } }),
    defineWidget(),
    post(widgets, { ...widget("a"), metadata: { name: "a", labels: { a: 1 } } }),
    post(widgets, { ...widget("a"), metadata: { name: 5 } }),
  ),
});
