import type { JsonObject } from "@kubewright/core/json";
import { apply, get, jsonPatch, mergePatch, post, put, remove, subject, waitFor, wording } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, definition, widget, widgets } from "./sample-objects.js";

const at = `${configMaps}/a`;
const capture = { uid: "metadata.uid", rv: "metadata.resourceVersion" };
const made = post(configMaps, configMap("a", { k: "1" }), { capture });
const held = post(configMaps, configMap("a", { k: "1" }, { finalizers: ["x.io/hold"] }), { capture });
const deleteOptions = { apiVersion: "v1", kind: "DeleteOptions" };

/** Deletes, and what they may be bound to. */
export const deletes = subject("delete", {
  "a delete answers with a Status that names the object": wording(made, remove(at), get(at)),
  "a second delete writes where an apply left something without effect": [
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
  "a delete of what is not there is not found": wording(remove(at)),
  "a delete with the right uid and version is done": [
    made,
    remove(at, { ...deleteOptions, preconditions: { uid: "{uid}", resourceVersion: "{rv}" } }),
  ],
  "a delete with another uid is a conflict": wording(
    made,
    remove(at, { ...deleteOptions, preconditions: { uid: "11111111-2222-4333-8444-555555555555" } }),
  ),
  "a delete with an old version is a conflict": wording(
    made,
    mergePatch(at, { data: { k: "2" } }),
    remove(at, { ...deleteOptions, preconditions: { resourceVersion: "{rv}" } }),
  ),
  "a delete as a dry run leaves the object": [
    made,
    remove(`${at}?dryRun=All`),
    remove(at, { ...deleteOptions, dryRun: ["All"] }),
    get(at),
  ],
  "a delete with a body of another kind is refused": [made, remove(at, { apiVersion: "v1", kind: "ConfigMap" })],
  "a delete with a body that is no object is refused": [made, remove(at, "text"), remove(at, [])],
  "a grace period means nothing to a ConfigMap": [made, remove(`${at}?gracePeriodSeconds=30`)],
  "a grace period below zero is refused or taken as the server does": [made, remove(`${at}?gracePeriodSeconds=-5`)],
  "a delete of a collection answers with the list": [
    post(configMaps, configMap("a")),
    post(configMaps, configMap("b", {}, { labels: { l: "1" } })),
    remove(`${configMaps}?labelSelector=l%3D1`),
    get(configMaps),
    remove(configMaps),
    get(configMaps),
  ],
  "a delete of a collection of custom resources answers with the list": [
    defineWidget(),
    post(widgets, widget("a")),
    post(widgets, widget("b")),
    remove(widgets),
    get(widgets),
  ],
  "a delete of a collection as a dry run leaves it": [made, remove(`${configMaps}?dryRun=All`), get(configMaps)],
  "a delete of a collection with a limit takes a part": [
    post(configMaps, configMap("a")),
    post(configMaps, configMap("b")),
    post(configMaps, configMap("c")),
    remove(`${configMaps}?limit=2`),
    get(configMaps),
  ],
  "a delete over all namespaces is not allowed": [remove("/api/v1/configmaps")],
  "an object of a namespace that is not there is not found": wording(
    get("/api/v1/namespaces/not-there/configmaps/a"),
    remove("/api/v1/namespaces/not-there/configmaps/a"),
    get("/api/v1/namespaces/not-there/configmaps"),
  ),
});

/** Finalizers, and objects on their way out. */
export const finalizers = subject("finalizers", {
  "a delete of an object with finalizers marks it": [held, remove(at), get(at)],
  "a second delete of a marked object changes nothing": [held, remove(at), remove(at)],
  "the last finalizer's removal deletes the object": wording(
    held,
    remove(at),
    mergePatch(at, { metadata: { finalizers: null } }),
    get(at),
  ),
  "the last finalizer's removal by update or JSON patch deletes the object": wording(
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
  "no finalizer can be added to a marked object": wording(
    held,
    remove(at),
    mergePatch(at, { metadata: { finalizers: ["x.io/hold", "x.io/new"] } }),
  ),
  "a marked object can be changed otherwise": [
    held,
    remove(at),
    mergePatch(at, { data: { k: "2" }, metadata: { labels: { l: "1" } } }),
  ],
  "a marked object cannot be unmarked": [
    held,
    remove(at),
    mergePatch(at, { metadata: { deletionTimestamp: null } }),
    put(at, configMap("a", {}, { finalizers: ["x.io/hold"] })),
  ],
  "a name is taken while its object is marked": wording(held, remove(at), post(configMaps, configMap("a"))),
  "a delete marks a custom resource and raises its generation": wording(
    defineWidget(),
    post(widgets, widget("a", { spec: { size: 1 } }, { finalizers: ["x.io/hold"] })),
    remove(`${widgets}/a`),
    mergePatch(`${widgets}/a`, { spec: { size: 2 } }),
    mergePatch(`${widgets}/a`, { metadata: { finalizers: null } }),
    get(`${widgets}/a`),
  ),
  "an apply that owned the last finalizer deletes by leaving it out": wording(
    apply(`${at}?fieldManager=one`, configMap("a", {}, { finalizers: ["x.io/hold"] })),
    remove(at),
    apply(`${at}?fieldManager=one`, configMap("a")),
    get(at),
  ),
  "a dry run of the last finalizer's removal leaves the object": [
    held,
    remove(at),
    mergePatch(`${at}?dryRun=All`, { metadata: { finalizers: null } }),
    get(at),
  ],
  "a delete of a collection marks what has finalizers": [
    held,
    post(configMaps, configMap("b")),
    remove(configMaps),
    get(configMaps),
  ],
  "a delete with a precondition on a marked object still checks it": wording(
    held,
    remove(at),
    remove(at, { ...deleteOptions, preconditions: { uid: "11111111-2222-4333-8444-555555555555" } }),
  ),
  "a definition with finalizers of its own stays until they are gone": [
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

/** A real garbage collector learns of objects in order: once it has cleaned up a later pair, it knows all earlier ones. */
const collectorKnows = [
  { ...post(configMaps, configMap("sign"), { capture: { sign: "metadata.uid" } }), silent: true },
  { ...post(configMaps, owned("signed", { ...reference, name: "sign", uid: "{sign}" })), silent: true },
  { ...remove(`${configMaps}/sign`), silent: true },
  waitFor(`${configMaps}/signed`, { status: 404 }),
];

/** Owner references and who cleans up by them. */
export const owners = subject("owners", {
  "an owner reference is stored and checked": [
    owner,
    child({ controller: true, blockOwnerDeletion: true }),
    post(configMaps, owned("b", { apiVersion: "v1", kind: "ConfigMap", name: "", uid: "" })),
    post(configMaps, owned("c", { apiVersion: "", kind: "", name: "x", uid: "y" })),
  ],
  "two controllers are refused": [
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
  "the same owner twice is a warning": [owner, post(configMaps, owned("two", reference, reference))],
  "an event cannot be an owner": [
    owner,
    post(configMaps, owned("x", { apiVersion: "v1", kind: "Event", name: "e", uid: "y" })),
  ],
  "children go in the background after their owner": [
    owner,
    child(),
    ...collectorKnows,
    remove(`${configMaps}/owner`),
    get(`${configMaps}/owner`),
    get(`${configMaps}/child`, gone),
  ],
  "an owner waits in the foreground for children that block": [
    owner,
    child({ blockOwnerDeletion: true }),
    ...collectorKnows,
    remove(`${configMaps}/owner?propagationPolicy=Foreground`),
    get(`${configMaps}/owner`, gone),
    get(`${configMaps}/child`),
  ],
  "children that are orphaned lose their owner and stay": [
    owner,
    child(),
    ...collectorKnows,
    remove(`${configMaps}/owner?propagationPolicy=Orphan`),
    get(`${configMaps}/owner`, gone),
    get(`${configMaps}/child`),
  ],
  "orphanDependents says the same in the old way": [
    owner,
    child(),
    ...collectorKnows,
    remove(`${configMaps}/owner`, { ...deleteOptions, orphanDependents: true }),
    get(`${configMaps}/owner`, gone),
    get(`${configMaps}/child`),
  ],
  "grandchildren go too": [
    owner,
    post(configMaps, owned("child", reference), { capture: { child: "metadata.uid" } }),
    post(configMaps, owned("grandchild", { ...reference, name: "child", uid: "{child}" })),
    remove(`${configMaps}/owner`),
    get(`${configMaps}/grandchild`, gone),
  ],
  "a child with finalizers is marked after its owner is gone": [
    owner,
    post(configMaps, configMap("child", {}, { ownerReferences: [reference], finalizers: ["x.io/hold"] })),
    remove(`${configMaps}/owner`),
    get(`${configMaps}/child`, { until: { includes: "deletionTimestamp" } }),
  ],
});
