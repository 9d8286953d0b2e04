import type { Transport } from "@kubewright/core/transport";
import { controller, defineResource, operator, z } from "kubewright";
import { ConfigMap, Secret } from "kubewright/k8s/core/v1";
import type { PolicyRule } from "kubewright/permissions";
import { expect, test } from "vitest";
import { testCluster } from "../index.js";

const Website = defineResource({
  group: "web.example.com",
  kind: "Website",
  versions: { v1: { spec: z.object({}), status: z.object({ ready: z.boolean().optional() }) } },
});

const website = controller(Website, {
  owns: [ConfigMap],
  uses: [Secret],
  reconcile: async ({ object, apply, find, status }) => {
    await find(Secret, "token");
    await apply(ConfigMap, { metadata: { name: object.metadata.name }, data: { key: "value" } });
    status.ready = true;
  },
});
const websites = operator({ name: "websites", controllers: [website] });

/** The rules of the operator without one verb on one resource. */
const without = (resource: string, verb: string) => (): readonly PolicyRule[] =>
  websites
    .rules()
    .flatMap((rule) =>
      rule.resources.map((one) => ({
        ...rule,
        resources: [one],
        verbs: rule.verbs.filter((held) => one !== resource || held !== verb),
      })),
    )
    .filter(({ verbs }) => verbs.length > 0);

test("an operator runs as a ServiceAccount with exactly its derived rules", async () => {
  await using cluster = await testCluster(websites);
  await cluster.create(Website, { metadata: { name: "shop" }, spec: {} });
  await cluster.settle();
  expect((await cluster.get(Website, "shop")).status?.ready).toBe(true);
  const { body } = await cluster.transport.send({
    method: "GET",
    path: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/websites",
  });
  expect(body).toMatchObject({ subjects: [{ kind: "ServiceAccount", namespace: "default", name: "websites" }] });
});

test("a removed rule for a write fails settle with the request, the role's missing rule and the controller", async () => {
  await using cluster = await testCluster(websites, { rules: without("configmaps", "create") });
  await cluster.create(Website, { metadata: { name: "shop" }, spec: {} });
  await expect(cluster.settle()).rejects.toMatchObject({
    code: "API_FORBIDDEN",
    message: expect.stringContaining(
      [
        'Operator "websites" has no permission to create configmaps in the namespace "default"',
        '  request: PATCH /api/v1/namespaces/default/configmaps/shop, sent by "website"',
      ].join("\n"),
    ),
  });
});

test("a removed rule for a cached kind fails the start instead of waiting for the cache", async () => {
  await expect(testCluster(websites, { rules: without("secrets", "watch") })).rejects.toThrow(
    'add the rule: { apiGroups: [""], resources: ["secrets"], verbs: ["watch"] }',
  );
});

test("each verb of the derived rules is needed: without it, the same test fails and names it", async () => {
  const run = async (rules: () => readonly PolicyRule[]): Promise<string> => {
    try {
      await using cluster = await testCluster(websites, { rules });
      await cluster.create(Website, { metadata: { name: "shop" }, spec: {} });
      await cluster.settle();
      return "passed";
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const needed = [
    "watch websites.web.example.com",
    "patch websites/status.web.example.com",
    "patch configmaps",
    "create configmaps",
  ];
  for (const permission of needed) {
    const [verb = "", what = ""] = permission.split(" ");
    const [resource = ""] = what.split(".");
    expect(await run(without(resource, verb))).toContain(`has no permission to ${verb} ${what}`);
  }
});

test("an undeclared request names the declaration that would allow it", async () => {
  const held: { transport?: Transport } = {};
  const leak = controller(Website, {
    reconcile: async () =>
      void (await held.transport?.send({ method: "GET", path: "/api/v1/namespaces/default/secrets/token" })),
  });
  await using cluster = await testCluster(operator({ name: "leaky", controllers: [leak] }), {
    wrapTransport: (transport) => {
      held.transport = transport;
      return transport;
    },
  });
  await cluster.create(Website, { metadata: { name: "shop" }, spec: {} });
  await expect(cluster.settle()).rejects.toThrow(
    "no declaration of its controllers grants it; add: uses: [Secret], or uses: [live(Secret)] to read it from the server each time",
  );
});

test("a denial that no settle reported fails the end of the test", async () => {
  const cluster = await testCluster(websites, { rules: without("configmaps", "create") });
  await cluster.create(Website, { metadata: { name: "shop" }, spec: {} });
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  await expect(cluster[Symbol.asyncDispose]()).rejects.toThrow("has no permission to create configmaps");
});
