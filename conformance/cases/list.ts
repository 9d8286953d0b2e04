import { get, post, remove, type Subject, scenario } from "../case.js";
import { configMap, configMaps, define, secrets, size, specSchema, widget, widgets } from "./sample-objects.js";

const three = [
  post(configMaps, configMap("a", {}, { labels: { app: "x", tier: "1" } }), {
    capture: { rv: "metadata.resourceVersion" },
  }),
  post(configMaps, configMap("b", {}, { labels: { app: "y" } })),
  post(configMaps, configMap("c", {}, { labels: { app: "x" } }), { capture: { last: "metadata.resourceVersion" } }),
];
const names = (selector: string) => get(`${configMaps}?labelSelector=${encodeURIComponent(selector)}`);
const fields = (path: string, selector: string) => get(`${path}?fieldSelector=${encodeURIComponent(selector)}`);

/** Lists and their pages. */
export const lists: Subject = {
  name: "list",
  cases: [
    scenario(
      "a list of built-in kind holds items without kind, ordered by name",
      post(configMaps, configMap("b")),
      post(configMaps, configMap("a")),
      get(configMaps),
    ),
    scenario("an empty list has no items", get(configMaps), ...define(specSchema(size)), get(widgets)),
    scenario(
      "a list of custom resources names the kind of each item",
      ...define(specSchema(size)),
      post(widgets, widget("b")),
      post(widgets, widget("a")),
      get(widgets),
    ),
    scenario(
      "a list is read page by page",
      ...three,
      get(`${configMaps}?limit=2`, { capture: { next: "metadata.continue" } }),
      get(`${configMaps}?limit=2&continue={next}`),
    ),
    scenario(
      "pages are of one snapshot",
      ...three,
      get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
      remove(`${configMaps}/b`),
      post(configMaps, configMap("d")),
      get(`${configMaps}?limit=5&continue={next}`),
    ),
    scenario(
      "a page of a selected list does not count what remains",
      ...three,
      get(`${configMaps}?limit=1&labelSelector=app%3Dx`, { capture: { next: "metadata.continue" } }),
      get(`${configMaps}?limit=1&labelSelector=app%3Dx&continue={next}`),
    ),
    scenario("a limit that is reached exactly needs no further page", ...three, get(`${configMaps}?limit=3`)),
    scenario(
      "a continue token that makes no sense is refused",
      get(`${configMaps}?limit=1&continue=nonsense`),
      get(`${configMaps}?limit=1&continue=e30`),
    ),
    scenario(
      "a continue token and a version together are refused",
      ...three,
      get(`${configMaps}?limit=1`, { capture: { next: "metadata.continue" } }),
      get(`${configMaps}?limit=1&continue={next}&resourceVersion={rv}`),
    ),
    scenario("a limit that is no number is refused", get(`${configMaps}?limit=many`)),
    scenario("a limit below zero is refused", get(`${configMaps}?limit=-1`)),
    scenario(
      "a list at an exact version shows the past",
      ...three,
      remove(`${configMaps}/a`),
      get(`${configMaps}?resourceVersion={last}&resourceVersionMatch=Exact`),
    ),
    scenario(
      "a list not older than a version is at least as new",
      ...three,
      get(`${configMaps}?resourceVersion={last}&resourceVersionMatch=NotOlderThan`),
      get(`${configMaps}?resourceVersion={rv}`),
      get(`${configMaps}?resourceVersion=0`),
    ),
    scenario(
      "version rules that contradict are refused",
      get(`${configMaps}?resourceVersionMatch=Exact`),
      get(`${configMaps}?resourceVersion=0&resourceVersionMatch=Exact`),
      get(`${configMaps}?resourceVersion=1&resourceVersionMatch=Nonsense`),
      get(`${configMaps}?resourceVersionMatch=NotOlderThan`),
      get(`${configMaps}?sendInitialEvents=true`),
      get(`${configMaps}?resourceVersion=abc`),
    ),
    scenario(
      "a list over all namespaces finds the one of the case",
      post(configMaps, configMap("a")),
      get("/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}"),
    ),
    scenario(
      "a list from the future is refused after a while",
      get(`${configMaps}?resourceVersion=999999999`),
      get(`${configMaps}?resourceVersion=999999999&resourceVersionMatch=Exact`),
    ),
    scenario(
      "a get at a version is at least as new",
      ...three,
      get(`${configMaps}/a?resourceVersion={rv}`),
      get(`${configMaps}/a?resourceVersion=0`),
      get(`${configMaps}/a?resourceVersion=abc`),
    ),
    scenario(
      "a list with a timeout that makes no sense is refused",
      get(`${configMaps}?timeoutSeconds=abc`),
      get(`${configMaps}?timeout=abc`),
    ),
  ],
};

/** Label and field selectors. */
export const selectors: Subject = {
  name: "selectors",
  cases: [
    scenario("labels are selected by equality", ...three, names("app=x"), names("app==x,tier=1"), names("app!=x")),
    scenario(
      "labels are selected by sets and presence",
      ...three,
      names("app in (x,z)"),
      names("app notin (x)"),
      names("tier"),
      names("!tier"),
    ),
    scenario("labels are selected by number", ...three, names("tier>0"), names("tier<1"), names("tier>a")),
    scenario("an empty selector selects all", ...three, names(""), names(" ")),
    scenario(
      "a bad label selector is refused",
      names("app="),
      names("app in x"),
      names("=x"),
      names("a b"),
      names("bad!key=x"),
      names("app=bad!value"),
      names("app in (x,"),
    ),
    scenario(
      "fields name and namespace can always be selected",
      ...three,
      fields(configMaps, "metadata.name=a"),
      fields(configMaps, "metadata.name!=a"),
      fields(configMaps, "metadata.namespace={ns}"),
      fields(configMaps, "metadata.name=a,metadata.name=b"),
    ),
    scenario(
      "another field is refused",
      fields(configMaps, "data.k=1"),
      fields(configMaps, "nonsense"),
      fields(configMaps, "metadata.name>a"),
    ),
    scenario(
      "Secrets are selected by type",
      post(secrets, { metadata: { name: "a" } }),
      post(secrets, { metadata: { name: "b" }, type: "x.io/own" }),
      fields(secrets, "type=Opaque"),
      fields(secrets, "type=x.io/own"),
    ),
    scenario(
      "Namespaces are selected by phase",
      get("/api/v1/namespaces?fieldSelector=status.phase%3DActive,metadata.name%3D{ns}"),
      get("/api/v1/namespaces?fieldSelector=status.phase%3DTerminating,metadata.name%3D{ns}"),
    ),
    scenario(
      "custom resources are selected by the fields that their version declares",
      ...define(specSchema(size), { selectableFields: [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.size" }] }),
      post(widgets, widget("a", { spec: { color: "red", size: 3 } })),
      post(widgets, widget("b", { spec: { color: "blue" } })),
      fields(widgets, "spec.color=red"),
      fields(widgets, "spec.color!=red"),
      fields(widgets, "spec.size=3"),
      fields(widgets, "spec.size="),
      fields(widgets, "spec.other=1"),
    ),
    scenario(
      "custom resources have no other fields to select by",
      ...define(specSchema(size)),
      fields(widgets, "spec.color=red"),
      fields(widgets, "metadata.name=a"),
      fields(widgets, "status.phase=x"),
    ),
  ],
};
