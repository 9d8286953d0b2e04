import { FakeClock } from "@kubewright/core/clock";
import { type AnyController, type Client, createClient, isNotFound, operator, type ReadOf } from "kubewright";
import { Event, Pod } from "kubewright/k8s/core/v1";
import { type Cluster, startCluster, type WorkloadOptions } from "../src/index.js";

type PodView = ReadOf<typeof Pod>;

/** How long a cluster may take to come to rest, by the machine's clock. */
const patienceMs = 40_000;

/** A cluster in virtual time, for one test. */
export interface VirtualCluster extends AsyncDisposable {
  readonly client: Client;
  readonly cluster: Cluster;
  readonly clock: FakeClock;
  /** Resolves when nothing is left to do at this moment. */
  rest(): Promise<void>;
  /** Moves time on, and comes to rest after each timer on the way. */
  advance(seconds: number): Promise<void>;
  pods(labels?: Readonly<Record<string, string>>): Promise<readonly PodView[]>;
  /** Notes of events with this reason, sorted. */
  events(reason: string): Promise<readonly string[]>;
}

/** Starts one with workloads, and waits until it has come to rest. */
export async function startVirtualCluster(workloads: WorkloadOptions): Promise<VirtualCluster> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock, workloads });
  const world = around(cluster, clock, () => cluster);
  await world.rest();
  return { ...world, [Symbol.asyncDispose]: () => cluster.close() };
}

/** A cluster in virtual time with some controllers, where the test is the scheduler and the nodes. */
export interface HandRunCluster extends VirtualCluster {
  /** Stops the controllers and starts them anew, as after a crash of the program. */
  restart(): Promise<void>;
  /** What a node does for its pods: gives them a place and lets them be ready. */
  makeReady(pod: PodView, node?: string): Promise<void>;
  /** What a node does in the end: ended pods that are being deleted go. */
  finish(pod: PodView): Promise<void>;
  /** Lets all pods be ready, and those go that are to go, until nothing changes any more. */
  settle(): Promise<void>;
}

/** Starts such a cluster. */
export async function startHandRunCluster(controllers: () => readonly AnyController[]): Promise<HandRunCluster> {
  const clock = new FakeClock();
  const cluster = await startCluster({ clock });
  const { transport } = cluster;
  const start = () =>
    operator({ name: "kube-controller-manager", controllers: controllers() }).start({ transport, clock });
  let running = await start();
  const world = around(cluster, clock, () => ({
    idle: cluster.idle && running.idle,
    busy: () => running.busy(),
  }));
  const { client, rest, pods } = world;
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
    ...world,
    restart: async () => {
      await running.stop();
      running = await start();
    },
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
    [Symbol.asyncDispose]: async () => {
      await running.stop();
      await cluster.close();
    },
  };
}

/** Waits for a write to an object that a controller may have deleted meanwhile: then it is as if it had not been tried. */
export async function unlessGone(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** What every test does with a cluster. `work` tells whether it has come to rest, and else what is under way. */
function around(
  cluster: Cluster,
  clock: FakeClock,
  work: () => Pick<Cluster, "idle" | "busy">,
): Omit<VirtualCluster, typeof Symbol.asyncDispose> {
  const client = createClient(cluster.transport);
  const rest = async (): Promise<void> => {
    const giveUpMs = performance.now() + patienceMs;
    for (let calm = 0; calm < 3; calm = work().idle ? calm + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve));
      if (performance.now() > giveUpMs) throw new Error(`Cannot come to rest: ${work().busy().join("; ")}`);
    }
  };
  return {
    client,
    cluster,
    clock,
    rest,
    advance: async (seconds) => {
      await rest();
      const untilMs = clock.monotonic() + seconds * 1_000;
      for (let nextMs = clock.nextTimerInMs; nextMs !== undefined; nextMs = clock.nextTimerInMs) {
        if (clock.monotonic() + nextMs > untilMs) break;
        clock.advance(nextMs);
        await rest();
      }
      clock.advance(Math.max(0, untilMs - clock.monotonic()));
      await rest();
    },
    pods: async (labels = {}) => {
      const found: PodView[] = [];
      for await (const pod of client.list(Pod, { allNamespaces: true, labels })) found.push(pod);
      return found;
    },
    events: async (wanted) => {
      const notes: string[] = [];
      for await (const { reason, message } of client.list(Event, { allNamespaces: true }))
        if (reason === wanted) notes.push(message ?? "");
      return notes.sort();
    },
  };
}
