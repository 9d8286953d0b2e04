import { get, post, remove, subject } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, secrets, widget, widgets } from "./sample-objects.js";

const three = [
  post(configMaps, configMap("a", {}, { labels: { app: "x", tier: "1" } }), {
    capture: { rv: "metadata.resourceVersion" },
  }),
  post(configMaps, configMap("b", {}, { labels: { app: "y" } })),
  post(configMaps, configMap("c", {}, { labels: { app: "x" } }), { capture: { last: "metadata.resourceVersion" } }),
];
const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const names = (selector: string) => get(`${configMaps}?labelSelector=${encodeURIComponent(selector)}`);
const fields = (path: string, selector: string) => get(`${path}?fieldSelector=${encodeURIComponent(selector)}`);

/** Lists and their pages. */
export const lists = subject("list", {
  "items of a built-in kind's list have no kind and are ordered by name": [
    post(configMaps, configMap("b")),
    post(configMaps, configMap("a")),
    get(configMaps),
  ],
  "an empty list has no items": [get(configMaps), defineWidget(), get(widgets)],
  "items of a custom resource list have a kind": [
    defineWidget(),
    post(widgets, widget("b")),
    post(widgets, widget("a")),
    get(widgets),
  ],
  "a list is read page by page": [
    ...three,
    get(`${configMaps}?limit=2`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=2&continue={next}`),
  ],
  "all pages come from one snapshot": [
    ...three,
    get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
    remove(`${configMaps}/b`),
    post(configMaps, configMap("d")),
    get(`${configMaps}?limit=5&continue={next}`),
  ],
  "a page with a selector has no remainingItemCount": [
    ...three,
    get(`${configMaps}?limit=1&labelSelector=app%3Dx`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&labelSelector=app%3Dx&continue={next}`),
  ],
  "a limit that is reached exactly needs no further page": [...three, get(`${configMaps}?limit=3`)],
  "a continue token is validated before the resourceVersion": [
    post(configMaps, configMap("a")),
    post(configMaps, configMap("b")),
    get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
    ...["{next}", "nonsense"].flatMap((token) =>
      ["odd", "1", "0", "99999999999999999999999"].map((version) =>
        get(`${configMaps}?limit=1&continue=${token}&resourceVersion=${version}`),
      ),
    ),
    get(`${configMaps}?limit=&timeoutSeconds=1`),
    get(`${configMaps}?limit=1&timeoutSeconds=`),
    get(`${configMaps}?watch=1&timeoutSeconds=`),
    remove(`${configMaps}/a?gracePeriodSeconds=`),
  ],
  "a malformed continue token is rejected": [
    get(`${configMaps}?limit=1&continue=nonsense`),
    get(`${configMaps}?limit=1&continue=e30`),
  ],
  "a continue token with a resourceVersion is rejected": [
    ...three,
    get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&continue={next}&resourceVersion={rv}`),
  ],
  "a limit that is not a number is rejected": [get(`${configMaps}?limit=many`)],
  "a negative limit is rejected": [get(`${configMaps}?limit=-1`)],
  "a list at an exact resourceVersion returns the past": [
    ...three,
    remove(`${configMaps}/a`),
    get(`${configMaps}?resourceVersion={last}&resourceVersionMatch=Exact`),
  ],
  "a list with NotOlderThan is at least as new": [
    ...three,
    get(`${configMaps}?resourceVersion={last}&resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?resourceVersion={rv}`),
    get(`${configMaps}?resourceVersion=0`),
  ],
  "contradicting resourceVersion options are rejected": [
    get(`${configMaps}?resourceVersionMatch=Exact`),
    get(`${configMaps}?resourceVersion=0&resourceVersionMatch=Exact`),
    get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Nonsense`),
    get(`${configMaps}?resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?sendInitialEvents=true`),
    get(`${configMaps}?resourceVersion=abc`),
  ],
  "a list across all namespaces includes the case's namespace": [
    post(configMaps, configMap("a")),
    get("/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}"),
  ],
  "a list at a future resourceVersion times out": [
    get(`${configMaps}?resourceVersion=999999999`),
    get(`${configMaps}?resourceVersion=999999999&resourceVersionMatch=Exact`),
  ],
  "a get at a resourceVersion is at least as new": [
    ...three,
    get(`${configMaps}/a?resourceVersion={rv}`),
    get(`${configMaps}/a?resourceVersion=0`),
    get(`${configMaps}/a?resourceVersion=abc`),
  ],
  "a limit with a resourceVersion returns the past or newer": [
    ...three,
    remove(`${configMaps}/a`),
    get(`${configMaps}?limit=1&resourceVersion={last}`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&continue={next}`),
    get(`${configMaps}?limit=1&resourceVersion={last}&resourceVersionMatch=Exact`),
    get(`${configMaps}?limit=1&resourceVersion={last}&resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?limit=1&resourceVersion=0`),
    get(`${configMaps}?limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan`),
  ],
  "a list at resourceVersion 1 is empty": [...three, get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`)],
  "a page may be requested with another limit or a selector, or without limit": [
    ...three,
    get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&continue={next}`),
    get(`${configMaps}?continue={next}`),
    get(`${configMaps}?limit=1&labelSelector=app%3Dx&continue={next}`),
    get(`${configMaps}?limit=1&continue={next}&resourceVersion=0`),
    get(`${configMaps}?limit=1&continue={next}&resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?limit=1&continue={next}&resourceVersionMatch=Exact&resourceVersion=1`),
  ],
  "a page of one namespace continues in that namespace": [
    ...three,
    get(`${configMaps}?limit=2`, { capture: { next: "metadata.continue" } }),
    get("/api/v1/namespaces/kube-node-lease/configmaps?limit=2&continue={next}", { fields: ["kind", "items"] }),
  ],
  "pages of a list with a selector contain only matching items": [
    ...["a", "b", "c", "d", "e"].map((name) =>
      post(configMaps, configMap(name, {}, { labels: { odd: String("ace".includes(name)) } })),
    ),
    get(`${configMaps}?limit=2&labelSelector=odd%3Dtrue`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=2&labelSelector=odd%3Dtrue&continue={next}`),
    get(`${configMaps}?limit=3&labelSelector=odd%3Dtrue`),
    get(`${configMaps}?limit=1&fieldSelector=metadata.name%3De`),
    get(`${configMaps}?limit=1&fieldSelector=metadata.name%3Da`),
  ],
  "pages of custom resources have a remainingItemCount": [
    defineWidget(),
    post(widgets, widget("a")),
    post(widgets, widget("b")),
    post(widgets, widget("c")),
    get(`${widgets}?limit=1`, { capture: { next: "metadata.continue" } }),
    get(`${widgets}?limit=1&continue={next}`, { capture: { last: "metadata.continue" } }),
    get(`${widgets}?limit=1&continue={last}`),
  ],
  "a forged continue token is rejected": [
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 0, start: "/a" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 5, start: "" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 5 })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 5, start: "../../x" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: "5", start: "/a" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v2", rv: 5, start: "/a" })}`),
    get(`${configMaps}?continue=${token([])}`),
    get(`${configMaps}?continue=!!!`),
  ],
  "a continue token without resourceVersion reads the current state": [
    ...three,
    get(`${configMaps}?limit=1&continue=${token({ v: "meta.k8s.io/v1", rv: -1, start: "a\u0000" })}`),
  ],
  "numbers out of range are rejected": [
    get(`${configMaps}?limit=99999999999999999999`),
    get(`${configMaps}?resourceVersion=99999999999999999999`),
    get(`${configMaps}?resourceVersion=-1`),
    get(`${configMaps}?timeoutSeconds=99999999999999999999`),
    get(`${configMaps}?timeoutSeconds=-5`),
  ],
  "a get at a future resourceVersion times out": [...three, get(`${configMaps}/a?resourceVersion=999999999`)],
  "the timeout parameter is parsed": [
    get(`${configMaps}?timeout=10s`),
    get(`${configMaps}?timeout=1m30.5s`),
    get(`${configMaps}?timeout=0`),
    get(`${configMaps}?timeout=`),
    get(`${configMaps}?timeout=10`),
    get(`${configMaps}?timeout=10x`),
    get(`${configMaps}?timeout=-1s`),
    get(`${configMaps}?timeout=1h`),
    get(`${configMaps}?timeout=s`),
    post(`${configMaps}?timeout=nonsense`, configMap("t")),
    get("/api/v1/namespaces/{ns}?timeout=nonsense"),
    get("/apis?timeout=nonsense", { fields: ["kind", "message", "code"] }),
  ],
  "booleans in a query are parsed as in Go": [
    ...three,
    get(`${configMaps}?watch=FALSE`),
    get(`${configMaps}?watch=false&allowWatchBookmarks=nonsense`),
  ],
  "a list with an invalid timeoutSeconds is rejected": [
    get(`${configMaps}?timeoutSeconds=abc`),
    get(`${configMaps}?timeout=abc`),
  ],
});

/** Label and field selectors. */
export const selectors = subject("selectors", {
  "labels are selected by equality": [...three, names("app=x"), names("app==x,tier=1"), names("app!=x")],
  "labels are selected by sets and existence": [
    ...three,
    names("app in (x,z)"),
    names("app notin (x)"),
    names("tier"),
    names("!tier"),
  ],
  "labels are selected by number": [...three, names("tier>0"), names("tier<1"), names("tier>a")],
  "an empty selector selects all": [...three, names(""), names(" ")],
  "an invalid label selector is rejected": [
    names("app="),
    names("app in x"),
    names("=x"),
    names("a b"),
    names("bad!key=x"),
    names("app=bad!value"),
    names("app in (x,"),
  ],
  "metadata.name and metadata.namespace are always selectable": [
    ...three,
    fields(configMaps, "metadata.name=a"),
    fields(configMaps, "metadata.name!=a"),
    fields(configMaps, "metadata.namespace={ns}"),
    fields(configMaps, "metadata.name=a,metadata.name=b"),
  ],
  "an unsupported field selector is rejected": [
    fields(configMaps, "data.k=1"),
    fields(configMaps, "nonsense"),
    fields(configMaps, "metadata.name>a"),
  ],
  "Secrets are selected by type": [
    post(secrets, { metadata: { name: "a" } }),
    post(secrets, { metadata: { name: "b" }, type: "x.io/own" }),
    fields(secrets, "type=Opaque"),
    fields(secrets, "type=x.io/own"),
  ],
  "Namespaces are selected by phase": [
    get("/api/v1/namespaces?fieldSelector=status.phase%3DActive,metadata.name%3D{ns}"),
    get("/api/v1/namespaces?fieldSelector=status.phase%3DTerminating,metadata.name%3D{ns}"),
  ],
  "custom resources are selected by the fields that their version declares": [
    defineWidget({ selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }] }),
    post(widgets, widget("a", { spec: { color: "red", size: 3 } })),
    post(widgets, widget("b", { spec: { color: "blue" } })),
    fields(widgets, "spec.color=red"),
    fields(widgets, "spec.color!=red"),
    fields(widgets, "spec.size=3"),
    fields(widgets, "spec.size="),
    fields(widgets, "spec.other=1"),
  ],
  "custom resources have no other selectable fields": [
    defineWidget(),
    fields(widgets, "spec.color=red"),
    fields(widgets, "metadata.name=a"),
    fields(widgets, "status.phase=x"),
  ],
});
