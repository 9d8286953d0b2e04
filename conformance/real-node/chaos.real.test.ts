/**
 * The programs of a real node, and the control plane that it joined, are killed at random, while workloads change.
 *
 * KUBEWRIGHT_NODE_CHAOS_MINUTES for more or less of it, KUBEWRIGHT_NODE_CHAOS_SEED for another order of faults.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { NodeProgram } from "@kubewright/cluster/real-node";
import { seededRandom } from "@kubewright/testing";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type KillablePlane, startKillablePlane } from "./killable-plane.js";
import { leftoversOf, tracesOf } from "./leftovers.js";
import { webPods } from "./manifests.js";
import { canRunNodes, limitMs, type NodeWorld, startNodeWorld, until } from "./node-world.js";

const minutes = Number(process.env["KUBEWRIGHT_NODE_CHAOS_MINUTES"] ?? 0.25);
const seed = Number(process.env["KUBEWRIGHT_NODE_CHAOS_SEED"] ?? 1);

vi.setConfig({ testTimeout: minutes * 60_000 + 3 * limitMs, hookTimeout: limitMs });

/** How long a program stays down, and the pause between two steps. */
const downMs = 4_000;
const pauseMs = 2_500;
const mostReplicas = 4;

const manifests = `
${webPods()}---
# Each run writes its id again and again: two runs at once would write in turns.
apiVersion: apps/v1
kind: StatefulSet
metadata: { name: writer }
spec:
  serviceName: writer
  selector: { matchLabels: { app: writer } }
  template:
    metadata: { labels: { app: writer } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: writer
          image: example.com/web:1
          args: [beat, /data/beats]
          volumeMounts: [{ name: data, mountPath: /data }]
  volumeClaimTemplates:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }
`;

const jobOf = (name: string): string => `
apiVersion: batch/v1
kind: Job
metadata: { name: ${name} }
spec:
  template:
    metadata: { labels: { app: job } }
    spec:
      restartPolicy: Never
      containers: [{ name: echo, image: example.com/web:1, args: [echo, ${name}] }]
`;

describe.skipIf(!canRunNodes)("a real node whose programs are killed at random", () => {
  let plane: KillablePlane;
  let world: NodeWorld;

  beforeAll(async () => {
    world = await startNodeWorld(async (place) => {
      plane = await startKillablePlane(place);
      return plane;
    });
    await world.apply(manifests);
    await world.run("rollout status deployment/web --timeout=90s");
    await world.run("rollout status statefulset/writer --timeout=90s");
  });

  afterAll(() => world?.stop());

  test(`has everything running once, after ${minutes} minutes with seed ${seed}`, async () => {
    const { run, apply, node } = world;
    const random = seededRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const faults = {
      ...node.programs,
      "control plane": plane,
    } as const satisfies Record<string, Pick<NodeProgram, "kill" | "start">>;
    const injected: Record<string, number> = Object.fromEntries(Object.keys(faults).map((name) => [name, 0]));
    const down = new Map<string, Promise<void>>();
    const jobs: string[] = [];
    const injectFault = (): void => {
      const names = Object.keys(faults).filter((name) => !down.has(name)) as (keyof typeof faults)[];
      const name = names[below(names.length)];
      if (name === undefined) return;
      injected[name] = (injected[name] ?? 0) + 1;
      const forMs = below(downMs);
      const restart = async (): Promise<void> => {
        await faults[name].kill();
        await delay(forMs);
        // It may not become ready while others are killed: at the end each one must be.
        await faults[name].start().catch(() => undefined);
      };
      down.set(
        name,
        restart().finally(() => down.delete(name)),
      );
    };
    const changes = [
      () => run(`scale deployment/web --replicas=${below(mostReplicas + 1)}`),
      () => run("rollout restart deployment/web"),
      () => run("delete pod -l app=writer --wait=false"),
      async () => {
        const name = `job-${jobs.length}`;
        await apply(jobOf(name));
        jobs.push(name);
      },
    ] as const;
    const endMs = performance.now() + minutes * 60_000;
    const isOver = (): boolean => performance.now() > endMs && Object.values(injected).every((times) => times > 0);
    while (!isOver()) {
      injectFault();
      // The control plane may be down.
      await changes[below(changes.length)]?.().catch(() => undefined);
      await delay(below(pauseMs));
    }
    await Promise.all(down.values());
    // A control plane that did not come up runs no process.
    await plane.start();
    for (const program of Object.values(node.programs)) await program.start();

    // A Job may exist although the server was killed before its response.
    const all = async (field: string, kind: string): Promise<readonly string[]> =>
      (await run(`get ${kind} -o jsonpath={range.items[*]}{${field}},{end}`)).split(",").slice(0, -1);
    await until(async () => (await run("scale deployment/web --replicas=3")) !== "");
    await run("rollout status deployment/web --timeout=100s");
    await run("rollout status statefulset/writer --timeout=100s");
    await until(async () => (await all(".status.succeeded", "jobs")).every((count) => count === "1"));
    expect(await all(".metadata.name", "jobs")).toEqual(expect.arrayContaining(jobs));
    expect(await all(".metadata.name", "pods -l app=job")).toHaveLength((await all(".metadata.name", "jobs")).length);
    await until(async () => (await all(".metadata.name", "pods -l app=web")).length === 3);
    const client = (await all(".metadata.name", "pods -l app=web"))[0] ?? "";
    await until(async () => (await world.inPod(client, "get", "http://web/")).startsWith("web-"));

    // Each running pod has its sandbox and its container, and no others run.
    const running = "pods --field-selector=status.phase=Running";
    await until(async () => {
      const expected = (await all(".metadata.uid", running)).flatMap((uid) => [uid, uid]).sort();
      const found = containersOf(world.place.nodeAddress).sort();
      return found.join("\n") === expected.join("\n") || `${found.length} of ${expected.length}`;
    });
    const runs = idsIn(await run("get pv -o jsonpath={.items[0].spec.local.path}"));
    expect(new Set(runs).size).toBe(runs.length);
    expect(runs.length).toBeGreaterThan(1);

    const report = `faults: ${JSON.stringify(injected)}; ${jobs.length} Jobs, ${runs.length} runs of the StatefulSet`;
    process.stderr.write(`${report}\n`);
    const traces = tracesOf(world.place.nodeAddress);
    await node.stop();
    await plane.kill();
    expect(await leftoversOf(world.place.nodeAddress, traces)).toEqual([]);
  });
});

/** The uid of the pod of each cgroup that has a process: one for each running container, and one for the sandbox. */
function containersOf(nodeAddress: string): string[] {
  const below = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => [join(folder, entry.name), ...below(join(folder, entry.name))]);
  const name = `kubewright-${nodeAddress.split(".")[2]}`;
  const folder = ["/sys/fs/cgroup", "/sys/fs/cgroup/memory"].map((mount) => join(mount, name)).find(existsSync);
  if (folder === undefined) throw new Error(`there is no cgroup ${name}`);
  return below(folder).flatMap((path) => {
    const uid = /\/pod([0-9a-f-]{36})\/[0-9a-f]{64}$/.exec(path)?.[1];
    return uid !== undefined && readFileSync(join(path, "cgroup.procs"), "utf8") !== "" ? [uid] : [];
  });
}

/** The ids that were written, each one once for all that were written without another one in between. */
function idsIn(folder: string): readonly string[] {
  const lines = readFileSync(join(folder, "beats"), "utf8").trimEnd().split("\n");
  return lines.filter((line, at) => line !== lines[at - 1]);
}
