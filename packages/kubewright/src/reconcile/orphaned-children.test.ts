import { expect, test } from "vitest";
import { type RunningController, runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { controller } from "./index.js";

const settingsOf = (adopt: boolean | "orphaned") =>
  controller(Website, {
    owns: [ConfigMap],
    reconcile: async ({ object, apply }) => {
      await apply(ConfigMap, { metadata: { name: "settings" }, data: { image: object.spec.image } }, { adopt });
    },
  });

const failureOf = ({ loop }: RunningController): string => loop.failing.get("default/shop")?.message ?? "";
const ownersOf = async ({ client }: RunningController): Promise<readonly (string | undefined)[]> =>
  ((await client.get(ConfigMap, "settings")).metadata.ownerReferences ?? []).map(({ uid }) => uid);

/** Makes another Website of the same name the controller. Its version is not served, so that the garbage collector leaves the reference. */
const ownedBy = (uid: string) => ({
  merge: {
    metadata: {
      ownerReferences: [{ apiVersion: "web.example.com/v0", kind: "Website", name: "shop", uid, controller: true }],
    },
  },
});

test("a child whose controller reference was removed is named with its uid and the remedy, which restores it", async () => {
  const strict = await runController(settingsOf(false), { install: [Website] });
  const owner = await strict.client.create(Website, shop);
  await strict.settle();
  const stripped = { merge: { metadata: { ownerReferences: [] } } };
  const { uid } = (await strict.client.patch(ConfigMap, "settings", stripped)).metadata;
  await strict.settle();
  expect(failureOf(strict)).toBe(
    `Cannot apply ConfigMap "default/settings" (uid ${uid}) for Website "shop" (uid ${owner.metadata.uid}): its controller reference was removed; apply with { adopt: "orphaned" } to restore it`,
  );
  await using repairing = await strict.restart(settingsOf("orphaned"));
  await repairing.settle();
  expect(failureOf(repairing)).toBe("");
  expect(await ownersOf(repairing)).toEqual([owner.metadata.uid]);
});

test("a child of an earlier owner of the same name is named with both uids and the remedy, which takes it over", async () => {
  const strict = await runController(settingsOf(false), { install: [Website] });
  const owner = await strict.client.create(Website, shop);
  await strict.settle();
  await strict.client.patch(ConfigMap, "settings", ownedBy("former-uid"));
  await strict.settle();
  expect(failureOf(strict)).toContain(
    `(uid ${owner.metadata.uid}): it is controlled by Website "shop" (uid former-uid), an earlier one of the same name; apply with { adopt: "orphaned" } to take it over`,
  );
  const repairing = await strict.restart(settingsOf("orphaned"));
  await repairing.settle();
  expect(failureOf(repairing)).toBe("");
  expect(await ownersOf(repairing)).toEqual([owner.metadata.uid]);
  // The new reference is applied, so that a later apply without it would remove it.
  await using after = await repairing.restart(settingsOf(false));
  expect(after.sent.filter((line) => !line.startsWith("GET "))).toEqual([]);
});

test("adopt: orphaned takes over neither what another client made nor what another owner controls", async () => {
  await using running = await runController(settingsOf("orphaned"), { install: [Website] });
  await running.client.create(ConfigMap, { metadata: { name: "settings" } }, { fieldManager: "someone" });
  await running.client.create(Website, shop);
  await running.settle();
  expect(failureOf(running)).toContain("no owner controls it; apply with { adopt: true }");
  await running.client.patch(ConfigMap, "settings", ownedBy("former-uid"), { fieldManager: "someone" });
  await running.advance(30_000);
  expect(failureOf(running)).toContain("use another name, or delete it");
});

test("an owner that is behind adopts neither the child that it left nor that of the later owner of its name", async () => {
  let isSilent = false;
  await using running = await runController(settingsOf("orphaned"), {
    install: [Website],
    isSilent: ({ path }) => isSilent && path.endsWith("/websites"),
  });
  await running.client.create(Website, shop);
  await running.settle();
  isSilent = true;
  await running.client.delete(Website, "shop", { propagationPolicy: "Orphan" });
  await running.settle();
  expect(await ownersOf(running)).toEqual([]);
  const later = await running.client.create(Website, shop);
  await running.client.patch(ConfigMap, "settings", ownedBy(later.metadata.uid));
  await running.settle();
  await running.advance(10_000);
  expect(await ownersOf(running)).toEqual([later.metadata.uid]);
});

test("a run that found an object of another owner is retried after 30 s, and at once after a change", async () => {
  await using running = await runController(settingsOf(false), { install: [Website] });
  await running.client.create(ConfigMap, { metadata: { name: "settings" } });
  await running.client.create(Website, shop);
  await running.settle();
  const { runs } = running.loop;
  await running.advance(29_000);
  expect(running.loop.runs).toBe(runs);
  await running.advance(1_000);
  expect(running.loop.runs).toBe(runs + 1);
  await running.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await running.settle();
  expect(running.loop.runs).toBe(runs + 2);
});
