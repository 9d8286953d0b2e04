import fc from "fast-check";
import { Deployment, ReplicaSet } from "kubewright/k8s/apps/v1";
import { expect, test } from "vitest";
import { type ControllerCluster, startControllerCluster } from "../../../test/virtual-cluster.js";
import { replicaSetController } from "../replica-set/index.js";
import { deploymentController } from "./index.js";

const controllers = () => [deploymentController(), replicaSetController()];
const web = { namespace: "default", name: "web" };
const labels = { app: "web" };
const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: "web", image }] } });
const deployment = (replicas: number, more: object = {}) => ({
  metadata: { ...web, annotations: { "kubernetes.io/change-cause": "first" } },
  spec: { replicas, selector: { matchLabels: labels }, template: template("web:1"), ...more },
});
const toImage = (image: string) => ({ merge: { spec: { template: template(image) } } });

async function sets(rig: ControllerCluster) {
  const found = [];
  for await (const set of rig.client.list(ReplicaSet, { namespace: "default" })) found.push(set);
  return found.sort((a, b) => revision(a) - revision(b));
}

function revision({ metadata }: { metadata: { annotations?: Readonly<Record<string, string>> } }): number {
  return Number(metadata.annotations?.["deployment.kubernetes.io/revision"]);
}

const reasons = async (rig: ControllerCluster) =>
  Object.fromEntries(
    ((await rig.client.get(Deployment, web)).status?.conditions ?? []).map(({ type, status, reason }) => [
      type,
      `${status} ${reason}`,
    ]),
  );

test("a Deployment becomes available through a ReplicaSet named by its template hash", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(Deployment, deployment(3));
  await rig.rest();
  expect(await reasons(rig)).toEqual({
    Available: "False MinimumReplicasUnavailable",
    Progressing: "True ReplicaSetUpdated",
  });
  await rig.settle();
  const [set] = await sets(rig);
  expect(set?.metadata).toMatchObject({
    name: "web-54668bcbf9",
    labels: { app: "web", "pod-template-hash": "54668bcbf9" },
    annotations: {
      "deployment.kubernetes.io/desired-replicas": "3",
      "deployment.kubernetes.io/max-replicas": "4",
      "deployment.kubernetes.io/revision": "1",
      "kubernetes.io/change-cause": "first",
    },
  });
  expect(set?.spec.selector).toEqual({ matchLabels: { app: "web", "pod-template-hash": "54668bcbf9" } });
  const { metadata, status } = await rig.client.get(Deployment, web);
  expect(revision({ metadata } as never)).toBe(1);
  expect(status).toEqual({
    observedGeneration: 1,
    replicas: 3,
    updatedReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    terminatingReplicas: 0,
    conditions: [
      expect.objectContaining({ type: "Available", status: "True", message: "Deployment has minimum availability." }),
      expect.objectContaining({
        type: "Progressing",
        reason: "NewReplicaSetAvailable",
        message: 'ReplicaSet "web-54668bcbf9" has successfully progressed.',
      }),
    ],
  });
  expect(await rig.events("ScalingReplicaSet")).toEqual(["Scaled up replica set web-54668bcbf9 from 0 to 3"]);
});

test("a Deployment rolls out a new template and rolls back, with its revision history", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(Deployment, deployment(4));
  await rig.settle();
  await rig.client.patch(Deployment, web, {
    merge: { metadata: { annotations: { "kubernetes.io/change-cause": "second" } }, ...toImage("web:2").merge },
  });
  await rig.rest();
  expect((await sets(rig)).map(({ spec }) => spec.replicas)).toEqual([3, 2]);
  await rig.settle();
  const [first, second] = await sets(rig);
  expect([first?.spec.replicas, second?.spec.replicas]).toEqual([0, 4]);
  expect([first, second].map((set) => set?.metadata.annotations?.["kubernetes.io/change-cause"])).toEqual([
    "first",
    "second",
  ]);
  await rig.client.patch(Deployment, web, {
    merge: { metadata: { annotations: { "deprecated.deployment.rollback.to": "0" } } },
  });
  await rig.settle();
  const [, back] = await sets(rig);
  expect(back?.metadata.name).toBe(first?.metadata.name);
  expect(back?.metadata.annotations).toMatchObject({
    "deployment.kubernetes.io/revision": "3",
    "deployment.kubernetes.io/revision-history": "1",
    "kubernetes.io/change-cause": "first",
  });
  const { metadata, spec } = await rig.client.get(Deployment, web);
  expect(spec.template.spec?.containers[0]?.image).toBe("web:1");
  expect(spec.template.metadata?.labels).toEqual(labels);
  expect(metadata.annotations).toEqual({
    "deployment.kubernetes.io/revision": "3",
    "kubernetes.io/change-cause": "first",
  });
  expect(await rig.events("DeploymentRollback")).toEqual(['Rolled back deployment "web" to revision 1']);
});

test("a rollout without progress exceeds its deadline, and completes once its Pods become available", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(Deployment, deployment(1, { progressDeadlineSeconds: 60 }));
  await rig.advance(59);
  expect(await reasons(rig)).toMatchObject({ Progressing: "True ReplicaSetUpdated" });
  await rig.advance(3);
  expect(await reasons(rig)).toMatchObject({ Progressing: "False ProgressDeadlineExceeded" });
  await rig.advance(600);
  await rig.settle();
  expect(await reasons(rig)).toMatchObject({ Progressing: "True NewReplicaSetAvailable" });
});

test("a name collision with another ReplicaSet changes the template hash", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(ReplicaSet, {
    metadata: { namespace: "default", name: "web-54668bcbf9" },
    spec: {
      replicas: 0,
      selector: { matchLabels: { app: "x" } },
      template: { metadata: { labels: { app: "x" } }, spec: { containers: [{ name: "x", image: "x" }] } },
    },
  });
  await rig.rest();
  await rig.client.create(Deployment, deployment(1));
  await rig.advance(1);
  await rig.settle();
  const { status } = await rig.client.get(Deployment, web);
  expect(status).toMatchObject({ collisionCount: 1, availableReplicas: 1 });
});

test("a rollout after an adopted ReplicaSet with a revision beyond 2^53 completes", async () => {
  await using rig = await startControllerCluster(controllers);
  const annotations = { "deployment.kubernetes.io/revision": "3546343826724305832" };
  const { spec } = deployment(0, { template: template("web:0") });
  await rig.client.create(ReplicaSet, {
    metadata: { namespace: "default", name: "adopted", labels, annotations },
    spec,
  });
  await rig.client.create(Deployment, deployment(1));
  await rig.settle();
  expect(await reasons(rig)).toMatchObject({ Progressing: "True NewReplicaSetAvailable" });
  expect((await rig.client.get(Deployment, web)).metadata.annotations).toMatchObject({
    "deployment.kubernetes.io/revision": "3546343826724305833",
  });
});

test("for any sequence of changes, maxSurge and maxUnavailable hold and the rollout converges to the last one", async () => {
  const change = fc.record(
    {
      replicas: fc.integer({ min: 1, max: 6 }),
      image: fc.constantFrom("web:1", "web:2", "web:3"),
      restart: fc.boolean(),
      kill: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const limits = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })).filter(([a, b]) => a + b > 0);
  await fc.assert(
    fc.asyncProperty(
      limits,
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async ([maxSurge, maxUnavailable], changes) => {
        await using rig = await startControllerCluster(controllers);
        const strategy = { rollingUpdate: { maxSurge, maxUnavailable } };
        await rig.client.create(Deployment, deployment(4, { strategy }));
        await rig.settle();
        let replicas = 4;
        let image = "web:1";
        for (const { restart, kill, ...desired } of changes) {
          const least = Math.min(replicas, desired.replicas ?? replicas) - maxUnavailable;
          const most = Math.max(replicas, desired.replicas ?? replicas) + maxSurge;
          replicas = desired.replicas ?? replicas;
          image = desired.image ?? image;
          await rig.client.patch(Deployment, web, {
            merge: { spec: { replicas, template: { spec: { containers: [{ name: "web", image }] } } } },
          });
          for (let step = 0; step < 60; step++) {
            await rig.rest();
            const pods = await rig.pods();
            const alive = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
            const isReady = (pod: (typeof pods)[number]) =>
              pod.status?.conditions?.some(({ type }) => type === "Ready");
            expect(alive.length).toBeLessThanOrEqual(most);
            if (kill !== true) expect(alive.filter(isReady).length).toBeGreaterThanOrEqual(least);
            const next = pods.find((pod) => pod.metadata.deletionTimestamp !== undefined || !isReady(pod));
            if (next === undefined) break;
            if (step === 1 && restart === true) await rig.restart();
            if (step === 2 && kill === true) await rig.finish(alive[0] ?? next);
            if (next.metadata.deletionTimestamp === undefined) await rig.makeReady(next);
            else await rig.finish(next);
          }
        }
        const pods = await rig.pods();
        expect(pods.map(({ spec }) => spec?.containers[0]?.image)).toEqual(Array(replicas).fill(image));
        expect((await rig.client.get(Deployment, web)).status).toMatchObject({
          updatedReplicas: replicas,
          availableReplicas: replicas,
        });
      },
    ),
    { numRuns: 2 },
  );
});
