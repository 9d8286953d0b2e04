import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCluster } from "@kubewright/cluster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Loose, startTestCluster } from "./ask.js";

const services = "/api/v1/namespaces/default/services";
const web = (name: string, spec: Loose = {}): Loose => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

test("no two Services have an address or a port of the nodes in common, whatever comes and goes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 7 }), fc.constantFrom("ClusterIP", "NodePort", "None", "gone")), {
        maxLength: 30,
      }),
      async (steps) => {
        const { post, get, remove, put } = await startTestCluster();
        for (const [index, type] of steps) {
          const name = `s${index}`;
          const there = (await get(`${services}/${name}`)).status === 200;
          if (type === "gone") await remove(`${services}/${name}`);
          else if (there) await put(`${services}/${name}`, web(name, { type: type === "None" ? "ClusterIP" : type }));
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

test("when every address is taken, a Service is refused, and an address that is given back is used again", async () => {
  const { post, remove } = await startTestCluster();
  // One of the 254 is the server's own.
  for (let index = 1; index < 254; index++) expect((await post(services, web(`s${index}`))).status).toBe(201);
  const refused = await post(services, web("late"));
  expect([refused.status, refused.body.message]).toEqual([
    500,
    'Internal error occurred: failed to allocate a serviceIP for Service "late": range is full',
  ]);
  const { body: gone } = await remove(`${services}/s77`);
  const { body: made } = await post(services, web("late"));
  expect(made.spec.clusterIP).toBe(gone.spec.clusterIP);
});

test("after a restart, addresses that were given are still taken", async () => {
  const folder = mkdtempSync(join(tmpdir(), "kubewright-services-"));
  try {
    const first = await startCluster({ dataDir: join(folder, "data") });
    const made = await first.transport.send({ method: "POST", path: services, body: web("a", { type: "NodePort" }) });
    await first.close();
    const second = await startCluster({ dataDir: join(folder, "data") });
    const { clusterIP, ports } = (made.body as Loose).spec;
    const other = await second.transport.send({ method: "POST", path: services, body: web("b", { clusterIP }) });
    expect((other.body as Loose).message).toContain("provided IP is already allocated");
    const [{ nodePort }] = ports;
    const asked = web("c", { type: "NodePort", ports: [{ port: 80, nodePort }] });
    const third = await second.transport.send({ method: "POST", path: services, body: asked });
    expect((third.body as Loose).message).toContain("provided port is already allocated");
    await second.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a claim that names no class gets the default one", async () => {
  const { post } = await startTestCluster();
  const classes = "/apis/storage.k8s.io/v1/storageclasses";
  const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const spec = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  const annotations = { "storageclass.kubernetes.io/is-default-class": "true" };
  await post(classes, { metadata: { name: "plain" }, provisioner: "example.com/p" });
  await post(classes, { metadata: { name: "usual", annotations }, provisioner: "example.com/p" });
  expect((await post(claims, { metadata: { name: "a" }, spec })).body.spec.storageClassName).toBe("usual");
  const none = await post(claims, { metadata: { name: "b" }, spec: { ...spec, storageClassName: "" } });
  expect(none.body.spec.storageClassName).toBe("");
});

test("where nothing is stored, ports of nodes need not be in their range, and others count on from them", async () => {
  const { post } = await startTestCluster();
  const type = "NodePort";
  const tried = (...ports: Loose[]) => post(services, web("a", { type, ports }), { dryRun: "All" });
  const portsOf = ({ body }: Loose): number[] => body.spec.ports.map(({ nodePort }: Loose) => nodePort);
  const [first, second] = [
    { name: "a", port: 80 },
    { name: "b", port: 81 },
  ];
  expect(portsOf(await tried(first, second))).toEqual([32769, 32770]);
  expect(portsOf(await tried({ ...first, nodePort: 30100 }, second))).toEqual([30100, 30101]);
  expect(portsOf(await tried({ ...first, nodePort: 40000 }))).toEqual([40000]);
  expect((await post(services, web("a", { type, ports: [{ port: 80, nodePort: 40000 }] }))).status).toBe(422);
  await post(services, web("b", { type, ports: [{ port: 80, nodePort: 30100 }] }));
  expect((await tried({ ...first, nodePort: 30100 })).body.message).toContain("provided port is already allocated");
});

test("advice about a Service is for those who write it, not for those who write its status", async () => {
  const { post, merge } = await startTestCluster();
  const advice = '299 - "spec.trafficDistribution: \\"PreferClose\\" is deprecated; use \\"PreferSameZone\\""';
  const created = await post(services, web("a", { trafficDistribution: "PreferClose" }));
  expect(created.headers["warning"]).toBe(advice);
  expect((await merge(`${services}/a`, {})).headers["warning"]).toBe(advice);
  expect((await merge(`${services}/a`, { metadata: { labels: { a: "b" } } })).headers["warning"]).toBe(advice);
  const conditions = [
    { type: "A", status: "True", reason: "B", message: "", lastTransitionTime: "2030-01-01T00:00:00Z" },
  ];
  for (const status of [{}, { conditions }]) {
    const written = await merge(`${services}/a/status`, { status });
    expect(written.status).toBe(200);
    expect(written.headers["warning"]).toBeUndefined();
  }
});

test("a policy in CEL is refused, or taken with a warning by a server that was started so", async () => {
  const rules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }];
  const policy = {
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: "true" }] },
  };
  const path = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  const { post } = await startTestCluster();
  expect((await post(path, policy)).status).toBe(422);
  await using lenient = await startCluster({ unevaluatedRules: "warn" });
  const taken = await lenient.transport.send({ method: "POST", path, body: policy });
  expect(taken.status).toBe(201);
  expect(JSON.stringify(taken.headers)).toContain("not evaluated by this server");
});
