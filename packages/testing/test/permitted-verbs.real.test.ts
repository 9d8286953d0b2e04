import { controller, isForbidden, operator } from "kubewright";
import { Role } from "kubewright/k8s/rbac/v1";
import { expect, test } from "vitest";
import { testCluster } from "../src/index.js";
import { Task, testPermittedVerbs } from "./permitted-verbs.js";

testPermittedVerbs();

test("a Role that grants more than the operator holds is forbidden without escalate", async () => {
  const granting = controller(Task, {
    owns: [Role],
    reconcile: async ({ apply }) => {
      const rules = [{ apiGroups: [""], resources: ["services"], verbs: ["get"] }];
      await apply(Role, { metadata: { name: "services" }, rules });
    },
  });
  await using cluster = await testCluster(operator({ name: "forbidden", controllers: [granting] }));
  await cluster.create(Task, { metadata: { name: "one" }, spec: {} });
  await cluster.settle({ allowFailing: true });
  expect(cluster.running?.failing().map(({ error }) => isForbidden(error))).toEqual([true]);
});
