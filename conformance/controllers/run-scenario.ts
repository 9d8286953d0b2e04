import type { Clock } from "@kubewright/core/clock";
import type { Transport } from "@kubewright/core/transport";
import { act } from "./act.js";
import { FakeKubelet } from "./fake-kubelet.js";
import { namespaceOf, type Scenario } from "./scenario.js";
import { namesOf, type Snapshot, sharedNodes, takeSnapshot, watchedKinds } from "./snapshot.js";
import { View } from "./view.js";

/** What a step came to. */
export interface StepResult {
  readonly title: string;
  /** What the server said where it refused. */
  readonly refused: readonly string[];
  readonly snapshot: Snapshot;
}

/** A cluster with controllers and a scheduler, on which scenarios run. */
export interface Side {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly view: View;
  readonly kubelet: FakeKubelet;
  /** Resolves when nothing more comes of what was done in a namespace. */
  settle(namespace: string, quietMs?: number): Promise<void>;
  /** Lets time pass. */
  pass(seconds: number): Promise<void>;
}

/** The eyes and the hands of scenarios on a cluster. */
export async function lookAt(transport: Transport, clock: Clock): Promise<Pick<Side, "view" | "kubelet">> {
  const view = new View(transport);
  const kubelet = new FakeKubelet(transport, clock, view);
  await view.start(watchedKinds);
  return { view, kubelet };
}

/** Registers the nodes that scenarios without own ones share. */
export async function addSharedNodes({ kubelet }: Side): Promise<void> {
  for (const name of sharedNodes) await kubelet.addNode({ name });
}

/** Runs the steps of a scenario one after the other, each when the one before was taken, and looks after each. */
export async function* runScenario(side: Side, scenario: Scenario): AsyncGenerator<StepResult, void> {
  const namespace = namespaceOf(scenario);
  const { transport, kubelet, view, clock } = side;
  for (const node of scenario.nodes ?? []) await kubelet.addNode(node);
  const made = await transport.send({
    method: "POST",
    path: "/api/v1/namespaces",
    body: { metadata: { name: namespace } },
  });
  if (made.status !== 201) throw new Error(`Cannot run "${scenario.name}": no namespace: ${JSON.stringify(made.body)}`);
  await side.settle(namespace, scenario.quietMs);
  const stage = { transport, kubelet, view, clock, namespace, pass: (seconds: number) => side.pass(seconds) };
  for (const { title, actions } of scenario.steps) {
    const refused: string[] = [];
    try {
      for (const action of actions) refused.push(...(await act(stage, action)));
      await side.settle(namespace, scenario.quietMs);
    } catch (cause) {
      throw new Error(`Cannot go on with "${scenario.name}" at "${title}": ${messageOf(cause)}`, { cause });
    }
    const names = namesOf(view, scenario);
    const said = refused.map((text) => names.of(text));
    yield { title, refused: said, snapshot: takeSnapshot(view, scenario, names) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
