import { setTimeout as delay } from "node:timers/promises";
import { nothingChosen } from "./act.js";
import { type RealSide, startRealSide } from "./real-side.js";
import { pathOf, typeOf } from "./resources.js";
import { addSharedNodes, runScenario, type StepResult } from "./run-scenario.js";
import { type Area, namespaceOf, type Scenario } from "./scenario.js";
import { sharedNodes } from "./snapshot.js";

/** What came of one scenario. */
export interface RealRun {
  readonly area: Area;
  readonly scenario: Scenario;
  readonly kubernetes: string;
  readonly result: readonly StepResult[] | Error;
}

/** How many scenarios share the control plane at once. */
const atOnce = 8;

/**
 * Runs scenarios on real control planes: first those that share nodes, several at once, then the others one by one.
 *
 * A scenario that fails is told of and does not stop the others.
 */
export async function* runOnReal(areas: readonly Area[]): AsyncGenerator<RealRun, void> {
  const usual = areas.filter(({ nodeLifecycle }) => nodeLifecycle !== true);
  if (usual.length > 0) {
    await using side = await startRealSide();
    yield* runAll(side, usual);
  }
  const lifecycle = areas.filter(({ nodeLifecycle }) => nodeLifecycle === true);
  if (lifecycle.length > 0) {
    await using side = await startRealSide({ nodeLifecycle: true });
    yield* runAll(side, lifecycle);
  }
}

async function* runAll(side: RealSide, areas: readonly Area[]): AsyncGenerator<RealRun, void> {
  const all = areas.flatMap((area) => area.scenarios.map((scenario) => ({ area, scenario })));
  const sharing = all.filter(({ scenario }) => scenario.nodes === undefined);
  if (sharing.length > 0) {
    await addSharedNodes(side);
    const running = new Map<Scenario, Promise<RealRun>>();
    const waiting = sharing.values();
    do {
      for (const { area, scenario } of firstOf(waiting, atOnce - running.size))
        running.set(scenario, runOne(side, area, scenario));
      const run = await Promise.race(running.values());
      running.delete(run.scenario);
      yield run;
    } while (running.size > 0);
    await Promise.all(sharing.map(({ scenario }) => gone(side, scenario)));
    for (const name of sharedNodes) await side.kubelet.removeNode(name);
  }
  for (const { area, scenario } of all) {
    if (scenario.nodes === undefined) continue;
    yield await runOne(side, area, scenario);
    await gone(side, scenario);
    for (const { object } of side.view.list("Node")) await side.kubelet.removeNode(object.metadata.name);
    await side.settle("");
  }
}

function firstOf<T>(items: Iterator<T>, count: number): T[] {
  const taken: T[] = [];
  for (let next = count > 0 ? items.next() : undefined; next?.done === false; ) {
    taken.push(next.value);
    next = taken.length < count ? items.next() : undefined;
  }
  return taken;
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

/** Kinds without a namespace that scenarios make; theirs have its name in their own. */
const clusterKinds = ["PersistentVolume", "StorageClass", "PriorityClass", "CertificateSigningRequest"];

async function cleanUp({ transport, kubelet }: RealSide, scenario: Scenario): Promise<void> {
  const namespace = namespaceOf(scenario);
  kubelet.setHanging(namespace, false, []);
  await transport.send({ method: "DELETE", path: pathOf(typeOf("Namespace"), "", namespace) });
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

/** A real server gives no sign when a namespace is gone: asking is all one can do. */
async function gone({ transport }: RealSide, scenario: Scenario): Promise<void> {
  const path = pathOf(typeOf("Namespace"), "", namespaceOf(scenario));
  for (let attempt = 0; attempt < 300; attempt++) {
    const { status } = await transport.send({ method: "GET", path });
    if (status === 404) return;
    await delay(100);
  }
  throw new Error(`Cannot go on: the namespace of "${scenario.name}" does not go away`);
}
