import { isOperatorError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Tenant, Website } from "../../test/website.js";
import { ConfigMap, Secret } from "../k8s/core/v1.gen.js";
import { controller } from "./index.js";

const password = "shop-password";

/** Generates another password in each call, as a random generator does. */
function generating(made: string[]) {
  return controller(Website, {
    owns: [Secret],
    reconcile: async ({ ensure, prune }) => {
      const secret = await ensure(Secret, password, () => {
        made.push(`password-${made.length + 1}`);
        return { metadata: { labels: { app: "shop" } }, stringData: { password: made.at(-1) ?? "" } };
      });
      expect(secret.metadata.name).toBe(password);
      await prune(Secret);
    },
  });
}

const changes = (sent: readonly string[]): string[] =>
  sent.filter((line) => !line.startsWith("GET ") && line.includes("/secrets"));

test("ensure creates a child once, never changes it, and prune keeps it", async () => {
  const made: string[] = [];
  await using running = await runController(generating(made), { install: [Website] });
  const { client, sent } = running;
  const owner = await client.create(Website, shop);
  await running.settle();
  for (let run = 0; run < 8; run++) {
    await client.patch(Website, "shop", { merge: { spec: { host: `${run}.example.com` } } });
    await running.settle();
  }
  const child = await client.get(Secret, password);
  expect(Buffer.from(child.data?.["password"] ?? "", "base64").toString()).toBe("password-1");
  expect([child.metadata.labels, child.metadata.ownerReferences?.[0]?.uid]).toEqual([
    { app: "shop" },
    owner.metadata.uid,
  ]);
  expect(changes(sent)).toEqual(["POST /api/v1/namespaces/default/secrets"]);
  await client.patch(Secret, password, {
    merge: { metadata: { labels: { app: "changed" } }, data: { other: "eA==" } },
  });
  await running.settle();
  expect((await client.get(Secret, password)).metadata.labels).toEqual({ app: "changed" });
  expect([made.length, changes(sent).length]).toEqual([1, 1]);
});

test("a deleted child is created again, and one that is no longer ensured is pruned", async () => {
  const made: string[] = [];
  await using first = await runController(generating(made), { install: [Website] });
  await first.client.create(Website, shop);
  await first.settle();
  await first.client.delete(Secret, password);
  await first.settle();
  expect((await first.client.get(Secret, password)).data?.["password"]).toBe(
    Buffer.from("password-2").toString("base64"),
  );
  const without = controller(Website, { owns: [Secret], reconcile: ({ prune }) => void prune(Secret) });
  const second = await first.restart(without);
  await second.settle();
  expect(await second.client.find(Secret, password)).toBeUndefined();
});

test("with a stale cache ensure returns the object of the server and creates no second one", async () => {
  const seen: (string | undefined)[] = [];
  let isSilent = false;
  const ensuring = controller(Website, {
    owns: [Secret],
    reconcile: async ({ object, ensure, find }) => {
      if (object.spec.host === undefined) return;
      const secret = await ensure(Secret, password, async () => ({ data: { password: "bmV3" } }));
      seen.push(secret.data?.["password"], (await find(Secret, password))?.data?.["password"]);
    },
  });
  await using running = await runController(ensuring, {
    install: [Website],
    isSilent: ({ path }) => isSilent && path.includes("/secrets"),
  });
  const { client } = running;
  const { metadata } = await client.create(Website, shop);
  await running.settle();
  isSilent = true;
  const owner = { apiVersion: "web.example.com/v1", kind: "Website", name: "shop", controller: true };
  // As another replica did, before this one led.
  await client.create(Secret, {
    metadata: { name: password, ownerReferences: [{ ...owner, uid: metadata.uid }] },
    data: { password: "b2xk" },
  });
  await client.patch(Website, "shop", { merge: { spec: { host: "a.example.com" } } });
  await running.settle();
  expect(seen).toEqual(["b2xk", "b2xk"]);
  expect(running.loop.failing.size).toBe(0);
});

test("ensure rejects an object that its owner does not control, and leaves it unchanged", async () => {
  const made: string[] = [];
  await using running = await runController(generating(made), { install: [Website] });
  await running.client.create(Secret, { metadata: { name: password }, data: { theirs: "eA==" } });
  await running.settle();
  await running.client.create(Website, shop);
  await running.settle();
  const error = running.loop.failing.get("default/shop");
  expect(isOperatorError(error) && error.code).toBe("NOT_CONTROLLED");
  expect((await running.client.get(Secret, password)).data).toEqual({ theirs: "eA==" });
  expect(made).toEqual([]);
});

test("an error of the initial function fails the run, and the child is created by a later run", async () => {
  let fails = true;
  const ensuring = controller(Tenant, {
    owns: [ConfigMap],
    reconcile: async ({ ensure }) => {
      await ensure(ConfigMap, { namespace: "default", name: "once" }, () => {
        if (fails) throw new Error("no entropy");
        return { data: { a: "1" } };
      });
    },
  });
  await using running = await runController(ensuring, { install: [Tenant] });
  await running.client.create(Tenant, { metadata: { name: "acme" }, spec: { team: "a" } });
  await running.settle();
  expect(running.loop.failing.get("acme")?.message).toBe("no entropy");
  fails = false;
  await running.advance(1_000);
  expect((await running.client.get(ConfigMap, "once")).data).toEqual({ a: "1" });
});
