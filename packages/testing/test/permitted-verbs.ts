import { controller, defineResource, isForbidden, may, operator, z } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { ConfigMap, Pod, ServiceAccount } from "kubewright/k8s/core/v1";
import { Role, RoleBinding } from "kubewright/k8s/rbac/v1";
import { expect, test } from "vitest";
import { PermissionLog, type TestCluster, testCluster } from "../src/index.js";

/** Has no fields of its own. */
export const Task = defineResource({
  group: "example.com",
  kind: "Task",
  versions: { v1: { spec: z.object({}), status: z.object({ results: z.array(z.string()).optional() }) } },
});
const apiGroup = "rbac.authorization.k8s.io";
const reading = (resource: string) => [{ apiGroups: [""], resources: [resource], verbs: ["get"] }];

/** Uses each verb of `may` once. */
const doing = operator({
  name: "doing",
  controllers: [
    controller(Task, {
      owns: [Role, RoleBinding],
      uses: [
        may(Deployment, "scale", "patchStatus"),
        may(ConfigMap, "get", "list", "create", "update", "patch", "delete"),
        may(Pod, "bind", "evict", "log", "exec"),
        may(ServiceAccount, "token"),
        may(Role, "bind", "escalate"),
      ],
      reconcile: async ({ object, status, ...run }) => {
        if (object.status?.results !== undefined) return;
        await run.scale(Deployment, "web", 3);
        const { spec } = await run.getScale(Deployment, "web");
        const { status: reported } = await run.patchStatus(Deployment, "web", { merge: { status: { replicas: 2 } } });
        await run.create(ConfigMap, { metadata: { name: "made" }, data: { key: "old" } });
        const made = await run.get(ConfigMap, "made");
        await run.update(ConfigMap, { ...made, data: { key: "new" } });
        const { data } = await run.patch(ConfigMap, "made", { merge: { data: { more: "yes" } } });
        const listed = await run.list(ConfigMap, { fields: { "metadata.name": "made" } });
        await run.delete(ConfigMap, "made");
        await run.bind(Pod, "bound", "nowhere");
        await run.evict(Pod, "evicted");
        const logs = await run
          .logs(Pod, "bound")
          .catch((error: Error) => (isForbidden(error) ? "forbidden" : "no node"));
        const executed = await run
          .exec(Pod, "bound", { command: ["true"] })
          .catch((error: Error) => (isForbidden(error) ? "forbidden" : "not executed"));
        const { token } = await run.token(ServiceAccount, "default", { audiences: ["vault"] });
        // More than the operator itself may: that needs escalate, and bind.
        await run.apply(Role, { metadata: { name: "granted" }, rules: reading("nodes") });
        const roleRef = { apiGroup, kind: "Role", name: "granted" };
        await run.apply(RoleBinding, { metadata: { name: "granted" }, roleRef, subjects: [] });
        status.results = [
          `scaled ${spec.replicas}`,
          `reported ${reported?.replicas}`,
          `${listed.length} with ${JSON.stringify(data)}`,
          logs,
          String(executed),
          `a token ${token.length > 0}`,
        ];
      },
    }),
  ],
});

async function prepare(cluster: TestCluster): Promise<void> {
  const labels = { app: "web" };
  const containers = [{ name: "web", image: "web:1" }];
  await cluster.apply(ServiceAccount, { metadata: { name: "default" } }, { fieldManager: "test" });
  const template = { metadata: { labels }, spec: { containers } };
  const spec = { selector: { matchLabels: labels }, template };
  await cluster.create(Deployment, { metadata: { name: "web" }, spec });
  for (const name of ["bound", "evicted"]) await cluster.create(Pod, { metadata: { name }, spec: { containers } });
}

/** Tests that the derived Role is enough, and no more. RBAC enforces it. */
export function testPermittedVerbs(): void {
  test("each verb of may is in the derived Role, and is what its function needs", async () => {
    const permissions = new PermissionLog();
    await using cluster = await testCluster(doing, { permissions, workloads: false, onWarning: () => {} });
    await prepare(cluster);
    await cluster.create(Task, { metadata: { name: "all" }, spec: {} });
    await cluster.settle();
    expect((await cluster.get(Task, "all")).status?.results).toEqual([
      "scaled 3",
      "reported 2",
      '1 with {"key":"new","more":"yes"}',
      "no node",
      "not executed",
      "a token true",
    ]);
    expect((await cluster.get(Pod, "bound")).spec?.nodeName).toBe("nowhere");
    expect(await cluster.find(Pod, "evicted")).toBeUndefined();
    permissions.check(doing.rules(), {
      neverUsed: [
        "create events.events.k8s.io", // only after failures
        "patch events.events.k8s.io",
        "delete rolebindings.rbac.authorization.k8s.io", // by garbage collection
        "delete roles.rbac.authorization.k8s.io",
        "get rolebindings.rbac.authorization.k8s.io", // after a conflict
        "get roles.rbac.authorization.k8s.io",
        "get tasks.example.com",
        "patch tasks.example.com", // for a finalizer, which it does not have
      ],
    });
  });

  test("rules of the operator are in its Role: what it holds, it can grant to others", async () => {
    const permissions = new PermissionLog();
    const granting = operator({
      name: "granting",
      controllers: [
        controller(Task, {
          owns: [Role],
          reconcile: async ({ object, apply }) => {
            const { name } = object.metadata;
            await apply(Role, { metadata: { name }, rules: reading(name) });
          },
        }),
      ],
      rules: reading("services"),
    });
    await using cluster = await testCluster(granting, { permissions });
    await cluster.create(Task, { metadata: { name: "services" }, spec: {} });
    await cluster.settle();
    expect((await cluster.get(Role, "services")).rules).toEqual(reading("services"));
    const { undeclared, unused } = permissions.compare(granting.rules());
    expect(undeclared).toEqual([]);
    expect(unused).toContain("get services");
  });

  test("a Role that grants more than the operator holds is forbidden without escalate", async () => {
    const granting = controller(Task, {
      owns: [Role],
      reconcile: async ({ apply }) =>
        void (await apply(Role, { metadata: { name: "services" }, rules: reading("services") })),
    });
    await using cluster = await testCluster(operator({ name: "forbidden", controllers: [granting] }));
    await cluster.create(Task, { metadata: { name: "one" }, spec: {} });
    await expect(cluster.settle()).rejects.toThrow('add: uses: [may(Role, "escalate")]');
  });
}
