import { isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Tenant, Website } from "../../test/website.js";
import { Deployment } from "../k8s/apps/v1.gen.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller, may } from "./index.js";

const writes = (sent: readonly string[]): string[] => sent.filter((line) => !line.startsWith("GET "));
const names = async (objects: AsyncIterable<{ readonly metadata: { readonly name: string } }>): Promise<string[]> => {
  const found: string[] = [];
  for await (const object of objects) found.push(object.metadata.name);
  return found;
};

/** A Deployment as users write it: the server defaults many fields. */
const deploymentOf = (name: string, replicas: number, image: string) => ({
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: "web", image, ports: [{ containerPort: 80 }], env: [{ name: "MODE", value: "fast" }] }],
      },
    },
  },
});

const website = controller(Website, {
  owns: [Deployment],
  reconcile: async ({ object, apply }) => {
    await apply(Deployment, deploymentOf(object.metadata.name, object.spec.replicas, object.spec.image));
  },
});

test("apply creates a child with a controller owner reference and the controller's field manager, in the owner's namespace", async () => {
  await using running = await runController(website, { install: [Website] });
  const owner = await running.client.create(Website, shop);
  await running.settle();
  const child = await running.client.get(Deployment, "shop");
  expect(child.metadata.ownerReferences).toEqual([
    {
      apiVersion: "web.example.com/v1",
      kind: "Website",
      name: "shop",
      uid: owner.metadata.uid,
      controller: true,
      blockOwnerDeletion: true,
    },
  ]);
  expect(child.metadata.managedFields?.map(({ manager, operation }) => `${manager} ${operation}`)).toEqual([
    "website Apply",
  ]);
  expect(child.spec.replicas).toBe(1);
});

test("apply sends nothing when nothing would change, although the server defaulted many fields", async () => {
  await using running = await runController(website, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  running.sent.length = 0;
  await running.client.patch(Website, "shop", { merge: { metadata: { labels: { seen: "again" } } } });
  await running.settle();
  expect(running.loop.runs).toBeGreaterThan(1);
  expect(writes(running.sent)).toEqual([]);
});

test("apply sends a change of the desired state, and reverts what another client changed or deleted", async () => {
  await using running = await runController(website, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await running.settle();
  expect((await running.client.get(Deployment, "shop")).spec.template.spec?.containers[0]?.image).toBe("shop:2");

  await running.client.patch(Deployment, "shop", { merge: { spec: { replicas: 9 } } });
  await running.settle();
  expect((await running.client.get(Deployment, "shop")).spec.replicas).toBe(1);

  await running.client.delete(Deployment, "shop");
  await running.settle();
  expect((await running.client.get(Deployment, "shop")).spec.replicas).toBe(1);
});

test("fields that other field managers add to a child stay, and cause no apply", async () => {
  await using running = await runController(website, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  running.sent.length = 0;
  await running.client.patch(Deployment, "shop", {
    merge: { metadata: { annotations: { note: "mine" } }, spec: { paused: true } },
  });
  await running.settle();
  expect(writes(running.sent)).toEqual([]);
  expect((await running.client.get(Deployment, "shop")).spec.paused).toBe(true);
});

test("a field that is no longer applied is removed", async () => {
  const settings = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply }) => {
      const data =
        object.spec.host === undefined
          ? { image: object.spec.image }
          : { image: object.spec.image, host: object.spec.host };
      await apply(ConfigMap, { metadata: { name: "settings" }, data });
    },
  });
  await using running = await runController(settings, { install: [Website] });
  await running.client.create(Website, { ...shop, spec: { image: "shop:1", host: "a.example.com" } });
  await running.settle();
  expect((await running.client.get(ConfigMap, "settings")).data).toEqual({ image: "shop:1", host: "a.example.com" });
  await running.client.patch(Website, "shop", { merge: { spec: { host: null } } });
  await running.settle();
  expect((await running.client.get(ConfigMap, "settings")).data).toEqual({ image: "shop:1" });
});

test("apply rejects an object that its owner does not control, and leaves it unchanged", async () => {
  await using running = await runController(website, { install: [Website] });
  const other = await running.client.create(Deployment, deploymentOf("shop", 5, "other:1"));
  const owner = await running.client.create(Website, shop);
  await running.settle();
  const error = running.loop.failing.get("default/shop");
  expect(isOperatorError(error) && [error.code, error.message]).toEqual([
    "NOT_CONTROLLED",
    `Cannot apply Deployment "default/shop" (uid ${other.metadata.uid}) for Website "shop" (uid ${owner.metadata.uid}): it exists and no owner controls it; apply with { adopt: true } to take it over`,
  ]);
  expect((await running.client.get(Deployment, "shop")).spec.replicas).toBe(5);
});

test("apply with adopt takes over an object without a controller, but never one that another owner controls", async () => {
  const adopting = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply }) => {
      await apply(
        ConfigMap,
        { metadata: { name: "settings" }, data: { owner: object.metadata.name } },
        { adopt: true },
      );
    },
  });
  await using running = await runController(adopting, { install: [Website] });
  await running.client.create(ConfigMap, { metadata: { name: "settings" }, data: { mode: "fast" } });
  await running.client.create(Website, shop);
  await running.settle();
  expect((await running.client.get(ConfigMap, "settings")).data).toEqual({ mode: "fast", owner: "shop" });

  await running.client.create(Website, { ...shop, metadata: { name: "rival" } });
  await running.settle();
  expect(running.loop.failing.get("default/rival")?.message).toMatch(
    /^Cannot apply ConfigMap "default\/settings" \(uid .*\) for Website "rival" \(uid .*\): it is controlled by Website "shop" \(uid .*\); use another name, or delete it$/,
  );
  expect(running.loop.failing.has("default/shop")).toBe(false);
});

/** One ConfigMap per word of the host. */
const perWord = controller(Website, {
  owns: [ConfigMap],
  reconcile: async ({ object, apply, prune }) => {
    for (const name of (object.spec.host ?? "").split(" ").filter((word) => word !== ""))
      await apply(ConfigMap, { metadata: { name } });
    await prune(ConfigMap);
  },
});

test("prune deletes this owner's children that the run did not apply, and nothing else", async () => {
  await using running = await runController(perWord, { install: [Website] });
  await running.client.create(ConfigMap, { metadata: { name: "bystander" } });
  await running.client.create(Website, { metadata: { name: "other" }, spec: { image: "x", host: "theirs" } });
  await running.client.create(Website, { metadata: { name: "shop" }, spec: { image: "x", host: "one two three" } });
  await running.settle();
  await running.client.patch(Website, "shop", { merge: { spec: { host: "two" } } });
  await running.settle();
  expect((await names(running.client.list(ConfigMap))).sort()).toEqual(["bystander", "theirs", "two"]);
});

test("prune also deletes the children that an earlier version of the operator created", async () => {
  const before = await runController(perWord, { install: [Website] });
  await before.client.create(Website, { metadata: { name: "shop" }, spec: { image: "x", host: "one two" } });
  await before.settle();
  await using after = await before.restart(
    controller(Website, { owns: [ConfigMap], reconcile: async ({ prune }) => void (await prune(ConfigMap)) }),
  );
  await after.settle();
  expect(await names(after.client.list(ConfigMap))).toEqual([]);
  await before.loop.stop();
});

test("create makes children with generateName, and later reads in the run see them", async () => {
  const counts: number[] = [];
  const creating = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ create, list, prune }) => {
      if ((await list(ConfigMap)).length === 0)
        await create(ConfigMap, { metadata: { generateName: "job-" }, data: {} });
      counts.push((await list(ConfigMap)).length);
      if (counts.length === 1) expect(await prune(ConfigMap)).toBe(0);
    },
  });
  await using running = await runController(creating, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(new Set(counts)).toEqual(new Set([1]));
  expect((await names(running.client.list(ConfigMap)))[0]).toMatch(/^job-[a-z0-9]{5}$/);
});

test("delete and patch work on children; deleting an absent child is no error", async () => {
  const seen: unknown[] = [];
  const deleting = controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ apply, patch, find, delete: remove }) => {
      // Once: the deletion of a child triggers another run.
      if (seen.length > 0) return;
      await apply(ConfigMap, { metadata: { name: "a" }, data: { x: "1" } });
      seen.push((await patch(ConfigMap, "a", { merge: { data: { y: "2" } } })).data);
      await remove(ConfigMap, "a");
      seen.push(await find(ConfigMap, "a"));
      await remove(ConfigMap, "never-there");
    },
  });
  await using running = await runController(deleting, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(seen).toEqual([{ x: "1", y: "2" }, undefined]);
  expect(running.loop.failing.size).toBe(0);
});

test("children of a cluster-scoped owner are created in the namespace in their metadata", async () => {
  const tenant = controller(Tenant, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply }) => {
      await apply(ConfigMap, {
        metadata: { name: object.metadata.name, namespace: "kube-public" },
        data: { team: object.spec.team },
      });
    },
  });
  await using running = await runController(tenant, { install: [Tenant] });
  await running.client.create(Tenant, { metadata: { name: "acme" }, spec: { team: "a" } });
  await running.settle();
  await running.client.delete(ConfigMap, { namespace: "kube-public", name: "acme" });
  await running.settle();
  expect((await running.client.get(ConfigMap, { namespace: "kube-public", name: "acme" })).data).toEqual({ team: "a" });
});

test("undeclared kinds and other namespaces are rejected at run time, where the compiler cannot check", async () => {
  const messages: string[] = [];
  const cheating = controller(Website, {
    owns: [ConfigMap],
    uses: [may(Deployment, "get")],
    reconcile: async (context) => {
      const { apply, delete: remove } = context as unknown as {
        apply(kind: unknown, object: unknown): Promise<void>;
        delete(kind: unknown, name: string): Promise<void>;
      };
      for (const attempt of [
        () => apply(Deployment, { metadata: { name: "x" } }),
        () => remove(Deployment, "x"),
        () => apply(ConfigMap, { metadata: { name: "x", namespace: "kube-system" } }),
      ])
        await attempt().catch((error: Error) => messages.push(error.message));
    },
  });
  await using running = await runController(cheating, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(messages.slice(0, 3)).toEqual([
    'Cannot apply Deployment objects in controller "website": declare apps/v1/Deployment in `owns` or `manages`',
    'Cannot delete Deployment objects in controller "website": declare apps/v1/Deployment in `owns`, `uses` or `watches`',
    'Cannot make ConfigMap "kube-system/x" a child of Website "shop": a child lives in its owner\'s namespace "default"',
  ]);
});
