import { fileURLToPath } from "node:url";
import { PermissionLog, type TestCluster, testCluster } from "@kubewright/testing";
import { Namespace, ResourceQuota } from "kubewright/k8s/core/v1";
import { ClusterRoleBinding, RoleBinding } from "kubewright/k8s/rbac/v1";
import { expect, test } from "vitest";
import { Tenant, tenantOperator } from "./index.js";

const samples = fileURLToPath(new URL("../samples", import.meta.url));
const reasonOf = async (cluster: TestCluster, name: string): Promise<string | undefined> =>
  (await cluster.conditions(Tenant, name)).Ready?.reason;

/** Objects that the operator manages for a Tenant, as `Kind namespace/name`. */
async function managedFor(cluster: TestCluster, tenant: string): Promise<string[]> {
  const { uid = "" } = (await cluster.get(Tenant, tenant)).metadata;
  const labels = { "tenants.tenancy.example.com/owner-uid": uid };
  const found: string[] = [];
  for (const kind of [Namespace, ResourceQuota, RoleBinding, ClusterRoleBinding] as const)
    for await (const { metadata } of cluster.list(kind as typeof RoleBinding, { allNamespaces: true, labels }))
      found.push(`${kind.kind} ${metadata.namespace === undefined ? "" : `${metadata.namespace}/`}${metadata.name}`);
  return found.sort();
}

/** A real namespace controller waits 5 s before it deletes the objects in a namespace. */
async function settleUntil(cluster: TestCluster, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 20 && !(await holds()); tries++) await cluster.settle();
  expect(await holds()).toBe(true);
}

test("a Tenant gets namespaces with quotas and bindings, a binding in a shared namespace and one in the cluster", async () => {
  await using cluster = await testCluster(tenantOperator, { manifests: [samples] });
  await cluster.settle();
  expect(await managedFor(cluster, "acme")).toEqual([
    "ClusterRoleBinding tenant-acme",
    "Namespace acme-dev",
    "Namespace acme-prod",
    "ResourceQuota acme-dev/tenant",
    "ResourceQuota acme-prod/tenant",
    "RoleBinding acme-dev/tenant-admin",
    "RoleBinding acme-dev/tenant-view",
    "RoleBinding acme-prod/tenant-admin",
    "RoleBinding acme-prod/tenant-view",
    "RoleBinding shared-tools/tenant-acme",
  ]);
  const { roleRef, subjects } = await cluster.get(RoleBinding, { namespace: "acme-dev", name: "tenant-admin" });
  expect([roleRef.name, subjects?.map(({ name }) => name)]).toEqual(["admin", ["ada@example.com"]]);
  const { spec } = await cluster.get(ResourceQuota, { namespace: "acme-prod", name: "tenant" });
  expect(spec?.hard).toEqual({ pods: "20", "requests.cpu": "8" });
  expect((await cluster.get(Tenant, "acme")).status?.namespaces).toEqual(["acme-dev", "acme-prod"]);
  expect(await reasonOf(cluster, "acme")).toBe("Provisioned");

  const requests = cluster.operatorRequests;
  await cluster.patch(Tenant, "acme", { merge: { metadata: { labels: { again: "1" } } } });
  await cluster.settle();
  expect(cluster.operatorRequests).toBe(requests);
});

test("what leaves the spec of a Tenant is pruned, and the shared namespace stays", async ({ skip }) => {
  await using cluster = await testCluster(tenantOperator);
  if (!cluster.collectsGarbage) skip("kube-controller-manager is not installed: no namespace controller");
  await cluster.create(Namespace, { metadata: { name: "shared-pruned" } });
  const spec = { namespaces: ["dev", "prod"], admins: ["ada"], viewers: ["vera"], quota: { pods: "3" } };
  const shared = { sharedNamespaces: ["shared-pruned"], clusterView: true };
  await cluster.create(Tenant, { metadata: { name: "shrinking" }, spec: { ...spec, ...shared } });
  await cluster.settle();
  expect(await managedFor(cluster, "shrinking")).toHaveLength(10);

  const less = { namespaces: ["prod"], viewers: [], quota: null, sharedNamespaces: [], clusterView: false };
  await cluster.patch(Tenant, "shrinking", { merge: { spec: less } });
  await settleUntil(cluster, async () => (await cluster.find(Namespace, "shrinking-dev")) === undefined);
  expect(await managedFor(cluster, "shrinking")).toEqual([
    "Namespace shrinking-prod",
    "RoleBinding shrinking-prod/tenant-admin",
  ]);
  expect(await cluster.find(Namespace, "shared-pruned")).toBeDefined();
});

test("managed objects that were changed or deleted are repaired", async () => {
  await using cluster = await testCluster(tenantOperator);
  const spec = { namespaces: ["dev"], admins: ["ada"], quota: { pods: "3" } };
  await cluster.create(Tenant, { metadata: { name: "repaired" }, spec });
  await cluster.settle();
  const quota = { namespace: "repaired-dev", name: "tenant" };
  const admins = { namespace: "repaired-dev", name: "tenant-admin" };
  await cluster.patch(ResourceQuota, quota, { merge: { spec: { hard: { pods: "1000" } } } });
  await cluster.delete(RoleBinding, admins);
  await cluster.settle();
  expect((await cluster.get(ResourceQuota, quota)).spec?.hard).toEqual({ pods: "3" });
  expect((await cluster.get(RoleBinding, admins)).subjects?.[0]?.name).toBe("ada");
});

test("a deleted Tenant stays until its namespaces are gone, and leaves what it does not manage", async ({ skip }) => {
  await using cluster = await testCluster(tenantOperator);
  if (!cluster.collectsGarbage) skip("kube-controller-manager is not installed: no namespace controller");
  await cluster.create(Namespace, { metadata: { name: "shared-left" } });
  const spec = { namespaces: ["dev"], admins: ["ada"], sharedNamespaces: ["shared-left"], clusterView: true };
  await cluster.create(Tenant, { metadata: { name: "leaving" }, spec });
  await cluster.settle();
  const { metadata, roleRef } = await cluster.get(RoleBinding, { namespace: "shared-left", name: "tenant-leaving" });
  // As `kubectl get -o yaml | kubectl create` copies it, with its labels: another field manager.
  const { labels = {} } = metadata;
  await cluster.create(RoleBinding, { metadata: { namespace: "shared-left", name: "copied", labels }, roleRef });

  await cluster.delete(Tenant, "leaving");
  await settleUntil(cluster, async () => (await cluster.find(Tenant, "leaving")) === undefined);
  expect(await cluster.find(Namespace, "leaving-dev")).toBeUndefined();
  expect(await cluster.find(ClusterRoleBinding, "tenant-leaving")).toBeUndefined();
  expect(await cluster.find(RoleBinding, { namespace: "shared-left", name: "tenant-leaving" })).toBeUndefined();
  expect(await cluster.find(RoleBinding, { namespace: "shared-left", name: "copied" })).toBeDefined();
});

test("a namespace of others is not taken, and a Tenant recovers when the name is free", async ({ skip }) => {
  await using cluster = await testCluster(tenantOperator);
  if (!cluster.collectsGarbage) skip("kube-controller-manager is not installed: no namespace controller");
  const foreign = await cluster.create(Namespace, { metadata: { name: "late-dev" } });
  await cluster.create(Tenant, { metadata: { name: "late" }, spec: { namespaces: ["dev"], admins: ["ada"] } });
  await cluster.settle({ allowFailing: true });
  expect(await reasonOf(cluster, "late")).toBe("NameTaken");
  expect(await cluster.find(RoleBinding, { namespace: "late-dev", name: "tenant-admin" })).toBeUndefined();

  await cluster.delete(Namespace, "late-dev");
  for (let tries = 0; tries < 20 && (await reasonOf(cluster, "late")) !== "Provisioned"; tries++)
    await cluster.advance("1m", { allowFailing: true });
  expect(await reasonOf(cluster, "late")).toBe("Provisioned");
  expect((await cluster.get(Namespace, "late-dev")).metadata.uid).not.toBe(foreign.metadata.uid);
});

test("members get access to a shared namespace as soon as it exists", async () => {
  await using cluster = await testCluster(tenantOperator);
  const spec = { namespaces: ["dev"], viewers: ["vera"], sharedNamespaces: ["shared-later"] };
  await cluster.create(Tenant, { metadata: { name: "waiting" }, spec });
  await cluster.settle();
  expect(await reasonOf(cluster, "waiting")).toBe("SharedNamespaceMissing");
  await cluster.create(Namespace, { metadata: { name: "shared-later" } });
  await cluster.settle();
  expect(await reasonOf(cluster, "waiting")).toBe("Provisioned");
  expect(await cluster.find(RoleBinding, { namespace: "shared-later", name: "tenant-waiting" })).toBeDefined();
});

test("the operator uses exactly the permissions of its role", async ({ skip }) => {
  const permissions = new PermissionLog();
  await using cluster = await testCluster(tenantOperator, { permissions });
  if (!cluster.collectsGarbage) skip("kube-controller-manager is not installed: no namespace controller");
  const spec = { namespaces: ["dev"], admins: ["ada"], clusterView: true, quota: { pods: "3" } };
  await cluster.create(Tenant, { metadata: { name: "permitted" }, spec });
  await cluster.settle();
  await cluster.patch(Tenant, "permitted", { merge: { spec: { admins: [], viewers: ["vera"], quota: null } } });
  await cluster.settle();
  await cluster.delete(Tenant, "permitted");
  await settleUntil(cluster, async () => (await cluster.find(Tenant, "permitted")) === undefined);
  permissions.check(tenantOperator.rules(), {
    neverUsed: [
      "create events.events.k8s.io", // only after failures
      "patch events.events.k8s.io",
      // After a conflict or the deletion of a managed object only.
      "get clusterrolebindings.rbac.authorization.k8s.io",
      "get namespaces",
      "get resourcequotas",
      "get rolebindings.rbac.authorization.k8s.io",
      "get tenants.tenancy.example.com",
    ],
  });
});
