import fc from "fast-check";
import { Job, type JobSpec } from "kubewright/k8s/batch/v1";
import { Pod } from "kubewright/k8s/core/v1";
import { expect, test } from "vitest";
import { type ControllerCluster, startControllerCluster, unlessGone } from "../../../test/virtual-cluster.js";
import { ttlAfterFinishedController } from "../ttl-after-finished/index.js";
import { jobControllers } from "./index.js";
import { countIndexes, firstMissing, formatIndexes, indexSet, parseIndexes } from "./index-set.js";

const controllers = () => [...jobControllers(), ttlAfterFinishedController()];
const template = { spec: { restartPolicy: "Never" as const, containers: [{ name: "work", image: "work:1" }] } };
const job = (name: string, spec: Partial<JobSpec>) => ({
  metadata: { namespace: "default", name },
  spec: { template, ...spec },
});
const named = (name: string) => ({ namespace: "default", name });

async function terminate(rig: ControllerCluster, pod: string, phase: "Succeeded" | "Failed"): Promise<void> {
  await unlessGone(rig.client.patchStatus(Pod, named(pod), { merge: { status: { phase } } }));
}

test("a Job counts its Pods, completes, and is deleted after ttlSecondsAfterFinished", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(Job, job("work", { completions: 2, parallelism: 1, ttlSecondsAfterFinished: 30 }));
  for (let round = 0; round < 2; round++) {
    await rig.rest();
    const [pod] = (await rig.pods()).filter(({ status }) => status?.phase !== "Succeeded");
    expect(pod?.metadata.finalizers).toEqual(["batch.kubernetes.io/job-tracking"]);
    await terminate(rig, pod?.metadata.name ?? "", "Succeeded");
  }
  await rig.rest();
  const { status } = await rig.client.get(Job, named("work"));
  expect(status).toMatchObject({ succeeded: 2, ready: 0, terminating: 0, uncountedTerminatedPods: {} });
  expect(status?.conditions?.map(({ type }) => type)).toEqual(["SuccessCriteriaMet", "Complete"]);
  expect(await rig.events("Completed")).toEqual(["Job completed"]);
  await rig.advance(29);
  expect(await rig.client.find(Job, named("work"))).toBeDefined();
  await rig.advance(2);
  expect(await rig.client.find(Job, named("work"))).toBeUndefined();
});

test("an indexed Job whose other indexes have failed for good has nothing to start, and no run fails", async () => {
  await using rig = await startControllerCluster(controllers);
  const perIndex = { completionMode: "Indexed" as const, backoffLimitPerIndex: 0 };
  await rig.client.create(Job, job("work", { completions: 2, parallelism: 2, ...perIndex }));
  await rig.rest();
  const [pod] = await rig.pods();
  await terminate(rig, pod?.metadata.name ?? "", "Failed");
  await rig.rest();
  await rig.advance(60);
  expect((await rig.client.get(Job, named("work"))).status).toMatchObject({ active: 1, failedIndexes: "0" });
  expect(await rig.events("ReconcileFailed")).toEqual([]);
});

test("Pods of a Job that is deleted before it finishes lose their finalizer", async () => {
  await using rig = await startControllerCluster(controllers);
  await rig.client.create(Job, job("work", { completions: 3, parallelism: 3 }));
  await rig.rest();
  await rig.client.delete(Job, named("work"), { propagationPolicy: "Orphan" });
  await rig.rest();
  expect((await rig.pods()).flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
});

test("index sets survive formatting and parsing, and firstMissing returns the complement", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(30)), fc.nat(30), (indexes, count) => {
      const set = indexSet(indexes);
      expect(parseIndexes(formatIndexes(set), 31)).toEqual(set);
      expect(countIndexes(set)).toBe(indexes.length);
      const others = Array.from({ length: 31 }, (_, index) => index).filter((index) => !indexes.includes(index));
      expect(firstMissing(set, count, 31)).toEqual(others.slice(0, count));
    }),
    { numRuns: 50 },
  );
});

test("for any Pod failures and controller restarts, a Job counts no success twice and finishes", async () => {
  const step = fc.record({
    do: fc.constantFrom("succeed", "succeed", "fail", "delete", "restart", "suspend", "resume", "wait"),
    pod: fc.nat(9),
    pauses: fc.boolean(),
  });
  await using rig = await startControllerCluster(controllers);
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 4, maxLength: 9 }), async (indexed, steps) => {
      const key = named(`work-${++runs}`);
      const mode = indexed ? { completionMode: "Indexed" as const } : {};
      await rig.client.create(Job, job(key.name, { completions: 4, parallelism: 2, backoffLimit: 3, ...mode }));
      const succeeded = new Set<string>();
      const running = async () =>
        (await rig.pods({ "job-name": key.name })).filter(
          ({ status }) => status?.phase !== "Succeeded" && status?.phase !== "Failed",
        );
      const succeed = async (name: string) => {
        succeeded.add(name);
        await terminate(rig, name, "Succeeded");
      };
      const suspend = (is: boolean) => rig.client.patch(Job, key, { merge: { spec: { suspend: is } } });
      for (const { do: what, pod: at, pauses } of steps) {
        const pods = await running();
        const name = pods[at % Math.max(1, pods.length)]?.metadata.name;
        if (what === "restart") await rig.restart();
        else if (what === "suspend" || what === "resume") await suspend(what === "suspend");
        else if (what === "wait") await rig.advance(20);
        else if (name === undefined) continue;
        else if (what === "succeed") await succeed(name);
        else if (what === "fail") await terminate(rig, name, "Failed");
        else await unlessGone(rig.client.delete(Pod, named(name)));
        if (pauses) await rig.rest();
        expect((await rig.client.get(Job, key)).status?.succeeded ?? 0).toBeLessThanOrEqual(succeeded.size);
      }
      await suspend(false);
      for (let round = 0; round < 12; round++) {
        await rig.advance(120);
        for (const pod of await running())
          await (pod.metadata.deletionTimestamp === undefined ? succeed(pod.metadata.name) : rig.finish(pod));
      }
      await rig.rest();
      const { status } = await rig.client.get(Job, key);
      expect(status?.succeeded ?? 0).toBeLessThanOrEqual(Math.min(4, succeeded.size));
      const finished = status?.conditions?.find(({ type }) => type === "Complete" || type === "Failed");
      expect(finished?.status).toBe("True");
      if (finished?.type === "Complete") expect(status?.succeeded).toBe(4);
      const left = await rig.pods({ "job-name": key.name });
      expect(left.flatMap(({ metadata }) => metadata.finalizers ?? [])).toEqual([]);
    }),
    { numRuns: 3 },
  );
});
