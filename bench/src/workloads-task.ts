/**
 * One measurement of workloads, named by the first argument; prints a number. Run as plain JavaScript over built packages, as a user runs it, each in a
 * process of its own. `kubelets` runs the simulated nodes on another cluster until it is ended.
 */
import { startCluster } from "@kubewright/cluster";
import { FakeClock, systemClock } from "@kubewright/core/clock";
import { createClient, operator } from "kubewright";
import { CustomResourceDefinition } from "kubewright/k8s/apiextensions/v1";
import { Deployment } from "kubewright/k8s/apps/v1";
import { HttpsTransport, loadConnection } from "kubewright/transport";
import { nodeLifecycleController } from "../../packages/cluster/src/controllers/node-lifecycle/index.js";
import { nodeControllers, podStageDefinition } from "../../packages/cluster/src/node/index.js";
import { deployments, nodes, rateOf, replicas, web } from "./web-deployments.js";

const idleMs = 20_000;
const [task = "", kubeconfig = ""] = process.argv.slice(2);
const tasks: Record<string, () => Promise<number>> = {
  /** Deployments per second, in real time. */
  rate: async () => {
    await using cluster = await startCluster({ workloads: { nodes } });
    return await rateOf(createClient(cluster.transport));
  },
  /** Seconds of real time until all are available in virtual time. */
  virtual: async () => {
    await using cluster = await startCluster({ clock: new FakeClock(), workloads: { nodes } });
    const client = createClient(cluster.transport);
    // The nodes have come.
    await calm(cluster);
    const startedMs = performance.now();
    for (let at = 0; at < deployments; at++) await client.create(Deployment, web(`web-${at}`));
    await calm(cluster);
    const seconds = (performance.now() - startedMs) / 1_000;
    let ready = 0;
    for await (const { status } of client.list(Deployment)) if (status?.availableReplicas === replicas) ready++;
    if (ready !== deployments) throw new Error(`In virtual time ${ready} of ${deployments} Deployments are available`);
    return seconds;
  },
  /** Seconds of real time that one Deployment of a thousand replicas takes in virtual time until all are available. */
  rollout: async () => {
    await using cluster = await startCluster({ clock: new FakeClock(), workloads: { nodes } });
    const client = createClient(cluster.transport);
    // The nodes have come.
    await calm(cluster);
    const startedMs = performance.now();
    await client.create(Deployment, web("big", 1_000));
    await calm(cluster);
    const seconds = (performance.now() - startedMs) / 1_000;
    const { status } = await client.get(Deployment, "big");
    if (status?.availableReplicas !== 1_000)
      throw new Error(`In virtual time ${status?.availableReplicas} of 1000 replicas are available`);
    return seconds;
  },
  /** The same until all are replaced by those of a new template: a thousand come, and a thousand go. */
  replacement: async () => {
    await using cluster = await startCluster({ clock: new FakeClock(), workloads: { nodes } });
    const client = createClient(cluster.transport);
    await client.create(Deployment, web("big", 1_000));
    await calm(cluster);
    const startedMs = performance.now();
    const template = { spec: { containers: [{ name: "main", image: "web:2" }] } };
    await client.patch(Deployment, "big", { strategic: { spec: { template } } });
    await calm(cluster);
    const seconds = (performance.now() - startedMs) / 1_000;
    const { status } = await client.get(Deployment, "big");
    if (status?.updatedReplicas !== 1_000 || status.availableReplicas !== 1_000)
      throw new Error(`In virtual time ${status?.updatedReplicas} of 1000 replicas were replaced`);
    return seconds;
  },
  /** What a cluster with nodes and some pods takes of a core when nothing happens, in percent. */
  idle: async () => {
    await using cluster = await startCluster({ workloads: { nodes: 3 } });
    const client = createClient(cluster.transport);
    for (let at = 0; at < 10; at++) await client.create(Deployment, web(`web-${at}`));
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    await pause(5_000);
    const before = process.cpuUsage();
    await pause(idleMs);
    const { user, system } = process.cpuUsage(before);
    return ((user + system) / 1_000 / idleMs) * 100;
  },
  kubelets: async () => {
    const transport = new HttpsTransport(await loadConnection({ kubeconfig }), { clock: systemClock });
    const client = createClient(transport);
    await client.apply(CustomResourceDefinition, podStageDefinition, { fieldManager: "bench", force: true });
    // They taint themselves ready: the controller that would is not there.
    const controllers = [...nodeControllers({ nodes }), nodeLifecycleController()];
    await operator({ name: "kubelets", controllers }).start({ transport, missingKinds: "wait" });
    return 0;
  },
};

async function calm(cluster: { readonly idle: boolean }): Promise<void> {
  for (let turns = 0; turns < 3; turns = cluster.idle ? turns + 1 : 0)
    await new Promise((resolve) => setImmediate(resolve));
}

const run = tasks[task];
if (run === undefined) throw new Error(`There is no measurement "${task}"`);
console.log(await run());
