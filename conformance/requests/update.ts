import type { JsonObject } from "@kubewright/core/json";
import { get, mergePatch, post, put, remove, subject, wording } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, deployment, deployments, leases, secrets, widget, widgets } from "./sample-objects.js";

const capture = { uid: "metadata.uid", rv: "metadata.resourceVersion" };
const made = post(configMaps, configMap("a", { k: "1" }), { capture });
const madeWidget = post(widgets, widget("a", { spec: { size: 1 } }), { capture });

/** An update of the ConfigMap `a` to other metadata. */
const withMetadata = (metadata: JsonObject) => put(`${configMaps}/a`, configMap("a", { k: "1" }, metadata));
const entry = { manager: "x", apiVersion: "v1", fieldsV1: {} };

/** Updates by PUT. */
export const update = subject("update", {
  "an update replaces all but server-set metadata": [
    made,
    put(`${configMaps}/a`, configMap("a", { other: "2" }, { labels: { l: "1" } })),
    get(`${configMaps}/a`),
  ],
  "empty data are a change of an immutable object": [
    post(secrets, { metadata: { name: "a" }, immutable: true }),
    put(`${secrets}/a`, { metadata: { name: "a" }, immutable: true, data: {} }),
    post(configMaps, { metadata: { name: "a" }, immutable: true }),
    put(`${configMaps}/a`, { metadata: { name: "a" }, immutable: true, data: {} }),
    put(`${configMaps}/a`, { metadata: { name: "a" }, binaryData: {} }),
  ],
  "an update with the current resourceVersion is accepted": [
    made,
    put(`${configMaps}/a`, configMap("a", { k: "2" }, { resourceVersion: "{rv}" })),
  ],
  "an update with an old resourceVersion is a conflict": wording(
    made,
    put(`${configMaps}/a`, configMap("a", { k: "2" })),
    put(`${configMaps}/a`, configMap("a", { k: "3" }, { resourceVersion: "{rv}" })),
  ),
  "an update without changes keeps the resourceVersion": [
    made,
    put(`${configMaps}/a`, configMap("a", { k: "1" })),
    put(`${configMaps}/a`, configMap("a", { k: "1" }, { resourceVersion: "{rv}" })),
  ],
  "an update of a missing object is not found": wording(put(`${configMaps}/a`, configMap("a"))),
  "an update whose name does not match the path is rejected": [made, put(`${configMaps}/a`, configMap("b"))],
  "an update without a name is rejected": [made, put(`${configMaps}/a`, { apiVersion: "v1", kind: "ConfigMap" })],
  "an update of another namespace is rejected": [
    made,
    put(`${configMaps}/a`, configMap("a", {}, { namespace: "other" })),
  ],
  "an update with another uid is a conflict": wording(
    made,
    put(`${configMaps}/a`, configMap("a", {}, { uid: "11111111-2222-4333-8444-555555555555" })),
  ),
  "an update with the matching uid is accepted": [made, put(`${configMaps}/a`, configMap("a", {}, { uid: "{uid}" }))],
  "a resourceVersion that is not a number is rejected": [
    made,
    put(`${configMaps}/a`, configMap("a", {}, { resourceVersion: "abc" })),
    put(`${configMaps}/a`, configMap("a", {}, { resourceVersion: "0" })),
  ],
  "an update cannot set deletionTimestamp or creationTimestamp": wording(
    made,
    withMetadata({ creationTimestamp: "2001-01-01T00:00:00Z", deletionTimestamp: "2001-01-01T00:00:00Z" }),
  ),
  "an update of an immutable ConfigMap is rejected": wording(
    post(configMaps, { ...configMap("a", { k: "1" }), immutable: true }),
    put(`${configMaps}/a`, { ...configMap("a", { k: "2" }), immutable: true }),
    put(`${configMaps}/a`, configMap("a", { k: "1" })),
    mergePatch(`${configMaps}/a`, { metadata: { labels: { still: "changes" } } }),
  ),
  "an update of a custom resource needs a resourceVersion": [
    defineWidget(),
    madeWidget,
    put(`${widgets}/a`, widget("a", { spec: { size: 2 } })),
  ],
  "a spec change raises a custom resource's generation, a metadata change does not": [
    defineWidget(),
    madeWidget,
    put(`${widgets}/a`, widget("a", { spec: { size: 2 } }, { resourceVersion: "{rv}" })),
    mergePatch(`${widgets}/a`, { metadata: { labels: { l: "1" } } }),
    mergePatch(`${widgets}/a`, { spec: { size: 2 } }),
  ],
  "a generation set by the client is ignored": [
    defineWidget(),
    madeWidget,
    put(`${widgets}/a`, widget("a", { spec: { size: 1 } }, { resourceVersion: "{rv}", generation: 50 })),
  ],
  "an update of a Lease needs a resourceVersion": [
    post(leases, { metadata: { name: "l" }, spec: { holderIdentity: "me" } }, { capture }),
    put(`${leases}/l`, { metadata: { name: "l" }, spec: { holderIdentity: "you" } }),
    put(`${leases}/l`, { metadata: { name: "l", resourceVersion: "{rv}" }, spec: { holderIdentity: "you" } }),
  ],
  "several managers own what they wrote last": [
    post(`${configMaps}?fieldManager=one`, configMap("a", { k: "1", l: "1" })),
    put(`${configMaps}/a?fieldManager=two`, configMap("a", { k: "2", l: "1", m: "1" })),
    put(`${configMaps}/a?fieldManager=one`, configMap("a", { m: "1" })),
  ],
  "managedFields can be reset with one empty entry": [
    made,
    put(`${configMaps}/a`, configMap("a", { k: "1" }, { managedFields: [{}] })),
    get(`${configMaps}/a`),
    put(`${configMaps}/a`, configMap("a", { k: "2" })),
  ],
  "invalid managedFields are rejected": [
    made,
    withMetadata({ managedFields: [{ ...entry, operation: "Nonsense", fieldsType: "FieldsV1" }] }),
    withMetadata({ managedFields: [{ ...entry, operation: "Update", fieldsType: "FieldsV2" }] }),
  ],
  "an update that creates keeps metadata that a create would drop": wording(
    put(`${leases}/a`, { metadata: { name: "a", deletionGracePeriodSeconds: 30, selfLink: "/a" } }),
    put(`${leases}/a`, { metadata: { name: "a" } }),
    put(`${leases}/b?dryRun=All`, { metadata: { name: "b", deletionGracePeriodSeconds: 30, selfLink: "/a" } }),
    put(`${leases}/c`, { metadata: { name: "c", deletionTimestamp: "2020-01-01T00:00:00Z", finalizers: ["a.b/c"] } }),
    put(`${leases}/c`, { metadata: { name: "c", finalizers: ["a.b/c"] } }),
    post(leases, { metadata: { name: "c" } }),
    post(leases, { metadata: { name: "c", generateName: "x-" } }),
    post(`${leases}?dryRun=All`, { metadata: { name: "c", generateName: "x-" } }),
    put(`${leases}/e`, {
      metadata: { name: "e", deletionTimestamp: "2020-01-01T00:00:00Z", deletionGracePeriodSeconds: 7 },
    }),
    put(`${leases}/e`, { metadata: { name: "e", labels: { a: "b" } } }),
    put(`${leases}/d`, { metadata: { name: "d", deletionTimestamp: "2020-01-01T00:00:00Z" } }),
    get(`${leases}/d`),
    put(`${leases}/d`, { metadata: { name: "d", deletionTimestamp: "2020-01-01T00:00:00Z", labels: { a: "b" } } }),
    get(leases),
    remove(`${leases}/a`),
    put(`${leases}/c`, { metadata: { name: "c", selfLink: "/a" } }),
    get(leases),
  ),
  "a selfLink sent with a status is returned by a dry run": [
    post(deployments, deployment("a")),
    post("/api/v1/namespaces/{ns}/pods", {
      metadata: { name: "a" },
      spec: { containers: [{ name: "a", image: "a" }] },
    }),
    post("/api/v1/namespaces/{ns}/services", { metadata: { name: "a" }, spec: { clusterIP: "None" } }),
    defineWidget({ subresources: { status: {} } }),
    madeWidget,
    ...["", "?dryRun=All"].flatMap((query) => [
      put(`${deployments}/a/status${query}`, { metadata: { name: "a", selfLink: "/a" } }),
      put(`/api/v1/namespaces/{ns}/pods/a/status${query}`, { metadata: { name: "a", selfLink: "/a" } }),
      put(`/api/v1/namespaces/{ns}/services/a/status${query}`, { metadata: { name: "a", selfLink: "/a" } }),
    ]),
    put(`${widgets}/a/status?dryRun=All`, widget("a", {}, { selfLink: "/a", resourceVersion: "{rv}" })),
  ],
  "a PUT with an unknown subresource is not found": wording(
    made,
    put(`${configMaps}/a/status`, configMap("a")),
    defineWidget(),
    madeWidget,
    put(`${widgets}/a/status`, widget("a")),
  ),
});
