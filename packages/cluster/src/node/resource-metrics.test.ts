import { Quantity } from "@kubewright/core/quantity";
import { isNotFound } from "kubewright";
import { APIService } from "kubewright/k8s/apiregistration/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../test/virtual-cluster.js";
import { PodStage } from "../simulation.js";
import { containerUsage } from "./container-usage.js";

test("the usage of a container follows its PodStage, including per-container and later values", () => {
  const usage = {
    cpu: "100m",
    memory: "64Mi",
    containers: { sidecar: { cpu: "5m" } },
    later: [
      { after: "2m", cpu: "300m" },
      { after: "1m", cpu: "200m", container: "main" },
    ],
  };
  const at = (container: string, seconds: number) => containerUsage(usage, container, seconds * 1_000).cpu.toString();
  expect([at("main", 0), at("main", 60), at("main", 119), at("main", 120)]).toEqual(["100m", "200m", "200m", "300m"]);
  expect([at("sidecar", 60), at("sidecar", 120)]).toEqual(["5m", "300m"]);
  expect(containerUsage(usage, "sidecar", 0).memory.equals(Quantity.parse("64Mi"))).toBe(true);
  expect(containerUsage(undefined, "constructor", 0).cpu.sign).toBe(0);
});

const root = "/apis/metrics.k8s.io/v1beta1";

test("the metrics API is served while a PodStage defines usage", async () => {
  await using world = await startVirtualCluster({ nodes: 2 });
  const { client, rest, advance } = world;
  const get = async (path: string, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    (await client.request({ method: "GET", path, query, headers })).body as Record<string, unknown>;
  const pod = (name: string, node: string) =>
    client.create(Pod, {
      metadata: { name, labels: { app: name } },
      spec: {
        nodeName: node,
        containers: [{ name: "main" }, { name: "sidecar" }].map((one) => ({ ...one, image: "x" })),
      },
    });
  await pod("a", "node-1");
  await pod("b", "node-2");
  await rest();
  await expect(get(`${root}/pods`)).rejects.toThrow("404 page not found");
  const usage = { cpu: "250m", memory: "64Mi", containers: { sidecar: { cpu: "1" } } };
  await client.create(PodStage, { metadata: { name: "a" }, spec: { selector: { matchLabels: { app: "a" } }, usage } });
  await advance(1);
  const list = await get(`${root}/namespaces/default/pods`, { labelSelector: "app=a" });
  expect(list).toMatchObject({
    kind: "PodMetricsList",
    items: [
      {
        metadata: { name: "a", namespace: "default", labels: { app: "a" } },
        window: "15s",
        containers: [
          { name: "main", usage: { cpu: "250m", memory: "64Mi" } },
          { name: "sidecar", usage: { cpu: "1", memory: "64Mi" } },
        ],
      },
    ],
  });
  expect(await get(`${root}/nodes/node-1`)).toMatchObject({
    kind: "NodeMetrics",
    usage: { cpu: "1250m", memory: "128Mi" },
  });
  expect(await get(`${root}/nodes/node-2`)).toMatchObject({ usage: { cpu: "0", memory: "0" } });
  await expect(get(`${root}/namespaces/default/pods/none`)).rejects.toSatisfy(isNotFound);
  await expect(client.request({ method: "DELETE", path: `${root}/namespaces/default/pods/a` })).rejects.toThrow(
    "does not allow this method",
  );
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const table = await get(`${root}/pods`, { fieldSelector: "metadata.name=a" }, { accept });
  expect(table).toMatchObject({
    columnDefinitions: [{ name: "Name" }, { name: "cpu" }, { name: "memory" }, { name: "Window" }],
    rows: [{ cells: ["a", "1250m", "128Mi", "15s"] }],
  });
  expect((await client.kind("PodMetrics")).plural).toBe("pods");
  expect((await client.get(APIService, "v1beta1.metrics.k8s.io")).status?.conditions?.[0]?.status).toBe("True");

  await client.delete(PodStage, "a");
  await rest();
  await expect(get(`${root}/pods`)).rejects.toThrow("404 page not found");
  expect(await client.find(APIService, "v1beta1.metrics.k8s.io")).toBeUndefined();
});

test("a usage change does not restart a PodStage", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, advance } = world;
  const spec = { unready: { after: "10s", for: "10s" }, usage: { cpu: "1" } };
  await client.create(PodStage, { metadata: { name: "dip" }, spec });
  await client.create(Pod, { metadata: { name: "a" }, spec: { containers: [{ name: "main", image: "x" }] } });
  const isReady = async () =>
    (await client.get(Pod, "a")).status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
  await advance(15);
  expect(await isReady()).toBe(false);
  await advance(10);
  await client.patch(PodStage, "dip", { merge: { spec: { usage: { cpu: "2" } } } });
  await advance(15);
  expect(await isReady()).toBe(true);
  await client.patch(PodStage, "dip", { merge: { spec: { unready: { for: "11s" } } } });
  await advance(15);
  expect(await isReady()).toBe(false);
});
