import { get, mergePatch, post, send, subject, wording } from "../test-case.js";
import { defineWidget } from "./custom-kind.js";
import { configMap, configMaps, definition, deployments, secrets, widgets } from "./sample-objects.js";

const postText = (path: string, text: string, fields?: readonly string[]) =>
  post(path, null, { text, ...(fields && { fields }) });
/** Compared fields of an object, a list or a rejection. */
const named = ["code", "reason", "message", "kind", "metadata.name", "items"];
const status = ["code", "reason", "message", "details", "kind", "status"];

/** Invalid requests. */
export const errors = subject("errors", {
  "a missing object is not found": wording(
    get(`${configMaps}/none`),
    get(`${deployments}/none`),
    get("/api/v1/namespaces/none"),
    defineWidget(),
    get(`${widgets}/none`),
    get(`${definition}x`),
  ),
  "a missing resource, version or group is not found": wording(
    get("/api/v1/namespaces/{ns}/nothings"),
    get("/apis/apps/v9/deployments"),
    get("/apis/nothing.example.com/v1/things"),
    get("/nothing"),
    get("/api/v9"),
    get("/apis/nothing.example.com"),
  ),
  "a missing resource of a CRD's group is not found": [
    defineWidget(),
    get("/apis/{group}/v1/namespaces/{ns}/gadgets"),
    get("/apis/{group}/v9/namespaces/{ns}/widgets"),
  ],
  "a namespaced kind has no object outside a namespace": wording(
    get("/api/v1/configmaps/a"),
    post("/api/v1/configmaps", configMap("a")),
    get("/api/v1/namespaces/{ns}/namespaces/x"),
  ),
  "an unsupported method is not allowed": [
    send("PUT", configMaps, { body: configMap("a") }),
    send("POST", `${configMaps}/a`, { body: configMap("a") }),
    send("PATCH", configMaps, { body: {}, headers: { "content-type": "application/merge-patch+json" } }),
    send("DELETE", "/api/v1/namespaces"),
    send("OPTIONS", configMaps),
  ],
  "an unsupported method on a custom resource is not allowed": [
    defineWidget(),
    send("PUT", widgets, { body: {} }),
    send("POST", `${widgets}/a`, { body: {} }),
    send("DELETE", "/apis/{group}/v1/widgets"),
    send("POST", "/apis/{group}/v1/widgets", { body: {} }),
  ],
  "a body of an unknown media type is rejected": [
    send("POST", configMaps, { text: "x", headers: { "content-type": "text/plain" } }),
    send("POST", configMaps, { text: "x", headers: { "content-type": "application/xml" } }),
    defineWidget(),
    send("POST", widgets, { text: "x", headers: { "content-type": "text/plain" } }),
  ],
  "a custom resource that is not JSON is rejected": [
    defineWidget(),
    postText(widgets, "{"),
    postText(widgets, "nonsense"),
    postText(widgets, "[]"),
  ],
  "a patch that is not JSON is rejected": [
    post(configMaps, configMap("a")),
    send("PATCH", `${configMaps}/a`, { text: "{", headers: { "content-type": "application/merge-patch+json" } }),
    send("PATCH", `${configMaps}/a`, { text: "{", headers: { "content-type": "application/json-patch+json" } }),
    send("PATCH", `${configMaps}/a`, { text: "", headers: { "content-type": "application/merge-patch+json" } }),
  ],
  "a body in YAML is accepted": [
    send("POST", configMaps, {
      text: "metadata:\n  name: a\ndata:\n  k: v\n",
      headers: { "content-type": "application/yaml" },
    }),
    send("POST", configMaps, { text: "metadata: [", headers: { "content-type": "application/yaml" } }),
  ],
  "a body of more than 3 MiB is rejected": [
    postText(configMaps, `{"metadata":{"name":"a"},"data":{"k":"${"x".repeat(3_200_000)}"}}`, status),
  ],
  "an object of more than 1 MiB is rejected where its kind has a limit": [
    postText(configMaps, `{"metadata":{"name":"a"},"data":{"k":"${"x".repeat(1_100_000)}"}}`, status),
    postText(secrets, `{"metadata":{"name":"a"},"stringData":{"k":"${"x".repeat(1_100_000)}"}}`, status),
  ],
  "unknown query parameters are ignored": [
    get(`${configMaps}?nothing=1`),
    post(configMaps, configMap("a")),
    mergePatch(`${configMaps}/a?nothing=1`, {}),
  ],
  "trailing and doubled slashes are handled as on a real server": [
    get("/api/v1/"),
    get("/api/v1/namespaces/{ns}/configmaps/"),
  ],
  "a path is not normalised": wording(
    post(configMaps, configMap("a")),
    defineWidget(),
    ...[configMaps, widgets].flatMap((all) =>
      ["%2e%2e", "%2E", "a%25b", "a%2Fb", "%61", "..", ".", "a;b", "a+b", "A%20b"].map((name) =>
        get(`${all}/${name}`, { fields: named }),
      ),
    ),
    ...[
      "/api/v1/../v1/namespaces/{ns}",
      "/api/v1/namespaces/{ns}/./configmaps",
      "/api/v1/namespaces/%2e%2e/configmaps",
      "/api/v1/namespaces//configmaps?fieldSelector=metadata.name%3Dnone",
      "/api/v1/namespaces//configmaps/a",
      "/api/v1//namespaces/{ns}",
      "//api/v1/namespaces/{ns}",
      "/api/v1/namespaces/{ns}//configmaps",
      "/apis/{group}/v1/namespaces//widgets",
      "/apis//{group}/v1/namespaces/{ns}/widgets",
      "/API/v1/namespaces/{ns}",
      "/api/v1/Namespaces/{ns}",
    ].map((path) => get(path, { fields: named })),
    post("/api/v1/namespaces//configmaps", configMap("b"), { fields: named }),
  ),
  "malformed query parameters are ignored": [
    post(configMaps, { ...configMap("a"), metadata: { name: "a", labels: { a: "b" } } }),
    ...[
      ...["labelSelector=%zz", "labelSelector=a%3Dc;b", "labelSelector=a%3Dc&limit=%z", "labelSelector=a%3D%62"],
      ...["x;labelSelector=a%3Dc", "%6Cimit=x", "limit=+1", "&&&", "=", "limit"],
    ].map((query) => get(`${configMaps}?${query}`, { fields: named })),
  ],
  "health endpoints accept every method": [
    ...(["POST", "PUT", "DELETE", "HEAD"] as const).map((method) => send(method, "/healthz")),
    send("POST", "/livez/ping"),
    send("POST", "/readyz/nothing"),
  ],
});
