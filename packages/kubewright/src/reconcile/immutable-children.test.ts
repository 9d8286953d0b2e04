import { ApiError } from "@kubewright/core/errors";
import { expect, test } from "vitest";
import { runController } from "../../test/running-controller.js";
import { shop, Website } from "../../test/website.js";
import type { Client } from "../client/index.js";
import { StatefulSet } from "../k8s/apps/v1.gen.js";
import { Job } from "../k8s/batch/v1.gen.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { Event } from "../k8s/events/v1.gen.js";
import { immutableFields } from "./immutable-change.js";
import { controller } from "./index.js";

const jobOf = (image: string) => ({
  metadata: { name: "migrate" },
  spec: { template: { spec: { restartPolicy: "Never" as const, containers: [{ name: "migrate", image }] } } },
});

const migrating = (onImmutable?: "recreate") =>
  controller(Website, {
    owns: [Job],
    reconcile: async ({ object, apply }) => {
      const job = await apply(Job, jobOf(object.spec.image), onImmutable && { onImmutable });
      expect(job.spec?.template.spec?.containers[0]?.image).toBe(object.spec.image);
    },
  });

async function reasons(client: Client): Promise<string[]> {
  const found: string[] = [];
  for await (const { reason, note } of client.list(Event)) found.push(`${reason}: ${note}`);
  return found;
}

test("an apply that changes an immutable field fails, and with onImmutable the child is created again, with an event", async () => {
  await using failing = await runController(migrating(), { install: [Website] });
  await failing.client.create(Website, shop);
  await failing.settle();
  const before = await failing.client.get(Job, "migrate");
  await failing.client.patch(Website, "shop", { merge: { spec: { image: "shop:2" } } });
  await failing.settle();
  expect(failing.loop.failing.get("default/shop")?.message).toContain("field is immutable");
  expect((await failing.client.get(Job, "migrate")).metadata.uid).toBe(before.metadata.uid);

  const running = await failing.restart(migrating("recreate"));
  await running.settle();
  const after = await running.client.get(Job, "migrate");
  expect(after.spec?.template.spec?.containers[0]?.image).toBe("shop:2");
  expect(after.metadata.uid).not.toBe(before.metadata.uid);
  expect(running.loop.failing.size).toBe(0);
  expect(await reasons(running.client)).toContain(
    'Recreated: Deleted Job "default/migrate" and created it again: immutable spec.template changed',
  );
});

test("a child that is created again in quick succession is delayed", async () => {
  let version = 0;
  const flapping = controller(Website, {
    owns: [Job],
    reconcile: async ({ apply }) => {
      version += 1;
      await apply(Job, jobOf(`shop:${version}`), { onImmutable: "recreate" });
    },
  });
  await using running = await runController(flapping, { install: [Website] });
  await running.client.create(Website, shop);
  await running.settle();
  expect(running.loop.failing.get("default/shop")?.message).toContain("deleted again and again");
  const { length } = running.sent.filter((line) => line.startsWith("DELETE "));
  expect(length).toBeLessThanOrEqual(4);
});

test("orphan keeps the dependents, and the child is created when the deletion has completed", async () => {
  const labels = { app: "db" };
  const storing = controller(Website, {
    owns: [StatefulSet],
    reconcile: async ({ object, apply }) => {
      const storage = object.spec.host ?? "1Gi";
      const resources = { requests: { storage } };
      const claim = { metadata: { name: "data" }, spec: { accessModes: ["ReadWriteOnce" as const], resources } };
      const template = { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } };
      const spec = { serviceName: "db", selector: { matchLabels: labels }, template, volumeClaimTemplates: [claim] };
      await apply(StatefulSet, { metadata: { name: "db" }, spec }, { onImmutable: "orphan" });
    },
  });
  await using running = await runController(storing, { install: [Website] });
  const { client } = running;
  await client.create(Website, shop);
  await running.settle();
  const { uid } = (await client.get(StatefulSet, "db")).metadata;
  const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "db", uid };
  await client.create(ConfigMap, { metadata: { name: "dependent", ownerReferences: [owner] } });
  await client.patch(Website, "shop", { merge: { spec: { host: "2Gi" } } });
  await running.settle();
  const after = await client.get(StatefulSet, "db");
  expect(after.metadata.uid).not.toBe(uid);
  expect(after.spec?.volumeClaimTemplates?.[0]?.spec?.resources?.requests?.["storage"]).toBe("2Gi");
  expect((await client.get(ConfigMap, "dependent")).metadata.ownerReferences).toBeUndefined();
  expect(running.loop.failing.size).toBe(0);
});

test("only a rejection for nothing but immutable fields counts", () => {
  const invalid = (...causes: readonly (readonly [reason: string, field: string, message: string])[]) =>
    new ApiError(422, "Cannot apply", {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      reason: "Invalid",
      code: 422,
      details: { causes: causes.map(([reason, field, message]) => ({ reason, field, message })) },
    });
  const template = ["FieldValueInvalid", "spec.template", "Invalid value: {}: field is immutable"] as const;
  const forbidden = "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden";
  expect(immutableFields(invalid(template, ["FieldValueForbidden", "spec", forbidden]))).toEqual([
    "spec.template",
    "spec",
  ]);
  expect(immutableFields(invalid(template, ["FieldValueRequired", "spec.a", "Required value"]))).toEqual([]);
  const value = ["FieldValueInvalid", "spec.a", 'Invalid value: "immutable": must be a number'] as const;
  expect(immutableFields(invalid(value))).toEqual([]);
  expect(immutableFields(invalid())).toEqual([]);
  expect(immutableFields(new Error("field is immutable"))).toEqual([]);
});
