import { startCluster } from "@kubewright/cluster";
import { createClient } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { dependsOnName, RecentPodSpecs } from "./recent-pod-specs.js";

const spec = (image: string, more: object = {}) => ({ containers: [{ name: "a", image, ...more }] });

test("RecentPodSpecs finds only an equal spec, and only once it is stored", () => {
  const recent = new RecentPodSpecs();
  const first = spec("web:1", { ports: [{ containerPort: 80 }] });
  recent.remember(first, "BestEffort");
  expect(recent.find(structuredClone(first))).toBeUndefined();
  Object.freeze(first);
  expect(recent.find(structuredClone(first))?.spec).toBe(first);
  expect(recent.find(spec("web:1", { ports: [{ containerPort: 81 }] }))).toBeUndefined();
  expect(recent.find(spec("web:2", { ports: [{ containerPort: 80 }] }))).toBeUndefined();
  expect(recent.of(structuredClone(first))).toBeUndefined();
});

test("RecentPodSpecs evicts the oldest spec first", () => {
  const recent = new RecentPodSpecs();
  for (let at = 0; at < 200; at++) recent.remember(Object.freeze(spec(`web:${at}`)), "BestEffort");
  expect(recent.find(spec("web:0"))).toBeUndefined();
  expect(recent.find(spec("web:199"))).toBeDefined();
});

test("validation depends on the pod name only with ephemeral volumes", () => {
  expect(dependsOnName({ ...spec("a"), volumes: [{ name: "v", emptyDir: {} }] })).toBe(false);
  expect(dependsOnName({ ...spec("a"), volumes: [{ name: "v", ephemeral: { volumeClaimTemplate: {} } }] })).toBe(true);
});

test("replicas share one stored spec, and an invalid pod is still rejected", async () => {
  await using cluster = await startCluster();
  const client = createClient(cluster.transport);
  const make = (name: string, pod: object, annotations: Record<string, string> = {}) =>
    client.create(Pod, { metadata: { namespace: "default", name, annotations }, spec: pod } as never);
  const first = await make("a", spec("web:1", { resources: { requests: { cpu: "1" } } }));
  const second = await make("b", spec("web:1", { resources: { requests: { cpu: "1" } } }));
  expect(second.spec).toBe(first.spec);
  expect([first.status?.qosClass, second.status?.qosClass]).toEqual(["Burstable", "Burstable"]);
  await expect(make("c", spec("web:1", { imagePullPolicy: "Sometimes" }))).rejects.toThrow("Unsupported value");
  const cost = { "controller.kubernetes.io/pod-deletion-cost": "much" };
  await expect(make("d", spec("web:1", { resources: { requests: { cpu: "1" } } }), cost)).rejects.toThrow("32bit");
  const bound = await client.patch(
    Pod,
    { namespace: "default", name: "b" },
    { merge: { spec: { activeDeadlineSeconds: 9 } } },
  );
  expect(bound.spec?.activeDeadlineSeconds).toBe(9);
  expect((await client.get(Pod, { namespace: "default", name: "a" })).spec?.activeDeadlineSeconds).toBeUndefined();
});
