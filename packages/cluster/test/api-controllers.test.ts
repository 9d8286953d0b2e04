import { expect, test } from "vitest";
import {
  configMaps,
  definitions,
  type Loose,
  sample,
  sampleDefinition,
  samples,
  startTestCluster,
  type TestCluster,
} from "./test-cluster.js";

const ownedBy = (owner: Loose, more: Record<string, unknown> = {}): Loose => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...more,
});

async function createOwned(
  { post }: TestCluster,
  name: string,
  owners: Loose[],
  more: Record<string, unknown> = {},
): Promise<Loose> {
  return (await post(configMaps, { metadata: { name, ownerReferences: owners, ...more } })).body;
}

const exists = async ({ get }: TestCluster, name: string): Promise<boolean> =>
  (await get(`${configMaps}/${name}`)).status === 200;

test("background deletion garbage collects dependents of dependents", async () => {
  const cluster = await startTestCluster();
  const parent = await createOwned(cluster, "parent", []);
  const child = await createOwned(cluster, "child", [ownedBy(parent)]);
  await createOwned(cluster, "grandchild", [ownedBy(child)]);
  await cluster.remove(`${configMaps}/parent`);
  expect(await exists(cluster, "child")).toBe(false);
  expect(await exists(cluster, "grandchild")).toBe(false);
  expect(cluster.cluster.idle).toBe(true);
});

test("a dependent with another owner stays and loses the dangling ownerReference", async () => {
  const cluster = await startTestCluster();
  const one = await createOwned(cluster, "one", []);
  const two = await createOwned(cluster, "two", []);
  await createOwned(cluster, "child", [ownedBy(one), ownedBy(two)]);
  await cluster.remove(`${configMaps}/one`);
  expect((await cluster.get(`${configMaps}/child`)).body.metadata.ownerReferences).toEqual([ownedBy(two)]);
  await cluster.remove(`${configMaps}/two`);
  expect(await exists(cluster, "child")).toBe(false);
});

test("a dependent of a missing owner is deleted, a dependent of an unserved kind stays", async () => {
  const cluster = await startTestCluster();
  const parent = await createOwned(cluster, "parent", []);
  await createOwned(cluster, "dangling", [{ ...ownedBy(parent), uid: "no-such-uid" }]);
  await createOwned(cluster, "foreign", [{ apiVersion: "v1", kind: "Nothing", name: "p", uid: "p" }]);
  expect(await exists(cluster, "dangling")).toBe(false);
  expect(await exists(cluster, "foreign")).toBe(true);
});

test("an owner in another namespace counts as missing", async () => {
  const cluster = await startTestCluster();
  const { body: parent } = await cluster.post("/api/v1/namespaces/kube-public/configmaps", {
    metadata: { name: "parent" },
  });
  await createOwned(cluster, "child", [ownedBy(parent)]);
  expect(await exists(cluster, "child")).toBe(false);
});

test("Orphan removes the ownerReference and keeps the dependent", async () => {
  const cluster = await startTestCluster();
  const parent = await createOwned(cluster, "parent", []);
  await createOwned(cluster, "child", [ownedBy(parent)]);
  await cluster.remove(`${configMaps}/parent`, { propagationPolicy: "Orphan" });
  expect(await exists(cluster, "parent")).toBe(false);
  expect((await cluster.get(`${configMaps}/child`)).body.metadata.ownerReferences).toBeUndefined();
});

test("foreground deletion waits for dependents with blockOwnerDeletion", async () => {
  const cluster = await startTestCluster();
  const parent = await createOwned(cluster, "parent", []);
  await createOwned(cluster, "child", [ownedBy(parent, { blockOwnerDeletion: true })], { finalizers: ["x.y/z"] });
  await createOwned(cluster, "free", [ownedBy(parent)]);
  await cluster.remove(`${configMaps}/parent`, { propagationPolicy: "Foreground" });
  expect((await cluster.get(`${configMaps}/parent`)).body.metadata.finalizers).toEqual(["foregroundDeletion"]);
  expect(await exists(cluster, "free")).toBe(false);
  expect((await cluster.get(`${configMaps}/child`)).body.metadata.deletionTimestamp).toBeDefined();
  await cluster.merge(`${configMaps}/child`, { metadata: { finalizers: null } });
  expect(await exists(cluster, "child")).toBe(false);
  expect(await exists(cluster, "parent")).toBe(false);
});

test("a custom resource can own built-in objects", async () => {
  const cluster = await startTestCluster();
  await cluster.post(definitions, sampleDefinition());
  const { body: owner } = await cluster.post(samples, sample("owner"));
  await createOwned(cluster, "child", [ownedBy(owner)]);
  await cluster.remove(`${samples}/owner`);
  expect(await exists(cluster, "child")).toBe(false);
});

test("a terminating namespace is removed after its content", async () => {
  const cluster = await startTestCluster();
  await cluster.post("/api/v1/namespaces", { metadata: { name: "temp" } });
  await cluster.post("/api/v1/namespaces/temp/configmaps", { metadata: { name: "a" } });
  await cluster.post("/api/v1/namespaces/temp/configmaps", { metadata: { name: "held", finalizers: ["x.y/z"] } });
  const { body } = await cluster.remove("/api/v1/namespaces/temp");
  expect(body.status.phase).toBe("Terminating");
  const rejected = await cluster.post("/api/v1/namespaces/temp/configmaps", { metadata: { name: "b" } });
  expect(rejected.body).toMatchObject({
    code: 403,
    message:
      'configmaps "b" is forbidden: unable to create new content in namespace temp because it is being terminated',
    details: { causes: [{ reason: "NamespaceTerminating" }] },
  });
  const { body: waiting } = await cluster.get("/api/v1/namespaces/temp");
  expect(waiting.status.conditions.map((one: Loose) => one.type)).toContain("NamespaceContentRemaining");
  await cluster.merge("/api/v1/namespaces/temp/configmaps/held", { metadata: { finalizers: null } });
  expect((await cluster.get("/api/v1/namespaces/temp")).status).toBe(404);
  expect(cluster.cluster.idle).toBe(true);
});

const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
const bindings = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings";

/** Denies this user to delete ConfigMaps, until the binding is removed. */
async function denyDeletes({ post }: TestCluster, username: string): Promise<void> {
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["configmaps"] };
  const spec = {
    matchConstraints: { resourceRules: [rule] },
    validations: [{ expression: `request.userInfo.username != '${username}'`, message: "keep it" }],
  };
  expect((await post(policies, { metadata: { name: "deny" }, spec })).status).toBe(201);
  const binding = { metadata: { name: "deny" }, spec: { policyName: "deny", validationActions: ["Deny"] } };
  expect((await post(bindings, binding)).status).toBe(201);
}

test("the garbage collector deletes as its ServiceAccount, through admission, and retries what a policy denies", async () => {
  const cluster = await startTestCluster();
  const owner = await createOwned(cluster, "owner", []);
  await createOwned(cluster, "child", [ownedBy(owner)]);
  await denyDeletes(cluster, "system:serviceaccount:kube-system:generic-garbage-collector");
  await cluster.remove(`${configMaps}/owner`);
  expect(await exists(cluster, "child")).toBe(true);
  await cluster.remove(`${bindings}/deny`);
  expect(await exists(cluster, "child")).toBe(true);
  cluster.clock.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await exists(cluster, "child")).toBe(false);
});

test("a namespace whose content a policy keeps says so in a condition, and is removed later", async () => {
  const cluster = await startTestCluster();
  await cluster.post("/api/v1/namespaces", { metadata: { name: "temp" } });
  await cluster.post("/api/v1/namespaces/temp/configmaps", { metadata: { name: "a" } });
  await denyDeletes(cluster, "system:serviceaccount:kube-system:namespace-controller");
  await cluster.remove("/api/v1/namespaces/temp");
  const { body } = await cluster.get("/api/v1/namespaces/temp");
  const conditions = body.status.conditions.map(({ lastTransitionTime: _, ...one }: Loose) => one);
  // As a real kube-controller-manager writes them, which does not count what it failed to delete.
  expect(conditions.slice(2)).toEqual([
    {
      type: "NamespaceDeletionContentFailure",
      status: "True",
      reason: "ContentDeletionFailed",
      message:
        "Failed to delete all resource types, 1 remaining: configmaps \"Unknown\" is forbidden: ValidatingAdmissionPolicy 'deny' with binding 'deny' denied request: keep it",
    },
    {
      type: "NamespaceContentRemaining",
      status: "False",
      reason: "ContentRemoved",
      message: "All content successfully removed",
    },
    {
      type: "NamespaceFinalizersRemaining",
      status: "False",
      reason: "ContentHasNoFinalizers",
      message: "All content-preserving finalizers finished",
    },
  ]);
  await cluster.remove(`${bindings}/deny`);
  cluster.clock.advance(1_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect((await cluster.get("/api/v1/namespaces/temp")).status).toBe(404);
});

test("system namespaces cannot be deleted", async () => {
  const { remove } = await startTestCluster();
  expect((await remove("/api/v1/namespaces/default")).body.message).toBe(
    'namespaces "default" is forbidden: this namespace may not be deleted',
  );
});
