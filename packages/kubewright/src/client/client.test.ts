import { isApiError, isConflict, isNotFound, isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { ConfigMap, Namespace, Website } from "../../test/kinds.js";
import { failure, ScriptedTransport } from "../../test/scripted-transport.js";
import { createClient } from "./index.js";

const settings = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", namespace: "default", resourceVersion: "7" },
  data: { mode: "fast" },
};

const caught = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test("get requests the object in the default namespace, and returns it unchanged", async () => {
  const transport = new ScriptedTransport(() => ({ body: structuredClone(settings) }));
  const read = await createClient(transport).get(ConfigMap, "settings");
  expect(transport.lastRequest).toMatchObject({
    method: "GET",
    path: "/api/v1/namespaces/default/configmaps/settings",
  });
  expect(read.data?.["mode"]).toBe("fast");
});

test("get of a missing object throws an error with the verb, the object and the server's Status", async () => {
  const transport = new ScriptedTransport(() =>
    failure(404, "NotFound", 'websites.web.example.com "shop" not found', "shop"),
  );
  const error = await caught(createClient(transport).get(Website, { namespace: "prod", name: "shop" }));
  expect(isNotFound(error) && error.message).toBe(
    'Cannot get Website "prod/shop": websites.web.example.com "shop" not found',
  );
  expect(isApiError(error) && error.status.reason).toBe("NotFound");
});

test("find returns undefined for a missing object, but throws when the kind is not served", async () => {
  const missing = new ScriptedTransport(() => failure(404, "NotFound", 'configmaps "x" not found', "x"));
  expect(await createClient(missing).find(ConfigMap, "x")).toBeUndefined();
  const unserved = new ScriptedTransport(() => ({ status: 404, body: "404 page not found" }));
  expect(isNotFound(await caught(createClient(unserved).find(Website, "x")))).toBe(true);
});

test("list follows continue tokens, and sets the apiVersion and kind that items of built-in kinds lack", async () => {
  const item = (name: string) => ({ metadata: { name } });
  const transport = new ScriptedTransport(({ query }) =>
    query?.["continue"] === "more"
      ? { body: { kind: "ConfigMapList", metadata: { resourceVersion: "9" }, items: [item("c")] } }
      : {
          body: {
            kind: "ConfigMapList",
            metadata: { resourceVersion: "9", continue: "more" },
            items: [item("a"), item("b")],
          },
        },
  );
  const seen: string[] = [];
  for await (const object of createClient(transport).list(ConfigMap, {
    labels: { team: "a", tier: "web" },
    pageSize: 2,
  }))
    seen.push(`${object.apiVersion} ${object.kind} ${object.metadata.name}`);
  expect(seen).toEqual(["v1 ConfigMap a", "v1 ConfigMap b", "v1 ConfigMap c"]);
  expect(transport.requests.map((request) => request.query)).toEqual([
    { labelSelector: "team=a,tier=web", limit: "2" },
    { labelSelector: "team=a,tier=web", limit: "2", continue: "more" },
  ]);
});

test("list rejects a Table", async () => {
  const transport = new ScriptedTransport(() => ({ body: { kind: "Table", metadata: {}, items: [], rows: [] } }));
  expect(isOperatorError(await caught(createClient(transport).listPage(ConfigMap)))).toBe(true);
});

test("create sends apiVersion, kind, namespace and options, also with generateName", async () => {
  const transport = new ScriptedTransport(({ body }) => ({ status: 201, body }));
  const client = createClient(transport, { namespace: "prod", fieldManager: "me" });
  await client.create(
    ConfigMap,
    { metadata: { generateName: "set-" }, data: {} },
    { dryRun: true, fieldValidation: "Strict" },
  );
  expect(transport.lastRequest).toMatchObject({
    method: "POST",
    path: "/api/v1/namespaces/prod/configmaps",
    query: { fieldManager: "me", dryRun: "All", fieldValidation: "Strict" },
    body: { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "set-", namespace: "prod" }, data: {} },
  });
});

test("update sends a PUT to the object's path, and a conflict keeps the server's message", async () => {
  const transport = new ScriptedTransport(() => failure(409, "Conflict", "the object has been modified", "settings"));
  const error = await caught(createClient(transport).update(ConfigMap, { ...settings, data: { mode: "slow" } }));
  expect(transport.lastRequest).toMatchObject({
    method: "PUT",
    path: "/api/v1/namespaces/default/configmaps/settings",
  });
  expect(isConflict(error) && error.message).toBe(
    'Cannot update ConfigMap "default/settings": the object has been modified',
  );
});

test("apply requires a field manager, and sends an apply patch", async () => {
  const transport = new ScriptedTransport(({ body }) => ({ body }));
  const client = createClient(transport);
  const object = { metadata: { name: "settings" }, data: { mode: "fast" } };
  expect(isOperatorError(await caught(client.apply(ConfigMap, object)))).toBe(true);
  await client.apply(ConfigMap, object, { fieldManager: "me", force: true });
  expect(transport.lastRequest).toMatchObject({
    method: "PATCH",
    headers: { "content-type": "application/apply-patch+yaml" },
    query: { fieldManager: "me", force: "true" },
  });
});

test.each([
  [{ merge: { data: null } }, "application/merge-patch+json"],
  [{ json: [{ op: "remove", path: "/data" }] }, "application/json-patch+json"],
  [{ strategic: { data: null } }, "application/strategic-merge-patch+json"],
] as const)("patch %j is sent as %s", async (patch, type) => {
  const transport = new ScriptedTransport(() => ({ body: structuredClone(settings) }));
  await createClient(transport).patchStatus(ConfigMap, "settings", patch);
  expect(transport.lastRequest?.headers?.["content-type"]).toBe(type);
  expect(transport.lastRequest?.path).toBe("/api/v1/namespaces/default/configmaps/settings/status");
  expect(transport.lastRequest?.body).toEqual(Object.values(patch)[0]);
});

test("delete returns the object while finalizers hold it, and undefined when it is deleted", async () => {
  const held = {
    ...settings,
    metadata: { ...settings.metadata, deletionTimestamp: "2030-01-01T00:00:00Z", finalizers: ["a/b"] },
  };
  const holding = new ScriptedTransport(() => ({ body: held }));
  const options = { preconditions: { uid: "u" }, propagationPolicy: "Foreground" } as const;
  expect((await createClient(holding).delete(ConfigMap, "settings", options))?.metadata.name).toBe("settings");
  expect(holding.lastRequest?.body).toEqual({ apiVersion: "v1", kind: "DeleteOptions", ...options });
  const gone = new ScriptedTransport(() => ({
    body: { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" },
  }));
  expect(await createClient(gone).delete(ConfigMap, "settings")).toBeUndefined();
});

test("a name that would escape its path is rejected before a request is sent", async () => {
  const transport = new ScriptedTransport(() => ({ body: settings }));
  const client = createClient(transport);
  for (const name of ["", "..", "a/b", "%2e%2e"]) {
    const error = await caught(client.get(ConfigMap, name));
    expect(isOperatorError(error) && error.code).toBe("CONFIG_INVALID");
  }
  expect(transport.requests).toEqual([]);
});

test("cluster-scoped kinds have no namespace in their path", async () => {
  const transport = new ScriptedTransport(() => ({ body: { metadata: { name: "prod" } } }));
  await createClient(transport).get(Namespace, "prod");
  expect(transport.lastRequest?.path).toBe("/api/v1/namespaces/prod");
});

test("a request without a response fails with an error that names the object and keeps the cause", async () => {
  const client = createClient(new ScriptedTransport(() => undefined));
  const error = await caught(client.get(ConfigMap, "settings"));
  expect(isOperatorError(error) && [error.code, error.message]).toEqual([
    "TRANSPORT_FAILED",
    'Cannot get ConfigMap "default/settings": connection refused',
  ]);
});

test("an aborted signal sends nothing and rejects with its reason", async () => {
  const transport = new ScriptedTransport(() => ({ body: settings }));
  const reason = new Error("stop");
  expect(await caught(createClient(transport).get(ConfigMap, "settings", { signal: AbortSignal.abort(reason) }))).toBe(
    reason,
  );
  expect(transport.requests).toEqual([]);
});

test("the Retry-After header becomes retryAfterSeconds in the error's details", async () => {
  const transport = new ScriptedTransport(() => ({
    ...failure(429, "TooManyRequests", "slow down"),
    headers: { "retry-after": "3" },
  }));
  const error = await caught(createClient(transport).get(ConfigMap, "settings"));
  expect(isApiError(error) && error.status.details?.retryAfterSeconds).toBe(3);
});

test("watch yields validated events, and reports objects of another kind as UNEXPECTED", async () => {
  const transport = new ScriptedTransport(() => undefined);
  const events = await createClient(transport).watch(ConfigMap, { resourceVersion: "7", allowBookmarks: true });
  transport.lastWatch.send("ADDED", settings);
  transport.lastWatch.send("BOOKMARK", { kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion: "8" } });
  transport.lastWatch.send("ADDED", {
    kind: "Secret",
    apiVersion: "v1",
    metadata: { name: "x", resourceVersion: "9" },
  });
  transport.lastWatch.end();
  const types: string[] = [];
  for await (const event of events) types.push(event.type);
  expect(types).toEqual(["ADDED", "BOOKMARK", "UNEXPECTED"]);
  expect(transport.lastWatch.request.query).toEqual({
    watch: "true",
    resourceVersion: "7",
    allowWatchBookmarks: "true",
  });
});
