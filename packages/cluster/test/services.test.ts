import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Loose, startTestCluster } from "./test-cluster.js";

const services = "/api/v1/namespaces/default/services";
const web = (name: string, spec: Loose = {}): Loose => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

test("for any changes, no two Services share a cluster IP or a node port", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.constantFrom("ClusterIP", "NodePort", "None", "gone")), {
        maxLength: 30,
      }),
      async (steps) => {
        const { post, get, remove, put } = await startTestCluster();
        for (const [index, type] of steps) {
          const name = `s${index}`;
          const exists = (await get(`${services}/${name}`)).status === 200;
          if (type === "gone") await remove(`${services}/${name}`);
          else if (exists) await put(`${services}/${name}`, web(name, { type: type === "None" ? "ClusterIP" : type }));
          else await post(services, web(name, type === "None" ? { clusterIP: "None" } : { type }));
        }
        const { body } = await get("/api/v1/services");
        const specs: Loose[] = body.items.map((one: Loose) => one.spec);
        const addresses = specs.map((spec) => spec.clusterIP).filter((address) => address !== "None");
        expect(new Set(addresses).size).toBe(addresses.length);
        const ports = specs.flatMap((spec) => spec.ports.map((port: Loose) => port.nodePort)).filter(Boolean);
        expect(new Set(ports).size).toBe(ports.length);
        for (const spec of specs)
          expect(spec.ports.some((port: Loose) => port.nodePort)).toBe(spec.type === "NodePort");
      },
    ),
    { numRuns: 25 },
  );
});

test("a Service is rejected when the ServiceCIDR is full, and a released cluster IP is reused", async () => {
  const { post, remove } = await startTestCluster();
  // One of the 254 addresses belongs to the API server's own Service.
  for (let index = 1; index < 254; index++) expect((await post(services, web(`s${index}`))).status).toBe(201);
  const rejected = await post(services, web("late"));
  expect([rejected.status, rejected.body.message]).toEqual([
    500,
    'Internal error occurred: failed to allocate a serviceIP for Service "late": range is full',
  ]);
  const { body: deleted } = await remove(`${services}/s77`);
  const { body: created } = await post(services, web("late"));
  expect(created.spec.clusterIP).toBe(deleted.spec.clusterIP);
});

test("allocated cluster IPs and node ports stay allocated after a restart", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-services-"));
  try {
    const first = await startCluster({ dataDir: join(folder, "data") });
    const created = await first.transport.send({
      method: "POST",
      path: services,
      body: web("a", { type: "NodePort" }),
    });
    await first.close();
    const second = await startCluster({ dataDir: join(folder, "data") });
    const { clusterIP, ports } = (created.body as Loose).spec;
    const other = await second.transport.send({ method: "POST", path: services, body: web("b", { clusterIP }) });
    expect((other.body as Loose).message).toContain("provided IP is already allocated");
    const [{ nodePort }] = ports;
    const service = web("c", { type: "NodePort", ports: [{ port: 80, nodePort }] });
    const third = await second.transport.send({ method: "POST", path: services, body: service });
    expect((third.body as Loose).message).toContain("provided port is already allocated");
    await second.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a PVC without storageClassName gets the default StorageClass", async () => {
  const { post } = await startTestCluster();
  const classes = "/apis/storage.k8s.io/v1/storageclasses";
  const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  await post(classes, { metadata: { name: "plain" }, provisioner: "example.com/p" });
  await post(classes, { metadata: { name: "default", annotations }, provisioner: "example.com/p" });
  expect((await post(claims, { metadata: { name: "a" }, spec })).body.spec.storageClassName).toBe("default");
  const none = await post(claims, { metadata: { name: "b" }, spec: { ...spec, storageClassName: "" } });
  expect(none.body.spec.storageClassName).toBe("");
});

test("with dryRun, node ports may be out of range, and others are numbered from them", async () => {
  const { post } = await startTestCluster();
  const type = "NodePort";
  const dryRun = (...ports: Loose[]) => post(services, web("a", { type, ports }), { dryRun: "All" });
  const portsOf = ({ body }: Loose): number[] => body.spec.ports.map(({ nodePort }: Loose) => nodePort);
  const [first, second] = [
    { name: "a", port: 80 },
    { name: "b", port: 81 },
  ];
  expect(portsOf(await dryRun(first, second))).toEqual([32769, 32770]);
  expect(portsOf(await dryRun({ ...first, nodePort: 30100 }, second))).toEqual([30100, 30101]);
  expect(portsOf(await dryRun({ ...first, nodePort: 40000 }))).toEqual([40000]);
  expect((await post(services, web("a", { type, ports: [{ port: 80, nodePort: 40000 }] }))).status).toBe(422);
  await post(services, web("b", { type, ports: [{ port: 80, nodePort: 30100 }] }));
  expect((await dryRun({ ...first, nodePort: 30100 })).body.message).toContain("provided port is already allocated");
});

test("warnings about a Service's spec are returned for writes of the Service, not of its status", async () => {
  const { post, merge } = await startTestCluster();
  const warning = '299 - "spec.trafficDistribution: \\"PreferClose\\" is deprecated; use \\"PreferSameZone\\""';
  const created = await post(services, web("a", { trafficDistribution: "PreferClose" }));
  expect(created.headers["warning"]).toBe(warning);
  expect((await merge(`${services}/a`, {})).headers["warning"]).toBe(warning);
  expect((await merge(`${services}/a`, { metadata: { labels: { a: "b" } } })).headers["warning"]).toBe(warning);
  const conditions = [
    { type: "A", status: "True", reason: "B", message: "", lastTransitionTime: "2030-01-01T00:00:00Z" },
  ];
  for (const status of [{}, { conditions }]) {
    const written = await merge(`${services}/a/status`, { status });
    expect(written.status).toBe(200);
    expect(written.headers["warning"]).toBeUndefined();
  }
});
