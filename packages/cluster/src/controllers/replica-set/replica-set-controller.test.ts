import fc from "fast-check";
import { ReplicaSet } from "kubewright/k8s/apps/v1";
import { Pod, ReplicationController } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startControllerCluster, unlessGone } from "../../../test/virtual-cluster.js";
import { replicaSetController, replicationController } from "./index.js";

const controllers = () => [replicaSetController(), replicationController()];
const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web:1" }] } };
const set = (replicas: number, more: { minReadySeconds?: number } = {}) => ({
  metadata: { namespace: "default", name: "web" },
  spec: { replicas, selector: { matchLabels: labels }, template, ...more },
});
const web = { namespace: "default", name: "web" };

test("a ReplicaSet creates its replicas, reports them, and replaces a deleted or failed Pod", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(ReplicaSet, set(3));
  await rig.rest();
  const [first, second] = await rig.pods();
  expect((await rig.pods()).map(({ metadata }) => metadata.generateName)).toEqual(["web-", "web-", "web-"]);
  expect(first?.metadata.ownerReferences).toMatchObject([{ kind: "ReplicaSet", name: "web", controller: true }]);
  await rig.settle();
  const { status } = await rig.client.get(ReplicaSet, web);
  expect(status).toEqual({
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
    observedGeneration: 1,
  });
  await rig.client.delete(Pod, { namespace: "default", name: first?.metadata.name ?? "" });
  await rig.client.patchStatus(
    Pod,
    { namespace: "default", name: second?.metadata.name ?? "" },
    { merge: { status: { phase: "Failed" } } },
  );
  await rig.rest();
  expect((await rig.client.get(ReplicaSet, web)).status).toMatchObject({ replicas: 3, terminatingReplicas: 1 });
  await rig.settle();
  expect((await rig.client.get(ReplicaSet, web)).status).toEqual(status);
  expect(await rig.events("SuccessfulCreate")).toHaveLength(5);
});

test("a settled ReplicaSet causes no writes, even after a restart", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(ReplicaSet, set(2));
  await rig.settle();
  const before = (await rig.client.get(ReplicaSet, web)).metadata.resourceVersion;
  await rig.restart();
  await rig.advance(600);
  expect((await rig.client.get(ReplicaSet, web)).metadata.resourceVersion).toBe(before);
});

test("matching orphan Pods are adopted, and Pods whose labels change are released and replaced", async () => {
  await using rig = await startControllerCluster(controllers);
  const orphan = { metadata: { namespace: "default", name: "orphan", labels }, spec: template.spec };
  await rig.client.create(Pod, orphan);
  await rig.client.create(ReplicaSet, set(2));
  await rig.settle();
  expect(await rig.pods()).toHaveLength(2);
  const adopted = { namespace: "default", name: "orphan" };
  expect((await rig.client.get(Pod, adopted)).metadata.ownerReferences).toMatchObject([{ name: "web" }]);
  await rig.client.patch(Pod, adopted, { merge: { metadata: { labels: { app: "other" } } } });
  await rig.settle();
  expect((await rig.client.get(Pod, adopted)).metadata.ownerReferences).toBeUndefined();
  expect(await rig.pods(labels)).toHaveLength(2);
  await rig.client.patch(Pod, adopted, { merge: { metadata: { labels } } });
  await rig.settle();
  expect(await rig.pods()).toHaveLength(2);
});

test("a failed create sets ReplicaFailure, emits an event, and is retried with backoff", async () => {
  await using rig = await startControllerCluster(controllers);
  const invalid = { ...template, spec: { containers: [{ name: "web", image: "web:1" }], priorityClassName: "none" } };
  await rig.client.create(ReplicaSet, { ...set(1), spec: { ...set(1).spec, template: invalid } });
  await rig.advance(2);
  const { status } = await rig.client.get(ReplicaSet, web);
  const message = expect.stringMatching(/^pods "web-" is forbidden: no PriorityClass with name none was found$/);
  expect(status?.conditions).toMatchObject([
    { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message },
  ]);
  const notes = await rig.events("FailedCreate");
  expect(notes).toContain(`Error creating: ${status?.conditions?.[0]?.message}`);
  expect(notes.length).toBeLessThan(12);
  await rig.client.patch(ReplicaSet, web, { merge: { spec: { template: { spec: { priorityClassName: null } } } } });
  await rig.settle();
  expect((await rig.client.get(ReplicaSet, web)).status?.conditions).toBeUndefined();
  expect(await rig.pods()).toHaveLength(1);
});

test("Pods count as available after minReadySeconds", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(ReplicaSet, set(2, { minReadySeconds: 30 }));
  await rig.settle();
  expect((await rig.client.get(ReplicaSet, web)).status).toMatchObject({ readyReplicas: 2 });
  expect((await rig.client.get(ReplicaSet, web)).status?.availableReplicas).toBeUndefined();
  await rig.advance(29);
  expect((await rig.client.get(ReplicaSet, web)).status?.availableReplicas).toBeUndefined();
  await rig.advance(1);
  expect((await rig.client.get(ReplicaSet, web)).status?.availableReplicas).toBe(2);
});

test("a ReplicationController manages its Pods like a ReplicaSet", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(ReplicationController, {
    metadata: web,
    spec: { replicas: 2, selector: labels, template },
  });
  await rig.settle();
  await rig.client.patch(ReplicationController, web, { merge: { spec: { replicas: 1 } } });
  await rig.settle();
  expect(await rig.pods()).toHaveLength(1);
  expect((await rig.client.get(ReplicationController, web)).status).toEqual({
    replicas: 1,
    fullyLabeledReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: 2,
  });
});

test("for any Pod failures and controller restarts, replicas never exceed the desired count and converge to it", async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant("scale"), to: fc.nat(6) }),
    fc.record({ do: fc.constantFrom("delete", "fail", "relabel", "ready"), pod: fc.nat(9) }),
    fc.record({ do: fc.constant("restart") }),
  );
  await using rig = await startControllerCluster(controllers);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.boolean()), { minLength: 3, maxLength: 7 }), async (steps) => {
      const app = `app-${++runs}`;
      const key = { namespace: "default", name: app };
      const spec = { ...set(3).spec, selector: { matchLabels: { app } } };
      const own = { ...template, metadata: { labels: { app } } };
      await rig.client.create(ReplicaSet, { metadata: key, spec: { ...spec, template: own } });
      const active = async () =>
        (await rig.pods({ app })).filter(
          ({ metadata, status }) => metadata.deletionTimestamp === undefined && status?.phase !== "Failed",
        );
      let desired = 3;
      let most = 3;
      for (const [one, pauses] of steps) {
        const pods = await active();
        const pod = "pod" in one ? pods[one.pod % Math.max(1, pods.length)] : undefined;
        const name = { namespace: "default", name: pod?.metadata.name ?? "none" };
        if ("to" in one) {
          desired = one.to;
          most = Math.max(most, desired);
          await rig.client.patch(ReplicaSet, key, { merge: { spec: { replicas: desired } } });
        } else if (one.do === "restart") await rig.restart();
        else if (pod === undefined) continue;
        else if (one.do === "delete") await unlessGone(rig.client.delete(Pod, name));
        else if (one.do === "ready") await rig.makeReady(pod);
        else if (one.do === "fail")
          await unlessGone(rig.client.patchStatus(Pod, name, { merge: { status: { phase: "Failed" } } }));
        else await unlessGone(rig.client.patch(Pod, name, { merge: { metadata: { labels: { app: "other" } } } }));
        if (pauses) await rig.rest();
        expect((await active()).length).toBeLessThanOrEqual(most);
      }
      await rig.settle();
      expect(await active()).toHaveLength(desired);
      const { status } = await rig.client.get(ReplicaSet, key);
      expect(status).toMatchObject({ replicas: desired, terminatingReplicas: 0 });
      await rig.client.delete(ReplicaSet, key);
    }),
    { numRuns: 4 },
  );
});
