import { setTimeout as delay } from "node:timers/promises";
import { inParallel } from "../in-parallel.js";
import { nothingChosen } from "./act.js";
import { type RealSide, startRealSide } from "./real-side.js";
import { pathOf, typeOf } from "./resources.js";
import { addSharedNodes, runScenario, type StepResult } from "./run-scenario.js";
import { type Area, namespaceOf, type Scenario } from "./scenario.js";

/** What came of one scenario. */
export interface RealRun {
  readonly area: Area;
  readonly scenario: Scenario;
  readonly kubernetes: string;
  readonly result: readonly StepResult[] | Error;
}

/** Scenarios that share a control plane. */
interface Crew {
  readonly jobs: readonly Job[];
  /** How many run at once; those with nodes of their own must be alone. */
  readonly atOnce: number;
}

interface Job {
  readonly area: Area;
  readonly scenario: Scenario;
}

/**
 * Runs scenarios on real control planes, and hands on what came of each when it is done: those that share nodes several at once on one control
 * plane, the others one by one, on four others, because most of the time is waiting.
 *
 * A scenario that fails is told of and does not stop the others.
 */
export async function runOnReal(areas: readonly Area[], onRun: (run: RealRun) => Promise<void>): Promise<void> {
  await Promise.all(crewsOf(areas).map((crew) => runCrew(crew, onRun)));
}

function crewsOf(areas: readonly Area[]): Crew[] {
  const jobs = areas.flatMap((area) => area.scenarios.map((scenario): Job => ({ area, scenario })));
  const sharing = jobs.filter(({ scenario }) => scenario.nodes === undefined);
  const alone = jobs.filter(({ scenario }) => scenario.nodes !== undefined);
  const parts = [0, 1, 2, 3].map((part) => ({ jobs: alone.filter((_, index) => index % 4 === part), atOnce: 1 }));
  const crews = [{ jobs: sharing, atOnce: 12 }, ...parts];
  return crews.filter((crew) => crew.jobs.length > 0);
}

async function runCrew({ jobs, atOnce }: Crew, onRun: (run: RealRun) => Promise<void>): Promise<void> {
  await using side = await startRealSide();
  if (atOnce > 1) await addSharedNodes(side);
  await inParallel(atOnce, jobs, async ({ area, scenario }) => {
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
      if (step.refused.includes(nothingChosen))
        throw new Error(`Cannot record "${scenario.name}": at "${step.title}" ${nothingChosen}`);
      steps.push(step);
    }
    result = steps;
  } catch (error) {
    result = error instanceof Error ? error : new Error(String(error));
  }
  await cleanUp(side, scenario);
  return { area, scenario, kubernetes: side.kubernetes, result };
}

/** Kinds without a namespace that scenarios make. */
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
  await buryPods(side, namespace);
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
 * Ends the pods of a namespace that is being deleted, also those on nodes that are gone. Nothing can make new ones there, and it is nobody's
 * business how long the rest of it takes.
 */
async function buryPods({ transport, view }: RealSide, namespace: string): Promise<void> {
  for (let pods = view.list("Pod", namespace); pods.length > 0; pods = view.list("Pod", namespace)) {
    for (const { object } of pods) {
      const path = pathOf(typeOf("Pod"), namespace, object.metadata.name);
      await transport.send({ method: "DELETE", path, body: { gracePeriodSeconds: 0 } });
    }
    await delay(100);
  }
}
