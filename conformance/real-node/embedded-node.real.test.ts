/** What the embedded control plane does with a real node: its metrics, and what happens without one of its programs. */
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startEmbeddedPlane } from "./embedded-plane.js";
import { webPods } from "./manifests.js";
import { canRunNodes, limitMs, type NodeWorld, startNodeWorld, until } from "./node-world.js";

vi.setConfig({ testTimeout: 2 * limitMs, hookTimeout: limitMs });

/** A simulated node: where evicted pods go. */
const spare = "spare";

const manifests = `
${webPods("[{ key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 1 }]")}---
# Each pod uses about 0.2 of a CPU, twice what it requests.
apiVersion: apps/v1
kind: Deployment
metadata: { name: busy }
spec:
  selector: { matchLabels: { app: busy } }
  template:
    metadata: { labels: { app: busy } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - { name: busy, image: example.com/web:1, args: [burn], resources: { requests: { cpu: 100m, memory: 64Mi } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: busy }
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: busy }
  maxReplicas: 2
  metrics: [{ type: Resource, resource: { name: cpu, target: { type: Utilization, averageUtilization: 50 } } }]
---
apiVersion: v1
kind: Pod
metadata: { name: client, labels: { app: client } }
spec:
  terminationGracePeriodSeconds: 1
  containers: [{ name: client, image: example.com/web:1, args: [upper], stdin: true }]
`;

describe.skipIf(!canRunNodes)("a real node", () => {
  let world: NodeWorld;
  const podsOf = (field: string): Promise<string> =>
    world.run(`get pods -l app=web -o jsonpath={range.items[*]}{${field}},{end}`);
  const get = async (url: string): Promise<string> => await world.inPod("client", "get", url);
  const readyOf = (node: string): Promise<string> =>
    world.run(`get node ${node} -o jsonpath={.status.conditions[?(@.type=="Ready")].status}`);

  beforeAll(async () => {
    world = await startNodeWorld((place) =>
      startEmbeddedPlane(place, { nodes: [spare], nodeMonitorGracePeriod: "20s" }),
    );
    await world.run(`cordon ${spare}`);
    await world.apply(manifests);
    await world.run("rollout status deployment/web --timeout=90s");
    await world.run("wait --for=condition=Ready pod/client --timeout=90s");
  });

  afterAll(() => world?.stop());

  test("keeps its containers running while containerd ends and starts", async () => {
    const { containerd } = world.node.programs;
    const containers = await podsOf(".status.containerStatuses[0].containerID");
    const [address] = (await podsOf(".status.podIP")).split(",");
    await containerd.kill();
    expect(await (await fetch(`http://${address}:8080/`)).text()).toMatch(/^web-/);
    await containerd.start();
    await until(async () => (await get("http://web/")).startsWith("web-"));
    expect(await podsOf(".status.containerStatuses[0].containerID")).toBe(containers);
    await world.run("delete pod client --timeout=60s");
    await world.apply(manifests);
    await world.run("wait --for=condition=Ready pod/client --timeout=90s");
  });

  test("resolves names again after CoreDNS was killed", async () => {
    const { coredns } = world.node.programs;
    await coredns.kill();
    expect(await world.inPod("client", "resolve", "web")).toMatch(/^E/);
    await coredns.start();
    await until(async () => (await get("http://web/")).startsWith("web-"));
  });

  test("reaches Services while kube-proxy is down, and new ones after it has started", async () => {
    const proxy = world.node.programs["kube-proxy"];
    await proxy.kill();
    expect(await get("http://web/")).toMatch(/^web-/);
    await world.run("expose deployment web --name=web2 --port=80 --target-port=8080");
    await proxy.start();
    await until(async () => (await get("http://web2/")).startsWith("web-"));
  });

  test("reports what its containers use, by which a HorizontalPodAutoscaler scales", async () => {
    await until(async () => /^busy-\S+ +\d{2,3}m +\d+Mi$/m.test(await world.run("top pods -l app=busy --no-headers")));
    // CPU usage is a rate: a node is measured twice first.
    await until(async () => /^real +\d+m +\d+% +\d+Mi +\d+%$/.test(await world.run("top node real --no-headers")));
    await until(async () => (await world.run("get deployment busy -o jsonpath={.status.readyReplicas}")) === "2");
    await world.run("delete hpa/busy deployment/busy");
  });

  test("is not ready after its kubelet was killed, its pods are evicted, and it comes back", async () => {
    const { kubelet } = world.node.programs;
    await world.run(`uncordon ${spare}`);
    await kubelet.kill();
    await until(async () => (await readyOf("real")) === "Unknown");
    expect(await world.run("get node real -o jsonpath={.spec.taints[*].key}")).toContain(
      "node.kubernetes.io/unreachable",
    );
    await world.run(`wait --for=create pod -l app=web --field-selector=spec.nodeName=${spare} --timeout=90s`);
    await until(async () => (await world.run("get deployment web -o jsonpath={.status.readyReplicas}")) === "2");
    // No kubelet has ended their containers: they are kept until one has.
    expect((await podsOf(".spec.nodeName")).split(",").filter((node) => node === "real")).toHaveLength(2);
    await kubelet.start();
    await until(async () => (await readyOf("real")) === "True");
    await until(async () => (await podsOf(".spec.nodeName")) === `${spare},${spare},`);
    await until(async () => (await world.run("get node real -o jsonpath={.spec.taints}")) === "");
    // Its toleration of 300 s had not passed.
    await world.run("wait --for=condition=Ready pod/client --timeout=60s");
  });
});
