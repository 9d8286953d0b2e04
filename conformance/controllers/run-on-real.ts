import { setTimeout as delay } from "node:timers/promises";
import { inParallel } from "../in-parallel.js";
import { noMatchingPods } from "./act.js";
import { type RealSide, startRealSide } from "./real-side.js";
import { pathOf, typeOf } from "./resources.js";
import { addSharedNodes, runScenario, type StepResult } from "./run-scenario.js";
import { type Area, namespaceOf, type Scenario } from "./scenario.js";

/** The result of one scenario. */
export interface RealRun {
  readonly area: Area;
  readonly scenario: Scenario;
  readonly kubernetes: string;
  readonly result: readonly StepResult[] | Error;
}

/** Scenarios that share a control plane. */
interface Batch {
  readonly jobs: readonly Job[];
  /** How many run at once; scenarios with their own nodes run alone. */
  readonly concurrency: number;
}

interface Job {
  readonly area: Area;
  readonly scenario: Scenario;
}

/**
 * Runs scenarios on real control planes and calls `onRun` after each: scenarios that share nodes run concurrently on one control plane, the
 * others one at a time on four others, because most of the time is waiting.
 *
 * A scenario that fails is reported and does not stop the others.
 */
export async function runOnReal(areas: readonly Area[], onRun: (run: RealRun) => Promise<void>): Promise<void> {
  await Promise.all(batchesOf(areas).map((batch) => runBatch(batch, onRun)));
}

function batchesOf(areas: readonly Area[]): Batch[] {
  const jobs = areas.flatMap((area) => area.scenarios.map((scenario): Job => ({ area, scenario })));
  const sharing = jobs.filter(({ scenario }) => scenario.nodes === undefined);
  const alone = jobs.filter(({ scenario }) => scenario.nodes !== undefined);
  const parts = [0, 1, 2, 3].map((part) => ({ jobs: alone.filter((_, index) => index % 4 === part), concurrency: 1 }));
  const batches = [{ jobs: sharing, concurrency: 12 }, ...parts];
  return batches.filter((batch) => batch.jobs.length > 0);
}

async function runBatch({ jobs, concurrency }: Batch, onRun: (run: RealRun) => Promise<void>): Promise<void> {
  await using side = await startRealSide();
  if (concurrency > 1) await addSharedNodes(side);
  await inParallel(concurrency, jobs, async ({ area, scenario }) => {
    await onRun(await runOne(side, area, scenario));
    if (scenario.nodes === undefined) return;
    for (const { object } of side.view.list("Node")) await side.kubelet.removeNode(object.metadata.name);
    await side.settle("");
  });
}

async function runOne(side: RealSide, area: Area, scenario: Scenario): Promise<RealRun> {
  let result: RealRun["result"];
  try {
    const steps: StepResult[] = [];
    for await (const step of runScenario(side, scenario)) {
      if (step.rejected.includes(noMatchingPods))
        throw new Error(`Cannot record "${scenario.name}": at "${step.title}" ${noMatchingPods}`);
      steps.push(step);
    }
    result = steps;
  } catch (error) {
    result = error instanceof Error ? error : new Error(String(error));
  }
  await cleanUp(side, scenario);
  return { area, scenario, kubernetes: side.kubernetes, result };
}

/** Cluster-scoped kinds that scenarios create. */
const clusterKinds = [
  "PersistentVolume",
  "StorageClass",
  "PriorityClass",
  "CertificateSigningRequest",
  "CustomResourceDefinition",
];

async function cleanUp(side: RealSide, scenario: Scenario): Promise<void> {
  const { transport, kubelet } = side;
  const namespace = namespaceOf(scenario);
  kubelet.setHanging(namespace, false, []);
  await transport.send({ method: "DELETE", path: pathOf(typeOf("Namespace"), "", namespace) });
  await deletePods(side, namespace);
  for (const kind of clusterKinds) {
    const made = scenario.steps
      .flatMap(({ actions }) => actions)
      .flatMap((action) =>
        action.do === "create" && action.object["kind"] === kind ? [JSON.stringify(action.object)] : [],
      );
    for (const text of made) {
      const { metadata } = JSON.parse(text.replaceAll("{ns}", namespace));
      await transport.send({ method: "DELETE", path: pathOf(typeOf(kind), "", metadata.name) });
    }
  }
}

/**
 * Force-deletes the pods of a terminating namespace, also those on deleted nodes. No controller can create new ones there, and the rest of
 * the deletion need not be awaited.
 */
async function deletePods({ transport, view }: RealSide, namespace: string): Promise<void> {
  for (let pods = view.list("Pod", namespace); pods.length > 0; pods = view.list("Pod", namespace)) {
    for (const { object } of pods) {
      const path = pathOf(typeOf("Pod"), namespace, object.metadata.name);
      await transport.send({ method: "DELETE", path, body: { gracePeriodSeconds: 0 } });
    }
    await delay(100);
  }
}
