import { systemClock } from "@kubewright/core/clock";
import { afterAll, beforeAll, expect, test } from "vitest";
import { InformerSet, select } from "../src/cache/index.js";
import { StatefulSet } from "../src/k8s/apps/v1.gen.js";
import { Job } from "../src/k8s/batch/v1.gen.js";
import { ConfigMap, Secret, Service } from "../src/k8s/core/v1.gen.js";
import { Event } from "../src/k8s/events/v1.gen.js";
import { ClusterRole } from "../src/k8s/rbac/v1.gen.js";
import { type Controller, ControllerLoop, controller } from "../src/reconcile/index.js";
import { type RealWorld, startRealWorld, until } from "./real-world.js";
import { Website } from "./website.js";

let world: RealWorld;
let client: RealWorld["client"];

beforeAll(async () => {
  world = await startRealWorld({ collectsGarbage: true });
  ({ client } = world);
}, 60_000);

afterAll(() => world?.stop());

/** Runs a controller, for one test. */
async function run(description: Controller) {
  const common = { client, clock: systemClock, random: Math.random };
  const managed = description.children.map(({ kind }) => kind);
  const informers = new InformerSet({ ...common, managed });
  const loop = new ControllerLoop({ ...common, controller: description, informers });
  const abort = new AbortController();
  const watching = informers.run(abort.signal);
  await loop.start(abort.signal);
  const stop = async (): Promise<void> => {
    await loop.stop();
    abort.abort();
    await watching;
  };
  return { loop, stop, [Symbol.asyncDispose]: stop };
}

test("ensure creates a selected child once, and prune keeps it", async () => {
  let made = 0;
  const ensuring = controller(Website, {
    owns: [select(Secret, { labels: { app: "website" } })],
    reconcile: async ({ object, ensure, prune }) => {
      await ensure(Secret, `${object.metadata.name}-password`, () => {
        made += 1;
        return { stringData: { password: `password-${made}` } };
      });
      await prune(Secret);
    },
  });
  await using running = await run(ensuring);
  await client.create(Website, { metadata: { name: "once" }, spec: { image: "a" } });
  for (const image of ["b", "c", "d"]) {
    await client.patch(Website, "once", { merge: { spec: { image } } });
    const { runs } = running.loop;
    await until(() => running.loop.runs > runs - 1 && running.loop.idle, "it ran");
  }
  const secret = await client.get(Secret, "once-password");
  expect([made, secret.metadata.labels, secret.data]).toEqual([
    1,
    { app: "website" },
    { password: Buffer.from("password-1").toString("base64") },
  ]);
  await client.delete(Website, "once");
});

test("immutable fields of Jobs, StatefulSets and Services are recognized, and the children created again", async () => {
  const labels = { app: "immutable" };
  const changing = controller(Website, {
    owns: [Job, StatefulSet, Service],
    reconcile: async ({ object, apply }) => {
      const { image, host: clusterIP = "10.0.0.66" } = object.spec;
      const metadata = { name: object.metadata.name };
      const template = { metadata: { labels }, spec: { containers: [{ name: "a", image }] } };
      const pod = { ...template.spec, restartPolicy: "Never" } as const;
      await apply(Job, { metadata, spec: { template: { spec: pod } } }, { onImmutable: "recreate" });
      const spec = { serviceName: image, selector: { matchLabels: labels }, template };
      await apply(StatefulSet, { metadata, spec }, { onImmutable: "orphan" });
      await apply(Service, { metadata, spec: { clusterIP, ports: [{ port: 80 }] } }, { onImmutable: "recreate" });
    },
  });
  await using running = await run(changing);
  await client.create(Website, { metadata: { name: "immutable" }, spec: { image: "a" } });
  const uids = async (): Promise<(string | undefined)[]> => {
    const kinds = [Job, StatefulSet, Service] as const;
    return Promise.all(kinds.map(async (kind) => (await client.find(kind, "immutable"))?.metadata.uid));
  };
  await until(async () => (await uids()).every((uid) => uid !== undefined) && running.loop.idle, "they are created");
  const before = await uids();
  const owner = { apiVersion: "apps/v1", kind: "StatefulSet", name: "immutable", uid: before[1] ?? "" };
  await client.create(ConfigMap, { metadata: { name: "dependent", ownerReferences: [owner] } });
  await client.patch(Website, "immutable", { merge: { spec: { image: "b", host: "10.0.0.77" } } });
  await until(async () => {
    const after = await uids();
    return after.every((uid, index) => uid !== undefined && uid !== before[index]) && running.loop.idle;
  }, "they are created again");
  expect(running.loop.failing.size).toBe(0);
  expect((await client.get(ConfigMap, "dependent")).metadata.ownerReferences).toBeUndefined();
  const notes: string[] = [];
  for await (const { reason, note } of client.list(Event)) if (reason === "Recreated") notes.push(note ?? "");
  expect(notes.map((note) => note.replace(/.*immutable (.*) changed/, "$1")).sort()).toEqual([
    "spec",
    "spec.clusterIPs[0]",
    "spec.template",
  ]);
  await client.delete(Website, "immutable");
});

test("managed objects are repaired, pruned, and deleted before their owner", async () => {
  const provisioning = controller(Website, {
    manages: [ClusterRole, ConfigMap],
    reconcile: async ({ object, apply, prune }) => {
      const { name } = object.metadata;
      await apply(ClusterRole, { metadata: { name }, rules: [] });
      if (object.spec.host !== undefined) await apply(ConfigMap, { metadata: { name, namespace: object.spec.host } });
      await prune(ConfigMap, ClusterRole);
    },
  });
  await using running = await run(provisioning);
  const inSystem = { namespace: "kube-system", name: "managed" };
  const has = (kind: typeof ClusterRole | typeof ConfigMap, expected: boolean) => async () =>
    ((await client.find(kind as typeof ConfigMap, kind === ClusterRole ? "managed" : inSystem)) !== undefined) ===
    expected;
  await client.create(Website, { metadata: { name: "managed" }, spec: { image: "a", host: "kube-system" } });
  await until(has(ConfigMap, true), "the ConfigMap is created");
  await client.delete(ClusterRole, "managed");
  await until(has(ClusterRole, true), "the ClusterRole is created again");
  await client.patch(Website, "managed", { merge: { spec: { host: null } } });
  await until(has(ConfigMap, false), "the ConfigMap is pruned");
  await client.delete(Website, "managed");
  await until(async () => (await client.find(Website, "managed")) === undefined, "the owner is deleted");
  expect(await client.find(ClusterRole, "managed")).toBeUndefined();
  expect(running.loop.failing.size).toBe(0);
});
