import type { JsonObject } from "@kubewright/core/json";
import { apply, get, jsonPatch, mergePatch, post, put, remove, subject, waitFor, wording } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, definition, widget, widgets } from "./sample-objects.js";

const at = `${configMaps}/a`;
const capture = { uid: "metadata.uid", rv: "metadata.resourceVersion" };
const made = post(configMaps, configMap("a", { k: "1" }), { capture });
const held = post(configMaps, configMap("a", { k: "1" }, { finalizers: ["x.io/hold"] }), { capture });
const deleteOptions = { apiVersion: "v1", kind: "DeleteOptions" };

/** Deletes and their preconditions. */
export const deletes = subject("delete", {
  "a delete returns a Status that names the object": wording(made, remove(at), get(at)),
  "a second delete writes after an apply with empty metadata": [
    defineWidget(),
    post(widgets, widget("a", {}, { finalizers: ["example.com/a"] })),
    remove(`${widgets}/a`),
    apply(`${widgets}/a?fieldManager=x`, widget("a", {}, { annotations: {} })),
    remove(`${widgets}/a?gracePeriodSeconds=0`),
    remove(`${widgets}/a`),
    get(`${widgets}/a`),
  ],
  "a delete of a custom resource names its group": wording(
    defineWidget(),
    post(widgets, widget("a")),
    remove(`${widgets}/a`),
    get(`${widgets}/a`),
  ),
  "a delete of a missing object is not found": wording(remove(at)),
  "a delete with matching uid and resourceVersion succeeds": [
    made,
    remove(at, { ...deleteOptions, preconditions: { uid: "{uid}", resourceVersion: "{rv}" } }),
  ],
  "a delete with another uid is a conflict": wording(
    made,
    remove(at, { ...deleteOptions, preconditions: { uid: "11111111-2222-4333-8444-555555555555" } }),
  ),
  "a delete with an old resourceVersion is a conflict": wording(
    made,
    mergePatch(at, { data: { k: "2" } }),
    remove(at, { ...deleteOptions, preconditions: { resourceVersion: "{rv}" } }),
  ),
  "a dry-run delete keeps the object": [
    made,
    remove(`${at}?dryRun=All`),
    remove(at, { ...deleteOptions, dryRun: ["All"] }),
    get(at),
  ],
  "a delete with a body of another kind is rejected": [made, remove(at, { apiVersion: "v1", kind: "ConfigMap" })],
  "a delete with a body that is not an object is rejected": [made, remove(at, "text"), remove(at, [])],
  "a ConfigMap ignores the grace period": [made, remove(`${at}?gracePeriodSeconds=30`)],
  "a negative grace period is handled as on a real server": [made, remove(`${at}?gracePeriodSeconds=-5`)],
  "a deletecollection returns the list": [
    post(configMaps, configMap("a")),
    post(configMaps, configMap("b", {}, { labels: { l: "1" } })),
    remove(`${configMaps}?labelSelector=l%3D1`),
    get(configMaps),
    remove(configMaps),
    get(configMaps),
  ],
  "a deletecollection of custom resources returns the list": [
    defineWidget(),
    post(widgets, widget("a")),
    post(widgets, widget("b")),
    remove(widgets),
    get(widgets),
  ],
  "a dry-run deletecollection keeps the objects": [made, remove(`${configMaps}?dryRun=All`), get(configMaps)],
  "a deletecollection with a limit deletes a part": [
    post(configMaps, configMap("a")),
    post(configMaps, configMap("b")),
    post(configMaps, configMap("c")),
    remove(`${configMaps}?limit=2`),
    get(configMaps),
  ],
  "a deletecollection across all namespaces is not allowed": [remove("/api/v1/configmaps")],
  "an object in a missing namespace is not found": wording(
    get("/api/v1/namespaces/not-there/configmaps/a"),
    remove("/api/v1/namespaces/not-there/configmaps/a"),
    get("/api/v1/namespaces/not-there/configmaps"),
  ),
});

/** Finalizers and terminating objects. */
export const finalizers = subject("finalizers", {
  "a delete of an object with finalizers sets deletionTimestamp": [held, remove(at), get(at)],
  "a second delete of a terminating object changes nothing": [held, remove(at), remove(at)],
  "removing the last finalizer deletes the object": wording(
    held,
    remove(at),
    mergePatch(at, { metadata: { finalizers: null } }),
    get(at),
  ),
  "removing the last finalizer by update or JSON patch deletes the object": wording(
    held,
    remove(at),
    jsonPatch(at, [{ op: "remove", path: "/metadata/finalizers" }]),
    get(at),
    held,
    remove(at),
    put(at, configMap("a", { k: "1" })),
    get(at),
  ),
  "finalizers can be removed one by one": wording(
    post(configMaps, configMap("a", {}, { finalizers: ["x.io/a", "x.io/b"] })),
    remove(at),
    mergePatch(at, { metadata: { finalizers: ["x.io/b"] } }),
    mergePatch(at, { metadata: { finalizers: [] } }),
    get(at),
  ),
  "no finalizer can be added to a terminating object": wording(
    held,
    remove(at),
    mergePatch(at, { metadata: { finalizers: ["x.io/hold", "x.io/new"] } }),
  ),
  "other fields of a terminating object can change": [
    held,
    remove(at),
    mergePatch(at, { data: { k: "2" }, metadata: { labels: { l: "1" } } }),
  ],
  "deletionTimestamp cannot be removed": [
    held,
    remove(at),
    mergePatch(at, { metadata: { deletionTimestamp: null } }),
    put(at, configMap("a", {}, { finalizers: ["x.io/hold"] })),
  ],
  "the name of a terminating object is in use": wording(held, remove(at), post(configMaps, configMap("a"))),
  "a delete sets a custom resource's deletionTimestamp and raises its generation": wording(
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } }, { finalizers: ["x.io/hold"] })),
    remove(`${widgets}/a`),
    mergePatch(`${widgets}/a`, { spec: { size: 2 } }),
    mergePatch(`${widgets}/a`, { metadata: { finalizers: null } }),
    get(`${widgets}/a`),
  ),
  "an apply that drops the last finalizer deletes the object": wording(
    apply(`${at}?fieldManager=one`, configMap("a", {}, { finalizers: ["x.io/hold"] })),
    remove(at),
    apply(`${at}?fieldManager=one`, configMap("a")),
    get(at),
  ),
  "a dry run that removes the last finalizer keeps the object": [
    held,
    remove(at),
    mergePatch(`${at}?dryRun=All`, { metadata: { finalizers: null } }),
    get(at),
  ],
  "a deletecollection sets deletionTimestamp on objects with finalizers": [
    held,
    post(configMaps, configMap("b")),
    remove(configMaps),
    get(configMaps),
  ],
  "preconditions of a delete are checked on a terminating object": wording(
    held,
    remove(at),
    remove(at, { ...deleteOptions, preconditions: { uid: "11111111-2222-4333-8444-555555555555" } }),
  ),
  "a CRD with its own finalizers stays until they are removed": [
    defineWidget(),
    mergePatch(definition, { metadata: { finalizers: ["x.io/hold"] } }, { fields: ["kind"] }),
    remove(definition, undefined, { fields: ["kind"] }),
    get(definition, { fields: ["kind"] }),
  ],
});

const gone = { until: { status: 404 } };
const owner = post(configMaps, configMap("owner"), { capture: { owner: "metadata.uid" } });
const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "{owner}" };
const owned = (name: string, ...ownerReferences: readonly JsonObject[]) => configMap(name, {}, { ownerReferences });
const child = (more: JsonObject = {}) => post(configMaps, owned("child", { ...reference, ...more }));

/** Waits until the garbage collector has seen all objects: it processes events in order, so it deletes a later pair last. */
const collectorSynced = [
  { ...post(configMaps, configMap("sign"), { capture: { sign: "metadata.uid" } }), silent: true },
  { ...post(configMaps, owned("signed", { ...reference, name: "sign", uid: "{sign}" })), silent: true },
  { ...remove(`${configMaps}/sign`), silent: true },
  waitFor(`${configMaps}/signed`, { status: 404 }),
];

/** Owner references and garbage collection. */
export const owners = subject("owners", {
  "an owner reference is stored and validated": [
    owner,
    child({ controller: true, blockOwnerDeletion: true }),
    post(configMaps, owned("b", { apiVersion: "v1", kind: "ConfigMap", name: "", uid: "" })),
    post(configMaps, owned("c", { apiVersion: "", kind: "", name: "x", uid: "y" })),
  ],
  "two controller owner references are rejected": [
    owner,
    post(
      configMaps,
      owned(
        "two",
        { ...reference, controller: true },
        { ...reference, uid: "11111111-2222-4333-8444-555555555555", name: "other", controller: true },
      ),
    ),
  ],
  "a duplicate owner reference is a warning": [owner, post(configMaps, owned("two", reference, reference))],
  "an Event cannot be an owner": [
    owner,
    post(configMaps, owned("x", { apiVersion: "v1", kind: "Event", name: "e", uid: "y" })),
  ],
  "background deletion deletes dependents after their owner": [
    owner,
    child(),
    ...collectorSynced,
    remove(`${configMaps}/owner`),
    get(`${configMaps}/owner`),
    get(`${configMaps}/child`, gone),
  ],
  "foreground deletion waits for blocking dependents": [
    owner,
    child({ blockOwnerDeletion: true }),
    ...collectorSynced,
    remove(`${configMaps}/owner?propagationPolicy=Foreground`),
    get(`${configMaps}/owner`, gone),
    get(`${configMaps}/child`),
  ],
  "orphaned dependents lose their owner reference and stay": [
    owner,
    child(),
    ...collectorSynced,
    remove(`${configMaps}/owner?propagationPolicy=Orphan`),
    get(`${configMaps}/owner`, gone),
    get(`${configMaps}/child`),
  ],
  "orphanDependents is accepted": [
    owner,
    child(),
    ...collectorSynced,
    remove(`${configMaps}/owner`, { ...deleteOptions, orphanDependents: true }),
    get(`${configMaps}/owner`, gone),
    get(`${configMaps}/child`),
  ],
  "garbage collection is transitive": [
    owner,
    post(configMaps, owned("child", reference), { capture: { child: "metadata.uid" } }),
    post(configMaps, owned("grandchild", { ...reference, name: "child", uid: "{child}" })),
    remove(`${configMaps}/owner`),
    get(`${configMaps}/grandchild`, gone),
  ],
  "a dependent with finalizers gets a deletionTimestamp after its owner is gone": [
    owner,
    post(configMaps, configMap("child", {}, { ownerReferences: [reference], finalizers: ["x.io/hold"] })),
    remove(`${configMaps}/owner`),
    get(`${configMaps}/child`, { until: { includes: "deletionTimestamp" } }),
  ],
});
