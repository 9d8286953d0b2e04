/**
 * One workloads benchmark, named by the first argument; prints a number. Runs as plain JavaScript with built packages, as for a user, each in a separate
 * process. `kubelets` runs the simulated nodes on another cluster until it is killed.
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
  /** Seconds of real time until all of a thousand replicas of one Deployment are available in virtual time. */
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
  /** The same for a rollout of a new template: a thousand pods are created, and a thousand deleted. */
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
  /** CPU usage of an idle cluster with nodes and some pods, in percent of a core. */
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
    // Removes the not-ready taint of the nodes: the real controller does not run.
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
if (run === undefined) throw new Error(`There is no benchmark "${task}"`);
console.log(await run());
