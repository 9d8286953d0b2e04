import { CertificateAuthority } from "@kubewright/core/certificates";
import { FakeClock } from "@kubewright/core/clock";
import { silentLogger } from "@kubewright/core/log";
import fc from "fast-check";
import { createClient } from "kubewright";
import { Deployment, StatefulSet } from "kubewright/k8s/apps/v1";
import { Job } from "kubewright/k8s/batch/v1";
import { Pod, ResourceQuota } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { startCluster } from "../src/index.js";
import { PodStage } from "../src/simulation.js";
import { startWorkloads } from "../src/workloads/index.js";
import { unlessGone } from "./virtual-cluster.js";

/** A cluster whose controllers, scheduler and nodes can be restarted, as after a crash of their process. */
async function startRestartable() {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const authority = new CertificateAuthority("test-ca");
  const services = {
    transport: cluster.transport,
    transportFor: () => cluster.transport,
    clock,
    logger: silentLogger,
    random: Math.random,
    signToken: () => "",
    expressionWarnings: () => [],
    serve: () => () => {},
  };
  const start = () => startWorkloads({ ...services, authority: () => authority }, { nodes: 2 });
  let running = await start();
  const rest = async (): Promise<void> => {
    for (let calm = 0; calm < 3; calm = cluster.idle && running.idle ? calm + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    client: createClient(cluster.transport),
    rest,
    async advance(seconds: number): Promise<void> {
      await rest();
      const untilMs = clock.monotonic() + seconds * 1_000;
      for (let next = clock.nextTimerInMs; next !== undefined; next = clock.nextTimerInMs) {
        if (clock.monotonic() + next > untilMs) break;
        clock.advance(next);
        await rest();
      }
    },
    /** Restarts without waiting for running work. */
    async restart(): Promise<void> {
      await running.stop();
      running = await start();
    },
    async [Symbol.asyncDispose](): Promise<void> {
      await running.stop();
      await cluster.close();
    },
  };
}

type World = Awaited<ReturnType<typeof startRestartable>>;

const namespace = "default";
const template = (app: string, image: string) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "app", image }] },
});
const ofApp = (app: string) => ({ selector: { matchLabels: { app } }, template: template(app, "app:1") });

async function podsOf({ client }: World, app: string) {
  const found = [];
  for await (const pod of client.list(Pod, { namespace, labels: { app } })) found.push(pod);
  return found;
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ do: "restart" } as const) },
  fc.record({ do: fc.constant("scale" as const), replicas: fc.nat(5) }),
  fc.record({ do: fc.constant("image" as const), image: fc.constantFrom("app:1", "app:2", "app:3") }),
  fc.record({ do: fc.constant("kill" as const), app: fc.constantFrom("web", "db"), at: fc.nat(4) }),
  fc.record({ do: fc.constant("turns" as const), count: fc.nat(30) }),
  fc.record({ do: fc.constant("wait" as const), seconds: fc.integer({ min: 1, max: 20 }) }),
);

test("for any restarts of controllers, scheduler and nodes, the cluster converges and no work is done twice", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 10 }), async (steps) => {
      await using world = await startRestartable();
      const { client } = world;
      let desired = { replicas: 3, image: "app:1" };
      await client.create(ResourceQuota, { metadata: { namespace, name: "all" }, spec: { hard: { pods: "100" } } });
      await client.create(Deployment, { metadata: { namespace, name: "web" }, spec: { replicas: 3, ...ofApp("web") } });
      await client.create(StatefulSet, {
        metadata: { namespace, name: "db" },
        spec: { replicas: 2, serviceName: "db", ...ofApp("db") },
      });
      const work = {
        ...template("work", "app:1"),
        spec: { ...template("work", "app:1").spec, restartPolicy: "Never" as const },
      };
      await client.create(Job, {
        metadata: { namespace, name: "work" },
        spec: { completions: 4, parallelism: 2, template: work },
      });
      for (const one of steps) {
        if (one.do === "restart") await world.restart();
        else if (one.do === "wait") await world.advance(one.seconds);
        else if (one.do === "turns")
          for (let turn = 0; turn < one.count; turn++) await new Promise((resolve) => setImmediate(resolve));
        else if (one.do === "kill") {
          const pod = (await podsOf(world, one.app))[one.at];
          if (pod) await unlessGone(client.delete(Pod, { namespace, name: pod.metadata.name }));
        } else {
          desired = one.do === "scale" ? { ...desired, replicas: one.replicas } : { ...desired, image: one.image };
          const spec = { replicas: desired.replicas, template: template("web", desired.image) };
          await client.patch(Deployment, { namespace, name: "web" }, { strategic: { spec } });
        }
      }
      await world.advance(120);
      const web = await podsOf(world, "web");
      expect(web.map(({ spec }) => spec?.containers[0]?.image)).toEqual(Array(desired.replicas).fill(desired.image));
      const db = await podsOf(world, "db");
      expect(db.map(({ metadata }) => metadata.name)).toEqual(["db-0", "db-1"]);
      for (const { status } of [...web, ...db]) expect(status?.phase).toBe("Running");
      const { status } = await client.get(Job, { namespace, name: "work" });
      expect([status?.succeeded, status?.failed ?? 0, (await podsOf(world, "work")).length]).toEqual([4, 0, 4]);
      const quota = await client.get(ResourceQuota, { namespace, name: "all" });
      expect(quota.status?.used?.["pods"]).toBe(String(desired.replicas + 2));
    }),
    { numRuns: 2 },
  );
});

test("a PodStage can be created before any workload: a request for one starts them", async () => {
  await using cluster = await startCluster({ clock: new FakeClock(), workloads: { start: "when needed" } });
  const client = createClient(cluster.transport);
  await client.create(PodStage, { metadata: { name: "slow" }, spec: { ready: { delay: "5s" } } });
  expect((await client.get(PodStage, "slow")).spec?.ready?.delay).toBe("5s");
});
