import { controller, defineResource, operator, z } from "kubewright";
import { StatefulSet } from "kubewright/k8s/apps/v1";
import { Lease } from "kubewright/k8s/coordination/v1";
import { Node, Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { silentAnnotation } from "../index.js";
import { testCluster } from "./index.js";

const Database = defineResource({ group: "example.com", kind: "Database", versions: { v1: { spec: z.object({}) } } });
const labels = { app: "db" };
const template = { metadata: { labels }, spec: { containers: [{ name: "db", image: "db:1" }] } };
const runs: number[] = [];
const databases = operator({
  name: "databases",
  controllers: [
    controller(Database, {
      owns: [StatefulSet],
      reconcile: async ({ object: { metadata }, apply, requeueAfter, clock }) => {
        runs.push(clock.now());
        const spec = { serviceName: "db", replicas: 3, selector: { matchLabels: labels }, template };
        await apply(StatefulSet, { metadata: { name: metadata.name }, spec });
        return requeueAfter("24h");
      },
    }),
  ],
});

test("90 days with a StatefulSet and a daily run take few stops, and nodes, Pods and watches still work", async () => {
  await using cluster = await testCluster(databases, { workloads: true });
  await cluster.create(Database, { metadata: { name: "db" }, spec: {} });
  await cluster.settle();
  runs.length = 0;
  const startedMs = performance.now();
  await cluster.advance("2160h");
  // Was 6 to 9 minutes when each heartbeat and each silent watch stopped the clock; it takes 1 to 2 s.
  expect(performance.now() - startedMs).toBeLessThan(20_000);
  expect(runs).toHaveLength(90);
  expect(runs.every((atMs, index) => index === 0 || atMs - (runs[index - 1] ?? 0) === 86_400_000)).toBe(true);
  expect((await cluster.get(StatefulSet, "db")).status).toMatchObject({ readyReplicas: 3 });
  for await (const { metadata, status } of cluster.list(Node)) {
    expect(status?.conditions?.find(({ type }) => type === "Ready")?.status).toBe("True");
    const { spec } = await cluster.get(Lease, { namespace: "kube-node-lease", name: metadata.name });
    expect(cluster.clock.now() - Date.parse(spec?.renewTime ?? "")).toBeLessThanOrEqual(10_000);
  }
  await cluster.delete(Pod, "db-1");
  await cluster.settle();
  expect((await cluster.get(StatefulSet, "db")).status).toMatchObject({ readyReplicas: 3 });
});

test("a node that falls silent after months becomes Unknown after its grace period, not before", async () => {
  await using cluster = await testCluster(databases, { workloads: true });
  await cluster.advance("1000h");
  const [node] = (await cluster.listPage(Node)).items;
  const name = node?.metadata.name ?? "";
  const ready = async () =>
    (await cluster.get(Node, name)).status?.conditions?.find(({ type }) => type === "Ready")?.status;
  await cluster.patch(Node, name, { merge: { metadata: { annotations: { [silentAnnotation]: "true" } } } });
  await cluster.advance("35s");
  expect(await ready()).toBe("True");
  await cluster.advance("20s");
  expect(await ready()).toBe("Unknown");
  await cluster.patch(Node, name, { merge: { metadata: { annotations: { [silentAnnotation]: null } } } });
  await cluster.settle();
  expect(await ready()).toBe("True");
});
