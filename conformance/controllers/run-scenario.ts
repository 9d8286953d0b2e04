import type { Clock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { act } from "./act.js";
import { FakeKubelet } from "./fake-kubelet.js";
import { namespaceOf, type Scenario } from "./scenario.js";
import { namesOf, type Snapshot, sharedNodes, takeSnapshot, watchedKinds } from "./snapshot.js";
import { View } from "./view.js";

/** The result of a step. */
export interface StepResult {
  readonly title: string;
  /** Messages of rejected requests. */
  readonly rejected: readonly string[];
  readonly snapshot: Snapshot;
}

/** A cluster with controllers and a scheduler, on which scenarios run. */
export interface Side {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly view: View;
  readonly kubelet: FakeKubelet;
  /** Resolves when the controllers have nothing left to do in a namespace. */
  settle(namespace: string, quietMs?: number): Promise<void>;
  /** Lets time pass. */
  pass(seconds: number): Promise<void>;
}

/** Starts the view and the fake kubelet of a cluster. */
export async function observe(transport: Transport, clock: Clock): Promise<Pick<Side, "view" | "kubelet">> {
  const view = new View(transport);
  const kubelet = new FakeKubelet(transport, clock, view);
  await view.start(watchedKinds);
  return { view, kubelet };
}

/** Registers the nodes shared by scenarios without their own. */
export async function addSharedNodes({ kubelet }: Side): Promise<void> {
  for (const name of sharedNodes) await kubelet.addNode({ name });
}

/** Runs the steps of a scenario in order, and yields a snapshot after each. */
export async function* runScenario(side: Side, scenario: Scenario): AsyncGenerator<StepResult, void> {
  const namespace = namespaceOf(scenario);
  const { transport, kubelet, view, clock } = side;
  for (const node of scenario.nodes ?? []) await kubelet.addNode(node);
  const made = await transport.send({
    method: "POST",
    path: "/api/v1/namespaces",
    body: { metadata: { name: namespace } },
  });
  if (made.status !== 201)
    throw new Error(
      `Cannot run "${scenario.name}": creating namespace "${namespace}" failed: ${JSON.stringify(made.body)}`,
    );
  await side.settle(namespace, scenario.quietMs);
  const context = { transport, kubelet, view, clock, namespace, pass: (seconds: number) => side.pass(seconds) };
  for (const { title, actions } of scenario.steps) {
    const rejected: string[] = [];
    try {
      for (const action of actions) rejected.push(...(await act(context, action)));
      await side.settle(namespace, scenario.quietMs);
    } catch (cause) {
      throw new Error(`Cannot continue "${scenario.name}" at "${title}": ${messageOf(cause)}`, { cause });
    }
    const names = namesOf(view, scenario);
    const messages = rejected.map((text) => names.of(text));
    yield { title, rejected: messages, snapshot: takeSnapshot(view, scenario, names) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
