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
  "a list of built-in kind holds items without kind, ordered by name": [
    post(configMaps, configMap("b")),
    post(configMaps, configMap("a")),
    get(configMaps),
  ],
  "an empty list has no items": [get(configMaps), defineWidget(), get(widgets)],
  "a list of custom resources names the kind of each item": [
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
  "pages are of one snapshot": [
    ...three,
    get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
    remove(`${configMaps}/b`),
    post(configMaps, configMap("d")),
    get(`${configMaps}?limit=5&continue={next}`),
  ],
  "a page of a selected list does not count what remains": [
    ...three,
    get(`${configMaps}?limit=1&labelSelector=app%3Dx`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&labelSelector=app%3Dx&continue={next}`),
  ],
  "a limit that is reached exactly needs no further page": [...three, get(`${configMaps}?limit=3`)],
  "a continue token is looked at before the version that comes with it": [
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
  "a continue token that makes no sense is refused": [
    get(`${configMaps}?limit=1&continue=nonsense`),
    get(`${configMaps}?limit=1&continue=e30`),
  ],
  "a continue token and a version together are refused": [
    ...three,
    get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&continue={next}&resourceVersion={rv}`),
  ],
  "a limit that is no number is refused": [get(`${configMaps}?limit=many`)],
  "a limit below zero is refused": [get(`${configMaps}?limit=-1`)],
  "a list at an exact version shows the past": [
    ...three,
    remove(`${configMaps}/a`),
    get(`${configMaps}?resourceVersion={last}&resourceVersionMatch=Exact`),
  ],
  "a list not older than a version is at least as new": [
    ...three,
    get(`${configMaps}?resourceVersion={last}&resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?resourceVersion={rv}`),
    get(`${configMaps}?resourceVersion=0`),
  ],
  "version rules that contradict are refused": [
    get(`${configMaps}?resourceVersionMatch=Exact`),
    get(`${configMaps}?resourceVersion=0&resourceVersionMatch=Exact`),
    get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Nonsense`),
    get(`${configMaps}?resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?sendInitialEvents=true`),
    get(`${configMaps}?resourceVersion=abc`),
  ],
  "a list over all namespaces finds the one of the case": [
    post(configMaps, configMap("a")),
    get("/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}"),
  ],
  "a list from the future is refused after a while": [
    get(`${configMaps}?resourceVersion=999999999`),
    get(`${configMaps}?resourceVersion=999999999&resourceVersionMatch=Exact`),
  ],
  "a get at a version is at least as new": [
    ...three,
    get(`${configMaps}/a?resourceVersion={rv}`),
    get(`${configMaps}/a?resourceVersion=0`),
    get(`${configMaps}/a?resourceVersion=abc`),
  ],
  "a limit and a version together read the past, or what is newer": [
    ...three,
    remove(`${configMaps}/a`),
    get(`${configMaps}?limit=1&resourceVersion={last}`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&continue={next}`),
    get(`${configMaps}?limit=1&resourceVersion={last}&resourceVersionMatch=Exact`),
    get(`${configMaps}?limit=1&resourceVersion={last}&resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?limit=1&resourceVersion=0`),
    get(`${configMaps}?limit=1&resourceVersion=0&resourceVersionMatch=NotOlderThan`),
  ],
  "a list at the first version of all shows nothing": [
    ...three,
    get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`),
  ],
  "a page may be asked for with another limit, with a selector, or as the rest": [
    ...three,
    get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=1&continue={next}`),
    get(`${configMaps}?continue={next}`),
    get(`${configMaps}?limit=1&labelSelector=app%3Dx&continue={next}`),
    get(`${configMaps}?limit=1&continue={next}&resourceVersion=0`),
    get(`${configMaps}?limit=1&continue={next}&resourceVersionMatch=NotOlderThan`),
    get(`${configMaps}?limit=1&continue={next}&resourceVersionMatch=Exact&resourceVersion=1`),
  ],
  "a page of one namespace continues in that one": [
    ...three,
    get(`${configMaps}?limit=2`, { capture: { next: "metadata.continue" } }),
    get("/api/v1/namespaces/kube-node-lease/configmaps?limit=2&continue={next}", { fields: ["kind", "items"] }),
  ],
  "the pages of a selected list hold what is selected, whatever lies between": [
    ...["a", "b", "c", "d", "e"].map((name) =>
      post(configMaps, configMap(name, {}, { labels: { odd: String("ace".includes(name)) } })),
    ),
    get(`${configMaps}?limit=2&labelSelector=odd%3Dtrue`, { capture: { next: "metadata.continue" } }),
    get(`${configMaps}?limit=2&labelSelector=odd%3Dtrue&continue={next}`),
    get(`${configMaps}?limit=3&labelSelector=odd%3Dtrue`),
    get(`${configMaps}?limit=1&fieldSelector=metadata.name%3De`),
    get(`${configMaps}?limit=1&fieldSelector=metadata.name%3Da`),
  ],
  "pages of custom resources count what remains": [
    defineWidget(),
    post(widgets, widget("a")),
    post(widgets, widget("b")),
    post(widgets, widget("c")),
    get(`${widgets}?limit=1`, { capture: { next: "metadata.continue" } }),
    get(`${widgets}?limit=1&continue={next}`, { capture: { last: "metadata.continue" } }),
    get(`${widgets}?limit=1&continue={last}`),
  ],
  "a continue token that was made up is refused": [
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 0, start: "/a" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 5, start: "" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 5 })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: 5, start: "../../x" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v1", rv: "5", start: "/a" })}`),
    get(`${configMaps}?continue=${token({ v: "meta.k8s.io/v2", rv: 5, start: "/a" })}`),
    get(`${configMaps}?continue=${token([])}`),
    get(`${configMaps}?continue=!!!`),
  ],
  "a continue token of no version reads what is there now": [
    ...three,
    get(`${configMaps}?limit=1&continue=${token({ v: "meta.k8s.io/v1", rv: -1, start: "a\u0000" })}`),
  ],
  "numbers that no machine holds are refused": [
    get(`${configMaps}?limit=99999999999999999999`),
    get(`${configMaps}?resourceVersion=99999999999999999999`),
    get(`${configMaps}?resourceVersion=-1`),
    get(`${configMaps}?timeoutSeconds=99999999999999999999`),
    get(`${configMaps}?timeoutSeconds=-5`),
  ],
  "a get from the future is refused after a while": [...three, get(`${configMaps}/a?resourceVersion=999999999`)],
  "the time that a request may take is read": [
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
  "booleans of a query are read as Go does": [
    ...three,
    get(`${configMaps}?watch=FALSE`),
    get(`${configMaps}?watch=false&allowWatchBookmarks=nonsense`),
  ],
  "a list with a timeout that makes no sense is refused": [
    get(`${configMaps}?timeoutSeconds=abc`),
    get(`${configMaps}?timeout=abc`),
  ],
});

/** Label and field selectors. */
export const selectors = subject("selectors", {
  "labels are selected by equality": [...three, names("app=x"), names("app==x,tier=1"), names("app!=x")],
  "labels are selected by sets and presence": [
    ...three,
    names("app in (x,z)"),
    names("app notin (x)"),
    names("tier"),
    names("!tier"),
  ],
  "labels are selected by number": [...three, names("tier>0"), names("tier<1"), names("tier>a")],
  "an empty selector selects all": [...three, names(""), names(" ")],
  "a bad label selector is refused": [
    names("app="),
    names("app in x"),
    names("=x"),
    names("a b"),
    names("bad!key=x"),
    names("app=bad!value"),
    names("app in (x,"),
  ],
  "fields name and namespace can always be selected": [
    ...three,
    fields(configMaps, "metadata.name=a"),
    fields(configMaps, "metadata.name!=a"),
    fields(configMaps, "metadata.namespace={ns}"),
    fields(configMaps, "metadata.name=a,metadata.name=b"),
  ],
  "another field is refused": [
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
  "custom resources have no other fields to select by": [
    defineWidget(),
    fields(widgets, "spec.color=red"),
    fields(widgets, "metadata.name=a"),
    fields(widgets, "status.phase=x"),
  ],
});
