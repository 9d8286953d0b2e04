import type { Client } from "kubewright";
import { Deployment } from "kubewright/k8s/apps/v1";
import { HorizontalPodAutoscaler } from "kubewright/k8s/autoscaling/v2";
import { Event } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";
import { PodStage } from "../../simulation.js";

const deployment = (name: string, requests: Record<string, string> = { cpu: "100m" }) => ({
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: "main", image: "web:1", resources: { requests } }] },
    },
  },
});
const autoscaler = (name: string, target: string, more: object = {}) => ({
  metadata: { name },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: target },
    maxReplicas: 6,
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 50 } } }],
    ...more,
  },
});
const conditionsOf = async (client: Client, name: string) =>
  ((await client.get(HorizontalPodAutoscaler, name)).status?.conditions ?? []).map(
    ({ type, status, reason }) => `${type}=${status} ${reason}`,
  );

test("an HPA scales up with CPU usage, and scales down after the stabilization window of five minutes", async () => {
  await using world = await startVirtualCluster({ nodes: 2 });
  const { client, advance } = world;
  await client.create(PodStage, { metadata: { name: "busy" }, spec: { usage: { cpu: "100m", memory: "64Mi" } } });
  await client.create(Deployment, deployment("web"));
  await client.create(HorizontalPodAutoscaler, autoscaler("web", "web"));
  const replicas = async () => (await client.get(Deployment, "web")).status?.readyReplicas ?? 0;
  const seen: number[] = [];
  for (const seconds of [14, 2, 15, 15]) {
    await advance(seconds);
    seen.push(await replicas());
  }
  // Usage is twice the target: the HPA doubles the replicas at each sync, up to maxReplicas.
  expect(seen).toEqual([1, 2, 4, 6]);
  await advance(15);
  expect(await conditionsOf(client, "web")).toEqual([
    "AbleToScale=True ReadyForNewScale",
    "ScalingActive=True ValidMetricFound",
    "ScalingLimited=True TooManyReplicas",
  ]);
  await client.patch(PodStage, "busy", { merge: { spec: { usage: { cpu: "10m" } } } });
  await advance(285);
  expect([await replicas(), (await conditionsOf(client, "web"))[0]]).toEqual([
    6,
    "AbleToScale=True ScaleDownStabilized",
  ]);
  await advance(60);
  expect(await replicas()).toBe(2);
  const { status } = await client.get(HorizontalPodAutoscaler, "web");
  expect(status?.currentMetrics?.[0]?.resource?.current).toEqual({ averageUtilization: 10, averageValue: "10m" });
});

test("two HPAs that select the same Pods scale nothing and report AmbiguousSelector", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, advance } = world;
  await client.create(PodStage, { metadata: { name: "busy" }, spec: { usage: { cpu: "100m" } } });
  await client.create(Deployment, deployment("web"));
  await client.create(HorizontalPodAutoscaler, autoscaler("a", "web", { maxReplicas: 1 }));
  await client.create(HorizontalPodAutoscaler, autoscaler("b", "web"));
  await advance(45);
  expect(await conditionsOf(client, "a")).toContain("ScalingActive=False AmbiguousSelector");
  expect((await client.get(Deployment, "web")).spec?.replicas).toBe(1);
  await client.delete(HorizontalPodAutoscaler, "a");
  await advance(15);
  expect((await client.get(Deployment, "web")).spec?.replicas).toBe(2);
});

test("an HPA cannot compute utilization for Pods without CPU requests", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, advance } = world;
  await client.create(PodStage, { metadata: { name: "busy" }, spec: { usage: { cpu: "100m" } } });
  await client.create(Deployment, deployment("web", {}));
  await client.create(HorizontalPodAutoscaler, autoscaler("web", "web"));
  await advance(60);
  const notes: string[] = [];
  for await (const { reason, message } of client.list(Event))
    if (reason === "FailedGetResourceMetric") notes.push(message ?? "");
  expect(notes.at(-1)).toMatch(
    /^failed to get cpu utilization: missing request for cpu in container main of Pod web-\w+-\w+$/,
  );
});

test("the HPA controller sets no timer in a cluster without an HPA", async () => {
  await using world = await startVirtualCluster({ nodes: 0 });
  const { client, clock, advance } = world;
  await client.create(HorizontalPodAutoscaler, autoscaler("web", "web"));
  await advance(20);
  expect(clock.nextTimerInMs).toBeLessThanOrEqual(15_000);
  await client.delete(HorizontalPodAutoscaler, "web");
  await advance(30);
  expect(clock.nextTimerInMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(15_000);
});
