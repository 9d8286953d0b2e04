import { expect, test } from "vitest";
import { configMaps, startTestCluster } from "./test-cluster.js";

const configMap = (name: string, data: Record<string, unknown> = {}, metadata: Record<string, unknown> = {}) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, ...metadata },
  data,
});

test("a new cluster has four namespaces and is idle", async () => {
  const { cluster, get } = await startTestCluster();
  const { body } = await get("/api/v1/namespaces");
  expect(body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
    "default",
    "kube-node-lease",
    "kube-public",
    "kube-system",
  ]);
  expect(body.items[0].spec.finalizers).toEqual(["kubernetes"]);
  expect(cluster.idle).toBe(true);
  await cluster.close();
});

test("create sets server-owned metadata by the cluster's clock and returns 201", async () => {
  const { post } = await startTestCluster();
  const sent = configMap(
    "a",
    { x: "1" },
    { uid: "mine", selfLink: "/x", generation: 7, deletionTimestamp: "2020-01-01T00:00:00Z" },
  );
  const { status, body } = await post(configMaps, sent);
  expect(status).toBe(201);
  expect(body.metadata).toMatchObject({ name: "a", namespace: "default", creationTimestamp: "2030-01-01T00:00:00Z" });
  expect(body.metadata.uid).toMatch(/^[0-9a-f]{8}-/);
  // Like kube-apiserver, keeps the generation of kinds that do not count it.
  expect(body.metadata.generation).toBe(7);
  expect(body.metadata.deletionTimestamp).toBeUndefined();
  expect(body.metadata.managedFields).toEqual([
    {
      manager: "tester",
      operation: "Update",
      apiVersion: "v1",
      time: "2030-01-01T00:00:00Z",
      fieldsType: "FieldsV1",
      fieldsV1: { "f:data": { ".": {}, "f:x": {} } },
    },
  ]);
});

test("an in-process response is the frozen stored value, and the request body is not modified", async () => {
  const { post, get } = await startTestCluster();
  const sent = configMap("a", { x: "1" });
  const created = await post(configMaps, sent);
  expect((await get(`${configMaps}/a`)).body).toBe(created.body);
  expect((await get(configMaps)).body.items[0]).toBe(created.body);
  expect(Object.isFrozen(created.body.data)).toBe(true);
  expect(Object.isFrozen(sent)).toBe(false);
  expect(sent.metadata).toEqual({ name: "a" });
});

test.each([
  [{ metadata: {} }, 422, 'ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required'],
  [
    { metadata: { name: "a", resourceVersion: "5" } },
    500,
    "resourceVersion should not be set on objects to be created",
  ],
  [
    { metadata: { name: "a", namespace: "other" } },
    400,
    "the namespace of the provided object does not match the namespace sent on the request",
  ],
  [
    { metadata: { name: "a" }, data: { k: 1 } },
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  ],
  [
    { metadata: { name: "a", labels: 5 } },
    400,
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type map[string]string',
  ],
  [
    { metadata: { name: "X_" } },
    422,
    /^ConfigMap "X_" is invalid: metadata.name: Invalid value: "X_": a lowercase RFC 1123 subdomain must consist/,
  ],
  [
    { metadata: { name: "a" }, data: { "b c": "" } },
    422,
    /data\[b c\]: Invalid value: "b c": a valid config key must consist/,
  ],
])("create rejects %j with %i", async (body, code, message) => {
  const { post } = await startTestCluster();
  const response = await post(configMaps, body);
  expect(response.status).toBe(code);
  expect(response.body).toMatchObject({ kind: "Status", status: "Failure", code });
  if (typeof message === "string") expect(response.body.message).toBe(message);
  else expect(response.body.message).toMatch(message);
});

test("unknown fields are dropped with a warning, and rejected with Strict validation", async () => {
  const { post } = await startTestCluster();
  const sent = { ...configMap("a"), foo: 1, bar: { baz: 2 } };
  const strict = await post(configMaps, sent, { fieldValidation: "Strict" });
  expect(strict.status).toBe(400);
  expect(strict.body.message).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo", unknown field "bar"',
  );
  const warned = await post(configMaps, sent);
  expect(warned.headers["warning"]).toBe('299 - "unknown field \\"foo\\"", 299 - "unknown field \\"bar\\""');
  expect(warned.body.foo).toBeUndefined();
  expect(
    (await post(configMaps, { ...sent, metadata: { name: "b" } }, { fieldValidation: "Ignore" })).headers["warning"],
  ).toBeUndefined();
});

test("create rejects an existing name and a missing namespace", async () => {
  const { post } = await startTestCluster();
  await post(configMaps, configMap("a"));
  const again = await post(configMaps, configMap("a"));
  expect(again.body).toMatchObject({
    code: 409,
    reason: "AlreadyExists",
    message: 'configmaps "a" already exists',
    details: { name: "a", kind: "configmaps" },
  });
  const nowhere = await post("/api/v1/namespaces/nope/configmaps", configMap("a"));
  expect(nowhere.body).toMatchObject({ code: 404, message: 'namespaces "nope" not found' });
});

test("generateName appends a unique suffix", async () => {
  const { post } = await startTestCluster();
  const names = new Set<string>();
  for (let count = 0; count < 20; count++) {
    const { body } = await post(configMaps, { metadata: { generateName: "web-" } });
    expect(body.metadata.name).toMatch(/^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    names.add(body.metadata.name);
  }
  expect(names.size).toBe(20);
});

test("an unchanged update keeps the resourceVersion, and a stale update conflicts", async () => {
  const { post, put, merge, cluster } = await startTestCluster();
  const { body: first } = await post(configMaps, configMap("a", { x: "1" }));
  const before = cluster.revision;
  const same = await put(`${configMaps}/a`, first);
  expect(same.body).toBe(first);
  expect(cluster.revision).toBe(before);
  const { body: second } = await merge(`${configMaps}/a`, { data: { y: "2" } });
  expect(Number(second.metadata.resourceVersion)).toBe(before + 1);
  const stale = await put(`${configMaps}/a`, { ...first, data: { z: "3" } });
  expect(stale.body).toMatchObject({
    code: 409,
    reason: "Conflict",
    message:
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
  });
  const unconditional = await put(`${configMaps}/a`, configMap("a", { z: "3" }));
  expect(unconditional.body.data).toEqual({ z: "3" });
  expect(unconditional.body.metadata.uid).toBe(first.metadata.uid);
});

test("the name in the body must match the path", async () => {
  const { post, put } = await startTestCluster();
  await post(configMaps, configMap("a"));
  expect((await put(`${configMaps}/a`, configMap("b"))).body.message).toBe(
    "the name of the object (b) does not match the name on the URL (a)",
  );
  expect((await put(`${configMaps}/zz`, configMap("zz"))).body.message).toBe('configmaps "zz" not found');
});

test("an object of another namespace is rejected before its name is checked, and without ownerReferences warnings", async () => {
  const { post, put, merge } = await startTestCluster();
  const owner = { apiVersion: "v1", kind: "Namespace", name: "default", uid: "1" };
  const ownerReferences = [owner, owner];
  const message = "the namespace of the provided object does not match the namespace sent on the request";
  await post(configMaps, configMap("a"));
  for (const response of [
    await post(configMaps, configMap("b", {}, { namespace: "other", ownerReferences })),
    await put(`${configMaps}/a`, configMap("b", {}, { namespace: "other", ownerReferences })),
    await merge(`${configMaps}/a`, { metadata: { namespace: "other", ownerReferences } }),
  ]) {
    expect(response.body.message).toBe(message);
    expect(response.headers["warning"]).toBeUndefined();
  }
  const merged = await merge(`${configMaps}/a`, { metadata: { ownerReferences } });
  expect(merged.headers["warning"]).toContain("duplicate entries after mutating admission happens");
  expect(merged.body.metadata.ownerReferences).toEqual([owner]);
});

test("a Lease update requires a resourceVersion", async () => {
  const { post, put } = await startTestCluster();
  const leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const { body } = await post(leases, { metadata: { name: "l" }, spec: { holderIdentity: "a" } });
  const response = await put(`${leases}/l`, { metadata: { name: "l" }, spec: { holderIdentity: "b" } });
  expect(response.body.message).toBe(
    'leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
  );
  const based = await put(`${leases}/l`, { ...body, spec: { holderIdentity: "b" } });
  expect(based.body.spec.holderIdentity).toBe("b");
});

test("JSON patch, merge patch and strategic merge patch are supported", async () => {
  const { post, patch, merge } = await startTestCluster();
  await post(configMaps, configMap("a", { x: "1" }, { finalizers: ["a.b/c"] }));
  const path = `${configMaps}/a`;
  const json = await patch("application/json-patch+json", path, [{ op: "add", path: "/data/y", value: "2" }]);
  expect(json.body.data).toEqual({ x: "1", y: "2" });
  const failed = await patch("application/json-patch+json", path, [{ op: "test", path: "/data/y", value: "3" }]);
  expect(failed.body).toMatchObject({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
  });
  const strategic = await patch("application/strategic-merge-patch+json", path, {
    metadata: { finalizers: ["d.e/f"] },
  });
  expect([...strategic.body.metadata.finalizers].sort()).toEqual(["a.b/c", "d.e/f"]);
  const merged = await merge(path, { metadata: { finalizers: ["g.h/i"] }, data: { x: null } });
  expect(merged.body.metadata.finalizers).toEqual(["g.h/i"]);
  expect(merged.body.data).toEqual({ y: "2" });
  expect((await patch("application/foo", path, {})).status).toBe(415);
});

test("a differently cased kind is an unknown field", async () => {
  const { post, patch } = await startTestCluster();
  await post(configMaps, configMap("a"));
  for (const type of ["strategic-merge-patch", "merge-patch"])
    for (const KIND of [[], "Secret"]) {
      const response = await patch(`application/${type}+json`, `${configMaps}/a`, { spec: null, KIND });
      expect(response.status).toBe(200);
      expect(response.headers["warning"]).toBe('299 - "unknown field \\"KIND\\""');
    }
});

test("dryRun does everything except storing", async () => {
  const { post, get, cluster } = await startTestCluster();
  const before = cluster.revision;
  const { status, body } = await post(configMaps, configMap("a"), { dryRun: "All" });
  expect(status).toBe(201);
  expect(body.metadata.uid).toBeDefined();
  expect(body.metadata.resourceVersion).toBeUndefined();
  expect(cluster.revision).toBe(before);
  expect((await get(`${configMaps}/a`)).status).toBe(404);
  expect((await post(configMaps, configMap("a"), { dryRun: "x" })).body.message).toContain(
    'dryRun: Unsupported value: ["x"]',
  );
});

test("delete returns a Status, checks preconditions, and waits for finalizers", async () => {
  const { post, remove, merge, get } = await startTestCluster();
  const { body } = await post(configMaps, configMap("a"));
  const rejected = await remove(`${configMaps}/a`, { preconditions: { uid: "1" } });
  expect(rejected.body.message).toBe(
    `Operation cannot be fulfilled on ConfigMap "a": the UID in the precondition (1) does not match the UID in record (${body.metadata.uid}). The object might have been deleted and then recreated`,
  );
  const deleted = await remove(`${configMaps}/a`);
  expect(deleted.body).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: { name: "a", kind: "configmaps", uid: body.metadata.uid },
  });
  await post(configMaps, configMap("b", {}, { finalizers: ["x.y/z"] }));
  const marked = await remove(`${configMaps}/b`);
  expect(marked.body.metadata).toMatchObject({
    deletionTimestamp: "2030-01-01T00:00:00Z",
    deletionGracePeriodSeconds: 0,
  });
  const added = await merge(`${configMaps}/b`, { metadata: { finalizers: ["x.y/z", "new/one"] } });
  expect(added.body.message).toBe(
    'ConfigMap "b" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"new/one"}',
  );
  const last = await merge(`${configMaps}/b`, { metadata: { finalizers: null } });
  expect(last.status).toBe(200);
  expect((await get(`${configMaps}/b`)).status).toBe(404);
});

test("deletecollection deletes the selected objects and returns the list", async () => {
  const { post, get, cluster } = await startTestCluster();
  await post(configMaps, configMap("a", {}, { labels: { x: "1" } }));
  await post(configMaps, configMap("b"));
  const { body } = await cluster.transport.send({
    method: "DELETE",
    path: configMaps,
    query: { labelSelector: "x=1" },
  });
  expect(body).toMatchObject({ kind: "ConfigMapList", items: [{ metadata: { name: "a" } }] });
  expect((await get(configMaps)).body.items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual([
    "b",
  ]);
});

test("unserved paths return 404 with kube-apiserver's message", async () => {
  const { get, post } = await startTestCluster();
  expect((await get("/api/v1/namespaces/default/nothings")).body).toMatchObject({
    code: 404,
    message: "the server could not find the requested resource",
  });
  expect((await get("/apis/nope/v1/x")).body).toBe("404 page not found\n");
  expect((await get("/nope")).status).toBe(404);
  expect((await post(`${configMaps}/x`, {})).status).toBe(405);
});

test("prototype keys such as __proto__ are stored as data", async () => {
  const { cluster, get } = await startTestCluster();
  const data = JSON.parse('{"__proto__":"a","constructor":"b"}');
  await cluster.transport.send({ method: "POST", path: configMaps, body: { metadata: { name: "a" }, data } });
  const { body } = await get(`${configMaps}/a`);
  expect(Object.keys(body.data).sort()).toEqual(["__proto__", "constructor"]);
  const secret = await cluster.transport.send({
    method: "POST",
    path: "/api/v1/namespaces/default/secrets",
    body: { metadata: { name: "s" }, stringData: data },
  });
  expect(Object.keys((secret.body as { data: object }).data).sort()).toEqual(["__proto__", "constructor"]);
});
