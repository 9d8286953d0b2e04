import { expect, test } from "vitest";
import { configMaps, type Loose, startTestCluster } from "./test-cluster.js";

const path = `${configMaps}/a`;
const config = (data: Record<string, string>): Loose => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a" },
  data,
});

test("apply creates, updates and removes fields, and an unchanged apply writes nothing", async () => {
  const { apply, cluster } = await startTestCluster();
  const created = await apply(path, config({ x: "1", y: "2" }), "me");
  expect(created.status).toBe(201);
  expect(created.body.metadata.managedFields).toMatchObject([{ manager: "me", operation: "Apply" }]);
  const before = cluster.revision;
  const again = await apply(path, config({ x: "1", y: "2" }), "me");
  expect(again.status).toBe(200);
  expect(again.body).toBe(created.body);
  expect(cluster.revision).toBe(before);
  const changed = await apply(path, config({ x: "3" }), "me");
  expect(changed.body.data).toEqual({ x: "3" });
});

test("a field of another manager is a conflict, unless forced or equal", async () => {
  const { apply, merge } = await startTestCluster();
  await apply(path, config({ x: "1" }), "me");
  const conflict = await apply(path, config({ x: "2" }), "you");
  expect(conflict.body).toEqual({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: 'Apply failed with 1 conflict: conflict with "me": .data.x',
    reason: "Conflict",
    details: { causes: [{ reason: "FieldManagerConflict", message: 'conflict with "me"', field: ".data.x" }] },
    code: 409,
  });
  expect((await apply(path, config({ x: "1" }), "you")).body.metadata.managedFields).toHaveLength(2);
  const forced = await apply(path, config({ x: "2" }), "you", { force: "true" });
  expect(forced.body.data).toEqual({ x: "2" });
  await merge(path, { data: { x: "9" } });
  expect((await apply(path, config({ x: "2" }), "you")).body.message).toBe(
    'Apply failed with 1 conflict: conflict with "tester" using v1: .data.x',
  );
});

test.each([
  [
    {},
    { fieldManager: "" },
    422,
    'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
  ],
  [{ data: {} }, {}, 400, "invalid object type: /, Kind="],
  [
    { apiVersion: "v1", kind: "ConfigMap", nope: 1 },
    {},
    500,
    "failed to create typed patch object (/; /v1, Kind=ConfigMap): .nope: field not declared in schema",
  ],
  [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } },
    {},
    400,
    "the name of the object (b) does not match the name on the URL (a)",
  ],
  [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { managedFields: [] } },
    {},
    400,
    "metadata.managedFields must be nil",
  ],
])("apply of %j with %j is rejected with %i", async (body, query, code, message) => {
  const { apply } = await startTestCluster();
  const response = await apply(path, body, "me", query as Record<string, string>);
  expect(response.body.message).toBe(message);
  expect(response.status).toBe(code);
});

test("force is allowed only for apply", async () => {
  const { merge } = await startTestCluster();
  expect((await merge(path, {}, { force: "true" })).body.message).toContain(
    "force: Forbidden: may not be specified for non-apply patch",
  );
});

test("lists of built-in kinds are merged by their merge keys", async () => {
  const { apply } = await startTestCluster();
  const deployments = "/apis/apps/v1/namespaces/default/deployments/web";
  const deployment = (containers: Loose[]): Loose => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: {
      selector: { matchLabels: { app: "web" } },
      template: { metadata: { labels: { app: "web" } }, spec: { containers } },
    },
  });
  await apply(deployments, deployment([{ name: "web", image: "nginx:1" }]), "me");
  const { body } = await apply(deployments, deployment([{ name: "side", image: "busybox" }]), "you");
  expect(body.spec.template.spec.containers.map((one: Loose) => `${one.name} ${one.imagePullPolicy}`)).toEqual([
    "web IfNotPresent",
    "side Always",
  ]);
  expect(body.metadata.generation).toBe(2);
});

test("kubectl's migration from client-side to server-side apply causes no conflict", async () => {
  const { post, apply } = await startTestCluster();
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const first = {
    ...config({ x: "1" }),
    metadata: { name: "a", annotations: { [annotation]: JSON.stringify(config({ x: "1" })) } },
  };
  await post(configMaps, first, { fieldManager: "kubectl-client-side-apply" });
  expect((await apply(path, config({ x: "2" }), "other")).status).toBe(409);
  const { status, body } = await apply(path, config({ x: "2" }), "kubectl");
  expect(status).toBe(200);
  expect(body.data).toEqual({ x: "2" });
  expect(JSON.parse(body.metadata.annotations[annotation]).data).toEqual({ x: "2" });
});
