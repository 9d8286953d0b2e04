import { FakeClock } from "@kubewright/core/clock";
import { type AnyController, type Client, createClient, isNotFound, operator, type ReadOf } from "kubewright";
import { Pod } from "kubewright/k8s/core/v1";
import { startCluster } from "../src/index.js";

type PodView = ReadOf<typeof Pod>;

/** Waits for a write to an object that a controller may have deleted meanwhile: then it is as if it had not been tried. */
export async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** A cluster in virtual time with some controllers, where the test is the scheduler and the nodes. */
export interface WorkloadRig extends AsyncDisposable {
  readonly client: Client;
  readonly clock: FakeClock;
  /** Waits until nothing is under way. Time stands still. */
  rest(): Promise<void>;
  /** Moves time on, and comes to rest after each timer on the way. */
  advance(ms: number): Promise<void>;
  /** Stops the controllers and starts them anew, as after a crash of the program. */
  restart(): Promise<void>;
  pods(labels?: Readonly<Record<string, string>>): Promise<readonly PodView[]>;
  /** What a node does for its pods: gives them a place and lets them be ready. */
  makeReady(pod: PodView, node?: string): Promise<void>;
  /** What a node does in the end: ended pods that are being deleted go. */
  finish(pod: PodView): Promise<void>;
  /** Lets all pods be ready, and those go that are to go, until nothing changes any more. */
  settle(): Promise<void>;
  /** Notes of events with this reason, sorted. */
  events(reason: string): Promise<readonly string[]>;
}

/** Starts such a cluster. */
export async function startRig(controllers: () => readonly AnyController[]): Promise<WorkloadRig> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const client = createClient(cluster.transport);
  const { transport } = cluster;
  const start = () =>
    operator({ name: "kube-controller-manager", controllers: controllers() }).start({ transport, clock });
  let running = await start();
  const rest = async (): Promise<void> => {
    for (let calm = 0, turns = 0; calm < 3; calm = cluster.idle && running.idle ? calm + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (++turns > 20_000) throw new Error(`Cannot come to rest: ${running.busy().join("; ")}`);
    }
  };
  const pods = async (labels: Readonly<Record<string, string>> = {}): Promise<readonly PodView[]> => {
    const found: PodView[] = [];
    for await (const pod of client.list(Pod, { allNamespaces: true, labels })) found.push(pod);
    return found;
  };
  const named = ({ metadata }: PodView) => ({ name: metadata.name, namespace: metadata.namespace ?? "" });
  const makeReady = async (pod: PodView, node = "node-1"): Promise<void> => {
    const at = new Date(clock.now()).toISOString().replace(/\.\d+/, "");
    const conditions = [{ type: "Ready", status: "True", lastTransitionTime: at }];
    if ((pod.spec?.nodeName ?? "") === "") {
      const body = { apiVersion: "v1", kind: "Binding", target: { apiVersion: "v1", kind: "Node", name: node } };
      await unlessGone(client.subresource(Pod, named(pod), "binding").create(body as never, {}));
    }
    await unlessGone(client.patchStatus(Pod, named(pod), { merge: { status: { phase: "Running", conditions } } }));
  };
  const finish = async (pod: PodView): Promise<void> => {
    await unlessGone(client.delete(Pod, named(pod), { gracePeriodSeconds: 0 }));
  };
  return {
    client,
    clock,
    rest,
    advance: async (ms) => {
      const untilMs = clock.monotonic() + ms;
      await rest();
      for (let next = clock.nextTimerInMs; next !== undefined; next = clock.nextTimerInMs) {
        if (clock.monotonic() + next > untilMs) break;
        clock.advance(next);
        await rest();
      }
      clock.advance(Math.max(0, untilMs - clock.monotonic()));
      await rest();
    },
    restart: async () => {
      await running.stop();
      running = await start();
    },
    pods,
    makeReady,
    finish,
    settle: async () => {
      await rest();
      for (let round = 0; round < 200; round++) {
        const all = await pods();
        const going = all.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
        const waiting = all.filter(
          ({ metadata, status }) =>
            metadata.deletionTimestamp === undefined &&
            status?.phase !== "Failed" &&
            !status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True"),
        );
        if (going.length + waiting.length === 0) return;
        await Promise.all([...going.map(finish), ...waiting.map((pod) => makeReady(pod))]);
        await rest();
      }
      throw new Error("Cannot settle: pods come and go for ever");
    },
    events: async (reason) => {
      const { Event } = await import("kubewright/k8s/core/v1");
      const notes: string[] = [];
      for await (const event of client.list(Event, { allNamespaces: true }))
        if (event.reason === reason) notes.push(event.message ?? "");
      return notes.sort();
    },
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await cluster.close();
    },
  };
}
