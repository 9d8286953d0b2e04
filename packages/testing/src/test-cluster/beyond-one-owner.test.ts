import { controller, defineResource, operator, select, z } from "kubewright";
import { Job } from "kubewright/k8s/batch/v1";
import { ConfigMap, Secret } from "kubewright/k8s/core/v1";
import { ClusterRole } from "kubewright/k8s/rbac/v1";
import { expect, test } from "vitest";
import { PermissionLog } from "../permissions/index.js";
import { testCluster } from "./index.js";

const Tenant = defineResource({
  group: "example.com",
  kind: "Tenant",
  versions: { v1: { spec: z.object({ image: z.string() }) } },
});

const tenants = operator({
  name: "tenants",
  controllers: [
    controller(Tenant, {
      owns: [select(Secret, { labels: { app: "tenant" } }), Job],
      manages: [ClusterRole, ConfigMap],
      reconcile: async ({ object, apply, ensure, prune }) => {
        const { name } = object.metadata;
        const { image } = object.spec;
        await ensure(Secret, `${name}-password`, () => ({ stringData: { password: "generated" } }));
        if (image === "1") await ensure(Secret, "first", () => ({}));
        const spec = { restartPolicy: "Never", containers: [{ name: "a", image }] } as const;
        await apply(Job, { metadata: { name }, spec: { template: { spec } } }, { onImmutable: "recreate" });
        await apply(ClusterRole, { metadata: { name }, rules: [] });
        await apply(ConfigMap, { metadata: { name, namespace: "kube-system" }, data: { image } });
        await prune(Secret, ClusterRole, ConfigMap);
      },
    }),
  ],
});

test("the derived Role is enough for children and managed objects, and no more", async () => {
  const permissions = new PermissionLog();
  await using cluster = await testCluster(tenants, { permissions });
  await cluster.create(Tenant, { metadata: { name: "acme" }, spec: { image: "1" } });
  await cluster.settle();
  await cluster.patch(Tenant, "acme", { merge: { spec: { image: "2" } } });
  await cluster.settle();
  expect((await cluster.get(ConfigMap, { namespace: "kube-system", name: "acme" })).data).toEqual({ image: "2" });
  expect(await cluster.find(Secret, "first")).toBeUndefined();
  await cluster.delete(Tenant, "acme");
  await cluster.settle();
  expect(await cluster.find(ClusterRole, "acme")).toBeUndefined();
  permissions.check(tenants.rules(), {
    neverUsed: [
      // After a conflict or the deletion of a child only.
      "get clusterroles.rbac.authorization.k8s.io",
      "get configmaps",
      "get jobs.batch",
      "get secrets",
      "get tenants.example.com",
      // Repeated events, and Secrets are only ensured.
      "patch events.events.k8s.io",
      "patch secrets",
    ],
  });
});
