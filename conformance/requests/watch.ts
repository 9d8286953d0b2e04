import { get, mergePatch, post, put, read, remove, subject, watch } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, widget, widgets } from "./sample-objects.js";

const at = `${configMaps}/a`;
/** A streaming list: initial events, then a bookmark. */
const streaming = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
const capture = { rv: "metadata.resourceVersion" };
const as = (form: string) => ({ headers: { accept: `application/json;as=${form};v=v1;g=meta.k8s.io` } });
const table = as("Table");
const partial = as("PartialObjectMetadata");
const made = post(configMaps, configMap("a", { k: "1" }), { capture });
const labelled = (name: string, app: string) => configMap(name, {}, { labels: { app } });

/** Watches. */
export const watches = subject("watch", {
  "a watch without a resourceVersion starts with the existing objects": [
    made,
    watch("w", configMaps),
    read("w", 1),
    mergePatch(at, { data: { k: "2" } }),
    remove(at),
    read("w", 2),
  ],
  "a watch from resourceVersion 0 starts with the existing objects": [
    made,
    watch("w", `${configMaps}?resourceVersion=0`),
    read("w", 1),
  ],
  "a watch resumes after a resourceVersion": [
    made,
    mergePatch(at, { data: { k: "2" } }),
    remove(at),
    post(configMaps, configMap("b")),
    watch("w", `${configMaps}?resourceVersion={rv}`),
    read("w", 3),
  ],
  "a watch from an empty list's resourceVersion receives later events": [
    get(configMaps, { capture: { list: "metadata.resourceVersion" } }),
    watch("w", `${configMaps}?resourceVersion={list}`),
    made,
    read("w", 1),
  ],
  "a DELETED event has the last state and the resourceVersion of the deletion": [
    made,
    remove(at),
    watch("w", `${configMaps}?resourceVersion={rv}`),
    read("w", 1),
    get(configMaps),
  ],
  "an object that starts to match a selector is ADDED, one that stops is DELETED": [
    get(configMaps, { capture: { list: "metadata.resourceVersion" } }),
    post(configMaps, labelled("a", "x")),
    mergePatch(at, { metadata: { labels: { app: "y" } } }),
    mergePatch(at, { metadata: { labels: { app: "x" } } }),
    mergePatch(at, { data: { k: "2" } }),
    mergePatch(at, { metadata: { labels: { app: "z" } } }),
    remove(at),
    watch("w", `${configMaps}?resourceVersion={list}&labelSelector=app%3Dx`),
    read("w", 5),
  ],
  "a watch by metadata.name receives that object only": [
    get(configMaps, { capture: { list: "metadata.resourceVersion" } }),
    post(configMaps, configMap("b")),
    post(configMaps, configMap("a")),
    post(configMaps, configMap("c")),
    remove(at),
    watch("w", `${configMaps}?resourceVersion={list}&fieldSelector=metadata.name%3Da`),
    read("w", 2),
  ],
  "watch=true on the path of one object is a get": [made, get(`${at}?watch=true&resourceVersion=0`)],
  "a streaming list ends with a bookmark": [
    made,
    post(configMaps, configMap("b")),
    watch("w", `${configMaps}?${streaming}`),
    read("w", 3),
    post(configMaps, configMap("c")),
    read("w", 1),
  ],
  "a streaming list of no objects is one bookmark": [watch("w", `${configMaps}?${streaming}`), read("w", 1)],
  "a streaming list of custom resources ends with a bookmark of their kind": [
    defineWidget(),
    post(widgets, widget("a")),
    watch("w", `${widgets}?${streaming}`),
    read("w", 2),
  ],
  "a watch may skip the initial events": [
    made,
    watch("w", `${configMaps}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan`),
    post(configMaps, configMap("b")),
    read("w", 1),
  ],
  "contradicting watch options are rejected": [
    watch("w", `${configMaps}?sendInitialEvents=true`),
    watch("w", `${configMaps}?resourceVersionMatch=NotOlderThan`),
    watch("w", `${configMaps}?sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=1`),
    watch("w", `${configMaps}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
  ],
  "a watch from a resourceVersion that is not a number is rejected": [watch("w", `${configMaps}?resourceVersion=abc`)],
  "a watch with an invalid selector is rejected": [
    watch("w", `${configMaps}?labelSelector=a%3D%3D%3Db`),
    watch("w", `${configMaps}?fieldSelector=spec.x%3D1`),
  ],
  "a watch closes after timeoutSeconds": [
    made,
    watch("w", `${configMaps}?resourceVersion={rv}&timeoutSeconds=1`),
    read("w", "end"),
  ],
  "a watch that allows bookmarks gets one before it ends": [
    made,
    // A bookmark must be newer than the start of the watch: the kind changes after it, outside of the watch.
    post(configMaps, configMap("b")),
    watch(
      "w",
      `${configMaps}?resourceVersion={rv}&fieldSelector=metadata.name%3Da&timeoutSeconds=3&allowWatchBookmarks=true`,
    ),
    read("w", "end"),
  ],
  "a watch from a future resourceVersion gets an error": [
    watch("w", `${configMaps}?resourceVersion=999999999`),
    read("w", 1),
  ],
  "watch events of custom resources have a kind": [
    defineWidget(),
    post(widgets, widget("a"), { capture }),
    mergePatch(`${widgets}/a`, { spec: { size: 1 } }),
    remove(`${widgets}/a`),
    watch("w", `${widgets}?resourceVersion={rv}`),
    read("w", 2),
  ],
  "a watch of Tables sends the columns once": [
    made,
    watch("w", `${configMaps}?resourceVersion=0`, table),
    mergePatch(at, { data: { k: "2" } }),
    read("w", 2),
  ],
  "a watch of PartialObjectMetadata sends metadata only": [
    made,
    watch("w", `${configMaps}?resourceVersion=0`, partial),
    mergePatch(at, { metadata: { labels: { l: "1" } } }),
    read("w", 2),
  ],
  "an update without changes sends no event": [
    made,
    put(at, configMap("a", { k: "1" })),
    mergePatch(at, { data: { k: "2" } }),
    watch("w", `${configMaps}?resourceVersion={rv}`),
    read("w", 1),
  ],
  "the deprecated /watch/ path works": [
    made,
    watch("w", "/api/v1/watch/namespaces/{ns}/configmaps?resourceVersion=0"),
    read("w", 1),
  ],
  "removing the last finalizer sends one DELETED event": [
    post(configMaps, configMap("a", {}, { finalizers: ["x.io/a"] }), { capture }),
    remove(at),
    mergePatch(at, { metadata: { finalizers: null } }),
    watch("w", `${configMaps}?resourceVersion={rv}`),
    read("w", 2),
  ],
  "the deprecated /watch/ path serves one object, all namespaces, other groups and custom resources": [
    defineWidget(),
    made,
    post(configMaps, configMap("b")),
    post(widgets, widget("a")),
    watch("one", "/api/v1/watch/namespaces/{ns}/configmaps/b?resourceVersion=0"),
    read("one", 1),
    watch("all", "/api/v1/watch/configmaps?resourceVersion={rv}&fieldSelector=metadata.namespace%3D{ns}"),
    read("all", 1),
    watch("ns", "/api/v1/watch/namespaces/{ns}?resourceVersion=0"),
    read("ns", 1),
    watch("list", "/api/v1/watch/namespaces?resourceVersion=0&fieldSelector=metadata.name%3D{ns}"),
    read("list", 1),
    watch("custom", "/apis/{group}/v1/watch/namespaces/{ns}/widgets?resourceVersion=0"),
    read("custom", 1),
    watch("thing", "/apis/{group}/v1/watch/namespaces/{ns}/widgets/a?resourceVersion=0"),
    read("thing", 1),
    watch("leases", "/apis/coordination.k8s.io/v1/watch/namespaces/{ns}/leases?resourceVersion=0&timeoutSeconds=1"),
    read("leases", "end"),
  ],
  "the deprecated /watch/ path supports no other verbs": [
    post("/api/v1/watch/namespaces/{ns}/configmaps", configMap("x")),
    remove("/api/v1/watch/namespaces/{ns}/configmaps"),
    get("/api/v1/watch/namespaces/{ns}/nonsense"),
    get("/api/v1/watch"),
    get("/api/v1/watch/namespaces/{ns}/configmaps/a/status"),
  ],
  "a streaming list with NotOlderThan starts with the existing objects": [
    made,
    post(configMaps, configMap("b"), { capture }),
    watch("w", `${configMaps}?${streaming}&resourceVersion={rv}`),
    read("w", 3),
    remove(at),
    read("w", 1),
  ],
  "a streaming list with a selector contains matching objects only": [
    post(configMaps, labelled("a", "x")),
    post(configMaps, labelled("b", "y")),
    watch("w", `${configMaps}?${streaming}&labelSelector=app%3Dx`),
    read("w", 2),
  ],
  "a streaming list without bookmarks has no visible end": [
    made,
    watch("w", `${configMaps}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`),
    read("w", 1),
    post(configMaps, configMap("b")),
    read("w", 1),
  ],
  "a streaming list from a future resourceVersion ends with an error": [
    watch("w", `${configMaps}?${streaming}&resourceVersion=999999999`),
    read("w", 1),
  ],
  "a streaming list of PartialObjectMetadata ends with a bookmark of its kind": [
    made,
    watch("m", `${configMaps}?${streaming}`, partial),
    read("m", 2),
  ],
  "without initial events the resourceVersion is where the watch starts": [
    made,
    mergePatch(at, { data: { k: "2" } }),
    watch("w", `${configMaps}?sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={rv}`),
    read("w", 1),
  ],
  "a watch with a limit or a continue token": [
    made,
    post(configMaps, configMap("b")),
    watch("w", `${configMaps}?limit=1&resourceVersion=0`),
    read("w", 2),
    watch("c", `${configMaps}?continue=nonsense`),
    watch("d", `${configMaps}?limit=-1&resourceVersion={rv}`),
    read("d", 1),
  ],
  "invalid timeouts of a watch": [
    made,
    watch("a", `${configMaps}?timeoutSeconds=abc`),
    watch("b", `${configMaps}?timeout=abc`),
    watch("d", `${configMaps}?timeoutSeconds=0&resourceVersion=0`),
    read("d", 1),
  ],
  "more contradicting watch options are rejected": [
    watch("w", `${configMaps}?sendInitialEvents=false`),
    watch("w", `${configMaps}?sendInitialEvents=false&resourceVersionMatch=Exact`),
    watch("w", `${configMaps}?resourceVersionMatch=Nonsense`),
    watch("w", `${configMaps}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x`),
    watch("w", `${configMaps}?resourceVersion=99999999999999999999`),
  ],
  "an object that stops matching a field selector is DELETED with its previous state, and its deletion sends no event":
    [
      defineWidget({ selectableFields: [{ jsonPath: ".spec.color" }] }),
      get(widgets, { capture: { list: "metadata.resourceVersion" } }),
      post(widgets, widget("a", { spec: { color: "red" } })),
      mergePatch(`${widgets}/a`, { spec: { color: "blue" } }),
      remove(`${widgets}/a`),
      post(widgets, widget("b", { spec: { color: "red" } })),
      remove(`${widgets}/b`),
      watch("w", `${widgets}?resourceVersion={list}&fieldSelector=spec.color%3Dred`),
      read("w", 4),
    ],
  "a deleted and recreated object is two objects": [
    made,
    remove(at),
    post(configMaps, configMap("a", { k: "2" })),
    watch("w", `${configMaps}?resourceVersion={rv}&fieldSelector=metadata.name%3Da`),
    read("w", 2),
  ],
  "a watch of a missing object waits for it": [
    watch("w", `${configMaps}?fieldSelector=metadata.name%3Da`),
    made,
    read("w", 1),
  ],
  "a deletecollection sends one event per object": [
    made,
    post(configMaps, configMap("b")),
    remove(configMaps, undefined, { fields: ["kind"] }),
    watch("w", `${configMaps}?resourceVersion={rv}`),
    read("w", 3),
  ],
  "watch=false is a list": [made, get(`${configMaps}?watch=false`), get(`${configMaps}?watch=0`)],
});
