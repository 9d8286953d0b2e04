import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { Deployment } from "../k8s/apps/v1.gen.js";
import { ConfigMap, Node, Pod, ServiceAccount } from "../k8s/core/v1.gen.js";
import { ClusterRole, Role } from "../k8s/rbac/v1.gen.js";
import { operator } from "../manager/index.js";
import { deriveRules } from "../permissions/index.js";
import { controller, may } from "./index.js";

test("a run scales, updates, reads logs and requests tokens through the run's own client", async () => {
  const seen: unknown[] = [];
  const queries: unknown[] = [];
  const using = controller(Website, {
    uses: [may(Deployment, "scale"), may(ConfigMap, "get", "update"), may(Pod, "log"), may(ServiceAccount, "token")],
    reconcile: async ({ object, get, scale, getScale, update, logs, token }) => {
      if (object.spec.host === undefined) return;
      await scale(Deployment, "web", 3);
      seen.push((await getScale(Deployment, "web")).spec.replicas);
      const config = await get(ConfigMap, "config");
      seen.push((await update(ConfigMap, { ...config, data: { key: "new" } })).data);
      seen.push(typeof (await token(ServiceAccount, "builder", { audiences: ["vault"] })).token);
      seen.push(await logs(Pod, "web-0", { container: "web", tailLines: 5 }).catch((error: Error) => error.message));
    },
  });
  await using running = await runController(using, {
    install: [Website],
    intercept: ({ path, query }) => {
      if (!path.endsWith("/log")) return;
      queries.push([path, query]);
      throw new Error("no kubelet");
    },
  });
  const { client } = running;
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } };
  await client.create(Deployment, { metadata: { name: "web" }, spec: { selector: { matchLabels: labels }, template } });
  await client.create(ConfigMap, { metadata: { name: "config" }, data: { key: "old" } });
  await client.create(ServiceAccount, { metadata: { name: "builder" } });
  await client.create(Website, { ...shop, spec: { ...shop.spec, host: "a.example.com" } });
  await running.settle();
  expect(seen).toEqual([3, { key: "new" }, "string", expect.stringContaining("no kubelet")]);
  expect(queries).toEqual([["/api/v1/namespaces/default/pods/web-0/log", { container: "web", tailLines: "5" }]]);
  expect(running.loop.failing.size).toBe(0);
});

test("a run executes commands; a cluster without containers rejects them with the reason", async () => {
  const seen: unknown[] = [];
  const probing = controller(Website, {
    uses: [may(Pod, "exec")],
    reconcile: async ({ exec }) => {
      for (const name of ["missing", "web-0"])
        await exec(Pod, name, { container: "web", command: ["pg_isready"] }).catch((error: Error) =>
          seen.push(error.message),
        );
    },
  });
  await using running = await runController(probing, { install: [Website] });
  const { client } = running;
  await client.create(Node, { metadata: { name: "node" } });
  const spec = { nodeName: "node", containers: [{ name: "web", image: "web:1" }] };
  await client.create(Pod, { metadata: { name: "web-0" }, spec });
  await client.create(Website, shop);
  await running.settle();
  expect(seen).toEqual([
    'Cannot run "pg_isready" in Pod "default/missing": pods "missing" not found',
    expect.stringMatching(
      /^Cannot run "pg_isready" in Pod "default\/web-0": .*Pods are simulated and run no containers/,
    ),
  ]);
});

test("bind and escalate of Roles are verbs, and subresources of Pods and workloads have their own rules", () => {
  const rules = deriveRules([
    controller(Website, {
      uses: [
        may(Role, "bind", "escalate"),
        may(ClusterRole, "bind"),
        may(Pod, "bind", "evict", "log", "exec"),
        may(Deployment, "scale", "update"),
        may(ServiceAccount, "token"),
      ],
      reconcile: () => {},
    }),
  ]);
  const allowed = rules.flatMap(({ resources, verbs }) =>
    resources.map((resource) => `${resource}: ${verbs.join(" ")}`),
  );
  for (const rule of [
    "roles: bind escalate",
    "clusterroles: bind",
    "pods/binding: create",
    "pods/eviction: create",
    "pods/log: get",
    "pods/exec: create get",
    "deployments: update",
    "deployments/scale: get patch",
    "serviceaccounts/token: create",
  ])
    expect(allowed).toContain(rule);
});

test("an operator adds its own rules to the derived ones", () => {
  const rule = { apiGroups: [""], resources: ["secrets"], verbs: ["get"] };
  const extended = operator({
    name: "sites",
    controllers: [controller(Website, { reconcile: () => {} })],
    rules: [rule],
  });
  expect(extended.rules()).toContainEqual(rule);
  expect(extended.rules({ cluster: "edge" })).not.toContainEqual(rule);
});
