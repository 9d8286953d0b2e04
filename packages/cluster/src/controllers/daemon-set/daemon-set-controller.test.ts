import fc from "fast-check";
import { ControllerRevision, DaemonSet } from "kubewright/k8s/apps/v1";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { type ControllerCluster, startControllerCluster } from "../../../test/virtual-cluster.js";
import { nodeOf } from "./daemon-pod.js";
import { daemonSetController } from "./index.js";

const controllers = () => [daemonSetController()];
const agent = { namespace: "default", name: "agent" };
const labels = { app: "agent" };
const notReady = {
  key: "node.kubernetes.io/not-ready",
  operator: "Exists" as const,
  effect: "NoExecute" as const,
  tolerationSeconds: 30,
};
const template = (image: string) => ({
  metadata: { labels },
  spec: { containers: [{ name: "agent", image }], tolerations: [notReady] },
});
const daemonSet = (more: object = {}) => ({
  metadata: agent,
  spec: { selector: { matchLabels: labels }, template: template("agent:1"), ...more },
});
const toImage = (image: string) => ({ merge: { spec: { template: template(image) } } });

async function addNode(rig: ControllerCluster, name: string, nodeLabels: Record<string, string> = {}): Promise<void> {
  await rig.client.create(Node, { metadata: { name, labels: nodeLabels } });
  // A new node is tainted until it reports Ready.
  await rig.client.patch(Node, name, { merge: { spec: { taints: null } } });
}

const nodesWithPods = async (rig: ControllerCluster) =>
  (await rig.pods())
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(nodeOf)
    .sort();

/** Like `rig.settle`, but runs each Pod on the node that it targets. */
async function settle(rig: ControllerCluster): Promise<void> {
  for (let round = 0; round < 60; round++) {
    await rig.rest();
    const pods = await rig.pods();
    const next = pods.filter(
      ({ metadata, status }) =>
        metadata.deletionTimestamp !== undefined || (status?.conditions ?? []).every(({ type }) => type !== "Ready"),
    );
    if (next.length === 0) return;
    for (const pod of next)
      await (pod.metadata.deletionTimestamp === undefined ? rig.makeReady(pod, nodeOf(pod)) : rig.finish(pod));
  }
  throw new Error("Cannot settle: the controllers keep creating and deleting Pods");
}

test("every eligible node gets a Pod with node affinity, tolerations and the revision label", async () => {
  await using rig = await startControllerCluster(controllers);
  await addNode(rig, "n1");
  await rig.client.create(DaemonSet, daemonSet());
  await rig.rest();
  const [pod] = await rig.pods();
  expect(pod?.metadata).toMatchObject({
    generateName: "agent-",
    labels: { app: "agent", "controller-revision-hash": "d6b9fd687", "pod-template-generation": "1" },
  });
  expect(pod?.spec?.affinity?.nodeAffinity).toEqual({
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }],
    },
  });
  expect(pod?.spec?.tolerations?.map(({ key, effect, tolerationSeconds }) => [key, effect, tolerationSeconds])).toEqual(
    [
      ["node.kubernetes.io/not-ready", "NoExecute", undefined],
      ["node.kubernetes.io/unreachable", "NoExecute", undefined],
      ["node.kubernetes.io/disk-pressure", "NoSchedule", undefined],
      ["node.kubernetes.io/memory-pressure", "NoSchedule", undefined],
      ["node.kubernetes.io/pid-pressure", "NoSchedule", undefined],
      ["node.kubernetes.io/unschedulable", "NoSchedule", undefined],
    ],
  );
  const revision = await rig.client.get(ControllerRevision, { namespace: "default", name: "agent-d6b9fd687" });
  expect(revision).toMatchObject({
    metadata: {
      labels: { app: "agent", "controller-revision-hash": "d6b9fd687" },
      annotations: { "deprecated.daemonset.template.generation": "1" },
    },
    revision: 1,
  });
  expect((await rig.client.get(DaemonSet, agent)).status).toEqual({
    currentNumberScheduled: 1,
    desiredNumberScheduled: 1,
    numberMisscheduled: 0,
    numberReady: 0,
    numberUnavailable: 1,
    observedGeneration: 1,
    updatedNumberScheduled: 1,
  });
  await addNode(rig, "n2");
  await settle(rig);
  expect((await rig.client.get(DaemonSet, agent)).status).toMatchObject({ numberReady: 2, numberAvailable: 2 });
});

test("node labels and taints decide where a DaemonSet runs Pods", async () => {
  await using rig = await startControllerCluster(controllers);
  const affinity = (key: string) => ({ nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "Exists" }] }] });
  const spec = {
    ...template("agent:1").spec,
    nodeSelector: { disk: "ssd" },
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: affinity("zone") } },
  };
  await addNode(rig, "n1", { disk: "ssd", zone: "a" });
  await addNode(rig, "n2", { disk: "ssd" });
  await addNode(rig, "n3", { disk: "hdd", zone: "a" });
  await rig.client.create(DaemonSet, daemonSet({ template: { ...template("agent:1"), spec } }));
  await settle(rig);
  expect(await nodesWithPods(rig)).toEqual(["n1"]);
  await rig.client.patch(Node, "n2", { merge: { metadata: { labels: { zone: "b" } } } });
  await rig.client.patch(Node, "n1", { merge: { spec: { taints: [{ key: "mine", effect: "NoSchedule" }] } } });
  await settle(rig);
  // NoSchedule does not evict running Pods.
  expect(await nodesWithPods(rig)).toEqual(["n1", "n2"]);
  expect((await rig.client.get(DaemonSet, agent)).status).toMatchObject({
    desiredNumberScheduled: 1,
    numberMisscheduled: 1,
  });
  await rig.client.patch(Node, "n1", { merge: { spec: { taints: [{ key: "mine", effect: "NoExecute" }] } } });
  await settle(rig);
  expect(await nodesWithPods(rig)).toEqual(["n2"]);
});

test("a rolling update replaces at most maxUnavailable Pods at once and keeps revisionHistoryLimit revisions", async () => {
  await using rig = await startControllerCluster(controllers);
  for (const name of ["n1", "n2", "n3"]) await addNode(rig, name);
  await rig.client.create(DaemonSet, daemonSet({ revisionHistoryLimit: 1 }));
  await settle(rig);
  await rig.client.patch(DaemonSet, agent, toImage("agent:2"));
  await rig.rest();
  expect((await rig.pods()).filter(({ metadata }) => metadata.deletionTimestamp !== undefined)).toHaveLength(1);
  await settle(rig);
  for (const image of ["agent:3", "agent:1"]) {
    await rig.client.patch(DaemonSet, agent, toImage(image));
    await settle(rig);
  }
  expect((await rig.pods()).map(({ spec }) => spec?.containers[0]?.image)).toEqual(Array(3).fill("agent:1"));
  const revisions: number[] = [];
  for await (const { revision } of rig.client.list(ControllerRevision, { namespace: "default" }))
    revisions.push(revision);
  expect(revisions.sort()).toEqual([3, 4]);
});

test("maxSurge creates the new Pod first, and OnDelete replaces no Pod by itself", async () => {
  await using rig = await startControllerCluster(controllers);
  for (const name of ["n1", "n2"]) await addNode(rig, name);
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  await rig.client.create(DaemonSet, daemonSet({ updateStrategy: { rollingUpdate } }));
  await settle(rig);
  await rig.client.patch(DaemonSet, agent, toImage("agent:2"));
  await rig.rest();
  expect((await nodesWithPods(rig)).length).toBe(3);
  await settle(rig);
  expect(await nodesWithPods(rig)).toEqual(["n1", "n2"]);
  await rig.client.patch(DaemonSet, agent, {
    merge: { spec: { ...toImage("agent:3").merge.spec, updateStrategy: { type: "OnDelete", rollingUpdate: null } } },
  });
  await settle(rig);
  const [first] = await rig.pods();
  await rig.client.delete(Pod, { namespace: "default", name: first?.metadata.name ?? "" });
  await settle(rig);
  expect((await rig.pods()).map(({ spec }) => spec?.containers[0]?.image).sort()).toEqual(["agent:2", "agent:3"]);
});

test("a failed Pod is replaced immediately at first, then with exponential backoff", async () => {
  await using rig = await startControllerCluster(controllers);
  await addNode(rig, "n1");
  await rig.client.create(DaemonSet, daemonSet());
  await settle(rig);
  const fail = async () => {
    const [pod] = await rig.pods();
    const name = { namespace: "default", name: pod?.metadata.name ?? "" };
    await rig.client.patchStatus(Pod, name, { merge: { status: { phase: "Failed" } } });
    await rig.rest();
    return async () => (await rig.pods()).some(({ metadata }) => metadata.uid === pod?.metadata.uid);
  };
  const first = await fail();
  expect(await first()).toBe(false);
  const second = await fail();
  expect(await second()).toBe(true);
  await rig.advance(1);
  expect(await second()).toBe(false);
  const third = await fail();
  await rig.advance(1.999);
  expect(await third()).toBe(true);
  await rig.advance(0.001);
  expect(await third()).toBe(false);
  expect(await rig.events("FailedDaemonPod")).toHaveLength(3);
});

test("for any sequence of node and template changes, no node exceeds its Pod limit and each eligible node ends with one current Pod", async () => {
  const step = fc.record(
    {
      image: fc.constantFrom("agent:1", "agent:2"),
      add: fc.integer({ min: 1, max: 3 }),
      taint: fc.integer({ min: 1, max: 3 }),
      restart: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 2, maxLength: 4 }), async (surges, steps) => {
      await using rig = await startControllerCluster(controllers);
      const rollingUpdate = surges ? { maxSurge: 1, maxUnavailable: 0 } : { maxUnavailable: 1 };
      await addNode(rig, "n1");
      await rig.client.create(DaemonSet, daemonSet({ updateStrategy: { rollingUpdate } }));
      const open = new Map([["n1", true]]);
      let image = "agent:1";
      for (const { add, taint, restart, ...desired } of steps) {
        image = desired.image ?? image;
        await rig.client.patch(DaemonSet, agent, toImage(image));
        if (add !== undefined && !open.has(`n${add}`)) {
          await addNode(rig, `n${add}`);
          open.set(`n${add}`, true);
        }
        if (taint !== undefined && open.has(`n${taint}`)) {
          const taints = open.get(`n${taint}`) === true ? [{ key: "x", effect: "NoExecute" as const }] : null;
          open.set(`n${taint}`, taints === null);
          await rig.client.patch(Node, `n${taint}`, { merge: { spec: { taints } } });
        }
        if (restart === true) await rig.restart();
        await rig.rest();
        const nodes = await nodesWithPods(rig);
        for (const node of new Set(nodes))
          expect(nodes.filter((one) => one === node).length).toBeLessThanOrEqual(surges ? 2 : 1);
        const [pod] = (await rig.pods()).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
        if (pod !== undefined) await rig.makeReady(pod, nodeOf(pod));
      }
      await settle(rig);
      const expected = [...open].flatMap(([name, isOpen]) => (isOpen ? [name] : [])).sort();
      expect(await nodesWithPods(rig)).toEqual(expected);
      expect((await rig.pods()).map(({ spec }) => spec?.containers[0]?.image)).toEqual(expected.map(() => image));
    }),
    { numRuns: 3 },
  );
});
