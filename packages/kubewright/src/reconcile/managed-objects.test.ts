import { isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { ConfigMap, Namespace } from "../k8s/core/v1.gen.js";
import { ClusterRole } from "../k8s/rbac/v1.gen.js";
import { deriveRules } from "../permissions/index.js";
import { type Controller, controller } from "./index.js";

const label = "websites.web.example.com/owner-uid";
const annotation = "websites.web.example.com/owner";
const changes = (sent: readonly string[]): string[] =>
  sent.filter((line) => !line.startsWith("GET ") && !line.includes("websites"));

/** As `provisioning`, without `finalize`. */
const withoutFinalize = (): Controller => {
  const { finalize: _, ...others } = provisioning();
  return { ...others, finalize: undefined };
};

/** Applies a ClusterRole, and a ConfigMap in each namespace of the comma-separated host. */
const provisioning = (finalized: string[] = []) =>
  controller(Website, {
    manages: [ClusterRole, ConfigMap],
    reconcile: async ({ object, apply, ensure, prune }) => {
      const { name } = object.metadata;
      await apply(ClusterRole, { metadata: { name: `site-${name}` }, rules: [] });
      for (const namespace of object.spec.host?.split(",") ?? [])
        await apply(ConfigMap, { metadata: { name, namespace }, data: { image: object.spec.image } });
      await ensure(ConfigMap, { namespace: "kube-public", name: `once-${name}` }, () => ({ data: { made: "once" } }));
      await prune(ConfigMap, ClusterRole);
    },
    finalize: async ({ find }) => void finalized.push(`${(await find(ClusterRole, "site-shop")) !== undefined}`),
  });

const site = { ...shop, spec: { image: "shop:1", host: "kube-system,kube-public" } };
const where = async (client: Awaited<ReturnType<typeof runController>>["client"]): Promise<string[]> => {
  const found: string[] = [];
  for await (const { metadata } of client.list(ConfigMap, { allNamespaces: true, labels: label }))
    found.push(`${metadata.namespace}/${metadata.name}`);
  return found.sort();
};

test("managed objects in other scopes and namespaces name their owner, are repaired, pruned, and deleted before the owner", async () => {
  await using running = await runController(withoutFinalize(), { install: [Website] });
  const { client, sent } = running;
  await client.create(ConfigMap, { metadata: { name: "copied", labels: { [label]: "x" } } });
  const owner = await client.create(Website, site);
  await running.settle();
  const role = await client.get(ClusterRole, "site-shop");
  expect([role.metadata.labels?.[label], role.metadata.annotations?.[annotation]]).toEqual([
    owner.metadata.uid,
    "default/shop",
  ]);
  expect(role.metadata.ownerReferences).toBeUndefined();
  expect(await where(client)).toEqual([
    "default/copied",
    "kube-public/once-shop",
    "kube-public/shop",
    "kube-system/shop",
  ]);
  expect((await client.get(Website, "shop")).metadata.finalizers).toEqual(["web.example.com/website"]);

  sent.length = 0;
  await client.patch(Website, "shop", { merge: { metadata: { labels: { again: "1" } } } });
  await running.settle();
  expect(changes(sent)).toEqual([]);

  // A change by another client is reverted; so is the deletion, and the removal of the label.
  const inSystem = { namespace: "kube-system", name: "shop" };
  await client.patch(ConfigMap, inSystem, { merge: { data: { image: "other" } } });
  await running.settle();
  expect((await client.get(ConfigMap, inSystem)).data).toEqual({ image: "shop:1" });
  await client.delete(ClusterRole, "site-shop");
  await running.settle();
  expect(await client.find(ClusterRole, "site-shop")).toBeDefined();
  await client.patch(ConfigMap, inSystem, { merge: { metadata: { labels: { [label]: null } } } });
  await running.settle();
  expect((await client.get(ConfigMap, inSystem)).metadata.labels?.[label]).toBe(owner.metadata.uid);
  expect(running.loop.failing.size).toBe(0);

  await client.patch(Website, "shop", { merge: { spec: { host: "kube-system" } } });
  await running.settle();
  expect(await where(client)).toEqual(["default/copied", "kube-public/once-shop", "kube-system/shop"]);

  await client.delete(Website, "shop");
  await running.settle();
  expect(await client.find(Website, "shop")).toBeUndefined();
  expect(await client.find(ClusterRole, "site-shop")).toBeUndefined();
  // The object with a copied label is another client's.
  expect(await where(client)).toEqual(["default/copied"]);
});

test("finalize runs before managed objects are deleted, and the owner waits until they are gone", async () => {
  const finalized: string[] = [];
  await using running = await runController(provisioning(finalized), { install: [Website] });
  const { client } = running;
  await client.create(Website, site);
  await running.settle();
  const held = { namespace: "kube-system", name: "shop" };
  await client.patch(ConfigMap, held, { merge: { metadata: { finalizers: ["example.com/held"] } } });
  await running.settle();
  await client.delete(Website, "shop");
  await running.settle();
  expect(finalized[0]).toBe("true");
  expect(await client.find(ClusterRole, "site-shop")).toBeUndefined();
  expect((await client.get(Website, "shop")).metadata.finalizers).toEqual(["web.example.com/website"]);
  await client.patch(ConfigMap, held, { merge: { metadata: { finalizers: null } } });
  await running.settle();
  expect(await client.find(Website, "shop")).toBeUndefined();
});

test("an object of another owner is not taken over, and two owners of one kind do not touch each other's", async () => {
  await using running = await runController(withoutFinalize(), { install: [Website] });
  const { client } = running;
  await client.create(ClusterRole, { metadata: { name: "site-shop" }, rules: [] });
  await client.create(Website, site);
  await client.create(Website, { metadata: { name: "blog" }, spec: { image: "blog:1", host: "kube-system" } });
  await running.settle();
  const error = running.loop.failing.get("default/shop");
  expect(isOperatorError(error) && [error.code, error.message.replace(/uid [-\w]+/g, "uid x")]).toEqual([
    "NOT_CONTROLLED",
    'Cannot apply ClusterRole "site-shop" (uid x) for "default/shop" (uid x): it exists and no owner manages it; apply with { adopt: true } to take it over',
  ]);
  expect(await where(client)).toEqual(["kube-public/once-blog", "kube-system/blog"]);
  await client.delete(Website, "shop");
  await running.settle();
  expect(await client.find(ClusterRole, "site-shop")).toBeDefined();
  expect(await where(client)).toEqual(["kube-public/once-blog", "kube-system/blog"]);
});

test("a managed Namespace is deleted before its owner", async () => {
  const spaces = controller(Website, {
    manages: [Namespace],
    reconcile: async ({ object, apply }) => void (await apply(Namespace, { metadata: { name: object.metadata.name } })),
  });
  await using running = await runController(spaces, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(await running.client.find(Namespace, "shop")).toBeDefined();
  await running.client.delete(Website, "shop");
  await running.settle();
  expect([await running.client.find(Namespace, "shop"), await running.client.find(Website, "shop")]).toEqual([
    undefined,
    undefined,
  ]);
});

test("the finalizer is removed when a newer version manages nothing", async () => {
  await using first = await runController(withoutFinalize(), { install: [Website] });
  await first.client.create(Website, site);
  await first.settle();
  const second = await first.restart(controller(Website, { reconcile: () => {} }));
  await second.settle();
  expect((await second.client.get(Website, "shop")).metadata.finalizers ?? []).toEqual([]);
});

test("a kind is owned or managed, and the Role allows to read and write managed objects", () => {
  expect(() => controller(Website, { owns: [ConfigMap], manages: [ConfigMap], reconcile: () => {} })).toThrow(
    "ConfigMap is in `owns` and in `manages`; choose one",
  );
  const rules = deriveRules([controller(Website, { manages: [ClusterRole], reconcile: () => {} })]);
  expect(rules).toContainEqual({
    apiGroups: ["rbac.authorization.k8s.io"],
    resources: ["clusterroles"],
    verbs: ["create", "delete", "get", "list", "patch", "watch"],
  });
  expect(rules.flatMap(({ resources }) => resources)).not.toContain("websites/finalizers");
});
