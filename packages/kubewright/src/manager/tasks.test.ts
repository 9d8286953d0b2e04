import { type LogFields, silentLogger } from "@kubewright/core/log";
import { expect, test } from "vitest";
import { startWorld } from "../../test/embedded-world.js";
import { Website } from "../../test/website.js";
import { ConfigMap } from "../k8s/core/v1.gen.js";
import { createMetrics } from "../metrics/index.js";
import { controller } from "../reconcile/index.js";
import { operator, type Task } from "./index.js";

const idle = controller(Website, { reconcile: () => undefined });
const web = (...tasks: Task[]) => operator({ name: "web", controllers: [idle], tasks });
const start = { installCRDs: true } as const;

/** A task that runs until it is stopped, and records that. */
function longRunning(name: string, steps: string[], options: Partial<Task> = {}): Task {
  return {
    name,
    run: async ({ signal }) => {
      steps.push(`${name} starts`);
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      steps.push(`${name} ends`);
    },
    ...options,
  };
}

test("a task runs while the operator runs, can write, and is awaited at the stop", async () => {
  await using world = await startWorld();
  const steps: string[] = [];
  const writing: Task = {
    name: "writing",
    run: async ({ client, signal }) => {
      await client.create(ConfigMap, { metadata: { name: "from-task" } });
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      await new Promise((resolve) => setImmediate(resolve));
      steps.push("cleaned up");
    },
  };
  const running = await web(writing).start({ ...world.options, ...start });
  await world.settle(running);
  expect(await world.client.find(ConfigMap, "from-task")).toBeDefined();
  await running.stop();
  expect(steps).toEqual(["cleaned up"]);
});

test("a task that throws is logged and counted, and restarts with backoff; one that returns has ended", async () => {
  await using world = await startWorld();
  const metrics = await createMetrics();
  const errors: LogFields[] = [];
  const logger = { ...silentLogger, error: (fields: LogFields) => void errors.push(fields), child: () => logger };
  const runs: number[] = [];
  const flaky: Task = {
    name: "flaky",
    run: ({ clock }) => {
      runs.push(clock.monotonic());
      if (runs.length < 4) throw new Error("not yet");
    },
  };
  await using running = await web(flaky).start({ ...world.options, ...start, logger, metrics });
  const turn = async (ms: number): Promise<void> => {
    world.clock.advance(ms);
    await world.settle(running);
  };
  await turn(0);
  expect(runs).toHaveLength(1);
  await turn(1_000);
  await turn(2_000);
  await turn(3_999);
  expect(runs).toHaveLength(3);
  await turn(1);
  expect(runs).toHaveLength(4);
  await turn(600_000);
  expect(runs).toHaveLength(4);
  expect(errors.map(({ delayMs }) => delayMs)).toEqual([1_000, 2_000, 4_000]);
  expect(await metrics.text()).toContain('kubewright_task_failures_total{task="flaky"} 3');
  metrics.close();
});

test("only the leader runs a task, unless it runs on every replica", async () => {
  await using world = await startWorld();
  const steps: string[] = [];
  const replica = (name: string) => {
    const tasks = [
      longRunning(`${name}-leader`, steps),
      longRunning(`${name}-everywhere`, steps, { onEveryReplica: true }),
    ];
    const leaderElection = { name: "web", namespace: "default", identity: name };
    return operator({ name: "web", controllers: [idle], tasks }).start({ ...world.options, ...start, leaderElection });
  };
  await using first = await replica("a");
  await first.elected;
  await using second = await replica("b");
  await world.settle(first);
  expect([...steps].sort()).toEqual(["a-everywhere starts", "a-leader starts", "b-everywhere starts"]);
  await first.stop();
  let isElected = false;
  void second.elected.then(() => {
    isElected = true;
  });
  while (!isElected) {
    world.clock.advance(1_000);
    await world.settle(second);
  }
  await world.settle(second);
  expect(steps.slice(3).sort()).toEqual(["a-everywhere ends", "a-leader ends", "b-leader starts"]);
});

test("a task that ignores its signal does not block the stop for longer than the grace period", async () => {
  await using world = await startWorld();
  const deaf: Task = { name: "deaf", run: () => new Promise(() => {}) };
  const running = await web(deaf).start({ ...world.options, ...start });
  const stopped = running.stop();
  await new Promise((resolve) => setImmediate(resolve));
  world.clock.advance(30_000);
  await stopped;
  expect(running.lost.reason).toMatchObject({ message: expect.stringContaining('task "deaf"') });
});

test("names of tasks are checked, their rules belong to the operator, and shards have no leader", async () => {
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["create"] }];
  const report: Task = { name: "report", run: () => {}, rules };
  expect(web(report).rules()).toEqual([...operator({ name: "web", controllers: [idle] }).rules(), ...rules]);
  expect(() => web(report, report)).toThrow('two tasks have the name "report"');
  expect(() => web({ name: "No", run: () => {} })).toThrow('the name of task "No" must consist of lower case letters');
  await using world = await startWorld();
  await expect(web(report).start({ ...world.options, sharding: { namespace: "default" } })).rejects.toThrow(
    'Cannot shard operator "web": no replica is the leader, so task "report" must run `onEveryReplica`',
  );
});
