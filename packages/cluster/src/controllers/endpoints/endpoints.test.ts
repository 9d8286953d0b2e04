import { Endpoints, Pod, Service } from "kubewright/k8s/core/v1";
import { EndpointSlice } from "kubewright/k8s/discovery/v1";
import { expect, test } from "vitest";
import { startVirtualCluster } from "../../../test/virtual-cluster.js";
import { planSlices } from "./slice-plan.js";

test("a Service has its ready and unready Pods in Endpoints and EndpointSlices until they are deleted", async () => {
  await using world = await startVirtualCluster({ nodes: 1 });
  const { client, rest } = world;
  await client.create(Service, {
    metadata: { name: "web" },
    spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: "http" }] },
  });
  const pod = (name: string, gate: object[] = []) => ({
    metadata: { name, labels: { app: "web" } },
    spec: {
      readinessGates: gate as never,
      containers: [{ name: "main", image: "web:1", ports: [{ name: "http", containerPort: 8080 }] }],
    },
  });
  await client.create(Pod, pod("one"));
  await client.create(Pod, pod("two", [{ conditionType: "example.com/open" }]));
  await rest();
  expect((await client.get(Endpoints, "web")).subsets).toMatchObject([
    {
      addresses: [{ ip: "10.244.0.2", nodeName: "node-1", targetRef: { kind: "Pod", name: "one" } }],
      notReadyAddresses: [{ ip: "10.244.0.3" }],
      ports: [{ port: 8080, protocol: "TCP" }],
    },
  ]);
  const slices = async () =>
    (await client.listPage(EndpointSlice, { labels: { "kubernetes.io/service-name": "web" } })).items;
  const [slice] = await slices();
  expect(slice?.endpoints?.map(({ conditions }) => conditions?.ready)).toEqual([true, false]);
  expect(slice?.ports).toEqual([{ name: "", port: 8080, protocol: "TCP" }]);
  await client.deleteAll(Pod);
  await rest();
  expect((await client.get(Endpoints, "web")).subsets ?? []).toEqual([]);
  expect((await slices()).map(({ endpoints }) => endpoints ?? [])).toEqual([[]]);
  await client.delete(Service, "web");
  await rest();
  expect(await client.find(Endpoints, "web")).toBeUndefined();
  expect(await slices()).toEqual([]);
});

test("planSlices keeps endpoints in their slice, fills free capacity, and reuses a slice instead of deleting and creating", () => {
  const endpoints = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => ({
      addresses: [`10.0.${Math.floor((from + at) / 250)}.${(from + at) % 250}`],
    }));
  const ports = [{ port: 80, name: "", protocol: "TCP" as const }];
  const slice = (name: string, has: readonly { addresses: string[] }[], of = ports) =>
    ({ metadata: { name }, addressType: "IPv4", endpoints: has, ports: of }) as never;
  const first = planSlices([], [{ endpoints: endpoints(0, 150), ports }]);
  expect(first.create.map((content) => content.endpoints.length)).toEqual([100, 50]);
  const a = slice("a", endpoints(0, 100));
  const b = slice("b", endpoints(100, 150));
  const more = planSlices([a, b], [{ endpoints: endpoints(10, 170), ports }]);
  expect([more.create, more.remove]).toEqual([[], []]);
  expect(more.keep.map(([, content]) => content?.endpoints.length)).toEqual([100, 60]);
  expect(planSlices([a], [{ endpoints: endpoints(0, 100), ports }]).keep).toEqual([[a, undefined]]);
  const other = [{ port: 81, name: "", protocol: "TCP" as const }];
  const swapped = planSlices([a], [{ endpoints: endpoints(0, 1), ports: other }]);
  expect(swapped).toEqual({ create: [], remove: [], keep: [[a, { endpoints: endpoints(0, 1), ports: other }]] });
  expect(planSlices([a], [])).toEqual({ create: [], remove: [], keep: [[a, { endpoints: [], ports: [] }]] });
  expect(planSlices([a], [], "nothing")).toEqual({ create: [], remove: [a], keep: [] });
});
